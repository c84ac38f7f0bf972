#!/bin/sh
# Builds the viewer's page outside the source tree: build_viewer.sh SOURCE TARGET
# TARGET/page is a copy of the sources with the packages they need, fetched only when the list of packages
# changed; TARGET/dist is the result. Prints only what went wrong.
set -eu
source=$1
target=$2
page=$target/page
mkdir -p "$page"
rm -rf "$page/src" "$page/test" "$page/dev"
cp -R "$source/src" "$source/test" "$source/dev" "$page/"
for file in .npmrc index.html package.json package-lock.json tsconfig.json vite.config.ts; do
  cp "$source/$file" "$page/"
done
cd "$page"
output=$target/output.txt
quietly() {
  "$@" >"$output" 2>&1 || { cat "$output" >&2; echo "build_viewer: \"$*\" failed in $page" >&2; exit 1; }
}
if ! cmp -s package-lock.json node_modules/.built-from; then
  quietly npm ci --no-audit --no-fund
  cp package-lock.json node_modules/.built-from
fi
quietly npm run build -- --outDir "$target/dist" --emptyOutDir
touch "$target/dist/index.html"
