#!/usr/bin/env bash
# Slurm's `aftercorr` between arrays of two and of three tasks.
#
# Guess: task 3, which has no counterpart, can never begin.
# Seen (Slurm 22.05.8 of Debian 12): it waits for the whole other array, and begins if all of that array's tasks succeed;
# if one fails, task 3 stays pending as *DependencyNeverSatisfied*, while tasks 1 and 2 wait for their counterparts only.
set -euo pipefail
for package in slurmctld slurmd slurm-client; do
    dpkg -s "$package" >/dev/null 2>&1 || { echo "missing: $package" >&2; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "missing: root, for Slurm's daemons" >&2; exit 77; }
folder=$(mktemp -d)
export SLURM_CONF=$folder/slurm.conf
trap 'scontrol shutdown; wait; rm -rf "$folder"' EXIT
mkdir "$folder/state" "$folder/spool"
host=$(hostname -s)
port=$((20000 + RANDOM))
cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/none
CredType=cred/none
SlurmUser=root
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0
NodeName=$host NodeAddr=127.0.0.1 CPUs=8
PartitionName=all Nodes=$host Default=YES
CONF
slurmctld -D -c >/dev/null 2>&1 &
slurmd -D >/dev/null 2>&1 &
for _ in $(seq 100); do [ "$(sinfo -h -o %T 2>/dev/null)" != idle ] || break; sleep 0.2; done

# The states of three tasks that depend on two, the second of which ends with the given status.
states() {
    local before after
    before=$(sbatch --parsable --output /dev/null --array 1-2 --wrap "sleep 3; [ \$SLURM_ARRAY_TASK_ID = 1 ] || exit $1")
    after=$(sbatch --parsable --output /dev/null --array 1-3 --dependency "aftercorr:$before" --wrap true)
    for _ in $(seq 60); do
        sleep 1
        squeue -h -t all -j "$after" -o '%T %r' | grep -qE 'ING (None|Dependency|Resources|Priority)$' || break
    done
    squeue -h -r -t all -j "$after" -o '%K:%T:%r' | sort | tr '\n' ' '
    scancel "$after"
}
seen="$(states 0)/ $(states 1)"
echo "$seen"
[ "$seen" = "1:COMPLETED:None 2:COMPLETED:None 3:COMPLETED:None / 1:COMPLETED:None 2:PENDING:DependencyNeverSatisfied \
3:PENDING:DependencyNeverSatisfied " ] || { echo "another behaviour" >&2; exit 1; }
