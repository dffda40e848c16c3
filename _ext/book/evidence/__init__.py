"""What stands behind each claim, and that nothing stored is a fault."""
