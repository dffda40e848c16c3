"""The exercises of chapter 3, scores."""
