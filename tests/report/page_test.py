"""report.html as a reader of HTML sees it: well-formed, standing alone, with the figures in it."""

import base64
import html.parser
import os
import re
import struct
import zlib

import pliant_cli
from pliant_cli import beam, summary

EMPTY = {"meta", "img", "br", "link", "input"}
NAMESPACES = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
PLOTS = os.environ.get("PLIANT_PLOTS") != "OFF"


class Page(html.parser.HTMLParser):
    """Checks nesting, and gathers text, headings and references."""

    def __init__(self, path):
        super().__init__()
        with open(path, encoding="utf-8") as file:
            self.source = file.read()
        self.open, self.words, self.headings, self.sources, self.ids = [], [], [], [], []
        self.count = {}
        self.feed(self.source)
        self.close()
        assert self.open == [], self.open

    def handle_starttag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1
        self.sources += [value for name, value in attrs if name in ("src", "href", "xlink:href")]
        self.headings += [value for name, value in attrs if name == "aria-label"]
        self.ids += [value for name, value in attrs if name == "id"]
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data):
        self.words.append(data)
        if self.open and self.open[-1] in ("h1", "h2", "figcaption", "summary"):
            self.headings.append(data)


def png(width=2, height=2):
    """A small black picture."""
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))
    rows = (b"\0" + b"\0" * 3 * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Reports(pliant_cli.ProgramTest):
    def check(self, path):
        page = Page(path)
        addresses = set(re.findall(r"https?://[^\"'\s<>)]*", page.source))
        self.assertLessEqual(addresses, NAMESPACES)
        for source in page.sources:
            self.assertTrue(source.startswith(("#", "data:image/png;base64,")), source[:60])
        self.assertEqual(len(page.ids), len(set(page.ids)))
        for source in page.sources:
            if source.startswith("#"):
                self.assertIn(source[1:], page.ids)
        self.assertNotIn("script", page.count)
        return page

    def test_of_a_run(self):
        folder = self.run_scene(beam(name="a-beam", description="x < y & z", steps=6, dt=0.02))
        self.write("result/view.png", png())
        self.assertEqual(self.succeed("report", "result").out.strip(), "result/report.html")
        page = self.check(f"{folder}/report.html")
        text = "".join(page.words)
        self.assertEqual(page.headings[0], "a-beam")
        for word in ("x < y & z", "integrator be", summary(folder)["state_hash"],
                     '"output_dt"', summary(folder)["versions"]["eigen"]):
            self.assertIn(word, text)
        for heading in ("Summary", "View", "The scene as run", "Versions"):
            self.assertIn(heading, page.headings)
        if PLOTS:
            for heading in ("Energy", "Probe “tip”", "Linear momentum", "Iterations", "Time per step"):
                self.assertIn(heading, page.headings)
            self.assertGreaterEqual(page.count["svg"], 5)
        [picture] = [source for source in page.sources if source.startswith("data:")]
        self.assertEqual(base64.b64decode(picture.partition(",")[2]), png())

    def test_of_a_run_without_an_end(self):
        folder = self.run_scene(beam())
        os.remove(f"{folder}/summary.json")
        self.succeed("report", "result", "-o", "other.html")
        self.assertIn("there is no summary", "".join(self.check(self.path("other.html")).words))
        self.assertFalse(os.path.exists(f"{folder}/report.html"))

    def test_of_studies(self):
        self.write("scene.json", beam(name="a-beam"))
        for folder, command, figures in (
                ("curves", ("curves", "--integrators", "be,sdirk2"), 3),
                ("compare", ("compare", "scene.json", "--vary", "integrator=be,sdirk2"), 3),
                ("converge", ("converge", "scene.json", "--integrators", "be", "--dt", "0.02,0.01"), 2),
                ("modes", ("modes", "scene.json", "-k", "3"), 1)):
            said = self.succeed(*command, "--out", folder).out
            self.assertIn("report.html", said)
            page = self.check(self.path(folder, "report.html"))
            self.assertEqual(page.headings[0], folder if folder == "curves" else f"{folder}: a-beam")
            self.assertGreaterEqual(page.count.get("svg", 0), figures if PLOTS else 0)
            # The table that was printed stands in the page.
            self.assertIn(said.splitlines()[1].strip(), "".join(page.words))

    def test_of_a_case(self):
        self.succeed("reproduce", "damping-curves", "--out", "cases", "--quiet")
        page = self.check(self.path("cases", "damping-curves", "report.html"))
        self.assertEqual(page.headings[0], "damping-curves")
        self.assertIn("holds", page.words)

    def test_of_nothing_is_refused(self):
        os.mkdir(self.path("empty"))
        self.refuse(2, "report", "empty", words=["empty", "no results"])
        self.refuse(2, "report", "no/such", words=["no/such"])
        self.refuse(2, "report")


if __name__ == "__main__":
    pliant_cli.main()
