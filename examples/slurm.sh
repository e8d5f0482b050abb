#!/usr/bin/env bash
# Solves a game on many machines: each round is a Slurm job array, over files that all machines can access.
#
#     examples/slurm.sh SHARES DIR [options of `dovemate solve` that name the game]
#     examples/slurm.sh 8 /shared/tables --kinds AYMT
#
# DIR is the folder for `--tables`; the logs of a run are below it. Shares whose task failed, was killed, or was
# cancelled before it began are submitted again; a round cancelled as a whole ends the script. Finished work is not
# repeated. Without Slurm, a loop over the shares or GNU parallel does the same; where several shares run on one machine
# or in one container, give each its part of the memory with --memory, or the system may kill one.
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
# How often a round is submitted before the script gives up.
attempts=5
# What the program prints once a share is done. Only this counts: `sbatch --wait` also ends with 0 for tasks that were
# cancelled while they waited, and for those that reached their time limit and ended with 0 (Slurm 22.05 and 24.11).
is_done='round [0-9]+: share [0-9]+ of [0-9]+ is done|the (part|game) is solved'

mkdir -p "$tables/slurm"
logs=$(mktemp -d "$tables/slurm/run-XXXXXX")
command=$(printf '%q ' "$program" solve "$@" --tables "$tables" --quiet)
part=1
round=0
while true; do
    log=$logs/part-$part-round-$round
    task="$command --share $part:$round:\$SLURM_ARRAY_TASK_ID/$shares"
    todo=$(seq -s ' ' "$shares")
    said=
    for ((attempt = 1; ; attempt++)); do
        # sbatch prints the job's number before it waits; if there is none, it has refused the job and said why.
        # shellcheck disable=SC2086 # the options are words
        job=$(sbatch ${SBATCH_OPTIONS:-} --parsable --wait --job-name "dovemate-$part-$round" --array "${todo// /,}" \
            --output "$log-job-%A-share-%a.out" --wrap "$task") || [ -n "$job" ] || exit 1
        job=${job%%;*}
        left=
        for share in $todo; do
            # By its name, because NFS finds a new file at once by its name, but may list it only a minute later.
            said+=$(grep -Exs "$is_done" "$log-job-$job-share-$share.out") || left+="${left:+ }$share"
        done
        [ -n "$left" ] || break
        if [ "$(squeue --noheader --states all --jobs "$job" --format %T | sort -u)" = CANCELLED ]; then
            echo "part $part, round $round was cancelled" >&2
            exit 1
        fi
        echo "part $part, round $round: a task failed; see $log-job-$job-*.out" >&2
        [ "$attempt" -lt "$attempts" ] || exit 1
        todo=$left
    done
    case $said in
    *'the game is solved'*)
        echo "the game is solved: $tables"
        exit 0
        ;;
    *'the part is solved'*)
        part=$((part + 1))
        round=0
        ;;
    *) round=$((round + 1)) ;;
    esac
done
