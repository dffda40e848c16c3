"""The exercises of chapter 3, scores, in the order of the chapter."""

from attnlib.exercises.scores.by_hand import BY_HAND
from attnlib.exercises.scores.code import CODE
from attnlib.exercises.scores.predict import PREDICT
from attnlib.exercises.scores.unlike import UNLIKE

EXERCISES = (BY_HAND, CODE, UNLIKE, PREDICT)
