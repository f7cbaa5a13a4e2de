# shellcheck shell=bash
# Sourced by the scripts that start MPI ranks on this machine: mpi_run N PROGRAM ARGUMENTS...
# Open MPI wants to be told when it runs as root and when there may be more ranks than cores (not hardware threads); idle
# ranks must yield then.

mpi_run() {
  local ranks=$1
  shift
  if [ "$(id -u)" -eq 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  fi
  if [ "$ranks" -gt "$(nproc)" ]; then export OMPI_MCA_mpi_yield_when_idle=1; fi
  mpirun --oversubscribe --bind-to none -n "$ranks" "$@"
}
