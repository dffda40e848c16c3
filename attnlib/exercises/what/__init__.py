"""The exercises of chapter 1, what self-attention does."""
