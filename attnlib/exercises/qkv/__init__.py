"""The exercises of chapter 2, query, key and value, in the order of the chapter."""

from attnlib.exercises.qkv.by_hand import BY_HAND
from attnlib.exercises.qkv.code import CODE
from attnlib.exercises.qkv.lookup import LOOKUP
from attnlib.exercises.qkv.predict import PREDICT

EXERCISES = (BY_HAND, CODE, LOOKUP, PREDICT)
