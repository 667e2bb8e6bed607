#!/bin/sh
# Stock and RocksDB measured by latte, a program that is not ours: https://crates.io/crates/latte-cli
#
#   cargo install latte-cli --version 0.29.0
#   ./curtail lab start judge --engine --heap 1024 --jit C2
#   docs/evidence/latte.sh ADDRESS PID [PAIRS [SECONDS]]     of the node, as `./curtail lab status judge` has them
#
# One node, two tables of 100,000 rows of 256 bytes, asked in turns by 32 at a time. A line a run: what, table, pair,
# requests a second, p50, p99 and p99.9 in ms, processor time of the node a request in us. Pair 0 is a warm-up.
set -eu
address=$1 pid=$2 pairs=${3:-5} seconds=${4:-6}
script=$(dirname "$0")/latte.rn
folder=$(mktemp -d)
report=$folder/report.json
trap 'rm -rf "$folder"' EXIT
export LATTE_LOG_DIR="$folder"

cpu_ticks() { awk '{print $14 + $15}' "/proc/$pid/stat"; }

measure() { # what table pair
  before=$(cpu_ticks)
  latte run "$script" -q -P "table=\"$2\"" -f "$1" -w 0 -d "${seconds}s" -t 1 -p 32 -o "$report" \
    "$address" >"$folder/out" 2>&1 || { cat "$folder/out" >&2; exit 1; }
  after=$(cpu_ticks)
  python3 - "$report" "$1" "$2" "$3" "$((after - before))" <<'PYTHON'
import json, os, sys
path, what, table, pair, ticks = sys.argv[1:]
report = json.load(open(path))
result = report["result"]
at = dict(zip(report["percentiles"], result["request_latency"]["percentiles"]))
named = [next(v["value"] for k, v in at.items() if float(k) == p) for p in (50, 99, 99.9)]
micros = int(ticks) / os.sysconf("SC_CLK_TCK") * 1e6 / result["request_count"]
rate = result["request_count"] / result["elapsed_time_s"]
print(what, table, pair, "%.0f %.2f %.2f %.2f %.1f" % (rate, *named, micros), flush=True)
PYTHON
}

for table in stock:default rocks:rocksdb; do
  latte schema "$script" -P "table=\"${table%:*}\"" -P "memtable=\"${table#*:}\"" "$address" 2>/dev/null
  latte load "$script" -q -P "table=\"${table%:*}\"" "$address" >/dev/null 2>&1
done
for what in read write read:0.5,write:0.5; do
  for pair in $(seq 0 "$pairs"); do
    if [ $((pair % 2)) = 0 ]; then order="stock rocks"; else order="rocks stock"; fi
    for table in $order; do measure "$what" "$table" "$pair"; done
  done
done
