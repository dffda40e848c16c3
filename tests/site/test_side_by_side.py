"""The editions are built at the same time: neither harms the other, and half a site is none."""

from __future__ import annotations

import sys

import build_site
import pytest
from book.npm import move_into_place


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


@pytest.fixture
def folders(tmp_path, monkeypatch):
    monkeypatch.setattr(build_site, "ROOT", tmp_path)
    monkeypatch.setattr(build_site, "SITE", tmp_path / "site")
    monkeypatch.setattr(build_site, "PARTS", tmp_path / "editions")
    monkeypatch.setattr(build_site, "JUPYTER_BOOK", "")
    (tmp_path / "site" / "en").mkdir(parents=True)
    return tmp_path


def page(edition) -> str:
    """Code that makes the only page of an edition."""
    folder = build_site.PARTS / edition.folder / "html"
    return (
        "from pathlib import Path\n"
        f"folder = Path({str(folder)!r})\n"
        "folder.mkdir(parents=True)\n"
        f"(folder / 'index.html').write_text({edition.name!r}, encoding='utf-8')\n"
    )


def test_the_editions_and_the_wheel_stand_beside_the_root_page(folders, monkeypatch):
    wheel = folders / "editions" / "attnlib.whl"
    # what builds the wheel makes its folder, too: it may be the first to come
    code = (
        f"from pathlib import Path; wheel = Path({str(wheel)!r}); "
        "wheel.parent.mkdir(exist_ok=True); wheel.touch()"
    )
    monkeypatch.setattr(build_site, "build", lambda edition: python(page(edition)))
    monkeypatch.setattr(build_site, "wheel", lambda: python(code))
    build_site.build_site()
    site = folders / "site"
    made = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    assert made == {"404.html", "attnlib.whl", "en/index.html", "index.html", "zh/index.html"}
    assert (site / "zh" / "index.html").read_text(encoding="utf-8") == "中文"


@pytest.mark.parametrize("failing", ["en", "zh", "wheel"])
def test_when_one_part_fails_it_is_named_and_no_site_is_left(folders, monkeypatch, failing):
    def code(part, good):
        return python("raise SystemExit(3)  # " + part if part == failing else good)

    monkeypatch.setattr(build_site, "build", lambda edition: code(edition.folder, page(edition)))
    monkeypatch.setattr(build_site, "wheel", lambda: code("wheel", ""))
    with pytest.raises(SystemExit, match=f"This failed: .*# {failing}"):
        build_site.build_site()
    assert not (folders / "site").exists()


def test_a_cache_that_another_build_has_filled_meanwhile_stays(tmp_path):
    whole, home = tmp_path / "work", tmp_path / "katex"
    for folder, text in ((whole, "second"), (home, "first")):
        folder.mkdir()
        (folder / "katex.js").write_text(text, encoding="utf-8")
    move_into_place(whole, home)
    assert (home / "katex.js").read_text(encoding="utf-8") == "first"
    move_into_place(whole, tmp_path / "other")
    assert (tmp_path / "other" / "katex.js").read_text(encoding="utf-8") == "second"
    with pytest.raises(FileNotFoundError):
        move_into_place(whole, tmp_path / "third")
