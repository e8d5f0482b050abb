#!/usr/bin/env bash
# Whether a position counts as repeated if the pawn that could capture en passant is pinned.
#
# Guess: by the laws of chess, positions with the same legal moves are the same, so all libraries see the position
# after e2-e4 a third time at ply 9.
# Seen (chess 1.11.2, pyffish 0.0.90, open_spiel 2.0.2, chess.js 1.4.0): only python-chess does. The others see no third
# occurrence before ply 10, that of another position, because the square behind the pawn is part of their keys though no
# capture is legal. chess.js even prints the three positions alike.
set -euo pipefail
command -v node >/dev/null && command -v npm >/dev/null || { echo "missing: nodejs npm" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check chess==1.11.2 pyffish==0.0.90 open_spiel==2.0.2 numpy==2.4.6
npm install --silent --prefix "$folder" chess.js@1.4.0

cat >"$folder/repetition.mjs" <<'JS'
import { Chess } from "chess.js";
const game = new Chess(process.argv[2]);
const fens = [], seen = [];
for (const move of process.argv.slice(3)) {
    game.move({ from: move.slice(0, 2), to: move.slice(2) });
    fens.push(game.fen().split(" ").slice(0, 4).join(" "));
    seen.push(game.isThreefoldRepetition());
}
console.log(seen.indexOf(true) + 1, fens.filter((fen) => fen === fens[0]).length);
JS

cat >"$folder/repetition.py" <<'PY'
import subprocess
import chess, pyffish, pyspiel

START = "3k4/8/8/8/3p4/8/4P3/3R2K1 w - - 0 1"  # the rook pins the pawn on d4 to its king
MOVES = ["e2e4"] + ["d8d7", "g1h1", "d7d8", "h1g1"] * 2 + ["d8d7"]

board = chess.Board(START)
state = pyspiel.load_game("chess").new_initial_state(START)
first = {}
for ply, move in enumerate(MOVES, 1):
    found = [a for a in state.legal_actions() if board.parse_san(state.action_to_string(a)).uci() == move]
    state.apply_action(found[0])
    board.push_uci(move)
    if ply == 1:
        assert not any(board.is_en_passant(legal) for legal in board.legal_moves)
    for name, is_seen in [
        ("python-chess", board.is_repetition(3)),
        ("pyffish", pyffish.is_optional_game_end("chess", START, MOVES[:ply])[0]),
        ("OpenSpiel", state.is_terminal()),
    ]:
        if is_seen:
            first.setdefault(name, ply)
node = subprocess.run(["node", "repetition.mjs", START, *MOVES], capture_output=True, text=True, check=True)
first["chess.js"], alike = map(int, node.stdout.split())
print("ply at which a threefold repetition is seen:", first, "equal FENs in chess.js:", alike)
assert first == {"python-chess": 9, "pyffish": 10, "OpenSpiel": 10, "chess.js": 10}, "another behaviour"
assert alike == 3, "another behaviour"
PY
cd "$folder" && venv/bin/python repetition.py
