"""The exercises of chapter 8, multi-head attention, in the order of the chapter."""

from attnlib.exercises.ch08.by_hand import BY_HAND
from attnlib.exercises.ch08.multi_head import MULTI_HEAD
from attnlib.exercises.ch08.predict import PREDICT

EXERCISES = (BY_HAND, MULTI_HEAD, PREDICT)
