#!/usr/bin/env python3
"""The stranger's test: follows README.md and docs/index.md in a fresh copy of the tree, from the first command to a
scene and a mesh of one's own on screen. Files that a page asks to save are saved under the last name before them, and
every line of every ```sh block is run as typed, by the shell. What would take long is shortened, and nothing else:

- the build is the one at hand (`make -o setup-demo -o program -o build` takes packages and program for made), `make test` is only
  looked up, since this is a part of it;
- the demo's scene is cut to a tenth of a second, and pictures have two rays through a pixel;
- `pliant view` is ended once its page has been fetched.

    first_page_test.py PLIANT"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request

pliant = pathlib.Path(sys.argv[1]).resolve()
root = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.S | re.M)


def fail(words):
    sys.exit(f"first page: {words}")


def clone(to):
    """What git would give a stranger; without git, the folders that it would."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True)
    names = listed.stdout.splitlines() if listed.returncode == 0 else [
        str(p.relative_to(root)) for p in root.rglob("*") if p.is_file() and not p.relative_to(root).parts[0].startswith(("build", "out"))]
    for name in names:
        if (root / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / name, to / name)


def shortened(line):
    line = line.split("  #")[0].split(" # ")[0].strip()
    if re.match(r"make\s+test\b", line):
        return line.replace("make", "make -n -o build", 1)
    if line.startswith("make "):
        return line.replace("make", "make -o setup-demo -o program -o build", 1)
    if line.startswith("build/pliant render"):
        return line + " --samples 2"
    return line


def run(line, folder, environment):
    result = subprocess.run(["sh", "-e", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    if result.returncode != 0:
        fail(f"{line}: exit {result.returncode}\n{result.stdout[-2000:]}\n{result.stderr[-2000:]}")


def look(line, folder, environment):
    """`pliant view`: its page answers at the address that it prints."""
    server = subprocess.Popen(["sh", "-c", "exec " + line + " --port 0"], cwd=folder, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
    try:
        address = server.stdout.readline().strip()
        if not address.startswith("http"):
            fail(f"{line}: no address, but {address!r}: {server.stderr.read()}")
        page = urllib.request.urlopen(address, timeout=30).read()
        if b"<html" not in page.lower():
            fail(f"{line}: what {address} serves is no page")
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(30)


def follow(page, folder, environment):
    text = page.read_text()
    commands, saved = 0, []
    for block in BLOCK.finditer(text):
        language, body = block.groups()
        ending = {"json": "json", "jsonc": "json", "obj": "obj"}.get(language)
        if ending:
            names = re.findall(rf"`([\w-]+\.{ending})`", text[: block.start()])
            if names:
                (folder / names[-1]).write_text(body)
                saved.append(names[-1])
        if language in ("sh", "bash"):
            for line in filter(None, (shortened(raw) for raw in body.splitlines())):
                commands += 1
                (look if line.startswith("build/pliant view") else run)(line, folder, environment)
    return commands, saved


def main():
    environment = dict(os.environ, TERM="dumb")
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
        environment.pop(name, None)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        clone(folder)
        (folder / "build").mkdir(exist_ok=True)
        (folder / "build" / "pliant").symlink_to(pliant)
        (folder / "build" / "build.ninja").touch()
        demo = folder / "scenes" / "demo.json"
        demo.write_text(re.sub(r'"duration": [\d.]+', '"duration": 0.1', demo.read_text()))
        makefile = folder / "Makefile"
        makefile.write_text(makefile.read_text().replace("--time 1.56", "--time 0.1 --samples 2"))
        for page in (folder / "README.md", folder / "docs" / "index.md"):
            commands, saved = follow(page, folder, environment)
            print(f"{page.relative_to(folder)}: {commands} commands, saved {', '.join(saved) or 'nothing'}")
            if commands < 5 or not saved:
                fail(f"{page.name} has too few commands or files: is the pattern still right?")
        for picture in ("out/demo/demo.png", "out/bar.png", "out/house.png"):
            if not (folder / picture).exists() or (folder / picture).read_bytes()[:4] != b"\x89PNG":
                fail(f"{picture} is no picture")
        if (folder / "out/house.png").stat().st_size < 20000:
            fail("the picture of the house is next to empty")
        print("first page: from a clone to a scene and a mesh of one's own in a picture and in the browser")


main()
