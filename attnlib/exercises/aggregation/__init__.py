"""The exercises of chapter 6, aggregation, in the order of the chapter."""

from attnlib.exercises.aggregation.by_hand import BY_HAND
from attnlib.exercises.aggregation.head import HEAD
from attnlib.exercises.aggregation.predict import PREDICT
from attnlib.exercises.aggregation.terms import TERMS

EXERCISES = (BY_HAND, TERMS, HEAD, PREDICT)
