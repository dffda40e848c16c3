"""What all explorers share, in Python and in JavaScript."""
