#!/usr/bin/env python3
"""Refuses includes that point upwards: a module of src/pliant includes only itself and modules below it.
The order is that of the foreach in CMakeLists.txt, from the bottom up."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
order = re.search(r"foreach\(module ([^)]*)\)", (root / "CMakeLists.txt").read_text()).group(1).split()
height = {module: k for k, module in enumerate(order)}
wrong = []
for file in sorted((root / "src" / "pliant").rglob("*.?pp")):
    module = file.relative_to(root / "src" / "pliant").parts[0]
    if module not in height:
        wrong.append(f"{file.relative_to(root)}: module {module} is not in the list of CMakeLists.txt")
        continue
    for number, line in enumerate(file.read_text().splitlines(), 1):
        match = re.match(r'\s*#include [<"]pliant/(\w+)/', line)
        if match and height.get(match.group(1), 99) > height[module]:
            wrong.append(f"{file.relative_to(root)}:{number}: {module} must not include {match.group(1)}")
print("\n".join(wrong) if wrong else f"layers: {len(order)} modules, no include points upwards")
sys.exit(1 if wrong else 0)
