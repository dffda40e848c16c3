"""What the book trains: tasks with known answers, the models that learn them, and measures."""
