"""The exercises of chapter 6, aggregation."""
