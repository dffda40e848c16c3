"""The exercises of chapter 5, attention weights, in the order of the chapter."""

from attnlib.exercises.weights.by_hand import BY_HAND
from attnlib.exercises.weights.predict import PREDICT
from attnlib.exercises.weights.softmax import SOFTMAX

EXERCISES = (BY_HAND, SOFTMAX, PREDICT)
