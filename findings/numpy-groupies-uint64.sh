#!/usr/bin/env bash
# Sums of integers by group in numpy_groupies.
#
# Guess: they have the type and the value of NumPy's sums, or wrap in the type of the input.
# Seen (numpy_groupies 0.16.0, numpy 2.4.6): the sum of uint64 is float32, whatever the numbers; that of int64 is exact,
# and that of uint32 is int64. The sum of a single number keeps its type. The functions that leave out NaNs do not widen:
# nansum of 300 times true is true, and nansum of two uint32 wraps, unlike sum. cumsum wraps, too: the last running total
# is not the total. sumofsquares of uint32 is negative where it passes 2^63.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check numpy-groupies==0.16.0 numpy==2.4.6

cat >"$folder/groups.py" <<'PY'
import numpy
from numpy_groupies import aggregate_np

CASES = {
    "uint64, 1 and 2": numpy.array([1, 2], numpy.uint64),
    "uint64, 2^24 + 1 and 0": numpy.array([2**24 + 1, 0], numpy.uint64),
    "uint64, 2^24 + 1 alone": numpy.array([2**24 + 1], numpy.uint64),
    "int64, 2^53 + 1 and 0": numpy.array([2**53 + 1, 0], numpy.int64),
    "uint32, 2^32 - 1 and 2": numpy.array([2**32 - 1, 2], numpy.uint32),
    "bool, 300 times": numpy.ones(300, bool),
}
seen = {}
for case, values in CASES.items():
    group = numpy.zeros(len(values), int)
    seen[case] = []
    for function in ("sum", "nansum", "cumsum", "sumofsquares"):
        result = numpy.asarray(aggregate_np(group, values, func=function))
        seen[case].append((str(result.dtype), result.tolist()[-1]))
    print(case, *seen[case])
SMALL, ODD = ("uint64", 2**24 + 1), ("int64", 2**53 + 1)
assert seen == {
    "uint64, 1 and 2": [("float32", 3.0), ("uint64", 3), ("uint64", 3), ("int64", 5)],
    "uint64, 2^24 + 1 and 0": [("float32", 2.0**24), SMALL, SMALL, ("int64", (2**24 + 1) ** 2)],
    "uint64, 2^24 + 1 alone": [SMALL, SMALL, SMALL, ("int64", (2**24 + 1) ** 2)],
    "int64, 2^53 + 1 and 0": [ODD, ODD, ODD, ("int64", 2**54)],
    "uint32, 2^32 - 1 and 2": [("int64", 2**32 + 1), ("uint32", 1), ("uint32", 1), ("int64", 5 - 2**33)],
    "bool, 300 times": [("int16", 300), ("bool", True), ("bool", True), ("int64", 300)],
}, "another behaviour"
PY
cd "$folder" && venv/bin/python -W ignore groups.py
