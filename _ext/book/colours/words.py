"""The words for the roles in their colours, where they stand in bold: where they are defined."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

# what a term is called, in the languages of the book
ROLES = {
    "query": ("query", "查询"),
    "key": ("key", "键"),
    "value": ("value", "值"),
    "signed": ("score", "注意力分数", "分数"),
    "weights": ("attention weight", "注意力权重"),
    "output": ("output", "输出"),
}
ROLE_OF = {word: role for role, words in ROLES.items() for word in words}


def role_of(text: str) -> str | None:
    """The role that a term names, alone or as one of several."""
    text = text.lower()
    return ROLE_OF.get(text) or ROLE_OF.get(text.removesuffix("s"))


class ColourTerms(SphinxPostTransform):
    """Name the role of each term in bold."""

    default_priority = 700
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for term in self.document.findall(nodes.strong):
            role = role_of(term.astext())
            # in a field list it is the name of a parameter
            if role and not isinstance(term.parent.parent, nodes.field):
                term["classes"].append(f"attn-{role}")


def setup(app: Sphinx) -> dict:
    app.add_post_transform(ColourTerms)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
