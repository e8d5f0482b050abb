#!/usr/bin/env bash
# Model counts of sentential decision diagrams in Python.
#
# Guess: a count is exact, as Python's integers have no bounds, or there is an error; and it does not depend on the
# tree that orders the variables.
# Seen (PySDD 1.0.6): the number of assignments of n variables other than "all true", 2^n - 1, is right for 54
# variables. For 60, it is two too many, one too many, or right, depending on the shape of the tree, as if rounded to
# doubles on the way. From 64 on it also wraps, again depending on the tree; even the formula that is always true has 1
# model with 64 variables and 2 with 65.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check PySDD==1.0.6

cat >"$folder/counts.py" <<'PY'
from functools import reduce
from pysdd.sdd import SddManager, Vtree

seen = {}
for variables in (54, 60, 64, 65):
    for shape in ("left", "right", "balanced"):
        manager = SddManager.from_vtree(Vtree(var_count=variables, vtree_type=shape))
        literals = [manager.literal(variable + 1) for variable in range(variables)]
        others = ~reduce(lambda a, b: a & b, literals)
        seen[variables, shape] = others.global_model_count() - (2**variables - 1)
    seen[variables, "true"] = manager.true().global_model_count()
for case, value in seen.items():
    print(*case, value)
assert seen == {
    (54, "left"): 0, (54, "right"): 0, (54, "balanced"): 0, (54, "true"): 2**54,
    (60, "left"): 2, (60, "right"): 1, (60, "balanced"): 0, (60, "true"): 2**60,
    (64, "left"): 2 - 2**64, (64, "right"): 1 - 2**64, (64, "balanced"): 0, (64, "true"): 1,
    (65, "left"): 4 - 2**65, (65, "right"): 1 - 2**65, (65, "balanced"): -(2**64), (65, "true"): 2,
}, "another behaviour"
PY
cd "$folder" && venv/bin/python counts.py
