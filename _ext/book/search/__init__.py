"""The search of the site: its index, the words that students use, and the page of its results."""
