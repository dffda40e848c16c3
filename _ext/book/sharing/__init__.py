"""What a page says of itself to search engines and to those who pass its address on."""
