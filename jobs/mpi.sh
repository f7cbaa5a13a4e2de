# shellcheck shell=bash
# Sourced by the scripts that start MPI ranks: mpi_run N PROGRAM ARGUMENTS...
# Open MPI wants to be told when it runs as root, and when there are more ranks than cores (then idle ranks must yield).

mpi_run() {
  local ranks=$1
  shift
  local options=()
  if [ "$(id -u)" -eq 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  fi
  if [ "$ranks" -gt "$(nproc)" ]; then
    export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none
    options+=(--oversubscribe)
  fi
  mpirun "${options[@]}" -n "$ranks" "$@"
}
