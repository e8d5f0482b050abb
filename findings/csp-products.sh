#!/usr/bin/env bash
# A bound on a product, given to python-constraint2 as text.
#
# Guess: a constraint given as text has the solutions of the same expression as a function; its documentation has an
# example with negative values.
# Seen (python-constraint2 2.9.0): where one variable alone has values below 1, its values above the bound are removed
# before the search, which is right only if no other factor is above 1. With a negative bound solutions are lost:
# `x * y <= -4` loses x = -2, y = 2, and below it has none of its 1 or 2 solutions for any bound from -10 to -3.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check python-constraint2==2.9.0

cat >"$folder/products.py" <<'PY'
from itertools import product
from constraint import Problem

X, Y = [-2, 0, 1], [1, 2, 5]


def solutions(constraint, *variables):
    problem = Problem()
    problem.addVariable("x", list(X))
    problem.addVariable("y", list(Y))
    problem.addConstraint(constraint, *variables)
    return {(found["x"], found["y"]) for found in problem.getSolutions()}


rows = []
for bound in range(-10, 6):
    right = {(x, y) for x, y in product(X, Y) if x * y <= bound}
    as_text = solutions(f"x * y <= {bound}")
    as_function = solutions(lambda x, y: x * y <= bound, ["x", "y"])
    assert as_function == right and as_text <= right, "another behaviour"
    rows.append((bound, len(right), len(as_text)))
print("bound, solutions, solutions of the text:", *rows)
wrong = {bound for bound, right, as_text in rows if right != as_text}
assert wrong == set(range(-10, -2)), "another behaviour"
PY
cd "$folder" && venv/bin/python products.py
