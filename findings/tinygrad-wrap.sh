#!/usr/bin/env bash
# Comparisons of unsigned integers that wrap, in tinygrad.
#
# Guess: x - 5 < 5 on uint32 finds the numbers 5 to 9, and x + 1 == 0 the largest, as in NumPy, C and shaders.
# Seen (tinygrad 0.14.0): for uint8 to uint64, a constant is moved to the other side as if nothing wrapped, so that the
# first finds all numbers below 10, and the second none. The differences themselves are right; if they are stored before
# the comparison, or the constant is a tensor, the comparison is right, too.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check tinygrad==0.14.0 numpy==2.4.6

cat >"$folder/wrap.py" <<'PY'
import numpy
from tinygrad import Tensor

RIGHT = [False, False, True, True, False]
for dtype in (numpy.uint8, numpy.uint16, numpy.uint32, numpy.uint64):
    numbers = numpy.array([0, 3, 7, 9, 12], dtype)
    x, largest = Tensor(numbers), Tensor(numpy.array([numpy.iinfo(dtype).max], dtype))
    seen = {
        "NumPy": (numbers - dtype(5) < dtype(5)).tolist(),
        "tinygrad": (x - 5 < 5).numpy().tolist(),
        "stored": ((x - 5).contiguous().realize() < 5).numpy().tolist(),
        "as a tensor": (x - Tensor(numpy.full(5, 5, dtype)) < 5).numpy().tolist(),
        "largest + 1": (largest + 1).numpy().tolist(),
        "largest + 1 == 0": (largest + 1 == 0).numpy().tolist(),
    }
    print(dtype.__name__, seen)
    assert seen == {
        "NumPy": RIGHT,
        "tinygrad": [True, True, True, True, False],
        "stored": RIGHT,
        "as a tensor": RIGHT,
        "largest + 1": [0],
        "largest + 1 == 0": [False],
    }, "another behaviour"
PY
# The device that needs no compiler.
cd "$folder" && DEV=PYTHON venv/bin/python wrap.py
