"""The exercises of chapter 7, the causal mask, in the order of the chapter."""

from attnlib.exercises.causal.attention import ATTENTION
from attnlib.exercises.causal.by_hand import BY_HAND
from attnlib.exercises.causal.leaks import LEAKS
from attnlib.exercises.causal.predict import PREDICT

EXERCISES = (BY_HAND, ATTENTION, LEAKS, PREDICT)
