"""The editions: their catalogues, the switch, search and downloads."""
