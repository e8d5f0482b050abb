#!/usr/bin/env bash
# Sums of unsigned integers in PyData's sparse arrays, compared with NumPy's.
#
# Guess: they are equal, as the package says that it computes as NumPy does; or a fill value other than 0 is refused.
# Seen (sparse 0.19.3, numpy 2.4.6): sums of uint64 by columns, and products of vectors, pass through doubles. If the
# fill value is not 0, the total of ~x and of x - 2 is 0, as the fill value times its number is computed as a double,
# too; the total of x % 10, whose numbers are 3 and 1, is 3. Rows of uint32 with a stored number are summed in 64 bits,
# others in 32. int64 and int32 are right, and so is the total of uint64 with fill value 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check sparse==0.19.3 numpy==2.4.6

cat >"$folder/sums.py" <<'PY'
import numpy, sparse, warnings

CASES = {
    "the total": lambda x: x.sum(),
    "by columns": lambda x: x.sum(axis=0),
    "a vector with itself": lambda x: x[0].dot(x[0]),
    "~x": lambda x: (~x).sum(),
    "x - 2": lambda x: (x - 2).sum(),
    "x - 2 by rows": lambda x: (x - 2).sum(axis=1),
    "x % 10": lambda x: (x % 10).sum(),
}
warnings.simplefilter("ignore")  # some print "invalid value encountered in cast"
seen = {}
for kind, big in (("uint64", 2**53 + 1), ("int64", 2**53 + 1), ("uint32", 2**25 + 1), ("int32", 2**25 + 1)):
    x = sparse.COO([[0, 3], [0, 1]], numpy.array([big, 1], kind), shape=(4, 4))
    dense = x.todense()
    for case, function in CASES.items():
        here, there = function(x), function(dense)
        here = here.todense() if hasattr(here, "todense") else here
        if not numpy.array_equal(here, there):
            seen[kind, case] = numpy.asarray(here).tolist(), numpy.asarray(there).tolist()
            print(kind, case, *seen[kind, case])
ROW = 4 * (2**64 - 2) % 2**64
assert seen == {
    ("uint64", "by columns"): ([2**53, 1, 0, 0], [2**53 + 1, 1, 0, 0]),
    ("uint64", "a vector with itself"): (2**54, 2**54 + 1),
    ("uint64", "~x"): (0, -(2**53 + 2) - 16 + 2**64),
    ("uint64", "x - 2"): (0, 2**53 + 2 - 32),
    ("uint64", "x - 2 by rows"): ([0, ROW, ROW, 0], [2**53 - 7, ROW, ROW, ROW + 1]),
    ("uint64", "x % 10"): (3, 4),
    ("uint32", "x - 2 by rows"): (
        [2**25 + 3 * 2**32 - 7, 2**32 - 8, 2**32 - 8, 4 * 2**32 - 7],
        [2**25 + 3 * 2**32 - 7, 4 * 2**32 - 8, 4 * 2**32 - 8, 4 * 2**32 - 7],
    ),
}, "another behaviour"
PY
cd "$folder" && venv/bin/python sums.py
