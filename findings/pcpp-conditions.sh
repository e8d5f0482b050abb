#!/usr/bin/env bash
# Conditions on integers in pcpp, a preprocessor for C in Python.
#
# Guess: #if is computed as C says, on 64 bits with and without a sign, as pcpp's description says that it conforms.
# Seen (pcpp 1.30, gcc 12.2.0): the remainder of a negative number has the divisor's sign, as in Python. A division passes
# through a double: the greatest integer divided by 1 is negative. A hexadecimal number that needs all 64 bits has a sign,
# so 0xFFFFFFFFFFFFFFFF > 0 is false; what compares unsigned numbers is unsigned. No error, no warning, exit status 0. gcc
# does as C says. Other operators on small numbers are right; LL and ULL are refused. Known bugs, it says, there are none.
set -euo pipefail
command -v gcc >/dev/null || { echo "missing: gcc" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pcpp==1.30

cat >"$folder/conditions.py" <<'PY'
import re, subprocess

def small(operators):
    numbers = "-7", "-1", "0", "1", "3", "8"
    for a in numbers:
        for b in numbers:
            for operator in operators:
                if b != "0" or operator not in "/%":
                    yield from (f"({a} {operator} {b}) {end}" for end in ("== 0", "> 1", "< 0", "== -1", "== -2"))

GROUPS = {
    "remainders": list(small("%")),
    "others": list(small(["+", "-", "*", "/", "&", "|", "^", "<", ">=", "==", "&&"])),
    "suffixes": [f"1{suffix} - 2 > 0" for suffix in ("", "U", "u", "UL", "LU", "L")],
    "wide": [
        "0x7FFFFFFFFFFFFFFF / 1 < 0", "0x20000000000001 / 1 == 0x20000000000000", "0xFFFFFFFFFFFFFFFFu / 3 % 10 == 5",
        "0xFFFFFFFFFFFFFFFF > 0", "0xFFFFFFFFFFFFFFFFu > 0", "(0xFFFFFFFFFFFFFFFF >> 60) == 15", "0x8000000000000000 < 1",
    ],
    "comparisons": ["(1 < 2u) > -1", "(1 == 1u) - 2 < 0", "(1 < 2) > -1", "!0u > -1"],
}
conditions = [condition for group in GROUPS.values() for condition in group]
with open("conditions.c", "w") as file:
    for i, condition in enumerate(conditions):
        file.write(f"#if {condition}\nyes {i}\n#else\nno {i}\n#endif\n")

def answers(*command):
    run = subprocess.run([*command, "conditions.c"], check=True, capture_output=True, text=True)
    assert not run.stderr, run.stderr
    return [word == "yes" for word, _ in re.findall(r"^(yes|no) (\d+)$", run.stdout, re.M)]

gcc, pcpp = answers("gcc", "-E", "-P", "-w"), answers("venv/bin/pcpp")
wrong = {condition for condition, a, b in zip(conditions, gcc, pcpp, strict=True) if a != b}
seen = {name: [condition for condition in group if condition in wrong] for name, group in GROUPS.items()}
for name, group in seen.items():
    print(name, len(group), "of", len(GROUPS[name]), group[:6])
wide = GROUPS["wide"]
assert len(seen["remainders"]) == 14 and all("-" in condition.split(")")[0] for condition in seen["remainders"]), "another behaviour"
assert seen["others"] == seen["suffixes"] == [], "another behaviour"
assert seen["wide"] == wide[:4] + wide[5:] and seen["comparisons"] == GROUPS["comparisons"][:2], "another behaviour"
PY
cd "$folder" && venv/bin/python conditions.py
