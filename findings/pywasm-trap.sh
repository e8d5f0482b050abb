#!/usr/bin/env bash
# A WebAssembly instance after a trap.
#
# Guess: a trap ends one call. The next call of the instance works, as in V8 and wasmtime.
# Seen (pywasm 2.2.3, wasmtime 50.0.1, pywasm3 0.5.0): in wasmtime and wasm3 it does. In pywasm the values of the call
# that trapped stay on the stack, and every later call of any function ends in an AssertionError.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pywasm==2.2.3 wasmtime==50.0.1 pywasm3==0.5.0

cat >"$folder/trap.py" <<'PY'
import pywasm, wasm3, wasmtime

code = bytes(wasmtime.wat2wasm("""(module
    (func (export "remainder") (param i64 i64) (result i64) local.get 0 local.get 1 i64.rem_u)
    (func (export "count") (param i64) (result i64) local.get 0 i64.popcnt))"""))
with open("code.wasm", "wb") as file:
    file.write(code)

store = wasmtime.Store()
exports = wasmtime.Instance(store, wasmtime.Module(store.engine, code), []).exports(store)
runtime = pywasm.core.Runtime()
instance = runtime.instance_from_file("code.wasm")
environment = wasm3.Environment()
wasm3_runtime = environment.new_runtime(65536)
wasm3_runtime.load(environment.parse_module(code))
calls = {
    "wasmtime": lambda name, *values: exports[name](store, *values),
    "wasm3": lambda name, *values: wasm3_runtime.find_function(name)(*values),
    "pywasm": lambda name, *values: runtime.invocate(instance, name, list(values))[0],
}
seen = {}
for engine, call in calls.items():
    assert (call("count", 7), call("remainder", 7, 4)) == (3, 3)
    try:
        call("remainder", 1, 0)
        raise SystemExit(f"{engine}: no trap")
    except Exception:
        pass
    try:
        seen[engine] = [call("count", 7) for _ in range(3)]
    except Exception as error:
        seen[engine] = type(error).__name__
print(seen)
assert seen == {"wasmtime": [3] * 3, "wasm3": [3] * 3, "pywasm": "AssertionError"}, "another behaviour"
PY
cd "$folder" && venv/bin/python trap.py
