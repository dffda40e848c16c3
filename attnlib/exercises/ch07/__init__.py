"""The exercises of chapter 7, the causal mask, in the order of the chapter."""

from attnlib.exercises.ch07.attention import ATTENTION
from attnlib.exercises.ch07.by_hand import BY_HAND
from attnlib.exercises.ch07.leaks import LEAKS
from attnlib.exercises.ch07.predict import PREDICT

EXERCISES = (BY_HAND, ATTENTION, LEAKS, PREDICT)
