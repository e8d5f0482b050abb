#!/usr/bin/env bash
# Integers of 64 bits that Awkward Array reads from JSON.
#
# Guess: from 2^63 on they are unsigned or doubles, or refused, as JSON's numbers have no sign bit.
# Seen (awkward 2.14.0): they come back negative: 2^63 as -2^63 and 2^64 - 1 as -1, also inside records, by lines,
# beside 0.5, and with a schema of integers. From 2^64 on, and below -2^63, they are doubles. So to_json and from_json
# change an array of uint64, while from_iter refuses the same numbers, and a schema of numbers makes them doubles.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check awkward==2.14.0 numpy==2.4.6

cat >"$folder/read.py" <<'PY'
import awkward, numpy


def schema(kind):
    return {"schema": {"type": "array", "items": {"type": kind}}}


unsigned = awkward.Array(numpy.array([2**64 - 1, 2**63, 3], numpy.uint64))
text = awkward.to_json(unsigned)
try:
    awkward.from_iter([2**63])
    iterated = "taken"
except RuntimeError:
    iterated = "refused"
seen = {
    "the text": text,
    "read": awkward.from_json(text).tolist(),
    "type": str(awkward.from_json(text).type.content),
    "by a schema of integers": awkward.from_json(text, **schema("integer")).tolist(),
    "by a schema of numbers": awkward.from_json(text, **schema("number")).tolist(),
    "lines": awkward.from_json(f'{{"n": {2**64 - 1}}}\n{{"n": 0}}', line_delimited=True).tolist(),
    "beside 0.5": awkward.from_json(f"[{2**63}, 0.5]").tolist(),
    "2^64": awkward.from_json(f"[{2**64}]").tolist(),
    "-2^63 - 1": awkward.from_json(f"[{-(2**63) - 1}]").tolist(),
    "from_iter": iterated,
}
for case, value in seen.items():
    print(case, value)
assert seen == {
    "the text": f"[{2**64 - 1},{2**63},3]",
    "read": [-1, -(2**63), 3],
    "type": "int64",
    "by a schema of integers": [-1, -(2**63), 3],
    "by a schema of numbers": [2.0**64, 2.0**63, 3.0],
    "lines": [{"n": -1}, {"n": 0}],
    "beside 0.5": [-(2.0**63), 0.5],
    "2^64": [2.0**64],
    "-2^63 - 1": [-(2.0**63)],
    "from_iter": "refused",
}, "another behaviour"
PY
cd "$folder" && venv/bin/python read.py
