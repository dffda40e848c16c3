"""Phrases of the text that set an explorer of their page."""
