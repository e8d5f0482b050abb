#!/usr/bin/env bash
# Bit counts in Numba's simulator of CUDA, which runs kernels where there is no card.
#
# Guess: popc, clz, ffs and brev return what the instructions do, for 32 and for 64 bits.
# Seen (numba 0.68.1): they work on the number's text in at least 32 binary digits. So clz(1) of an int64 is 31, ffs of
# 2^32 is 0, as if no bit were set, ffs of 2^40 is 8, and brev of 2^40 is 1; popc(-1) is 1 and popc(-3) is 2, as negative
# numbers are written with a minus sign. brev of a negative number is an error. uint32 is right. For a card, Numba
# compiles these to CUDA's 64-bit instructions (__popcll, __clzll, __ffsll, __brevll).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check numba==0.68.1 numpy==2.4.6

cat >"$folder/bits.py" <<'PY'
import numpy
from numba import cuda


@cuda.jit
def bits(x, out):
    out[0], out[1], out[2] = cuda.popc(x[0]), cuda.clz(x[0]), cuda.ffs(x[0])


@cuda.jit
def reverse(x, out):
    out[3] = cuda.brev(x[0])


def right(value, width):
    digits = format(value % 2**width, f"0{width}b")
    first = 0 if value == 0 else width - digits.rindex("1")
    return [digits.count("1"), width - len(digits.lstrip("0")), first, int(digits[::-1], 2)]


seen, expected = {}, {}
for kind, value in (
    ("uint32", 12), ("uint32", 0), ("int32", -1), ("int64", -3), ("int64", 1), ("uint64", 2**32), ("uint64", 2**40),
):
    x, out = numpy.array([value], kind), numpy.zeros(4, object)
    bits[1, 1](x, out)
    if value >= 0:
        reverse[1, 1](x, out)
    seen[kind, value] = out.tolist()
    expected[kind, value] = right(value, x.itemsize * 8)
    print(kind, value, "popc clz ffs brev:", *seen[kind, value], "- right:", *expected[kind, value])
wrong = {
    ("int32", -1): [1, 0, 1, 0], ("int64", -3): [2, 0, 1, 0], ("int64", 1): [1, 31, 1, 2**31],
    ("uint64", 2**32): [1, 0, 0, 1], ("uint64", 2**40): [1, 0, 8, 1],
}
assert seen == {**expected, **wrong}, "another behaviour"
PY
cd "$folder" && NUMBA_ENABLE_CUDASIM=1 venv/bin/python bits.py
