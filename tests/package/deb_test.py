#!/usr/bin/env python3
"""Makes the Debian packages of the build and looks into them.

    deb_test.py BUILD"""
import pathlib
import re
import subprocess
import sys
import tempfile

build = pathlib.Path(sys.argv[1]).resolve()


def run(*words):
    result = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{words}: exit {result.returncode}\n{result.stdout[-3000:]}\n{result.stderr[-3000:]}")
    return result.stdout


def require(condition, words):
    if not condition:
        sys.exit(words)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    run("cpack", "--config", build / "CPackConfig.cmake", "-G", "DEB", "-B", folder)
    packages = {f.name.split("_")[0]: f for f in folder.glob("*.deb")}
    require(set(packages) == {"pliant", "libpliant-dev"}, f"unexpected packages: {sorted(packages)}")

    fields = {p: run("dpkg-deb", "--field", f) for p, f in packages.items()}
    depends = re.search(r"^Depends: (.*)$", fields["pliant"], re.M)
    require(depends and "libc6" in depends.group(1) and "libtbb" in depends.group(1) and "libcholmod" in depends.group(1),
            f"the program's libraries are not among its dependencies:\n{fields['pliant']}")
    require("libeigen3-dev" in fields["libpliant-dev"], f"headers need Eigen's:\n{fields['libpliant-dev']}")

    holds = {p: run("dpkg-deb", "--contents", f) for p, f in packages.items()}
    for file in ["./usr/bin/pliant", "./usr/share/pliant/scenes/demo.json", "./usr/share/doc/pliant/LICENSE"]:
        require(f" {file}\n" in holds["pliant"], f"the package has no {file}")
    for file in ["./usr/include/pliant/core/types.hpp", "pliant-config.cmake", "pliant.pc", "libpliant_core.a"]:
        require(file + "\n" in holds["libpliant-dev"], f"the package for development has no {file}")
    require("/usr/include" not in holds["pliant"] and "/usr/bin" not in holds["libpliant-dev"], "files in the wrong package")
    inside = [line for text in holds.values() for line in text.splitlines() if not re.search(r" \./(usr(/.*)?)?$", line)]
    require(not inside, f"files outside of /usr: {inside[:5]}")

    # Unpacked, the program starts.
    run("dpkg-deb", "--extract", packages["pliant"], folder / "unpacked")
    version = run(folder / "unpacked/usr/bin/pliant", "--version")
    sizes = {p: f"{f.stat().st_size / 1e6:.1f} MB" for p, f in packages.items()}
    print(f"deb: {sizes}, version {version.strip()}")
