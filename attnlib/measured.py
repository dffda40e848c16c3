"""What a cell measured, by name: a line for the reader, and the values for whoever asks for them.

A page of the book sets a reader's prediction beside the value that the notebook measured. It takes
the value from the stored output of the cell, and a run of the notebook compares it once more.
"""

import numpy as np

FORMAT = "application/vnd.attnlib.measured+json"
"""The format of the values beside the text of an output."""


class Measured:
    """Values by name, to be displayed.

    Parameters
    ----------
    values : dict
        Numbers, words, answers True or False, or arrays of any of them, by name.
    decimals : int, optional
        To how many decimals numbers are rounded, in the text and in the values alike.
    says : list of str, optional
        The lines for the reader, where they are not just the names with their values.
    """

    def __init__(self, values, decimals=2, says=None):
        self.decimals = decimals
        self.says = says
        self.values = {name: self._plain(value) for name, value in values.items()}

    def _plain(self, value):
        value = value.tolist() if isinstance(value, np.ndarray | np.generic) else value
        if isinstance(value, list | tuple):
            return [self._plain(part) for part in value]
        # + 0.0: a rounded -0.001 is no -0.0
        return round(value, self.decimals) + 0.0 if isinstance(value, float) else value

    def _said(self, value):
        if isinstance(value, list):
            between = " / " if isinstance(value[0], list) else " "
            return between.join(map(self._said, value))
        if isinstance(value, bool):
            return "yes" if value else "no"
        return f"{value:.{self.decimals}f}" if isinstance(value, float) else str(value)

    def __repr__(self):
        if self.says is not None:
            return "\n".join(self.says)
        width = max(map(len, self.values))
        lines = (f"{name:{width}}  {self._said(value)}" for name, value in self.values.items())
        return "\n".join(lines)

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": repr(self), FORMAT: self.values}
