"""What is copied from the site: each formula once, as TeX, and of an example what is typed."""

from __future__ import annotations

import pytest
from browser import opened

CHAPTER = "chapters/05_attention_weights.html"
CLIPBOARD = ["clipboard-read", "clipboard-write"]

# The theme's script opens its place for announcements last, a third of a second after the rest.
AT_REST = "document.querySelector('.pst-async-banner-revealer').style.height === 'auto'"

# the text and the rich text of what was copied
COPIED = """async () => {
  const [item] = await navigator.clipboard.read();
  const text = async (type) => (await item.getType(type)).text();
  return [await text("text/plain"), await text("text/html")];
}"""

# The page, when the theme's script has answered a scroll; an empty attribute is no difference.
LOOK = """async () => {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  await new Promise((done) => setTimeout(done));
  return [document.documentElement.outerHTML.replaceAll(' style=""', ""), scrollY];
}"""

# the text of an element with TeX for its formulas
WITH_TEX = """element => {
  const copy = element.cloneNode(true);
  for (const formula of copy.querySelectorAll(".katex")) {
    const dollars = formula.closest(".katex-display") ? "$$" : "$";
    formula.replaceWith(dollars + formula.querySelector("annotation").textContent.trim() + dollars);
  }
  for (const link of copy.querySelectorAll(".headerlink")) link.remove();
  return copy.textContent;
}"""

# From inside a formula of a paragraph to inside the formula after it; gives their TeX and the
# text between.
SELECT_PARTS = """paragraph => {
  const [one, other] = paragraph.querySelectorAll(".katex-html");
  const last = (element) => {
    while (element.lastElementChild) element = element.lastElementChild;
    return element;
  };
  getSelection().setBaseAndExtent(last(one), 0, last(other), 0);
  const between = document.createRange();
  between.setStartAfter(one.parentElement);
  between.setEndBefore(other.parentElement);
  const tex = (drawn) => drawn.parentElement.querySelector("annotation").textContent.trim();
  return [tex(one), String(between), tex(other)];
}"""


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture(scope="module", params=["en", "zh"])
def chapter(request, browser, origin):
    url = f"{origin}/{request.param}/{CHAPTER}"
    with opened(browser, url, permissions=CLIPBOARD) as (page, record):
        page.wait_for_function(AT_REST)
        yield page
        assert not record.complaints


def copied(page) -> tuple[str, str]:
    """Copy what is selected, by keyboard; the page is then what it was."""
    before = page.evaluate(LOOK)
    page.keyboard.press("ControlOrMeta+c")
    text, html = page.evaluate(COPIED)
    page.wait_for_function("!document.documentElement.style.minHeight")
    same = page.evaluate(LOOK) == before
    assert same
    assert page.evaluate("!getSelection().isCollapsed")
    return text, html


def select(element) -> None:
    element.evaluate("element => getSelection().selectAllChildren(element)")


def test_a_paragraph_has_each_formula_once(chapter):
    paragraph = chapter.locator("article p:has(.katex + *, .katex)").filter(has_text="ij").first
    paragraph.scroll_into_view_if_needed()
    select(paragraph)
    text, html = copied(chapter)
    expected = words(paragraph.evaluate(WITH_TEX))
    assert expected.count("$") >= 6
    assert words(text) == expected
    assert "katex" not in html
    assert html.count("$") == expected.count("$")


def test_a_displayed_formula_stands_between_double_dollars(chapter):
    formula = chapter.locator("div.math").first
    formula.scroll_into_view_if_needed()
    select(formula)
    text, html = copied(chapter)
    assert "".join(text.split()) == "".join(formula.evaluate(WITH_TEX).split())
    assert text.count("$$") == html.count("$$") == 2
    assert "katex-html" not in html


def test_a_part_of_a_formula_is_copied_whole(chapter):
    paragraph = chapter.locator("article p:has(.katex ~ .math .katex, .math ~ .math)").first
    first, between, last = paragraph.evaluate(SELECT_PARTS)
    text, html = copied(chapter)
    assert words(text) == words(f"${first}${between}${last}$")
    assert "katex" not in html


def test_a_whole_chapter_has_every_formula_that_is_seen_and_nothing_hidden(chapter):
    article = chapter.locator("article")
    shown = article.evaluate(
        """article => [...article.querySelectorAll(".katex")]
             .filter((formula) => formula.checkVisibility())
             .map((formula) => (formula.closest(".katex-display") ? 4 : 2))"""
    )
    dollars_in_code = article.inner_text().count("$")
    select(article)
    text, _ = copied(chapter)
    assert len(shown) > 50
    assert text.count("$") == sum(shown) + dollars_in_code
    # the code of a cell behind a line
    folded = article.locator("details:not([open]) pre").first.text_content().strip()
    assert folded in article.text_content()
    assert folded not in text


def test_what_has_no_formula_is_copied_as_ever(chapter):
    heading = chapter.locator("article h2").first
    select(heading)
    text, _ = copied(chapter)
    assert text.strip() == heading.evaluate("heading => heading.firstChild.textContent")


@pytest.mark.parametrize("edition", ["en", "zh"])
def test_an_example_of_the_library_is_copied_without_prompts(browser, origin, edition):
    url = f"{origin}/{edition}/chapters/api.html"
    with opened(browser, url, permissions=CLIPBOARD) as (page, record):
        examples = page.locator(".highlight:has(.gp)")
        assert examples.count()
        for example in examples.all():
            shown = example.locator("pre").inner_text()
            lines = shown.splitlines()
            typed = [line[4:] for line in lines if line.startswith((">>> ", "... "))]
            assert 0 < len(typed) < len([line for line in lines if line])
            example.hover()
            example.locator("button.copy-button").click()
            text = page.evaluate("navigator.clipboard.readText()")
            assert [line for line in text.splitlines() if line] == typed
            # selected by hand, results are there and prompts are not
            select(example.locator("pre"))
            page.keyboard.press("ControlOrMeta+c")
            text = page.evaluate("navigator.clipboard.readText()")
            bare = [line[4:] if line.startswith((">>> ", "... ")) else line for line in lines]
            assert text.strip().splitlines() == "\n".join(bare).strip().splitlines()
        assert not record.complaints


def test_a_cell_of_a_notebook_is_copied_whole(chapter):
    """No line of Python looks like a prompt to the button."""
    cells = chapter.locator(".highlight-python, .highlight-ipython3").filter(visible=True)
    button = cells.nth(2).locator("button.copy-button")
    cells.nth(2).hover()
    button.click()
    text = chapter.evaluate("navigator.clipboard.readText()")
    assert text.strip() == cells.nth(2).locator("pre").inner_text().strip()
