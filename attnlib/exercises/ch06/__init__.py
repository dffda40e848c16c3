"""The exercises of chapter 6, aggregation, in the order of the chapter."""

from attnlib.exercises.ch06.by_hand import BY_HAND
from attnlib.exercises.ch06.head import HEAD
from attnlib.exercises.ch06.predict import PREDICT
from attnlib.exercises.ch06.terms import TERMS

EXERCISES = (BY_HAND, TERMS, HEAD, PREDICT)
