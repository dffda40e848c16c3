"""Explorers on the pages that have one."""
