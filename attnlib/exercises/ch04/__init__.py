"""The exercises of chapter 4, scaling, in the order of the chapter."""

from attnlib.exercises.ch04.by_hand import BY_HAND
from attnlib.exercises.ch04.predict import PREDICT
from attnlib.exercises.ch04.scaled_scores import SCORES
from attnlib.exercises.ch04.score_variance import VARIANCE

EXERCISES = (BY_HAND, SCORES, VARIANCE, PREDICT)
