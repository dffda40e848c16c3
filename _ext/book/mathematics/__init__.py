"""Formulas become HTML while the site is built."""
