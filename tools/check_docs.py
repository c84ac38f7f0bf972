#!/usr/bin/env python3
"""Holds the documentation to what the program does: docs/scene-reference.md is what `pliant schema
--markdown` prints, docs/refusals.md has the table of `pliant list refusals --markdown`, every whole scene in a ```json or ```jsonc block runs, and every `build/pliant …` line of
a ```sh block but `view` ends as it says (`# exit N` at its end, else 0). Runs are cut to 0.02 s of simulated time, and
pictures have two rays through a pixel unless they say otherwise.

    check_docs.py PLIANT            check
    check_docs.py PLIANT --write    write docs/scene-reference.md and that table instead"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent
reference = root / "docs" / "scene-reference.md"
refusals = root / "docs" / "refusals.md"
pages = [root / "README.md"] + sorted(p for p in (root / "docs").glob("*.md") if p != reference)
short = ["--set", "time.duration=0.02"]
wrong, done = [], 0


def run(where, words, folder, wanted=0):
    global done
    done += 1
    result = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120)
    if result.returncode != wanted:
        wrong.append(f"{where}: exit {result.returncode}, not {wanted}: {result.stderr.strip()}")


def check_page(page, pliant, folder):
    text = page.read_text()
    # A scene is saved under the last `NAME.json` named before it, so that later commands find it.
    for block in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.S | re.M):
        language, body = block.groups()
        where = f"{page.relative_to(root)}:{text.count(chr(10), 0, block.start()) + 1}"
        if language in ("json", "jsonc") and '"bodies"' in body:
            names = re.findall(r"`([\w-]+\.json)`", text[: block.start()])
            name = names[-1] if names else "scene.json"
            (folder / name).write_text(body)
            run(where, [pliant, "run", name, "--out", f"block-{done}", "--quiet", *short], folder)
        if language == "obj":  # a mesh, under the last `NAME.obj`
            (folder / re.findall(r"`([\w-]+\.obj)`", text[: block.start()])[-1]).write_text(body)
        if language in ("sh", "bash"):
            for line in re.findall(r"^build/pliant .*$", body, re.M):
                wanted = re.search(r"# exit (\d+)\s*$", line)
                words = [pliant, *shlex.split(line, comments=True)[1:]]
                if words[1] == "view":  # goes on until someone ends it; tests/apps has it
                    continue
                if words[1] in ("run", "compare"):
                    words += [*short, "--quiet"]
                if words[1] == "render" and "--samples" not in words:
                    words += ["--samples", "2"]
                run(f"{where}: {line}", words, folder, int(wanted.group(1)) if wanted else 0)


def main():
    pliant = str(pathlib.Path(sys.argv[1]).resolve())
    printed = subprocess.run([pliant, "schema", "--markdown"], capture_output=True, text=True, check=True).stdout
    table = subprocess.run([pliant, "list", "refusals", "--markdown"], capture_output=True, text=True, check=True).stdout
    if "--write" in sys.argv:
        reference.write_text(printed)
        head = refusals.read_text().split("| what does not", 1)[0]
        refusals.write_text(head + table)
        return 0
    if not refusals.read_text().endswith(table):
        wrong.append("docs/refusals.md is out of date: run tools/check_docs.py build/pliant --write")
    if not reference.exists() or reference.read_text() != printed:
        wrong.append("docs/scene-reference.md is out of date: run tools/check_docs.py build/pliant --write")
    for page in pages:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "scenes").symlink_to(root / "scenes")
            check_page(page, pliant, folder)
    if done < 10:
        wrong.append(f"only {done} scenes and commands were found: is the pattern still right?")
    print("\n".join(wrong) if wrong else f"docs: {done} scenes and commands do what they say")
    return 1 if wrong else 0


sys.exit(main())
