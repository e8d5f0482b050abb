#!/usr/bin/env bash
# Integers of 64 bits with and without sign in MLX.
#
# Guess: a uint64 and an int64 meet in an integer, or in a double as in NumPy: exact below 2^53.
# Seen (mlx 0.32.4, CPU): they meet in float32. 2^24 + 1 and 2^24 are equal, to `==` and to array_equal, and their
# difference is 0. A list of Python's integers becomes int32, and a product with it is float32 too; with a bare integer
# it is right. `&` of the two is refused. A range of three int64 from 2^53 + 1 on has four elements, all 2^53.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check "mlx[cpu]==0.32.4" numpy==2.4.6

cat >"$folder/mixed.py" <<'PY'
import mlx.core as mx
import numpy

mx.set_default_device(mx.cpu)
LARGE = 2**24
counts, codes = mx.array([LARGE + 1], mx.uint64), mx.array([LARGE], mx.int64)
try:
    both = (counts & codes).tolist()
except Exception:
    both = "refused"
seen = {
    "equal": (counts == codes).tolist(),
    "equal in NumPy": (numpy.array(counts) == numpy.array(codes)).tolist(),
    "array_equal": bool(mx.array_equal(counts, codes)),
    "difference": ((counts - codes).dtype, (counts - codes).tolist()),
    "product": ((counts * mx.array([3])).dtype, (counts * mx.array([3])).tolist()),
    "product with 3": ((counts * 3).dtype, (counts * 3).tolist()),
    "bits": both,
    "range": mx.arange(2**53 + 1, 2**53 + 4, dtype=mx.int64).tolist(),
}
for case, value in seen.items():
    print(f"{case}: {value}")
assert seen == {
    "equal": [True],
    "equal in NumPy": [False],
    "array_equal": True,
    "difference": (mx.float32, [0]),
    "product": (mx.float32, [3 * LARGE]),
    "product with 3": (mx.uint64, [3 * LARGE + 3]),
    "bits": "refused",
    "range": [2**53] * 4,
}, "another behaviour"
PY
cd "$folder" && venv/bin/python mixed.py
