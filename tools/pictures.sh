#!/bin/sh
# Makes the pictures of the project anew: scenes/thumbnails/NAME.png of every scene, and those that
# README.md shows. Scenes run for as long as their picture needs; results stay in build/pictures, and
# one that is there is used again. Usage: tools/pictures.sh [NAME…], readme
# or cases; all of them without names.
set -eu
cd "$(dirname "$0")/.."
pliant=build/pliant
work=build/pictures
mkdir -p "$work" scenes/thumbnails

# name, simulated seconds, time of the picture, further words for `pliant render`
thumbnail() {
  name=$1 duration=$2 time=$3
  shift 3
  [ -z "$wanted" ] || case " $wanted " in *" $name "*) ;; *) return 0 ;; esac
  [ -f "$work/$name/summary.json" ] ||
    $pliant run "scenes/$name.json" --out "$work/$name" --force --quiet --set "time.duration=$duration"
  $pliant render "$work/$name" -o "scenes/thumbnails/$name.png" --size 320x180 --samples 256 --time "$time" \
    --fit frame "$@"
}

wanted="$*"
thumbnail big-tree 0.4 0.28
thumbnail clamped-beam 1.2 0.6
thumbnail demo 2.0 1.56
thumbnail extreme 0.3 0.06
thumbnail falling-bodies 0.8 0.6
thumbnail heterogeneous-arm 1.4 1.3
thumbnail jello 0.4 0.16
thumbnail bouncing-ball 0.2 0.2
thumbnail duck-party 0.5 0.4
thumbnail leaning-block 0.2 0.2
thumbnail passing-ball 0.2 0.2
thumbnail sliding-block 0.2 0.2
thumbnail spinning-ball 0.2 0.2
thumbnail ragdoll 1.0 0.8
thumbnail bow 0.82 0.8
thumbnail four-bodies 0.6 0.52
thumbnail knee 0.6 0.6
thumbnail shaken-creature 0.3 0.24
thumbnail twisted-bar 0.32 0.28
thumbnail twisted-mat 8.0 8.0
thumbnail orthotropic-patch 1.2 1.0
thumbnail trampoline 0.6 0.52
thumbnail soft-arm 1.24 1.2
thumbnail soft-beam 1.2 0.6
thumbnail cloth-swing 0.8 0.72
thumbnail damped-cube 0.1 0.0
thumbnail drape 0.8 0.8
thumbnail dropped 0.2 0.2
thumbnail clay 0.5 0.48
thumbnail shaken 0.3 0.28
thumbnail terrain 0.9 0.88
thumbnail wrecking-ball 0.6 0.56
thumbnail spinning-beam 0.3 0.2
thumbnail squeezed-bar 1.0 0.28
thumbnail suspended 0.3 0.14
thumbnail swinging-doll 0.3 0.2
thumbnail thick-cloth 0.6 0.5
thumbnail vibrating-bar 0.2 0.12
# What README.md and the first page of the site show; under 500 KB.
if [ -z "$wanted" ] || [ "$wanted" = readme ]; then
  $pliant render "$work/demo" -o "$work/demo.mp4" --size 640x360 --samples 32 --fps 25
  ffmpeg -v error -y -i "$work/demo.mp4" -loop 0 -quality 75 -compression_level 6 docs/images/demo.webp
fi
# Figures of the papers' cases that docs/papers.md shows: docs/images/cases.
if [ -z "$wanted" ] || [ "$wanted" = cases ]; then
  for figure in damping-curves/damping clamped-beam/energy-33ms power-law/decay damping-order/order swinging-cable/energy twisted-bar/twist-error \
                barrier-shapes/barrier; do
    name=${figure%/*}
    [ -f "$work/cases/$figure.png" ] || $pliant reproduce "$name" --out "$work/cases" --quiet
    ffmpeg -v error -y -i "$work/cases/$figure.png" -vf \
      "scale=960:-1:flags=lanczos,split[a][b];[a]palettegen=max_colors=64[p];[b][p]paletteuse=dither=none" \
      "docs/images/cases/$name.png"
  done
fi
# A scene that has no line above would have no picture.
for scene in scenes/*.json; do
  name=$(basename "$scene" .json)
  [ -f "scenes/thumbnails/$name.png" ] || { echo "pictures: $name has no thumbnail" >&2; exit 1; }
done
