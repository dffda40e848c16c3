"""The exercises of chapter 1, what self-attention does, in the order of the chapter."""

from attnlib.exercises.ch01.by_hand import BY_HAND
from attnlib.exercises.ch01.context_vectors import CONTEXT
from attnlib.exercises.ch01.predict import PREDICT

EXERCISES = (BY_HAND, CONTEXT, PREDICT)
