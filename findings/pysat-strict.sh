#!/usr/bin/env bash
# Integers above or below a number in PySAT.
#
# Guess: `x > 0`, `x + y < 4` and `x - y > 0` on PySAT's integer variables have the solutions that they have in Python.
# Seen (python-sat 1.9.dev24, whose documentation calls these variables experimental): a strict comparison with a number
# may let equality through. With x and y from 0 to 4, x = 0 satisfies x > 0, and x = y satisfies x - y > 0. The number
# is replaced by the next double, and what is added to make the weights positive rounds it back. It is so in all three
# encodings, by the propagator and by clauses; where nothing is rounded, clauses may be refused. What has <=, >= or ==
# is right, and so is x > y.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check "python-sat[pb]==1.9.dev24"

cat >"$folder/strict.py" <<'PY'
import itertools
from pysat.integer import Integer, IntegerEngine
from pysat.solvers import Cadical195

PAIRS = list(itertools.product(range(5), repeat=2))


def solutions(text, encoding, by_clauses):
    x, y = (Integer(name, 0, 4, encoding=encoding) for name in "xy")
    engine = IntegerEngine([x, y], adaptive=False)
    engine.add_linear(eval(text))
    with Cadical195() as solver:
        if by_clauses:
            solver.append_formula(engine.clausify().clauses)
        else:
            solver.connect_propagator(engine)
            engine.setup_observe(solver)
        return {(a, b) for a, b in PAIRS if solver.solve(assumptions=x.encode(a) + y.encode(b))}


def by_hand(text):
    return {(x, y) for x, y in PAIRS if eval(text)}


wrong = {"x > 0", "x - y > 0", "x - y < 2", "x + y > 2", "2 * x - y > 1"}
for text in sorted(wrong) + ["x + y < 4", "x > y", "x >= 1", "x - y >= 1", "x - y <= 1", "2 * x - y >= 2"]:
    expected = by_hand(text)
    counts = {}
    for encoding, by_clauses in itertools.product(("direct", "order", "coupled"), (False, True)):
        try:
            found = solutions(text, encoding, by_clauses)
        except ValueError as error:
            assert text == "x + y < 4" and "requires integer bound" in str(error), "another behaviour"
            continue
        equal = by_hand(text.replace(">", "==").replace("<", "==")) if text in wrong else set()
        assert found == expected | equal, "another behaviour"
        counts[encoding, "clauses" if by_clauses else "propagator"] = len(found)
    print(f"{text}: {len(expected)} solutions by hand; {counts}")
PY
cd "$folder" && venv/bin/python strict.py
