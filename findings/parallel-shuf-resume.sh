#!/usr/bin/env bash
# GNU parallel's --resume after --shuf.
#
# Guess: --resume runs the jobs that the log lacks, or refuses a list in another order.
# Seen (GNU parallel 20221122 of Debian 12): the log numbers the jobs in their shuffled order, and --resume shuffles
# anew and leaves out the first jobs of the new order. Some shares run twice, others never, and it ends with 0. Input
# and command are the same, as the manual requires. Without --shuf each share runs once.
set -euo pipefail
dpkg -s parallel >/dev/null 2>&1 || { echo "missing: parallel" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PARALLEL_HOME=$folder
touch "$folder/will-cite"
cd "$folder"

# Runs 8 of 24 shares, then resumes; prints how often each share ran.
halves() {
    local name=$1
    shift
    # The first run is made to stop, so its status may be an error.
    seq 24 | parallel "$@" -j1 --halt soon,done=8 --joblog "$name.log" "echo {} >> $name" 2>/dev/null || true
    seq 24 | parallel "$@" -j1 --resume --joblog "$name.log" "echo {} >> $name"
    local twice
    twice=$(sort "$name" | uniq -d | wc -l)
    echo "$(grep -c . "$name") runs, $((24 - $(sort -u "$name" | grep -c .))) shares never, $twice twice"
}
plain=$(halves plain)
shuffled=$(halves shuffled --shuf)
echo "in order: $plain"
echo "with --shuf: $shuffled"
# The chance that two orders begin with the same eight shares is one in 735,471.
if [ "$plain" != "24 runs, 0 shares never, 0 twice" ] ||
    ! [[ $shuffled =~ ^24\ runs,\ ([1-8])\ shares\ never,\ ([1-8])\ twice$ ]] ||
    [ "${BASH_REMATCH[1]}" != "${BASH_REMATCH[2]}" ]; then
    echo "another behaviour" >&2
    exit 1
fi
