"""What the site opens, closes and asks, while the notebook holds everything."""
