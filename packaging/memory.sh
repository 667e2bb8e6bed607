# To be sourced: the memory that doctor speaks of, and that tests side by side are given.

# available_mebibytes [ROOT]: what can be had without swapping, in the control group if it limits us; what files hold of
# its memory they give back. ROOT is that of /proc and /sys, for a test.
available_mebibytes() {
  local root=${1:-} available limit used files
  available=$(sed -n 's/^MemAvailable: *\([0-9]*\).*/\1/p' "$root/proc/meminfo" 2>/dev/null) || true
  available=$((${available:-0} / 1024))
  limit=$(cat "$root/sys/fs/cgroup/memory.max" "$root/sys/fs/cgroup/memory/memory.limit_in_bytes" 2>/dev/null | head -n 1) || true
  used=$(cat "$root/sys/fs/cgroup/memory.current" "$root/sys/fs/cgroup/memory/memory.usage_in_bytes" 2>/dev/null | head -n 1) || true
  files=$(cat "$root/sys/fs/cgroup/memory.stat" "$root/sys/fs/cgroup/memory/memory.stat" 2>/dev/null |
    awk '/^(in)?active_file /{own += $2} /^total_(in)?active_file /{all += $2} END {printf "%d", all ? all : own}') || true
  case $limit in
    ""|max) ;;
    *) limit=$(((limit - used + files) / 1048576)); [ "$limit" -gt "$available" ] || available=$limit ;;
  esac
  echo "$available"
}
