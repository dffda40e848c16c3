"""The colours of the book on its pages: for figures, for formulas, in both themes."""
