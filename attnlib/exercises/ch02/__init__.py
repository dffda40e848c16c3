"""The exercises of chapter 2, query, key and value, in the order of the chapter."""

from attnlib.exercises.ch02.by_hand import BY_HAND
from attnlib.exercises.ch02.lookup import LOOKUP
from attnlib.exercises.ch02.predict import PREDICT
from attnlib.exercises.ch02.projections import CODE

EXERCISES = (BY_HAND, CODE, LOOKUP, PREDICT)
