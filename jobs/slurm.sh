# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
# Sourced by jobs/*.slurm: runs stiction on the ranks of a Slurm job, so that the job may be stopped at any time and goes on
# where it was. Needs: clone, launch.
#
# Some time before the limit Slurm sends USR1 to the batch shell, as --signal=B:USR1@SECONDS asks. The shell passes it on
# to the launcher, the launcher to the ranks; stiction then writes a checkpoint and ends with 85, and the job puts itself
# back in the queue. On TERM (scancel, preemption) the ranks do the same, as Slurm signals them directly, but the sender
# decides what becomes of the job.
set -uo pipefail
program=$clone/build/release/bin/stiction
near_limit='' launcher=''

pass_on() {
  echo "$(date '+%F %T') job $(job_id): the time limit is near"
  near_limit=yes
  [ -z "$launcher" ] || kill -USR1 "$launcher"
}
trap pass_on USR1
trap : TERM # the shell stays until the ranks are done

# An array's first task has the array's own number: its job is to be named as a task.
job_id() {
  if [ -n "${SLURM_ARRAY_JOB_ID:-}" ]; then
    echo "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
  else
    echo "$SLURM_JOB_ID"
  fi
}

# run_stiction ARGUMENTS...: to its end or, near the time limit, to the next start of the job; exits with stiction's code
run_stiction() {
  local code=0
  [ -x "$program" ] || { echo "$program is missing: build it, or set clone in the job's header" >&2; exit 2; }
  echo "$(date '+%F %T') job $(job_id) on $SLURM_JOB_NODELIST, start $((${SLURM_RESTART_COUNT:-0} + 1)): stiction $*"
  $launch "$program" "$@" &
  launcher=$!
  [ -z "$near_limit" ] || kill -USR1 "$launcher"
  while kill -0 "$launcher" 2>/dev/null; do wait "$launcher"; done # a trap ends wait
  wait "$launcher" || code=$?
  echo "$(date '+%F %T') job $(job_id): stiction ended with $code"
  # 138: USR1 came while the ranks were starting
  if [ -n "$near_limit" ] && { [ $code -eq 85 ] || [ $code -eq 138 ]; }; then
    scontrol requeue "$(job_id)" || echo "the job could not be requeued: submit it again to go on" >&2
  fi
  exit $code
}

# show_page SPOOL PORT: the page of a service on this node's loopback address, until this shell ends, for users that can read SPOOL/token
show_page() {
  local page listens
  mkdir -p "$1/incoming"
  [ -s "$1/token" ] || (umask 077 && od -An -N 32 -t x1 -v /dev/urandom | tr -d ' \n' >"$1/token")
  exec {listens}< <(exec "$program" web "$1" --listen "127.0.0.1:$2" --token-file "$1/token")
  page=$!
  if read -r -t 60 <&"$listens"; then # it says where it is
    # shellcheck disable=SC2064 # this process
    trap "kill $page" EXIT
    echo "the page: ssh -L $2:127.0.0.1:$2 $(hostname), then http://127.0.0.1:$2/, with the token in $1/token"
  else
    kill "$page" 2>/dev/null
    echo "there is no page: what it said is above" >&2
  fi
}

# run_or_resume COMMAND FILE DIRECTORY [OPTIONS...]: goes on with what is in DIRECTORY, if there is a run
run_or_resume() {
  local command=$1 file=$2 directory=$3
  shift 3
  if [ -e "$directory/checkpoint/run.json" ]; then run_stiction resume "$directory"; fi
  # stopped before there was anything to go on with: what there is in the directory is this job's
  if [ "${SLURM_RESTART_COUNT:-0}" -gt 0 ]; then set -- --force "$@"; fi
  mkdir -p "$(dirname "$directory")"
  run_stiction "$command" "$file" -o "$directory" "$@"
}
