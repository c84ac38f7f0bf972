"""The code of docs/python.md and of the tutorials in Python runs, block after block, as one who reads it would type it."""

import pathlib
import re

import pliant_scenes as scenes

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"


class Page(scenes.SceneTest):
    def run_blocks(self, name):
        page = DOCS / name
        text = page.read_text(encoding="utf-8")
        names, blocks = {}, 0
        for block in re.finditer(r"^```python\n(.*?)^```$", text, re.S | re.M):
            line = text.count("\n", 0, block.start()) + 1
            code = compile("\n" * line + block.group(1), str(page), "exec")
            exec(code, names)
            blocks += 1
        return blocks

    def test_the_page_about_python_runs(self):
        self.assertGreaterEqual(self.run_blocks("python.md"), 8)

    def test_the_tutorials_run(self):
        for name in ("tutorial-python-material.md", "tutorial-fitting.md"):
            with self.subTest(name):
                self.assertGreaterEqual(self.run_blocks(name), 3)


if __name__ == "__main__":
    scenes.main()
