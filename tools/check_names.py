#!/usr/bin/env python3
"""Refuses two types of one name: two modules that define a type of the same name in namespace pliant link without a
word and then run each other's code."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
found = {}
for path in sorted((root / "src" / "pliant").rglob("*.hpp")):
    text = path.read_text()
    namespaces = re.findall(r"^namespace ([\w:]+) \{", text, re.M)
    space = namespaces[0] if namespaces else ""
    for name in re.findall(r"^(?:struct|class|enum class) (\w+)(?: final)?\s*(?::[^;{]*)?\{", text, re.M):
        found.setdefault(f"{space}::{name}", []).append(str(path.relative_to(root)))
twice = {name: files for name, files in found.items() if len(files) > 1}
for name, files in twice.items():
    print(f"{name} is defined twice: {', '.join(files)}")
if not twice:
    print(f"names: {len(found)} types, none defined twice")
sys.exit(1 if twice else 0)
