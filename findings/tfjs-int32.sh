#!/usr/bin/env bash
# 32-bit integers in TensorFlow.js.
#
# Guess: operators on int32 are exact modulo 2^32, and the same on every back end.
# Seen (tfjs 4.22.0, node 20): some are computed in float32 and converted to integers at the end, other ones on each back
# end: square on the CPU, neg and floorDiv in WebAssembly, abs in both. floorDiv(x, 1) can differ from x: 2^31 - 1 becomes
# -2^31. A product on the CPU is rounded to a double before its low bits are taken. Sums, comparisons and argMax are
# exact.
set -euo pipefail
command -v node >/dev/null && command -v npm >/dev/null || { echo "missing: nodejs npm" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-fund --no-audit --prefix "$folder" @tensorflow/tfjs-core@4.22.0 \
    @tensorflow/tfjs-backend-cpu@4.22.0 @tensorflow/tfjs-backend-wasm@4.22.0

cat >"$folder/int32.cjs" <<'JS'
const tf = require("@tensorflow/tfjs-core");
require("@tensorflow/tfjs-backend-cpu");
require("@tensorflow/tfjs-backend-wasm").setWasmPaths("node_modules/@tensorflow/tfjs-backend-wasm/dist/");

const int32 = (...values) => tf.tensor1d(values, "int32");
const odd = 2 ** 24 + 1;
const cases = {
    abs: [() => tf.abs(int32(-odd)), odd],
    neg: [() => tf.neg(int32(odd)), -odd],
    square: [() => tf.square(int32(4097)), 4097 ** 2],
    floorDiv: [() => tf.floorDiv(int32(2 ** 31 - 1), int32(1)), 2 ** 31 - 1],
    mul: [() => tf.mul(int32(123456789), int32(987654321)), Math.imul(123456789, 987654321)],
    sum: [() => tf.sum(int32(odd, 1, 1)), odd + 2],
    max: [() => tf.max(int32(odd, odd - 1)), odd],
    argMax: [() => tf.argMax(int32(odd - 1, odd)), 1],
};
(async () => {
    const seen = [];
    for (const backend of ["cpu", "wasm"]) {
        await tf.setBackend(backend);
        for (const [name, [compute, right]] of Object.entries(cases)) {
            const result = compute(), value = result.dataSync()[0];
            if (result.dtype === "int32" && value !== right) seen.push(`${backend} ${name} ${value - right}`);
        }
    }
    console.log("differences:", seen.join(", "));
    const known = "cpu abs -1, cpu square -1, cpu mul -5, wasm abs -1, wasm neg 1, wasm floorDiv -4294967295";
    if (seen.join(", ") === known) return;
    console.error("another behaviour");
    process.exitCode = 1;
})();
JS
cd "$folder" && node int32.cjs
