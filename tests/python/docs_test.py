"""The code of docs/python.md runs, block after block, as one who reads it would type it."""

import pathlib
import re

import pliant_scenes as scenes

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md"


class Page(scenes.SceneTest):
    def test_every_block_runs(self):
        text = PAGE.read_text(encoding="utf-8")
        names, blocks = {}, 0
        for block in re.finditer(r"^```python\n(.*?)^```$", text, re.S | re.M):
            line = text.count("\n", 0, block.start()) + 1
            code = compile("\n" * line + block.group(1), str(PAGE), "exec")
            exec(code, names)
            blocks += 1
        self.assertGreaterEqual(blocks, 8)


if __name__ == "__main__":
    scenes.main()
