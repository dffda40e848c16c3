"""The exercises of chapter 2, query, key and value."""
