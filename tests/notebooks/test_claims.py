"""Every claim has the evidence that it needs, in the chapter that owns it."""

from __future__ import annotations

import ast
import re
from collections import defaultdict

import pytest
from book.evidence.claims import KINDS, claims, evidence, tags
from manuscript import CHAPTERS, NOTEBOOKS, code_cells, markdown, read, source

# Where symbols come from; what is made of them is symbolic too.
SYMBOLIC = {"sympy", "attnlib.symbolic"}

CLAIMS = claims(CHAPTERS)
IDS = [claim["id"] for claim in CLAIMS]


def cells_with(notebook: dict, kind: str, id_: str | None = None) -> list[dict]:
    return [
        cell
        for cell in notebook["cells"]
        if any(k == kind and id_ in (None, claim) for k, claim in evidence(cell))
    ]


def last_statement(statements: list[ast.stmt]) -> ast.stmt:
    """The statement that comes last, also where it is repeated or stands in a block."""
    *before, last = statements
    # what was measured is named and shown when it has been asserted
    if before and ast.unparse(last).startswith("display(Measured("):
        rest = [one for one in before if not isinstance(one, ast.Assign)]
        return last_statement(rest)
    return last_statement(last.body) if isinstance(last, ast.For | ast.With) else last


def names_used(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def is_symbolic(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> bool:
    origin = alias.name if isinstance(node, ast.Import) else f"{node.module}.{alias.name}"
    return any(f"{origin}.".startswith(f"{module}.") for module in SYMBOLIC)


def follow_symbols(statements: list[ast.stmt], known: set[str]) -> None:
    """Bring `known`, the names that stand for something symbolic, up to date."""

    def bind(targets: list[ast.expr], symbolic: bool) -> None:
        names = {name for target in targets for name in names_used(target)}
        (known.update if symbolic else known.difference_update)(names)

    for statement in statements:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            for alias in statement.names:
                if is_symbolic(statement, alias):
                    known.add(alias.asname or alias.name)
        elif isinstance(statement, ast.FunctionDef):
            symbolic = bool(names_used(statement) & known)
            (known.add if symbolic else known.discard)(statement.name)
        elif isinstance(statement, ast.Assign):
            bind(statement.targets, bool(names_used(statement.value) & known))
        elif isinstance(statement, ast.For):
            bind([statement.target], bool(names_used(statement.iter) & known))
        for field in ("body", "orelse", "handlers", "finalbody"):
            if not isinstance(statement, ast.FunctionDef):
                follow_symbols(getattr(statement, field, []), known)


def test_claims_are_counted_in_the_order_of_the_chapters():
    expected = []
    for number, path in enumerate(NOTEBOOKS, start=1):
        in_chapter = [claim for claim in CLAIMS if claim["chapter"] == path.stem]
        assert in_chapter, f"{path.stem} has no claim in chapters/claims.toml"
        expected += [f"{number}.{place}" for place in range(1, len(in_chapter) + 1)]
    assert expected == IDS


def test_every_claim_says_what_it_is_and_what_it_needs():
    for claim in CLAIMS:
        assert claim.keys() == {"id", "chapter", "text", "evidence", "label"}
        assert claim["text"].strip()
        assert claim["evidence"]
        assert len(set(claim["evidence"])) == len(claim["evidence"])
        assert set(claim["evidence"]) <= KINDS.keys()


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        pytest.param(claim, kind, id=f"{kind}-{claim['id']}")
        for claim in CLAIMS
        for kind in claim["evidence"]
    ],
)
def test_evidence_is_there(claim, kind):
    notebook = read(CHAPTERS / f"{claim['chapter']}.ipynb")
    assert cells_with(notebook, kind, claim["id"]), claim["text"]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["id"])
def test_the_formula_of_a_claim_stands_in_its_chapter(claim):
    prose = markdown(read(CHAPTERS / f"{claim['chapter']}.ipynb"))
    assert re.search(rf"^:label: {claim['label']}$", prose, re.MULTILINE)


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request):
    return read(request.param)


def test_no_cell_names_a_claim_that_is_not_there(notebook):
    declared = {claim for cell in notebook["cells"] for _, claim in evidence(cell)}
    assert declared <= set(IDS), "add the claim to chapters/claims.toml"


def test_one_proof_and_one_check_of_a_claim_is_the_one_to_read_first(notebook):
    marked = defaultdict(list)
    for cell in notebook["cells"]:
        for kind, claim, main in tags(cell):
            if kind in "PN":
                marked[kind, claim].append(main)
            assert not main or kind in "PN", f"{cell['id']}: {kind}-{claim} needs no main one"
    for (kind, claim), main in marked.items():
        assert sum(main) == (len(main) > 1), f"{sum(main)} of {len(main)} {kind}-{claim} are main"


def test_proofs_and_numeric_checks_end_in_an_assertion(notebook):
    for cell in cells_with(notebook, "P") + cells_with(notebook, "N"):
        assert cell["cell_type"] == "code", cell["id"]
        last = last_statement(ast.parse(source(cell)).body)
        assert isinstance(last, ast.Assert), cell["id"]


def test_proofs_are_about_symbols_and_numeric_checks_about_numbers(notebook):
    known: set[str] = set()
    for cell in code_cells(notebook):
        statements = ast.parse(source(cell)).body
        follow_symbols(statements, known)
        kinds = {kind for kind, _ in evidence(cell)}
        if kinds & {"P", "N"}:
            about = names_used(last_statement(statements))
            assert about, f"{cell['id']} asserts about nothing"
            if "P" in kinds:
                assert about & known, f"{cell['id']} asserts about no symbol"


def test_explorers_and_exercises_are_what_they_claim(notebook):
    for cell in cells_with(notebook, "X"):
        shown = [output.get("data", {}).get("text/html", "") for output in cell["outputs"]]
        assert any("<attn-explorer " in "".join(html) for html in shown), cell["id"]
    for cell in cells_with(notebook, "E"):
        assert re.search(r"^check\(", source(cell), re.MULTILINE), cell["id"]


def test_what_is_only_said_is_said_with_a_source(notebook):
    for cell in cells_with(notebook, "T"):
        assert cell["cell_type"] == "markdown", cell["id"]
        assert re.search(r"\{(cite(:\w+)?|numref|ref|eq)\}`", source(cell)), cell["id"]
