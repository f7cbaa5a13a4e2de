# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by the scripts that start MPI ranks on this machine: mpi_run N PROGRAM ARGUMENTS...; mpi_exec likewise, in place
# of the shell (mpi_exec ... & makes $! mpirun's own pid, for signals).
# Open MPI needs options to run as root and to start more ranks than cores (not hardware threads); idle
# ranks must yield then.

mpi_settings() {
  if [ "$(id -u)" -eq 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  fi
  if [ "$1" -gt "$(nproc)" ]; then export OMPI_MCA_mpi_yield_when_idle=1; fi
}

mpi_run() {
  mpi_settings "$1"
  mpirun --oversubscribe --bind-to none -n "$@"
}

mpi_exec() {
  mpi_settings "$1"
  exec mpirun --oversubscribe --bind-to none -n "$@"
}
