#!/bin/sh
# Runs the benchmarks, or those named, and keeps their results as data with the commit:
#   tools/bench.sh [NAME …]      bench/results/NAME.json
set -eu
cd "$(dirname "$0")/.."
mkdir -p bench/results
run() {
  if [ "$1" = python_steps ]; then
    PYTHONPATH=build/python /usr/bin/python3 bench/python_steps.py build/bench/bench_steps
  else
    "build/bench/bench_$1"
  fi
}
[ $# -gt 0 ] || set -- beam integrators contact constraints coarsen admm viewer python_steps
for name in "$@"; do
  echo "bench $name …"
  run "$name" > "bench/results/$name.new"
  python3 - "$name" <<'PY'
import json, platform, subprocess, sys
name = sys.argv[1]
path = f"bench/results/{name}"
data = json.load(open(path + ".new"))
data["commit"] = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
data["machine"] = platform.machine()
json.dump(data, open(path + ".json", "w"), indent=1)
print(json.dumps(data, indent=1))
PY
  rm "bench/results/$name.new"
done
