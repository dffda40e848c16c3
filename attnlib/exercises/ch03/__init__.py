"""The exercises of chapter 3, scores, in the order of the chapter."""

from attnlib.exercises.ch03.all_scores import CODE
from attnlib.exercises.ch03.by_hand import BY_HAND
from attnlib.exercises.ch03.predict import PREDICT
from attnlib.exercises.ch03.unlike import UNLIKE

EXERCISES = (BY_HAND, CODE, UNLIKE, PREDICT)
