#!/usr/bin/env bash
# Integers of more than 64 bits from Polars in a Parquet file.
#
# Guess: they come back exactly in every reader of Parquet, or Polars refuses to write them.
# Seen (polars 2.1.0, pyarrow 26.0.1, duckdb 2.0.1): Polars infers Int128 for a CSV column with one such number, and
# reads its own file. pyarrow does not open the file, whichever columns one asks for. DuckDB reads the numbers as BLOBs
# of 16 bytes, lowest first, so that it sorts and joins them by the lowest byte first.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check polars==2.1.0 pyarrow==26.0.1 duckdb==2.0.1

cat >"$folder/int128.py" <<'PY'
import duckdb, polars
import pyarrow.parquet

ROW = 2**120 - 1
with open("rows.csv", "w") as file:
    file.write(f"name,row\none,1\nbig,256\nall,{ROW}\n")
polars.read_csv("rows.csv").write_parquet("rows.parquet")
own = polars.read_parquet("rows.parquet")
try:
    arrow = pyarrow.parquet.read_table("rows.parquet", columns=["name"]).num_rows
except Exception as error:
    arrow = str(error)
seen = {
    "Polars": (str(own.schema["row"]), own["row"].to_list() == [1, 256, ROW]),
    "pyarrow, the other column": arrow,
    "DuckDB": duckdb.sql("SELECT DISTINCT typeof(row) FROM 'rows.parquet'").fetchall(),
    "DuckDB, in order": [name for (name,) in duckdb.sql("SELECT name FROM 'rows.parquet' ORDER BY row").fetchall()],
}
print(seen)
assert seen == {
    "Polars": ("Int128", True),
    "pyarrow, the other column": "Integers with more than 64 bits not implemented",
    "DuckDB": [("BLOB",)],
    "DuckDB, in order": ["big", "one", "all"],
}, "another behaviour"
PY
cd "$folder" && venv/bin/python int128.py
