"""Exercises that are answered on the page, judged by the data that attnlib has of them."""
