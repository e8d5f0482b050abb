#!/usr/bin/env bash
# 64-bit integers in OpenVINO.
#
# Guess: a model on int64 and uint64, whose inputs OpenVINO accepts and whose outputs it reports as such, computes with
# 64 bits or is refused.
# Seen (openvino 2026.4.1, CPU): only the lowest 32 bits of each number are used, even if a model only reshapes it: 2^32
# is false, 2^63 is not greater than 1. Sums, and products of int32 matrices, are then computed in float32, so that
# 4,779,515,952 + 1 is 484,548,672. The outputs are still reported as i64 and u64.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check openvino==2026.4.1 numpy==2.4.6

cat >"$folder/bits.py" <<'PY'
import numpy, openvino
from openvino import opset13 as ops

CORE = openvino.Core()


def run(build, *inputs, dtype=numpy.int64):
    inputs = [numpy.array(value, dtype) for value in inputs]
    parameters = [ops.parameter(value.shape, value.dtype) for value in inputs]
    compiled = CORE.compile_model(openvino.Model([build(*parameters)], parameters), "CPU")
    out = compiled(inputs)[0]
    return f"{compiled.outputs[0].element_type.get_type_name()} {out.ravel().tolist()}"


seen = {
    "the same": run(lambda a: ops.reshape(a, [2, 1], False), [2**40 + 5, 2**63 - 1]),
    "sum": run(lambda a: ops.reduce_sum(a, [0], False), [4_779_515_952, 1]),
    "running": run(lambda a: ops.cumsum(a, 0), [2**31 - 1, 1]),
    "bits": run(ops.bitwise_and, [2**64 - 1], [2**63 + 1], dtype=numpy.uint64),
    "greater": run(ops.greater, [2**63], [1], dtype=numpy.uint64),
    "true": run(lambda a: ops.convert(a, "boolean"), [2**32]),
    "matrices": run(lambda a, b: ops.matmul(a, b, False, False), [[2**24 + 1, 0]], [[1], [0]], dtype=numpy.int32),
}
for case, value in seen.items():
    print(f"{case}: {value}")
assert seen == {
    "the same": "i64 [5, -1]",
    "sum": "i64 [484548672]",
    "running": "i64 [2147483647, -2147483648]",
    "bits": "u64 [1]",
    "greater": "boolean [False]",
    "true": "boolean [False]",
    "matrices": "i32 [16777216]",
}, "another behaviour"
PY
cd "$folder" && venv/bin/python bits.py
