"""The exercises of chapter 4, scaling, in the order of the chapter."""

from attnlib.exercises.scaling.by_hand import BY_HAND
from attnlib.exercises.scaling.predict import PREDICT
from attnlib.exercises.scaling.scores import SCORES
from attnlib.exercises.scaling.variance import VARIANCE

EXERCISES = (BY_HAND, SCORES, VARIANCE, PREDICT)
