"""The exercises of chapter 8, multi-head attention."""
