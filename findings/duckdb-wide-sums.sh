#!/usr/bin/env bash
# What becomes of sums of 64-bit integers, and of 128-bit integers, when DuckDB exports them.
#
# Guess: HUGEINT and UHUGEINT go into Parquet with all their digits or are refused, and a sum of UHUGEINT is UHUGEINT.
# Seen (duckdb 2.0.1): every sum of integers is HUGEINT, which `COPY … TO 'x.parquet'` writes as DOUBLE without warning:
# a sum of two BIGINT comes back with other last digits. `df()` also makes it DOUBLE. The sum of UHUGEINT is a DOUBLE at
# once, that of HUGEINT exact. CSV and Arrow keep all digits.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check duckdb==2.0.1 pyarrow==26.0.1 pandas==3.1.1 numpy==2.4.6

cat >"$folder/sums.py" <<'PY'
import duckdb

def one(query):
    return duckdb.sql(query).fetchall()[0]

SUM = "SELECT sum(x) AS s FROM (VALUES (9007199254740992::BIGINT), (1::BIGINT)) AS t(x)"
EXACT = 2**53 + 1
assert one(f"SELECT typeof(s), s FROM ({SUM})") == ("HUGEINT", EXACT)
for kind in ["parquet", "csv"]:
    duckdb.sql(f"COPY ({SUM}) TO 'sum.{kind}'")
seen = {
    "Parquet": one("SELECT typeof(s), s::HUGEINT - 9007199254740992 FROM 'sum.parquet'"),
    "CSV": one("SELECT typeof(s), s - 9007199254740992 FROM 'sum.csv'"),
    "Arrow": int(duckdb.sql(SUM).to_arrow_table()["s"][0].as_py()) - 2**53,
    "pandas": (duckdb.sql(SUM).df()["s"].dtype.name, int(duckdb.sql(SUM).df()["s"][0]) - 2**53),
    "sum of UHUGEINT": one("SELECT typeof(sum(x)) FROM (VALUES (1::UHUGEINT)) AS t(x)")[0],
    "sum of HUGEINT": one("SELECT typeof(sum(x)) FROM (VALUES (1::HUGEINT)) AS t(x)")[0],
}
print(seen)
assert seen == {
    "Parquet": ("DOUBLE", 0),
    "CSV": ("BIGINT", 1),
    "Arrow": 1,
    "pandas": ("float64", 0),
    "sum of UHUGEINT": "DOUBLE",
    "sum of HUGEINT": "HUGEINT",
}, "another behaviour"
PY
cd "$folder" && venv/bin/python sums.py
