#!/usr/bin/env bash
# Fill values of 64 bits in Zarr, from Python to JavaScript.
#
# Guess: an array reads the same in all implementations, as Zarr's metadata has all digits of an integer fill value.
# Seen (zarr 3.1.6, tensorstore 0.1.86, zarrita 0.7.5, node 20): zarrita parses it as a JavaScript number, and makes a
# 64-bit integer of that. Where a chunk is not stored, 2^64 - 1 becomes 0 and 2^53 + 1 becomes 2^53, without an error,
# while the same value inside a stored chunk is right. All the same, the array consists of BigInts.
set -euo pipefail
command -v node >/dev/null && command -v npm >/dev/null || { echo "missing: nodejs npm" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check zarr==3.1.6 tensorstore==0.1.86 numpy==2.4.6
npm install --silent --no-fund --no-audit --prefix "$folder" zarrita@0.7.5

cat >"$folder/write.py" <<'PY'
import tensorstore, zarr

for version in (2, 3):
    for name, fill in (("unknown", 2**64 - 1), ("odd", 2**53 + 1)):
        path = f"{name}{version}"
        array = zarr.create_array(
            path, shape=(4,), chunks=(2,), dtype="uint64", fill_value=fill, zarr_format=version, compressors=None
        )
        array[0] = 7  # stores the first chunk only
        driver = "zarr" if version == 2 else "zarr3"
        other = tensorstore.open({"driver": driver, "kvstore": {"driver": "file", "path": path}}).result()
        for values in (zarr.open_array(path)[:], other.read().result()):
            assert values.tolist() == [7, fill, fill, fill], "another behaviour"
        print(path, "in Python:", values.tolist())
PY
cat >"$folder/read.mjs" <<'JS'
import * as zarr from "zarrita";
import FileSystemStore from "@zarrita/storage/fs";

const seen = [];
for (const path of ["unknown2", "unknown3", "odd2", "odd3"]) {
    const array = await zarr.open(new FileSystemStore(path), { kind: "array" });
    seen.push(Array.from((await zarr.get(array)).data, String).join(" "));
    console.log(path, "in JavaScript:", seen.at(-1));
}
const unknown = "7 18446744073709551615 0 0", odd = "7 9007199254740993 9007199254740992 9007199254740992";
if (seen.join() !== [unknown, unknown, odd, odd].join()) {
    console.error("another behaviour");
    process.exit(1);
}
JS
cd "$folder" && venv/bin/python write.py && node read.mjs
