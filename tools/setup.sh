#!/bin/sh
# Installs the Debian packages that Pliant builds with, and only those that are missing; as root, or
# with sudo. Says nothing when there is nothing to do.
set -eu
packages="g++ cmake ninja-build ccache git python3 libeigen3-dev libtbb-dev libfmt-dev nlohmann-json3-dev
libvalijson-dev libcli11-dev zlib1g-dev libxxhash-dev libsuitesparse-dev libmetis-dev
libopenblas-pthread-dev libspectra-dev libcairo2-dev fonts-dejavu-core libcgal-dev libboost-dev libgtest-dev
libgmock-dev libbenchmark-dev libcgal-demo libmumps-seq-dev libembree-dev ffmpeg libhdf5-dev libtinyxml2-dev assimp-utils python3-meshio
python3-vtk9 python3-h5py chromium pybind11-dev python3-dev python3-numpy python3-scipy python3-setuptools python3-wheel python3-venv
pkg-config dpkg-dev file mkdocs mkdocs-material"
# The viewer's page and the validator of glTF files come with npm; one that is there already conflicts
# with Debian's.
command -v npm >/dev/null || packages="$packages nodejs npm"
missing=""
for package in $packages; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -z "$missing" ] && exit 0
as_root=""
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || { echo "setup: these packages are missing, and there is no sudo:$missing" >&2; exit 1; }
  as_root=sudo
fi
echo "setup: installing$missing"
$as_root apt-get update -qq
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
