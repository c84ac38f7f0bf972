#!/usr/bin/env python3
"""Small meshes in every format that can be written, as seeds for fuzz_mesh: the number of the format in one
byte, then the file.

    make_seeds.py PLIANT FOLDER"""
import pathlib
import re
import subprocess
import sys
import tempfile

SHAPES = (("box", "size=[2,1,1]", "cells=[2,1,1]"), ("box", "size=[2,1,1]", "cells=[1,1,1]", "element=hex8"),
          ("sheet", "size=[1,1]", "cells=[2,2]"))


def main():
    pliant, seeds = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
    seeds.mkdir(parents=True, exist_ok=True)
    listed = subprocess.run([pliant, "list", "mesh-formats"], capture_output=True, text=True, check=True).stdout
    endings = re.findall(r"^  \S+ +\.(\w+) ", listed, re.M)
    with tempfile.TemporaryDirectory() as folder:
        for shape in SHAPES:
            for number, ending in enumerate(endings):
                for flags in ([], ["--ascii"]):
                    file = pathlib.Path(folder) / f"a.{ending}"
                    # Surface formats refuse solids, and TetGen's is only read.
                    made = subprocess.run([pliant, "mesh", "make", *shape, *flags, "-o", file], capture_output=True)
                    if made.returncode == 0:
                        name = f"{shape[0]}{len(shape)}{'-text' if flags else ''}.{ending}"
                        (seeds / name).write_bytes(bytes([number]) + file.read_bytes())
    (seeds / "tetgen.node").write_bytes(bytes([endings.index("node")]) + b"4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n")


main()
