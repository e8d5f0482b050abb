#!/usr/bin/env bash
# Iterating over a group of permutations in SymPy.
#
# Guess: `for p in group` iterates over the group's members, as `p in group` asks whether p is one; so the mean of
# colours^cycles over that loop is the number of colourings of a board up to symmetry (Burnside's lemma).
# Seen (sympy 1.14.0): the loop and len() are about the generators alone. The mean is a whole number, but wrong: 36
# instead of 102 for a 3x3 board in two colours. The half turn is in the group but not in list(group). Over
# group.generate() the mean is right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check sympy==1.14.0

cat >"$folder/members.py" <<'PY'
import itertools
from sympy.combinatorics import Permutation, PermutationGroup

cells = range(9)
turn = Permutation([3 * (cell % 3) + 2 - cell // 3 for cell in cells])
flip = Permutation([cell // 3 * 3 + 2 - cell % 3 for cell in cells])
group = PermutationGroup(turn, flip)


def colourings(members):
    members = list(members)
    return sum(2**p.cycles for p in members) / len(members)


boards = itertools.product((0, 1), repeat=9)
classes = {min(tuple(p(list(board))) for p in group.elements) for board in boards}
half_turn = turn * turn
seen = {
    "order": group.order(),
    "len": len(group),
    "half turn in group": half_turn in group,
    "half turn in list(group)": half_turn in list(group),
    "by a loop": colourings(group),
    "by generate()": colourings(group.generate()),
    "by hand": len(classes),
}
print(seen)
assert seen == {
    "order": 8,
    "len": 2,
    "half turn in group": True,
    "half turn in list(group)": False,
    "by a loop": 36,
    "by generate()": 102,
    "by hand": 102,
}, "another behaviour"
PY
cd "$folder" && venv/bin/python members.py
