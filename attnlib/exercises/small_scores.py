"""What two exercises say of scores so small that a finite fill is none."""

from attnlib.exercises.machinery import Property
from attnlib.exercises.text import Text

SAYS = Text("visible scores may be very small", "可见的分数再小也无妨")
HINT = Text(
    "All visible scores are about -2000 here. What stands in place of a forbidden score must lie "
    "far below every score there can be.",
    "这里所有可见的分数都约为 -2000。代替被禁止的分数的那个数，必须远小于任何可能出现的分数。",
)


def small_scores(holds):
    """Return the property that scores may be small."""
    return Property("small", SAYS, HINT, holds)
