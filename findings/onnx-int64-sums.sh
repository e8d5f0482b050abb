#!/usr/bin/env bash
# Sums, products and powers of 64-bit integers in ONNX Runtime.
#
# Guess: they are exact, as for the other operators on int64, or there is no kernel.
# Seen (onnxruntime 1.32.0, CPU): ReduceSum, ReduceProd, ReduceSumSquare and Pow are rounded as doubles are; ReduceSum
# of the single number 2^53 + 1 gives 2^53. CumSum, MatMul, Mul and ReduceMax of the same numbers are exact, so that a
# total is not the last of its running totals. ONNX's own reference, by NumPy, is exact.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check onnx==1.23.2 onnxruntime==1.32.0 numpy==2.4.6

cat >"$folder/sums.py" <<'PY'
import numpy, onnx, onnxruntime
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

ODD = 2**53 + 1


def run(operator, *inputs, **attributes):
    inputs = {f"in{k}": numpy.array(value, numpy.int64) for k, value in enumerate(inputs)}
    values = [helper.make_tensor_value_info(name, TensorProto.INT64, value.shape) for name, value in inputs.items()]
    node = helper.make_node(operator, list(inputs), ["out"], **attributes)
    graph = helper.make_graph([node], "one", values, [helper.make_empty_tensor_value_info("out")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    model = onnx.shape_inference.infer_shapes(model, strict_mode=True)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    reference = ReferenceEvaluator(model).run(None, inputs)[0]
    return int((session.run(None, inputs)[0] - reference).ravel()[-1])


seen = {
    "ReduceSum": run("ReduceSum", [ODD, 1, 1], keepdims=0),
    "ReduceSum of one": run("ReduceSum", [ODD], keepdims=0),
    "ReduceProd": run("ReduceProd", [ODD, 3], keepdims=0),
    "ReduceSumSquare": run("ReduceSumSquare", [3037000499], keepdims=0),
    "Pow": run("Pow", [3], [39]),
    "ReduceMax": run("ReduceMax", [ODD, 1, 1], keepdims=0),
    "CumSum": run("CumSum", [ODD, 1, 1], 0),
    "MatMul": run("MatMul", [[ODD, 1, 1]], [[1], [1], [1]]),
    "Mul": run("Mul", [ODD], [3]),
}
print("differences to the exact number:", seen)
wrong = {"ReduceSum": -1, "ReduceSum of one": -1, "ReduceProd": -3, "ReduceSumSquare": -41, "Pow": -11}
assert seen == {**dict.fromkeys(seen, 0), **wrong}, "another behaviour"
PY
cd "$folder" && venv/bin/python sums.py
