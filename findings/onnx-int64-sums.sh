#!/usr/bin/env bash
# Sums, products and powers of 64-bit integers in programs that run ONNX.
#
# Guess: they are exact, as for the other operators on int64, or there is no kernel.
# Seen (onnxruntime 1.32.0, tract 0.23.9, CPU): in ONNX Runtime ReduceSum, ReduceProd, ReduceSumSquare and Pow are
# rounded as doubles are; ReduceSum of the single number 2^53 + 1 gives 2^53. CumSum and MatMul of the same numbers are
# exact, so that a total is not the last of its running totals. In tract, ReduceSum adds only the lowest 32 bits,
# while Add is exact. ONNX's own reference, which uses NumPy, is exact throughout.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
    onnx==1.23.2 onnxruntime==1.32.0 tract==0.23.9 numpy==2.4.6

cat >"$folder/sums.py" <<'PY'
import numpy, onnx, onnxruntime, tract
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

ODD = 2**53 + 1


def in_onnx_runtime(model, inputs):
    return onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"]).run(None, inputs)[0]


def in_tract(model, inputs):
    with open("one.onnx", "wb") as file:
        file.write(model)
    return tract.onnx().load("one.onnx").into_model().into_runnable().run(list(inputs.values()))[0].to_numpy()


def run(operator, *inputs, within=in_onnx_runtime, **attributes):
    inputs = {f"in{k}": numpy.array(value, numpy.int64) for k, value in enumerate(inputs)}
    values = [helper.make_tensor_value_info(name, TensorProto.INT64, value.shape) for name, value in inputs.items()]
    node = helper.make_node(operator, list(inputs), ["out"], **attributes)
    graph = helper.make_graph([node], "one", values, [helper.make_empty_tensor_value_info("out")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    model = onnx.shape_inference.infer_shapes(model, strict_mode=True)
    reference = ReferenceEvaluator(model).run(None, inputs)[0]
    return int((within(model.SerializeToString(), inputs) - reference).ravel()[-1])


seen = {
    "ReduceSum": run("ReduceSum", [ODD, 1, 1], keepdims=0),
    "ReduceSum of one": run("ReduceSum", [ODD], keepdims=0),
    "ReduceProd": run("ReduceProd", [ODD, 3], keepdims=0),
    "ReduceSumSquare": run("ReduceSumSquare", [3037000499], keepdims=0),
    "Pow": run("Pow", [3], [39]),
    "ReduceSum in tract": run("ReduceSum", [2**40 + 5, 1, 1], keepdims=0, within=in_tract),
    "Add in tract": run("Add", [2**40 + 5], [1], within=in_tract),
    "CumSum": run("CumSum", [ODD, 1, 1], 0),
    "MatMul": run("MatMul", [[ODD, 1, 1]], [[1], [1], [1]]),
}
print("differences to the exact number:", seen)
wrong = {"ReduceSum": -1, "ReduceSum of one": -1, "ReduceProd": -3, "ReduceSumSquare": -41, "Pow": -11}
assert seen == {**dict.fromkeys(seen, 0), **wrong, "ReduceSum in tract": -(2**40)}, "another behaviour"
PY
cd "$folder" && venv/bin/python sums.py
