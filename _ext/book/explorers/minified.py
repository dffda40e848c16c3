"""The explorers' scripts as a page gets them: terser takes out what only their readers need.

The parts of a module come to a page one by one and are joined there, so the names that they have in
common stay: only what is inside a function is renamed.
"""

from __future__ import annotations

import json
import subprocess

from book.npm import node_binary, of_the_site

OPTIONS = {
    "ecma": 2020,
    "toplevel": False,
    "compress": {"passes": 2, "toplevel": False},
    "mangle": {"toplevel": False},
    "format": {"comments": False},
}
SCRIPT = """
const { minify } = require(process.argv[1]);
const options = JSON.parse(process.argv[2]);
let text = "";
process.stdin.on("data", (part) => { text += part; }).on("end", async () => {
  const short = {};
  for (const [name, source] of Object.entries(JSON.parse(text))) {
    short[name] = (await minify(source, options)).code;
  }
  process.stdout.write(JSON.stringify(short));
});
"""


def minified(sources: dict[str, str]) -> dict[str, str]:
    """The same scripts by the same names, shorter."""
    terser = of_the_site() / "terser"
    done = subprocess.run(
        [str(node_binary()), "-e", SCRIPT, str(terser), json.dumps(OPTIONS)],
        input=json.dumps(sources),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return json.loads(done.stdout)
