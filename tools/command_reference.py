#!/usr/bin/env python3
"""docs/command-line.md, made of what the program says of itself with --help.

    command_reference.py PLIANT            fails if the page is not what the program says
    command_reference.py PLIANT --write    writes it"""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
page = root / "docs" / "command-line.md"

HEAD = """# Command line

Made from `--help` of every command by tools/command_reference.py.

Exit status: 0 done; 1 a bug of ours, or a check of `doctor` that failed; 2 the input is wrong; 3 the start is infeasible; 4 could not continue; 5 files could not be
written; 130 and 143 interrupted. [Troubleshooting](troubleshooting.md) goes by symptom.

"""


def help_of(pliant, *command):
    words = subprocess.run([pliant, *command, "--help"], capture_output=True, text=True, check=True).stdout
    return re.sub(r"^Usage: \S*", "Usage: pliant", words, flags=re.M).rstrip() + "\n"


def commands_in(text):
    """The names under "Subcommands:", which go on to the next blank line."""
    block = re.search(r"^Subcommands:\n((?: .*\n)+)", text, re.M)
    return re.findall(r"^  (\S+)", block.group(1), re.M) if block else []


def section(pliant, *command):
    text = help_of(pliant, *command)
    title = " ".join(("pliant", *command))
    what = text.split("\n", 1)[0]
    parts = [f"{'##' + '#' * (len(command) > 1)} {title}\n\n{what[0].upper() + what[1:]}.\n\n```text\n{text.split(chr(10), 1)[1]}```\n\n"]
    for name in commands_in(text):
        parts += section(pliant, *command, name)
    return parts


def main():
    pliant = str(pathlib.Path(sys.argv[1]).resolve())
    text = help_of(pliant)
    names = commands_in(text)
    if len(names) < 10:
        sys.exit(f"command_reference: only {len(names)} commands were found: is the pattern still right?")
    made = HEAD + f"```text\n{text.split(chr(10), 1)[1]}```\n\n"
    for name in names:
        made += "".join(section(pliant, name))
    made = made.rstrip() + "\n"
    if "--write" in sys.argv:
        page.write_text(made)
    elif not page.exists() or page.read_text() != made:
        sys.exit("docs/command-line.md is out of date: run tools/command_reference.py build/pliant --write")
    else:
        print(f"command line: {len(names)} commands, as the program says")


main()
