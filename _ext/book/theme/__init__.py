"""What the theme's pages lack or carry too much of."""
