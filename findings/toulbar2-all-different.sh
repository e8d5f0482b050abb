#!/usr/bin/env bash
# All different, and counted values, in pytoulbar2.
#
# Guess: each encoding of AddAllDifferent and of AddGlobalCardinalityConstraint has the same solutions.
# Seen (pytoulbar2 1.4.0.1): salldiff, salldiffdp, sgcc and sgccdp confuse a value with its place in its domain; where
# domains are 0, 1, 2 and so on they are right. From 1 or 2, twice, salldiffdp takes 1, 1 as well; from 1 or 2 and 2 or
# 3, salldiff takes 2, 2 and leaves out two of three. Four queens, with a variable for each diagonal, have 6 solutions
# in both instead of 2. "1 once" becomes "2 once". hungarian, the default, does it too where a variable has, or is left
# with, one value: from 2 and 1 or 2 it takes 2, 2. binary, salldiffkp, walldiff, sgcckp and wgcc are right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pytoulbar2==1.4.0.1

cat >"$folder/different.py" <<'PY'
import itertools
import pytoulbar2


def solutions(domains, post):
    problem = pytoulbar2.CFN(10)
    [problem.AddVariable(f"x{number}", domain) for number, domain in enumerate(domains)]
    post(problem)
    assert problem.Solve(allSolutions=10000), "another behaviour"
    return {tuple(values[: len(domains)]) for _, values in problem.GetSolutions()}


def different(domains, encoding):
    return solutions(domains, lambda problem: problem.AddAllDifferent([0, 1], encoding=encoding))


def queens(n, encoding):  # x, and x plus and minus the row
    def post(problem):
        for i, up in itertools.product(range(n), (1, -1)):
            costs = [10 * (a + up * i != b) for a in range(n) for b in range(up * i, up * i + n)]
            problem.AddFunction([i, (n if up > 0 else 2 * n) + i], costs)
        for group in range(3):
            problem.AddAllDifferent(range(group * n, group * n + n), encoding=encoding)

    return len(solutions([range(up * i, up * i + n) for up in (0, 1, -1) for i in range(n)], post))


seen = []
for domains, encoding in (([[1, 2]] * 2, "salldiffdp"), ([[1, 2], [2, 3]], "salldiff"), ([[2], [1, 2]], "hungarian")):
    by_hand = {values for values in itertools.product(*domains) if len(set(values)) == 2}
    assert all(different(domains, name) == by_hand for name in ("binary", "salldiffkp", "walldiff")), "another behaviour"
    seen.append((sorted(different(domains, encoding)), sorted(by_hand)))
for n, encoding in zip((4, 4, 6, 4, 6, 6), ["salldiff"] + ["salldiffdp"] * 2 + ["binary"] * 2 + ["hungarian"]):
    sums = [[{a + up * i for i, a in enumerate(rows)} for up in (1, -1)] for rows in itertools.permutations(range(n))]
    seen.append((queens(n, encoding), sum(len(a) == len(b) == n for a, b in sums)))
for encoding in ("sgcc", "sgccdp", "sgcckp", "wgcc", "hungarian"):
    post = lambda problem: problem.AddGlobalCardinalityConstraint([0, 1, 2], [(1, 1, 1), (2, 0, 2)], encoding=encoding)
    seen.append((sorted(solutions([[1, 2]] * 3, post)), [(1, 2, 2), (2, 1, 2), (2, 2, 1)]))
print(*(f"{found}, by hand {by_hand}" for found, by_hand in seen), sep="\n")
expected = [[(1, 1), (1, 2), (2, 1)], [(1, 3), (2, 2)], [(2, 2)], 6, 6, 14, 2, 4, 4]
expected += [[(1, 1, 2), (1, 2, 1), (2, 1, 1)]] * 2 + [seen[-1][1]] * 3
assert [found for found, _ in seen] == expected, "another behaviour"
PY
cd "$folder" && venv/bin/python different.py
