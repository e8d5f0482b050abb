#!/usr/bin/env bash
# Solves a game on many machines: each round is a Slurm job array over files that all of them see.
#
#     examples/slurm.sh SHARES DIR [options of `dovemate solve` that name the game]
#     examples/slurm.sh 8 /shared/tables --kinds AYMT
#
# DIR is the folder for `--tables`. A task that fails or is killed leaves nothing behind, and its round is submitted
# again; finished work is not repeated. Without Slurm, a loop over the shares or GNU parallel does the same.
#
# DOVEMATE names the program (default: dovemate); SBATCH_OPTIONS has further options for sbatch.
set -euo pipefail

if [ $# -lt 2 ]; then
    echo "usage: $0 SHARES DIR [options of dovemate solve]" >&2
    exit 2
fi
shares=$1
tables=$2
shift 2
program=${DOVEMATE:-dovemate}
# The number of times in a row that a round may fail before this gives up.
attempts=5

mkdir -p "$tables/slurm"
command=$(printf '%q ' "$program" solve "$@" --tables "$tables" --quiet)
part=1
round=0
failed=0
while true; do
    log=$tables/slurm/part-$part-round-$round
    task="$command --share $part:$round:\$SLURM_ARRAY_TASK_ID/$shares"
    # Of another game, or of an earlier run.
    rm -f "$log"-*.out
    # shellcheck disable=SC2086 # the options are words
    if ! sbatch ${SBATCH_OPTIONS:-} --quiet --wait --job-name "dovemate-$part-$round" --array "1-$shares" \
        --output "$log-%a.out" --wrap "$task"; then
        failed=$((failed + 1))
        echo "part $part, round $round: a task failed; see $log-*.out" >&2
        if [ "$failed" -ge "$attempts" ]; then
            exit 1
        fi
        continue
    fi
    failed=0
    if grep -qs 'the game is solved' "$log"-*.out; then
        echo "the game is solved: $tables"
        exit 0
    elif grep -qs 'the part is solved' "$log"-*.out; then
        part=$((part + 1))
        round=0
    else
        round=$((round + 1))
    fi
done
