"""The exercises of chapter 1, what self-attention does, in the order of the chapter."""

from attnlib.exercises.what.by_hand import BY_HAND
from attnlib.exercises.what.context import CONTEXT
from attnlib.exercises.what.predict import PREDICT

EXERCISES = (BY_HAND, CONTEXT, PREDICT)
