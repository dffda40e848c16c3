"""The exercises of chapter 5, attention weights."""
