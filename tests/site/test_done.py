"""What was done of a chapter is marked where it stands in the table of contents, on the device."""

from __future__ import annotations

import json

from browser import opened
from test_settings import storage

CHAPTER = "chapters/03_scores"
MARKS = """[...document.querySelectorAll(".bd-links .done-mark")].map((mark) =>
  [mark.closest("a").textContent.trim().slice(0, 6), mark.textContent, mark.ariaLabel])"""
COUNT = "document.querySelectorAll('form.prediction, form.answer').length"


def test_every_answer_counts_and_the_last_one_makes_it_whole(browser, origin):
    with opened(browser, f"{origin}/en/{CHAPTER}.html") as (page, record):
        count = page.evaluate(COUNT)
        assert page.evaluate(MARKS) == []
        form = page.locator("form.prediction").first
        form.locator(".show").click()
        assert page.evaluate(MARKS) == [["Scores", f"1/{count}", f"1 of {count} done"]]
        assert page.locator(".chapter-place").inner_text().endswith(f"· 1 of {count} done")

        # on every other page too, in the language of the page
        page.goto(f"{origin}/zh/chapters/glossary.html")
        [[_, short, long]] = page.evaluate(MARKS)
        assert (short, long) == (f"1/{count}", f"已做 1 题，共 {count} 题")

        # a wrong answer does not count
        page.goto(f"{origin}/en/{CHAPTER}.html")
        answer = page.locator("form.answer").first
        for field in answer.locator("input[type=text]").all():
            field.fill("7")
        answer.get_by_role("button").first.click()
        assert page.evaluate(MARKS)[0][1] == f"1/{count}"

        kept = json.loads(page.evaluate("localStorage.getItem('done/03_scores')"))
        ids = page.evaluate(
            "[...document.querySelectorAll('form.prediction, form.answer')]"
            ".map((form) => form.id || form.dataset.exercise)"
        )
        assert kept == {"ids": ids[:1], "of": count}
        whole = json.dumps({"ids": ids, "of": count})
        page.evaluate("whole => localStorage.setItem('done/03_scores', whole)", whole)
        page.reload()
        assert page.evaluate(MARKS)[0][1] == "✓"

        # who clears an answer has one fewer
        form.locator(".again").click()
        assert page.evaluate(MARKS)[0][1] == f"{count - 1}/{count}"
        assert not record.complaints


def test_what_another_edition_of_the_book_has_kept_does_no_harm(browser, origin):
    with opened(browser, f"{origin}/en/{CHAPTER}.html") as (page, record):
        for text in ("{", "null", '{"ids": 3, "of": 2}', '{"ids": ["gone"], "of": 1}'):
            page.evaluate("text => localStorage.setItem('done/03_scores', text)", text)
            page.reload()
        page.locator("form.prediction").first.locator(".show").click()
        assert page.evaluate(MARKS)[0][1] == f"1/{page.evaluate(COUNT)}"
        assert not record.complaints


def test_where_nothing_can_be_kept_a_mark_lasts_as_long_as_the_page(browser, origin):
    url = f"{origin}/en/{CHAPTER}.html"
    with opened(browser, url, before=storage("forbidden")) as (page, record):
        page.locator("form.prediction").first.locator(".show").click()
        page.reload()
        assert page.evaluate(MARKS) == []
        assert not record.complaints
