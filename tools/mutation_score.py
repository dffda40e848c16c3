"""Say how many mutants of `mutmut run` the tests killed; fail on survivors nobody explained.

`tests/surviving_mutants.toml` lists the mutants that behave like the original, with the reason.
"""

import subprocess
import sys
import tomllib
from pathlib import Path

LISTED = Path(__file__).resolve().parent.parent / "tests" / "library" / "surviving_mutants.toml"
LEAST = 0.95
# a mutant that makes the tests hang is noticed too
DETECTED = ("killed", "timeout")


def mutmut(*arguments):
    """Return what mutmut prints."""
    command = [sys.executable, "-m", "mutmut", *arguments]
    finished = subprocess.run(command, check=True, capture_output=True, encoding="utf-8")
    return finished.stdout


def outcomes():
    """Return {name of the mutant: what became of it} of the last run."""
    lines = (line.strip() for line in mutmut("results", "--all", "true").splitlines())
    return dict(line.split(": ") for line in lines if ": " in line)


def change(mutant):
    """Return the line before and after a mutation."""
    lines = mutmut("show", mutant).splitlines()
    before = [line[1:].strip() for line in lines if line.startswith("-") and line[1:2] != "-"]
    after = [line[1:].strip() for line in lines if line.startswith("+") and line[1:2] != "+"]
    return " ".join(before), " ".join(after)


def main():
    """Print the score and every survivor; exit with 1 unless all is well."""
    reasons = {
        (mutant["before"], mutant["after"]): mutant["why"]
        for mutant in tomllib.loads(LISTED.read_text(encoding="utf-8"))["mutant"]
    }
    fates = outcomes()
    if not fates:
        sys.exit("There are no results: run `mutmut run` first.")
    alive = [name for name, fate in fates.items() if fate not in DETECTED]
    unexplained = 0
    for name in alive:
        before, after = change(name)
        why = reasons.get((before, after))
        unexplained += why is None
        print(f"{fates[name]}: {name}\n  - {before}\n  + {after}\n  {why or 'NOT EXPLAINED'}")
    killed = len(fates) - len(alive)
    print(f"{killed} of {len(fates)} mutants killed: {killed / len(fates):.1%}")
    if unexplained:
        sys.exit(
            f"{unexplained} survivors are not in {LISTED.name}: kill them or say why they live"
        )
    if killed < LEAST * len(fates):
        sys.exit(f"fewer than {LEAST:.0%} were killed")


if __name__ == "__main__":
    main()
