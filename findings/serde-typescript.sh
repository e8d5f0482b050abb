#!/usr/bin/env bash
# TypeScript that generators make from Rust types with serde, compared with the JSON of values of these types.
#
# Guess: TypeScript accepts these types, and the types fit the JSON, 64-bit numbers aside.
# Seen (ts-rs 12.0.1, tsify 0.5.8, specta 2.0.0-rc.27, TypeScript 7.0.2): for the keys of maps ts-rs has bigint and
# boolean, and tsify boolean, which TypeScript refuses. If a map is flattened beside a field of another type, no object
# has the type, in all three. A unit in a tagged variant is `& null` in ts-rs, which no value is; a variant marked
# untagged has its tag in tsify. A_Y in camelCase is a_Y in the JSON, and aY in ts-rs. specta refuses 64-bit keys.
set -euo pipefail
command -v cargo >/dev/null && command -v npm >/dev/null || { echo "missing: cargo npm" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CARGO_TARGET_DIR=$folder/target
cd "$folder"
npm install --silent --no-fund --no-audit --prefix . typescript@7.0.2
cargo init --quiet --vcs none --edition 2024 --name types
cargo add --quiet serde@1 --features derive
cargo add --quiet specta@=2.0.0-rc.27 --features derive
cargo add --quiet serde_json@1 ts-rs@=12.0.1 tsify@=0.5.8 wasm-bindgen@0.2
cargo add --quiet specta-serde@=0.0.14 specta-typescript@=0.0.14
cat >src/main.rs <<'RUST'
use std::collections::BTreeMap;
macro_rules! cases {
    ($($(#[$serde:meta])* $kind:ident $name:ident $body:tt = $value:expr;)+) => {
        $(#[derive(serde::Serialize, serde::Deserialize, ts_rs::TS, tsify::Tsify, specta::Type)] $(#[$serde])*
        #[allow(dead_code, non_camel_case_types)] $kind $name $body)+
        fn main() { $(
            let (name, value) = (stringify!($name), serde_json::to_string(&$value).unwrap());
            let types = specta::Types::default().register::<$name>();
            let specta = specta_typescript::Typescript::default().export(&types, specta_serde::Format);
            let ts_rs = <$name as ts_rs::TS>::decl(&ts_rs::Config::default());
            let tsify = <$name as tsify::Tsify>::DECL.into();
            for (tool, text) in [("specta", specta.ok()), ("ts-rs", Some(ts_rs)), ("tsify", Some(tsify))] {
                let text = text.map(|text| format!("{text}\nexport const it: {name} = {value};\n"));
                std::fs::write(format!("{name}.{tool}.ts"), text.unwrap_or_default()).unwrap();
            }
        )+ }
    };
}
cases! {
    struct Flags { map: BTreeMap<bool, u8> } = Flags { map: BTreeMap::from([(true, 1)]) };
    struct Flat { one: u8, #[serde(flatten)] rest: BTreeMap<String, String> } =
        Flat { one: 1, rest: BTreeMap::from([("two".into(), "2".into())]) };
    struct Keys { map: BTreeMap<u64, u8> } = Keys { map: BTreeMap::from([(5, 1)]) };
    #[serde(tag = "kind")] enum Mixed { Tagged { one: u8 }, #[serde(untagged)] Bare(u8) } = Mixed::Bare(5);
    #[serde(rename_all = "camelCase")] enum Names { A_Y, One } = Names::A_Y;
    #[serde(tag = "kind")] enum Nothing { Empty(()), Other { one: u8 } } = Nothing::Empty(());
}
RUST
cargo run --quiet
for file in *.ts; do
    if [ ! -s "$file" ]; then echo "$file refused"
    elif errors=$(node_modules/.bin/tsc --strict --noEmit --target es2022 "$file"); then echo "$file right"
    else echo "$file $(grep -o 'TS[0-9]*' <<<"$errors" | head -1)"; fi
done | tee seen
[ "$(grep -v right seen | tr '\n' ';')" = "Flags.ts-rs.ts TS2322;Flags.tsify.ts TS2344;Flat.specta.ts TS2322;\
Flat.ts-rs.ts TS2322;Flat.tsify.ts TS2411;Keys.specta.ts refused;Keys.ts-rs.ts TS2322;Mixed.tsify.ts TS2322;\
Names.ts-rs.ts TS2322;Nothing.ts-rs.ts TS2322;" ] || { echo "another behaviour" >&2; exit 1; }
