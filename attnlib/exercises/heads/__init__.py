"""The exercises of chapter 8, multi-head attention, in the order of the chapter."""

from attnlib.exercises.heads.by_hand import BY_HAND
from attnlib.exercises.heads.multi_head import MULTI_HEAD
from attnlib.exercises.heads.predict import PREDICT

EXERCISES = (BY_HAND, MULTI_HEAD, PREDICT)
