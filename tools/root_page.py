"""The page at the root of the site, which leads to the edition in the reader's language.

The choice that a reader made with the language switch comes first, then the languages of the
browser, then the first edition. Without scripts the page is a list of the editions.
"""

from __future__ import annotations

from html import escape

from book.languages.editions import EDITIONS

PAGE = """<!DOCTYPE html>
<html lang="{first.tag}">
<meta charset="utf-8">
<title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="{first.folder}/_static/favicon.svg">
{alternates}
<style>
body {{ font: 1.25rem/1.6 system-ui, sans-serif; margin: 3rem auto; max-width: 30rem }}
</style>
<h1>{title}</h1>
<ul>
{items}
</ul>
<script>
const folders = {folders};
let folder = null;
try {{
  folder = localStorage.getItem("edition");
}} catch {{
  // storage may be forbidden
}}
if (!Object.values(folders).includes(folder)) {{
  const codes = navigator.languages.map((language) => language.toLowerCase().split("-")[0]);
  folder = folders[codes.find((code) => Object.hasOwn(folders, code))] ?? "{first.folder}";
}}
location.replace(folder + "/index.html" + location.search + location.hash);
</script>
</html>
"""
ALTERNATE = '<link rel="alternate" hreflang="{tag}" href="{folder}/index.html">'
ITEM = '<li><a href="{folder}/index.html" lang="{tag}" hreflang="{tag}">{title}</a></li>'


def root_page() -> str:
    """The page as HTML."""
    editions = [*EDITIONS.values()]
    codes = ", ".join(f'"{one.tag.split("-")[0]}": "{one.folder}"' for one in editions)

    def lines(template: str) -> str:
        return "\n".join(
            template.format(tag=one.tag, folder=one.folder, title=escape(one.title))
            for one in editions
        )

    return PAGE.format(
        first=editions[0],
        title=escape(" · ".join(one.title for one in editions)),
        alternates=lines(ALTERNATE),
        items=lines(ITEM),
        folders=f"{{ {codes} }}",
    )
