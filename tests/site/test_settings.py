"""The site without storage, without scripts, and asked for words that JavaScript has itself."""

from __future__ import annotations

import re

import pytest
from browser import opened
from manuscript import pages
from searches import answers, ask, searched
from visits import IN_PAGE

OTHER = {"en": "zh", "zh": "en"}

# A browser that forbids storage throws as soon as it is looked at; one whose storage is full takes
# nothing.
STORAGE = {
    "forbidden": 'get() { throw new DOMException("The operation is insecure.", "SecurityError"); }',
    "full": """value: {
      getItem: () => null,
      removeItem() {},
      setItem() { throw new DOMException("It is full.", "QuotaExceededError"); },
    }""",
}


def storage(kind: str) -> str:
    """A script that puts storage of this kind in the place of the browser's."""
    return f"""for (const name of ["localStorage", "sessionStorage"]) {{
      Object.defineProperty(window, name, {{ configurable: true, {STORAGE[kind]} }});
    }}"""


@pytest.mark.parametrize(
    ("kind", "edition"),
    [("forbidden", "en"), ("forbidden", "zh"), ("full", "en")],
)
def test_without_storage_nothing_breaks_and_the_theme_changes(browser, origin, kind, edition):
    home = f"{origin}/{edition}"
    settings = {"before": storage(kind), "color_scheme": "dark"}
    with opened(browser, f"{home}/chapters/index.html", **settings) as (page, record):
        page.locator("attn-explorer[data-status='live']").first.wait_for()
        theme = "document.documentElement.dataset.theme"
        assert page.evaluate(theme) == "dark"
        button = page.locator("button.theme-switch-button:visible")
        seen = []
        for _ in range(3):
            button.click()
            seen.append(page.evaluate("document.documentElement.dataset.mode"))
            assert page.evaluate(theme) == ("light" if seen[-1] == "light" else "dark")
        assert seen == ["light", "dark", "auto"]
        # what looks at storage elsewhere: a search and its marks, the switch, the root page
        page.goto(f"{home}/search.html?q=softmax")
        page.locator("ol.search li a[href*='chapters/notation']").first.click()
        page.locator("a.language-switch").click()
        page.wait_for_url(re.compile(f"{origin}/{OTHER[edition]}/chapters/notation.*"))
        page.goto(f"{origin}/")
        page.wait_for_url(f"{origin}/*/{pages()[0]}.html")
        assert not record.complaints


def test_a_chosen_theme_is_kept_and_drawn_from_the_start(browser, origin):
    """The theme never is what no style sheet knows."""
    note = """globalThis.themes = new Set();
      new MutationObserver(() => themes.add(document.documentElement.dataset.theme)).observe(
        document, { subtree: true, childList: true, attributeFilter: ["data-theme"] });"""
    url = f"{origin}/en/chapters/notation.html"
    with opened(browser, url, before=note, color_scheme="light") as (page, record):
        assert page.evaluate("[...themes]") == ["light"]
        page.locator("button.theme-switch-button:visible").click()
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"
        page.goto(f"{origin}/zh/chapters/notation.html")
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"
        assert page.evaluate("localStorage.getItem('mode')") == "dark"
        assert "auto" not in page.evaluate("[...themes]")
        assert not record.complaints


# Names of what every object of JavaScript has, and others that a search may stumble over.
OWN_WORDS = [
    "constructor",
    "__proto__",
    "toString",
    "hasOwnProperty",
    "valueOf",
    "isPrototypeOf",
    "__defineGetter__",
    "prototype",
    "constructor __proto__",
    "softmax constructor",
]


@pytest.mark.parametrize("edition", OTHER)
def test_a_search_for_a_word_of_javascript_finds_what_has_it(browser, origin, site, edition):
    first, *others = OWN_WORDS
    with searched(browser, f"{origin}/{edition}", first) as (page, record):
        answers(page)
        for query in others:
            found = {*ask(page, query)}
            # where one of the words is in the book, what has it is found
            for path in found:
                html = (site / edition / f"{path}.html").read_text(encoding="utf-8").lower()
                assert any(word.lower() in html for word in query.split()), (query, path)
        assert ask(page, "constructor __proto__") == []
        assert len(ask(page, "softmax")) > 5
        assert not record.complaints


def test_the_root_page_is_not_misled_by_a_language_that_is_none(browser, origin):
    languages = "Object.defineProperty(navigator, 'languages', { value: ['constructor', 'zh'] })"
    with opened(browser, f"{origin}/", before=languages) as (page, record):
        page.wait_for_url(f"{origin}/zh/{pages()[0]}.html")
        assert not record.complaints


# A piece of code for each kind of token that the style sheet of code knows.
EVERY_TOKEN = """() => {
  const kinds = new Set();
  for (const sheet of document.styleSheets) {
    if (!/site\\.css/.test(sheet.href)) continue;
    for (const { selectorText } of sheet.cssRules) {
      const [, kind] = /\\.highlight \\.(\\w+)$/.exec(selectorText) ?? [];
      if (kind) kinds.add(kind);
    }
  }
  const code = document.querySelector(".highlight pre").cloneNode(false);
  for (const kind of kinds) {
    const token = Object.assign(document.createElement("span"), { className: kind });
    code.append(Object.assign(token, { textContent: `token ${kind} ` }));
  }
  document.querySelector(".highlight").prepend(code);
  return kinds.size;
}"""


@pytest.mark.parametrize(
    ("path", "scripts"),
    [("zh/chapters/api", True), ("en/chapters/07_causal_mask", False)],
    ids=["scripts", "no scripts"],
)
def test_code_and_text_have_contrast_with_and_without_scripts(browser, origin, path, scripts):
    settings = {"color_scheme": "light", "java_script_enabled": scripts}
    with opened(browser, f"{origin}/{path}.html", **settings) as (page, _):
        assert page.evaluate(EVERY_TOKEN) > 60
        page.evaluate(IN_PAGE)
        grounds = []
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found = page.evaluate("inPage.lowContrast()")
            assert found["checked"] > 100
            assert not found["faults"]
            grounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        assert len({*grounds}) == (2 if scripts else 1)  # it is scripts that know the theme
