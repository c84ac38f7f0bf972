#!/usr/bin/env python3
"""The site's search answers when the site is opened as files, from the first page and from one deep inside: what a
browser has on the page after a query.

    search_test.py SITE CHROMIUM"""
import pathlib
import re
import subprocess
import sys
import tempfile

site, chromium = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
deep = next(site.glob("source/src/pliant/**/*.html"))
for page, query, wanted in ((site / "index.html", "friction", "contact.html"), (deep, "barrier", "contact.html"),
                            (site / "index.html", "qwertzuiop", None)):
    with tempfile.TemporaryDirectory() as profile:
        shown = subprocess.run([chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
                                "--virtual-time-budget=20000", "--dump-dom", f"{page.as_uri()}?q={query}"],
                               capture_output=True, text=True, timeout=120).stdout
    found = re.findall(r'href="([^"]*)" class="md-search-result__link"', shown)
    if wanted is None:
        if found or "No matching documents" not in shown:
            sys.exit(f"{query}: found {found} where there is nothing")
    elif not any(wanted in link for link in found):
        sys.exit(f"{page.relative_to(site)}?q={query}: found {found or 'nothing'}, not {wanted}")
print("site: search answers from a disk")
