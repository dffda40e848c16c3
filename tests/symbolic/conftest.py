"""What the tests of the formula in symbols share."""

from small_heads import head, heads, rng  # noqa: F401 (fixtures)
