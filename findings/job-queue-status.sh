#!/usr/bin/env bash
# The exit status of commands that wait for jobs, one of which has failed.
#
# Guess: it reports the failure, as that of make, xargs and GNU parallel does.
# Seen (xjobs 20120412, nq 0.3.1 and GNU parallel's sem 20221122, all of Debian 12): xjobs, which waits for the commands
# of its input, nq -w and sem --wait end with 0; so `xjobs && next` runs `next` after a failure. xjobs prints each job's
# status, and nq keeps it. Only if it cannot find a command does xjobs end with 1. sem --fg is right.
set -euo pipefail
for package in xjobs nq parallel; do
    dpkg -s "$package" >/dev/null 2>&1 || { echo "missing: $package" >&2; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export NQDIR=$folder/queue HOME=$folder PARALLEL_HOME=$folder/parallel
mkdir "$NQDIR" "$PARALLEL_HOME"
touch "$PARALLEL_HOME/will-cite"
cd "$folder"
printf '#!/bin/sh\nexit 3\n' >fails
printf '#!/bin/sh\necho ran >>%s/log\n' "$folder" >runs
chmod +x fails runs

# Prints the status of a command, without its output.
status() {
    local code=0
    "$@" >/dev/null 2>&1 || code=$?
    echo "$code"
}
jobs() { printf '%s\n' "$folder/fails" "$folder/runs"; }
queue() { nq "$folder/fails" && nq "$folder/runs" && nq -w; }
semaphores() { sem --id two -j2 "$folder/fails"; sem --id two -j2 "$folder/runs"; sem --id two --wait; }
seen="xargs: $(jobs | status xargs -n1 env)
parallel: $(jobs | status parallel -j1)
sem --fg: $(status sem --id one --fg "$folder/fails")
xjobs: $(jobs | status xjobs -j1)
xjobs, not found: $(echo "$folder/none" | status xjobs -j1)
nq -w: $(status queue)
sem --wait: $(status semaphores)
runs: $(grep -c ran log)"
echo "$seen"
[ "$seen" = "xargs: 123
parallel: 1
sem --fg: 3
xjobs: 0
xjobs, not found: 1
nq -w: 0
sem --wait: 0
runs: 5" ] || { echo "another behaviour" >&2; exit 1; }
