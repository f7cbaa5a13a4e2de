#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The measured record of EMPS (bench/identification/emps_record.py), tried with a simulated one in a file of the same layout: columns of 1 kHz, compressed.
#   usage: tests/program/emps_record.sh PROGRAM
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
room=$root/bench/identification
python=/usr/bin/python3
$python -c 'import scipy.io' 2>/dev/null || { echo "emps_record: no scipy"; exit 77; }

mkdir simulated
expect 0 $python "$room/records.py" simulated emps
# positions between those of records.py lie on lines; its clock begins at 1.5 s, as a record's may
cat >make.py <<'END'
import sys
import numpy
from scipy.io import savemat
t, force = numpy.loadtxt("simulated/emps-force.csv", delimiter=",", skiprows=1, unpack=True)
seen, x = numpy.loadtxt("simulated/emps.csv", delimiter=",", skiprows=1, unpack=True)
column = lambda values: values.reshape(-1, 1)
names = sys.argv[2:] or ["t", "qm", "vir"]
savemat(sys.argv[1], {names[0]: column(t + 1.5), names[1]: column(numpy.interp(t, seen, x)), names[2]: column(force / 35.15065), "gtau": 35.15065, "qg": column(x)},
        do_compression=True)
END
expect 0 $python make.py DATA_EMPS.mat
expect 0 $python "$room/emps_record.py" DATA_EMPS.mat read
has out '^24001 samples over 24 s: set time.end to that, and model.x0 to '
cat >same.py <<'END'
import numpy
for name in ("emps.csv", "emps-force.csv"):
    a, b = (numpy.loadtxt(f"{folder}/{name}", delimiter=",", skiprows=1) for folder in ("simulated", "read"))
    assert a.shape == b.shape, (name, a.shape, b.shape)
    assert numpy.abs(a - b).max() < 1e-9, (name, numpy.abs(a - b).max())
END
expect 0 $python same.py
cp "$room/emps.yaml" read
expect 0 "$PROGRAM" identify read/emps.yaml -o found --quiet
that "the published mass is found" jq -e '.identification.parameters["model.mass"].value | . > 95.1 and . < 95.12' found/summary.json

# variables of other names, and a gain that the file has
expect 0 $python make.py other.mat time position voltage
expect 0 $python "$room/emps_record.py" other.mat other time position voltage gtau
that "the same files" diff -r other read -x emps.yaml
expect 1 $python "$room/emps_record.py" other.mat none
has err '^emps_record: other.mat has no t, qm, vir \(it has time, position, voltage, gtau, qg\)$'
expect 1 $python "$room/emps_record.py" other.mat
has err 'usage|emps_record.py DATA_EMPS.mat FOLDER'
verdict
