#!/usr/bin/env python3
"""Refuses two things of one name where that goes wrong without a word:

- two types in namespace pliant: modules that define them link, and then run each other's code;
- two types or constants in unnamed namespaces of one folder, or two functions whose first parameter is of one kind: its
  files are compiled several at once (PLIANT_UNITY), where the call of one may find the other."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
FUNCTION = re.compile(r"^(?!TEST|return|using|namespace|static_assert|extern|INSTANTIATE|TYPED_TEST|MATCHER)"
                      r"(?=[\w:])[\w:<>,&*\s\[\]]*?[\s&*>](\w+)\(([^;{}]*?)\)\s*(?:noexcept\s*)?(?:->[^;{}]*)?\{", re.M)
TYPE = re.compile(r"^(?:struct|class|enum class|enum) (\w+)(?: final)?\s*(?::[^;{]*)?\{", re.M)
CONSTANT = re.compile(r"^(?:static |inline )?(?:constexpr|const) [^=;({]*?\b(\w+)\s*(?:=|\{|\(|\[)", re.M)
CONSTANT_BESIDE = re.compile(r"^(?:constexpr|const) [^;({]*?=[^;({]*?, (k[A-Z]\w*) =", re.M)
ALONE = {"tests/robots"}  # compiled one by one


# What converts into each other without a word.
KINDS = [("text", r"char|string|Json|json"), ("number", r"\b(double|float|int|Index|size_t|unsigned|bool)\b(?!.*[<>])")]


def kind_of_first(parameters):
    first = re.split(r",(?![^<]*>)", parameters)[0].strip()
    if not first:
        return "nothing"
    for kind, pattern in KINDS:
        if re.search(pattern, first) and "vector" not in first and "span" not in first:
            return kind
    return re.sub(r"\bconst\b|[&*\s]|\w+$", "", re.sub(r"=.*", "", first).strip())


def types():
    found = {}
    for path in sorted((root / "src" / "pliant").rglob("*.hpp")):
        text = path.read_text()
        namespaces = re.findall(r"^namespace ([\w:]+) \{", text, re.M)
        space = namespaces[0] if namespaces else ""
        for name in TYPE.findall(text):
            found.setdefault(f"{space}::{name}", []).append(str(path.relative_to(root)))
    return found


def unnamed():
    found = {}
    folders = [*(root / "src" / "pliant").iterdir(), *(root / "tests").iterdir(), root / "apps", root / "python" / "src"]
    for folder in (f for f in folders if f.is_dir() and str(f.relative_to(root)) not in ALONE):
        for path in sorted(folder.rglob("*.cpp")):
            for body in re.findall(r"^namespace \{\n(.*?)^\}  // namespace", path.read_text(), re.S | re.M):
                body = re.sub(r"//[^\n]*", "", body)
                functions = {f"{name}({kind_of_first(parameters)}, …)" for name, parameters in FUNCTION.findall(body)}
                constants = {*CONSTANT.findall(body), *CONSTANT_BESIDE.findall(body)}
                for name in {*functions, *TYPE.findall(body), *constants}:
                    found.setdefault((folder.relative_to(root), name), set()).add(path.name)
    return {f"{name} in unnamed namespaces of {folder}": sorted(files) for (folder, name), files in found.items()}


named, hidden = types(), unnamed()
twice = {name: files for name, files in {**named, **hidden}.items() if len(files) > 1}
for name, files in sorted(twice.items()):
    print(f"{name} is defined twice: {', '.join(files)}")
if not twice:
    print(f"names: {len(named)} types and {len(hidden)} names of single files, none defined twice")
sys.exit(1 if twice else 0)
