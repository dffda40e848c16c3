"""The exercises of chapter 7, the causal mask."""
