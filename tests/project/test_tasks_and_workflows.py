"""What stands around the book names what is there: tasks, pinned actions, what a binder needs."""

from __future__ import annotations

import ast
import re
import sys
import tomllib

import pytest
import yaml
from manuscript import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
OTHERS = [ROOT / ".github" / "dependabot.yml", ROOT / ".pre-commit-config.yaml"]
GUIDES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "tools").glob("*.py")), ROOT / ".ci" / "run"]
TASK = re.compile(r"nox -s ((?:[a-z_]+ ?)+)")
PINNED = re.compile(r"uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")


def name_of(path) -> str:
    return path.relative_to(ROOT).as_posix()


def values(node, key: str) -> list:
    """Everything that stands under a key, at any depth."""
    if isinstance(node, list):
        return [value for entry in node for value in values(entry, key)]
    if not isinstance(node, dict):
        return []
    own = [node[key]] if key in node else []
    return own + [value for entry in node.values() for value in values(entry, key)]


def sessions() -> set[str]:
    """The names of the functions of noxfile.py that are tasks."""
    tree = ast.parse((ROOT / "noxfile.py").read_text(encoding="utf-8"))
    return {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and any(
            re.match(r"(nox\.session|everyday_task)\b", ast.unparse(mark))
            for mark in node.decorator_list
        )
    }


def test_a_workflow_is_there():
    assert {"book.yml", "newest.yml"} <= {path.name for path in WORKFLOWS}
    assert len(FORMS) == 2


@pytest.mark.parametrize("path", WORKFLOWS, ids=name_of)
def test_every_action_is_pinned_by_a_commit_with_its_version_beside_it(path):
    text = path.read_text(encoding="utf-8")
    used = values(yaml.safe_load(text), "uses")
    assert used
    assert len(PINNED.findall(text)) == len(used)
    by_action = {}
    for action in used:
        name, _, commit = action.partition("@")
        assert by_action.setdefault(name, commit) == commit, f"{name} has two versions"


@pytest.mark.parametrize("path", [*WORKFLOWS, *OTHERS, *GUIDES], ids=name_of)
def test_every_task_that_is_named_exists(path):
    named = {
        task for tasks in TASK.findall(path.read_text(encoding="utf-8")) for task in tasks.split()
    }
    assert named <= sessions()


def test_the_tasks_of_the_workflows_are_found():
    texts = [path.read_text(encoding="utf-8") for path in WORKFLOWS]
    named = {task for text in texts for tasks in TASK.findall(text) for task in tasks.split()}
    assert {"book", "tests", "unit", "oldest", "lock"} <= named


def test_what_is_handed_on_is_what_was_made():
    """A job that takes an artifact waits for the job that leaves it."""
    [path] = [path for path in WORKFLOWS if path.name == "book.yml"]
    jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
    made, taken = {}, {}
    for job, content in jobs.items():
        for step in content["steps"]:
            for verb, found in (("upload", made), ("download", taken)):
                if step.get("uses", "").startswith(f"actions/{verb}-artifact@"):
                    found[job] = step["with"]["name"]
    assert taken == {"tests": "site"}
    assert made == {"site": "site"}
    assert "site" in jobs["tests"]["needs"]
    assert set(jobs["publish"]["needs"]) == set(jobs) - {"publish"}


@pytest.mark.parametrize("path", FORMS, ids=name_of)
def test_a_form_asks_in_both_languages_and_for_something(path):
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert any(values(form["body"], "required"))
    for text in [form["name"], form["description"], *values(form["body"], "label")]:
        assert re.search(r"[A-Za-z].* · .*[\u4e00-\u9fff]", text), text
    ids = values(form["body"], "id")
    assert len(set(ids)) == len(ids) == len(form["body"])


def test_dependabot_watches_every_list_of_versions():
    settings = yaml.safe_load(OTHERS[0].read_text(encoding="utf-8"))
    watched = set(values(settings, "package-ecosystem"))
    assert watched == {"pip", "npm", "github-actions"}


def test_the_binder_has_what_the_notebooks_need_and_no_more():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    lab = [line for line in extras["book"] if line.startswith("jupyterlab")]
    lines = (ROOT / "binder" / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not line.startswith("#")] == [".[notebooks]", *lab]
    runtime = (ROOT / "binder" / "runtime.txt").read_text(encoding="utf-8").strip()
    newest = [
        str(version)
        for path in WORKFLOWS
        for version in values(yaml.safe_load(path.read_text(encoding="utf-8")), "python-version")
    ]
    assert runtime.removeprefix("python-") in newest


def test_the_notebooks_extra_has_every_library_that_a_notebook_or_attnlib_imports():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = [*settings["dependencies"], *settings["optional-dependencies"]["notebooks"]]
    known = {re.match(r"[\w-]+", line)[0] for line in listed}
    imported = set()
    for path in (ROOT / "attnlib").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(node.module.partition(".")[0])
    foreign = imported - set(sys.stdlib_module_names) - {"attnlib"}
    assert "numpy" in foreign
    # the last two come with ipykernel and with anywidget
    assert foreign <= known | {"IPython", "traitlets"}
