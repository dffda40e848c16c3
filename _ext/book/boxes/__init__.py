"""Boxes that the book has beside those of MyST: exercises and solutions."""
