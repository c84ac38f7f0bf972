#!/usr/bin/env python3
"""Writes the files of the viewer's page as one C++ source, so that the program serves them from memory.
    embed_page.py FOLDER OUTPUT
The output changes only where the files did."""
import pathlib
import sys

TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
         ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/x-icon",
         ".json": "application/json", ".woff2": "font/woff2", ".wasm": "application/wasm", ".txt": "text/plain; charset=utf-8"}
PLAIN = set(range(0x20, 0x7F)) - set(b'"\\?')
LINE = 96


def literal(data):
    """Octal escapes are three digits long, so that nothing after them is taken for a part of them."""
    text = "".join(chr(byte) if byte in PLAIN else f"\\{byte:03o}" for byte in data)
    lines, start = [], 0
    while start < len(text):
        end = min(start + LINE, len(text))
        last = text.rfind("\\", max(start, end - 3), end)  # an escape is not cut in two
        if end < len(text) and last >= 0:
            end = last
        lines.append(f'    "{text[start:end]}"')
        start = end
    return "\n".join(lines) or '    ""'


def main():
    folder, output = map(pathlib.Path, sys.argv[1:3])
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if folder / "index.html" not in files:
        sys.exit(f"embed_page.py: {folder} has no index.html")
    out = ["// The viewer's page, embedded by tools/embed_page.py.", "#include <pliant/view/page_files.hpp>", "",
           "#include <array>", "", "namespace pliant {", "namespace {", ""]
    entries = []
    for number, path in enumerate(files):
        kind = TYPES.get(path.suffix)
        if kind is None:
            sys.exit(f"embed_page.py: {path.name}: files of that kind are not served; there are {', '.join(TYPES)}")
        data = path.read_bytes()
        out += [f"constexpr std::string_view file_{number}(", literal(data) + ",", f"    {len(data)});"]
        entries.append(f'    {{"/{path.relative_to(folder).as_posix()}", "{kind}", file_{number}}},')
    out += ["", f"constexpr std::array<PageFile, {len(files)}> files = {{{{", *entries, "}};", "", "}  // namespace", "",
            "std::span<const PageFile> page_files() { return files; }", "", "}  // namespace pliant", ""]
    text = "\n".join(out)
    if not output.is_file() or output.read_text() != text:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text)


main()
