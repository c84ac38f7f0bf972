#!/usr/bin/env python3
"""Builds the documentation site with mkdocs, warnings being errors: docs/ and a few pages made here go to BUILD/site-source,
the site to BUILD/site. Afterwards every link and anchor within the site must lead somewhere, and nothing may be
fetched from elsewhere, so that it works from a disk.

    build_site.py [BUILD]       BUILD is build/ unless given"""
import html
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

root = pathlib.Path(__file__).resolve().parent.parent
build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else root / "build").resolve()
staged, site = build / "site-source", build / "site"
# Pages of the navigation that may be missing.
OPTIONAL = {"python.md", "gradients.md", "tutorial-python-material.md", "tutorial-fitting.md"}
REFERENCE = re.compile(r"(?<!!)\[([^\]]*)\]\((?!https?:|#)([^)#\s]+)(#[^)\s]*)?\)")
sources = set()  # files of the repository that pages link to


def source_page(path):
    """The page, within the site, that shows a file of the repository."""
    sources.add(path)
    return f"source/{path}.md"


def relinked(text, page):
    """Links that leave docs/ lead to pages that show what they name."""
    def replace(match):
        words, target, anchor = match.groups()
        file = (page.parent / target).resolve()
        if file.is_relative_to(root / "docs"):
            return match.group(0)
        if not file.is_relative_to(root) or not file.exists():
            sys.exit(f"{page.relative_to(root)}: {target} is not there")
        inside = file.relative_to(root)
        if str(inside) == "README.md":
            return f"[{words}](index.md)"
        if file.is_dir():
            return words
        return f"[{words}]({source_page(inside)})"
    fences = re.split(r"(^```.*?^```$)", text, flags=re.S | re.M)
    return "".join(part if part.startswith("```") else REFERENCE.sub(replace, part) for part in fences)


def plain_json(text):
    """A scene's text less its comments, which are whole lines or follow a blank."""
    return json.loads(re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*', lambda m: m.group(1) or "", text))


def gallery():
    rows = ["# Gallery", "",
            "Every scene of `scenes/`, drawn by `pliant render`. Run one with `build/pliant run scenes/NAME.json`, or choose",
            "among all of them in a browser with `build/pliant view scenes`.", "",
            '<div class="gallery">']
    for file in sorted((root / "scenes").glob("*.json")):
        scene = plain_json(file.read_text())
        picture = root / "scenes" / "thumbnails" / f"{file.stem}.png"
        if not picture.exists() or not scene.get("description"):
            sys.exit(f"scenes/{file.name}: has no picture (tools/pictures.sh) or no description")
        shutil.copy(picture, staged / "images" / "gallery" / picture.name)
        page = source_page(file.relative_to(root))
        words = html.escape(scene["description"])
        rows += [f'<figure><a href="{page[:-3]}.html"><img src="images/gallery/{picture.name}" alt="{words}" loading="lazy"></a>',
                 f"<figcaption><b>{file.stem}</b> {words}</figcaption></figure>"]
    return "\n".join(rows + ["</div>", ""])


def stage():
    shutil.rmtree(staged, ignore_errors=True)
    (staged / "images" / "gallery").mkdir(parents=True)
    for file in sorted((root / "docs").rglob("*")):
        to = staged / file.relative_to(root / "docs")
        if file.is_dir():
            to.mkdir(exist_ok=True)
        elif file.suffix == ".md":
            to.write_text(relinked(file.read_text(), file))
        else:
            shutil.copy(file, to)
    (staged / "gallery.md").write_text(gallery())
    (staged / "architecture.md").write_text(relinked((root / "ARCHITECTURE.md").read_text(), root / "ARCHITECTURE.md"))
    (staged / "changelog.md").write_text((root / "CHANGELOG.md").read_text())
    languages = {".hpp": "cpp", ".cpp": "cpp", ".py": "python", ".json": "js", ".sh": "sh", ".txt": "cmake", ".cmake": "cmake"}
    for path in sorted(sources):
        to = staged / f"source/{path}.md"
        to.parent.mkdir(parents=True, exist_ok=True)
        text = (root / path).read_text()
        to.write_text(f"# {path.name}\n\n`{path}`\n\n~~~~~{languages.get(path.suffix, 'text')}\n{text.rstrip()}\n~~~~~\n")


def configuration():
    """mkdocs.yml less optional pages that are missing, and with those that it does not name."""
    text = (root / "mkdocs.yml").read_text()
    listed, kept = set(), []
    for line in text.splitlines():
        page = re.search(r":\s+([\w-]+\.md)\s*$", line)
        if page and not (staged / page.group(1)).exists():
            if page.group(1) not in OPTIONAL:
                sys.exit(f"mkdocs.yml: {page.group(1)} is not there")
            continue
        if page:
            listed.add(page.group(1))
        kept.append(line)
    kept.append("      - Architecture: architecture.md")
    kept.append("      - Changes: changelog.md")
    listed |= {"architecture.md", "changelog.md"}
    more = sorted(p.name for p in staged.glob("*.md") if p.name not in listed)
    if more:
        kept += ["  - More:"] + [f"      - {name}" for name in more]
    text = "\n".join(kept) + "\n"
    text = text.replace("docs_dir: build/site-source", f"docs_dir: {staged}").replace("site_dir: build/site", f"site_dir: {site}")
    file = build / "mkdocs.yml"
    file.write_text(text)
    return file


def search_from_disk():
    """Puts the search index into a script, too, and a small one into every page that takes it where the site is opened
    as files."""
    folder = site / "search"
    (folder / "search_index.js").write_text(
        f"var __search = {{index: Promise.resolve({(folder / 'search_index.json').read_text()})}};\n")
    shutil.copy(root / "tools" / "search_from_disk.js", folder / "from_disk.js")
    for path in site.rglob("*.html"):
        text = path.read_text()
        bundle = re.search(r'<script src="([^"]*)assets/javascripts/bundle', text)
        if bundle is None:
            sys.exit(f"{path.relative_to(site)}: where the theme begins is not found")
        own = f'<script src="{bundle.group(1)}search/from_disk.js"></script>'
        path.write_text(text[: bundle.start()] + own + text[bundle.start():])


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.names, self.fetched = [], set(), []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if given.get("id"):
            self.names.add(given["id"])
        if tag == "a" and given.get("name"):
            self.names.add(given["name"])
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        fetched = given.get("src") or (given.get("href") if tag == "link" else None)
        if fetched and given.get("rel") not in ("canonical", "next", "prev"):
            self.fetched.append(fetched)


def check():
    pages = {path: Page(path) for path in sorted(site.rglob("*.html"))}
    wrong = []
    for path, page in pages.items():
        here = path.relative_to(site)
        wrong += [f"{here}: fetches {url}" for url in page.fetched if re.match(r"(https?:)?//", url)]
        for link in page.links + [f for f in page.fetched if not re.match(r"(https?:)?//|data:", f)]:
            if re.match(r"[a-z]+:|//", link) or here.name == "404.html":
                continue
            target, _, anchor = link.partition("#")
            target = urllib.parse.unquote(target.partition("?")[0])
            file = (path.parent / target).resolve() if target else path
            if file.is_dir():
                file = file / "index.html"
            if not file.exists():
                wrong.append(f"{here}: {link} is not there")
            elif anchor and file in pages and urllib.parse.unquote(anchor) not in pages[file].names | {"", "__skip"}:
                wrong.append(f"{here}: {link} has no such place")
    if wrong:
        sys.exit("\n".join(sorted(set(wrong))))
    size = sum(f.stat().st_size for f in site.rglob("*") if f.is_file())
    print(f"site: {len(pages)} pages, {size / 1e6:.1f} MB, every link leads somewhere; open {os.path.relpath(site / 'index.html')}")


def main():
    stage()
    if shutil.which("mkdocs") is None:
        sys.exit("build_site: mkdocs is not installed; tools/setup.sh installs it")
    result = subprocess.run(["mkdocs", "build", "--strict", "--quiet", "--clean", "--config-file", configuration()], text=True, capture_output=True)
    if result.returncode != 0:
        sys.exit(f"{result.stdout}{result.stderr}".strip())
    search_from_disk()
    check()


main()
