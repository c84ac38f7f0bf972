#!/bin/sh
# Installs the Debian packages that a target needs, and only those that are missing; as root, or with sudo. Says
# nothing when there is nothing to do, and in one sentence what is in the way where something is.
#
#     tools/setup.sh program|demo|build|test|docs
set -eu
what=${1:-test}

say() {
  echo "setup: $*" >&2
  exit 1
}

program="g++ cmake ninja-build ccache python3 libeigen3-dev libtbb-dev libfmt-dev nlohmann-json3-dev libvalijson-dev
libcli11-dev zlib1g-dev libxxhash-dev libsuitesparse-dev libmetis-dev libopenblas-pthread-dev libspectra-dev
libcairo2-dev fonts-dejavu-core libcgal-dev libboost-dev libmumps-seq-dev libembree-dev libhdf5-dev libtinyxml2-dev"
demo="libcgal-demo"
build="git libgtest-dev libgmock-dev libbenchmark-dev pybind11-dev python3-dev python3-numpy python3-scipy"
docs="mkdocs mkdocs-material"
tests="ffmpeg assimp-utils python3-meshio python3-vtk9 python3-h5py chromium python3-setuptools
python3-wheel python3-venv pkg-config dpkg-dev file"
# The viewer's page and the validator of glTF files come with npm; one that is there already conflicts with Debian's.
command -v npm >/dev/null || build="$build nodejs npm"

# Free space that is needed, MB: where packages go, and where the build goes (measured, and a half more).
case $what in
  program) packages="$program" room=1500 build_room=700 ;;
  demo) packages="$program $demo" room=1700 build_room=700 ;;
  build) packages="$program $build" room=2500 build_room=3000 ;;
  test) packages="$program $demo $build $docs $tests" room=5000 build_room=4000 ;;
  docs) packages="$program $build $docs" room=2700 build_room=1000 ;;
  *) say "'$what' is none of program, demo, build, test and docs" ;;
esac

free_mb() { df -Pk "$1" | awk 'NR == 2 {print int($4 / 1024)}'; }
root=$(cd "$(dirname "$0")/.." && pwd)
[ -w "$root" ] || say "$root cannot be written to, and the build goes into $root/build: copy the sources to a folder of your own"
if [ ! -e "$root/build/build.ninja" ]; then
  free=$(free_mb "$root")
  [ "$free" -ge "$build_room" ] ||
    say "$free MB are free in $root, and the build takes $build_room: make room, or copy the sources to a larger disk"
fi

# PLIANT_SETUP=skip: for systems where the libraries come from elsewhere.
[ "${PLIANT_SETUP:-}" = skip ] && exit 0
command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
  say "there is no apt-get, which installs what is missing: on another system than Debian, install what tools/setup.sh lists by its own means, then say PLIANT_SETUP=skip make $what"

missing=""
for package in $packages; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -z "$missing" ] && exit 0

as_root=""
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null ||
    say "these packages are missing, and to install them takes root or sudo: as root, run apt-get install$missing"
  as_root=sudo
fi
free=$(free_mb /usr)
[ "$free" -ge "$room" ] || say "$free MB are free in /usr, and the packages take up to $room: make room"
echo "setup: installing$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# An update that failed is said only if the packages cannot be had either: the lists may be there already.
$as_root apt-get update -qq >"$log" 2>&1 || true
if ! DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >>"$log" 2>&1; then
  tail -n 5 "$log" >&2
  if grep -qiE 'could not resolve|temporary failure|could not connect|failed to fetch|unable to fetch' "$log"; then
    say "the packages could not be fetched: check the network and /etc/apt/sources.list, then run make again"
  elif grep -qiE 'unable to locate|no installation candidate' "$log"; then
    say "this system does not have all packages (Debian 12 does; above is which): add the source they are in, then run make again"
  elif grep -qi 'no space left' "$log"; then
    say "the disk filled up while packages were installed: make room, run apt-get -f install, then make again"
  fi
  say "the packages could not be installed (above is why): once apt-get install works, run make again"
fi
