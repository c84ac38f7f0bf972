#!/usr/bin/python3
"""Makes a wheel of the package that is built: build/python/pliant becomes build/wheel/pliant-VERSION-….whl. It is
for the Python and the machine that it was built on, and links the libraries that are installed there.

    make_wheel.py BUILD"""
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig

root = pathlib.Path(__file__).resolve().parent.parent
build = pathlib.Path(sys.argv[1])
version = re.search(r"project\(pliant VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text()).group(1)
python = f"cp{sys.version_info.major}{sys.version_info.minor}"
platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")

out = build / "wheel"
content = out / "content"
shutil.rmtree(out, ignore_errors=True)
shutil.copytree(build / "python" / "pliant", content / "pliant", ignore=shutil.ignore_patterns("__pycache__"))
for module in (content / "pliant").glob("_pliant*.so"):  # line numbers are most of what it is
    subprocess.run(["strip", "--strip-debug", str(module)], check=True)
info = content / f"pliant-{version}.dist-info"
info.mkdir()
(info / "METADATA").write_text(f"""Metadata-Version: 2.1
Name: pliant
Version: {version}
Summary: An engine for deformable solids
License: Apache-2.0
Requires-Python: >=3.{sys.version_info.minor}
Requires-Dist: numpy
Requires-Dist: scipy
""")
(info / "WHEEL").write_text(f"""Wheel-Version: 1.0
Generator: pliant
Root-Is-Purelib: false
Tag: {python}-{python}-{platform}
""")
shutil.copy(root / "LICENSE", info / "LICENSE")
subprocess.run([sys.executable, "-m", "wheel", "pack", str(content), "--dest-dir", str(out)], check=True,
               stdout=subprocess.DEVNULL)
shutil.rmtree(content)
print(next(out.glob("*.whl")))
