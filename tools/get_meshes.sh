#!/bin/sh
# Fetches the creatures that the long studies mesh, into build/meshes (they are not part of the
# repository): the armadillo from Debian's libcgal-demo, the bunny from npm.
set -eu
cd "$(dirname "$0")/.."
out=build/meshes
mkdir -p "$out"
if [ ! -s "$out/armadillo.off" ]; then
  tar xzf /usr/share/doc/libcgal-demo/data.tar.gz -C "$out" --wildcards '*/armadillo.off' --transform 's|.*/||'
fi
if [ ! -s "$out/bunny.obj" ]; then
  if ! command -v npm >/dev/null; then
    [ "$(id -u)" = 0 ] && as_root="" || as_root=sudo
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends npm >/dev/null
  fi
  work=$(mktemp -d)
  (cd "$work" && npm pack --silent bunny >/dev/null && tar xzf bunny-*.tgz)
  python3 - "$work/package/index.js" "$out/bunny.obj" <<'PY'
# The package is a script that exports two lists: positions and cells (triangles, from 0).
import json, re, sys
text = open(sys.argv[1]).read()
lists = [re.search(r"exports\.%s\s*=\s*(\[\[.*?\]\])" % name, text, re.S) for name in ("positions", "cells")]
positions, cells = (json.loads(found.group(1)) for found in lists)
with open(sys.argv[2], "w") as out:
    for p in positions:
        out.write("v %r %r %r\n" % tuple(p))
    for c in cells:
        out.write("f %d %d %d\n" % tuple(i + 1 for i in c))
PY
  rm -rf "$work"
fi
