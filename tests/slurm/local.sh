# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
# Sourced by the tests of jobs/*.slurm, after tests/shell.sh: a Slurm of our own with four nodes, all of them this machine,
# in the scratch folder and on loopback; it goes when the test ends. Where that cannot be, the test is skipped (77).

PATH=$PATH:/usr/sbin
for tool in slurmctld slurmd munged srun; do
  command -v $tool >/dev/null || { echo "skipped: there is no $tool (jobs/setup.sh --with-slurm)"; exit 77; }
done
[ "$(id -u)" -eq 0 ] || { echo "skipped: the nodes of a Slurm of our own run as root"; exit 77; }

slurm=$scratch/slurm
nodes=4
export SLURM_CONF=$slurm/slurm.conf
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_rmaps_base_oversubscribe=1
# the shared-memory transport names its segments by host and local rank, and so two nodes on one host collide
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_oob_tcp_if_include=lo

# Consecutive unused ports: one for the controller, one for each node.
free_ports() {
  local port i taken
  for port in $(seq $((17000 + $$ % 400 * 20)) 20 32000); do
    taken=
    for ((i = 0; i <= nodes; i++)); do
      if (exec 3<>"/dev/tcp/127.0.0.1/$((port + i))") 2>/dev/null; then taken=yes; fi
    done
    [ -n "$taken" ] || { echo "$port"; return; }
  done
}

slurm_configure() {
  local host port i
  host=$(hostname -s) port=$(free_ports)
  mkdir -p "$slurm"/{run,log,state,munge}
  chmod 755 "$scratch" "$slurm" "$slurm/munge" "$slurm/run"
  (umask 077 && head -c 1024 /dev/urandom >"$slurm/munge/key")
  echo "CgroupAutomount=no" >"$slurm/cgroup.conf"
  # cred_expire is also what a requeued job waits; sched_min_interval: do not look at the queue at every event
  cat >"$SLURM_CONF" <<CONF
ClusterName=local
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=$port
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$slurm/munge/sock,cred_expire=5
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool/%n
TmpFS=$slurm/tmp/%n
SlurmctldPidFile=$slurm/run/slurmctld.pid
SlurmdPidFile=$slurm/run/slurmd.%n.pid
SlurmctldLogFile=$slurm/log/slurmctld.log
SlurmdLogFile=$slurm/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=pmix
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmdParameters=config_overrides
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,sched_min_interval=100000,bf_interval=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobRequeue=1
ReturnToService=2
KillWait=10
MinJobAge=300
InactiveLimit=0
PropagateResourceLimitsExcept=MEMLOCK
PlugStackConfig=/dev/null
CONF
  for ((i = 1; i <= nodes; i++)); do
    mkdir -p "$slurm/spool/n$i" "$slurm/tmp/n$i"
    echo "NodeName=n$i NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + i)) CPUs=2 RealMemory=2000 State=UNKNOWN"
  done >>"$SLURM_CONF"
  echo "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP" >>"$SLURM_CONF"
}

# Whether the process of a pid file is there and ours: the number may have gone to another since.
slurm_alive() { grep -qsaE "$slurm|munged|slurm" "/proc/$(cat "$1" 2>/dev/null)/cmdline"; }
slurm_gone() { ! slurm_alive "$1"; }

# Ends the daemons of the pid files.
slurm_end() {
  local file
  for file; do if slurm_alive "$file"; then kill -TERM "$(cat "$file")"; fi; done
  for file; do soon 10 slurm_gone "$file" || kill -KILL "$(cat "$file")"; done
}

queue_empty() { [ -z "$(squeue -h)" ]; }

slurm_stop() {
  local pid
  if [ -n "$(squeue -h 2>/dev/null)" ]; then
    scancel --user=root
    soon 30 queue_empty
  fi
  slurm_end "$slurm"/run/slurm*.pid
  slurm_end "$slurm/run/munged.pid" # last: the others need it to end
  # a step that is cancelled while MPI starts can leave its slurmstepd stuck
  for pid in $(pgrep -x slurmstepd); do
    if grep -qsz "^SLURM_CONF=$SLURM_CONF$" "/proc/$pid/environ"; then kill -KILL "$pid"; fi
  done
}

all_idle() { [ "$(sinfo -h -N -t idle -o %N | wc -l)" -eq "$nodes" ]; }

slurm_start() {
  local i
  slurm_configure
  trap 'slurm_stop; rm -rf "$scratch"' EXIT
  munged --socket="$slurm/munge/sock" --key-file="$slurm/munge/key" --pid-file="$slurm/run/munged.pid" \
    --log-file="$slurm/log/munged.log" --seed-file="$slurm/munge/seed" &&
    slurmctld -f "$SLURM_CONF" -c >"$slurm/log/start" 2>&1 &&
    for ((i = 1; i <= nodes; i++)); do
      slurmd -f "$SLURM_CONF" -N "n$i" -c >>"$slurm/log/start" 2>&1 || break
    done && soon 60 all_idle && return
  cat "$slurm/log/start" "$slurm/log/slurmctld.log" >&2
  fail "the Slurm of the test does not start"
  verdict
  exit 1
}

# A clone as the jobs see it, with the program under test.
clone=$scratch/clone
mkdir -p "$clone/build/release/bin"
cp -r "$root/jobs" "$clone/jobs"
ln -s "$PROGRAM" "$clone/build/release/bin/stiction"

# edited JOB COPY LINE...: a copy of jobs/JOB.slurm in the clone in which header lines NAME=... have been replaced
edited() {
  local job=$1 copy=$2 line
  shift 2
  cp "$clone/jobs/$job.slurm" "$clone/$copy.slurm"
  for line; do
    that "$job.slurm has a line ${line%%=*}=" grep -q "^${line%%=*}=" "$clone/$copy.slurm"
    sed -i "s|^${line%%=*}=.*|$line|" "$clone/$copy.slurm"
  done
}

# submitted COPY OPTIONS of sbatch...: the number of the job
submitted() {
  local copy=$1
  shift
  (cd "$clone" && sbatch --parsable --output="$copy.out" "$@" "$copy.slurm" 2>"$scratch/err") || cat "$scratch/err" >&2
}

out_of_queue() { [ -z "$(squeue -h -j "$1" 2>/dev/null)" ]; }

# ended JOB: waits until the job has left the queue, and prints its end: "ExitCode=0:0 JobState=COMPLETED Restarts=1 "
ended() {
  soon 180 out_of_queue "$1"
  scontrol show job "$1" | grep -oE '(ExitCode|JobState|Restarts)=[^ ]*' | sort | tr '\n' ' '
}

matches() { [[ $1 == *"$2"* ]]; }

# ranks_of_run NAME: the pattern of their command lines, the run's in results/NAME; signal_ranks SIGNAL NAME: to them
ranks_of_run() { echo "^$clone/build/release/bin/stiction ((control|simulate|sweep) .* -o |resume )results/$1( |\$)"; }
signal_ranks() { pkill "-$1" -f -- "$(ranks_of_run "$2")"; }
# holds_usr1 NAME: whether all ranks, which are stopped, have received USR1
holds_usr1() {
  local pid own shared found=1
  for pid in $(pgrep -f -- "$(ranks_of_run "$1")"); do
    read -r own shared < <(awk '$1 == "SigPnd:" || $1 == "ShdPnd:" { printf "%s ", $2 } END { print "" }' "/proc/$pid/status")
    (((16#$own | 16#$shared) & 0x200)) || return 1
    found=0
  done
  return $found
}
