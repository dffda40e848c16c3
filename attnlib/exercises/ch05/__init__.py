"""The exercises of chapter 5, attention weights, in the order of the chapter."""

from attnlib.exercises.ch05.by_hand import BY_HAND
from attnlib.exercises.ch05.predict import PREDICT
from attnlib.exercises.ch05.softmax_in_code import SOFTMAX

EXERCISES = (BY_HAND, SOFTMAX, PREDICT)
