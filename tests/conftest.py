"""What all tests share."""

from browser import browser, origin, site  # noqa: F401 (fixtures)
from builds import katex_cache  # noqa: F401
from explorer_page import explorer_at, page_at  # noqa: F401
from figures_made import figures, shown  # noqa: F401
from hypothesis import settings
from visits import visits  # noqa: F401

# how long an example takes is no property of the library
settings.register_profile("attnlib", deadline=None)
settings.load_profile("attnlib")


def pytest_terminal_summary(terminalreporter):
    """Say how many cases were compared with an independent implementation, and what tests found."""
    counts = {}
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            if name.startswith("cases compared with "):
                counts[name] = counts.get(name, 0) + value
            elif name == "summary":
                terminalreporter.write_line(value)
    for name, count in counts.items():
        terminalreporter.write_line(f"{name}: {count}")
