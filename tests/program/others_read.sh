#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Results as others read them: HDF5 files by h5py, with what their datasets are over, and the numbers of the CSV files.
#   usage: tests/program/others_read.sh PROGRAM
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
read=$root/tests/program/others_read.py

# twice NAME PROBLEM [OPTION..]: its motion as trajectory.csv and as trajectory.h5, which hold the same
twice() {
  local name=$1 format
  shift
  for format in csv hdf5; do expect 0 "${ranks[@]}" "$PROGRAM" simulate "$problems/$1.yaml" "${@:2}" -q -o "$name/$format" --set output.format=$format; done
  that "$name: h5py reads what the CSV file has" "$read" trajectory "$name/hdf5/trajectory.h5" "$name/csv/trajectory.csv"
}
ranks=()
twice friction shiau-6.3 --set output.every=7
twice surface belt
twice signal signal-2x8 --control 1,2,3,4,5,6,7,8,8,7,6,5,4,3,2,1
twice stops stops
twice dashpot gotika-6d-support
twice chain chain-dynamical
twice string string-plucked --set model.nodes=63
ranks=(mpi_run 2)
twice ranks string-plucked --set model.nodes=63
that "names and units" "$read" units friction/hdf5/trajectory.h5 t=s x=m v=m/s lambda=1 force=N dof=1
that "of a string" "$read" units string/hdf5/trajectory.h5 s=m
that "of a control" "$read" units signal/hdf5/trajectory.h5 u=N control=1

expect 0 "$PROGRAM" sweep "$problems/shiau-6.3.yaml" -q -o sweep --simulate --vary "model.friction=[11, 12]" \
  --vary "scheme.name=[lie, strang]"
that "h5py reads what sweep.csv has" "$read" sweep sweep/sweep.h5 sweep/sweep.csv
that "and in which units" "$read" units sweep/sweep.h5 run=1 model.friction=N steps=1 work=J warnings=1
expect 0 "$PROGRAM" sweep "$problems/shiau-6.3.yaml" -q -o angles --simulate --vary "model.friction=[11, 12]" --set "model.units={position: rad, force: N m}"
that "but not those that are not known" "$read" unitless angles/sweep.h5 model.friction work outcome
expect 0 "$PROGRAM" simulate "$problems/burridge-knopoff.yaml" -q -o slips --set time.end=20
that "h5py reads events.h5" "$read" units slips/events.h5 number=1 start=s slip=m energy=J
that "each over the number of its slip" "$read" events slips/events.h5

# Newer formats are refused by all readers.
"$read" newer friction/hdf5/trajectory.h5
expect 2 "$PROGRAM" plot friction/hdf5
has err 'friction/hdf5/trajectory.h5: is of format 2: this version reads up to format 1$'
"$read" newer slips/events.h5
expect 2 "$PROGRAM" plot slips
has err 'slips/events.h5: is of format 2: this version reads up to format 1$'
jq '.format = 2' signal/csv/summary.json >newer.json && mv newer.json signal/csv/summary.json
for command in plot report "simulate $problems/signal-2x8.yaml -o no --control"; do
  # shellcheck disable=SC2086
  expect 2 "$PROGRAM" $command signal/csv
  has err 'signal/csv/summary.json: is of format 2: this version reads up to format 1$'
done
jq '.format = "one"' signal/hdf5/summary.json >newer.json && mv newer.json signal/hdf5/summary.json
expect 2 "$PROGRAM" report signal/hdf5
has err 'summary.json: format is not a whole number$'
jq 'del(.format)' signal/hdf5/summary.json >older.json && mv older.json signal/hdf5/summary.json # of before there was one
expect 0 "$PROGRAM" report signal/hdf5
that "a summary without its format is not valid" bash -c "! '$root/tests/schema.py' '$problems/summary.schema.json' signal/hdf5/summary.json 2>/dev/null"
jq '.format = 1 | .outcome.extra = 1' signal/hdf5/summary.json >more.json
that "nor is one with a key that the schema lacks" bash -c "! '$root/tests/schema.py' '$problems/summary.schema.json' more.json 2>/dev/null"
expect 0 "$PROGRAM" control "$problems/tp1.yaml" -q -o run --set search.method=auto
jq '.format = 2' run/checkpoint/run.json >newer.json && mv newer.json run/checkpoint/run.json
expect 2 "$PROGRAM" resume run
has err 'run/checkpoint/run.json: is of format 2: this version reads up to format 1$'
verdict
