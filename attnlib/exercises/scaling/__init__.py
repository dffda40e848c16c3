"""The exercises of chapter 4, scaling."""
