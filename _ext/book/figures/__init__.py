"""Figures of the notebooks become part of the page."""
