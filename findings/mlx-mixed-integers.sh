#!/usr/bin/env bash
# Signed and unsigned 64-bit integers together in MLX.
#
# Guess: a uint64 and an int64 become integers of one type, or doubles as in NumPy, which are exact below 2^53.
# Seen (mlx 0.32.4, CPU): they become float32. 2^24 + 1 and 2^24 are equal by `==` and array_equal, and their difference
# is 0. An array of Python integers is int32, and its product with uint64 is float32 too; a product with a bare integer
# is right. `&` of the two is refused. A range of three int64 from 2^53 + 1 on has four elements, all 2^53.
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
