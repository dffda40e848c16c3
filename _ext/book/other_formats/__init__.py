"""What is made of the book's own boxes where no website is built: LaTeX, plain text, EPUB."""
