"""How sources are named."""
