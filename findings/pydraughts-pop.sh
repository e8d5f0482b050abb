#!/usr/bin/env bash
# Taking moves back in pydraughts.
#
# Guess: `push` and then `pop` leave the board as it was, whatever is asked of it later.
# Seen (pydraughts 0.6.7): `pop` puts back the position, but not the counts of moves on which draws depend. A king
# against a king is a draw as soon as the moves of the first turn have been tried out. Of 30 games of random moves, in
# which each legal move is tried out before one is played, 12 end too early as draws; 10 of these would have been won.
# Where each trial has a copy of the board, the games are as without trials.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pydraughts==0.6.7

cat >"$folder/pop.py" <<'PY'
import collections, random
from draughts import Board, Move

RESULTS = {None: "open", 0: "draw", 1: "Black wins", 2: "White wins"}


def game(seed, trial):
    chance, count = random.Random(seed), 0
    board = Board("standard", "W:WK46,K47,38:BK2,K5,13")
    while not board.is_over():
        moves = [move.board_move for move in board.legal_moves()]
        for move in moves:
            trial(board, move)
        if board.is_over():
            break
        board.push(Move(board, board_move=chance.choice(moves)))
        count += 1
    return RESULTS[board.winner()], count


def by_pop(board, move):
    fen = board.fen
    board.push(Move(board, board_move=move))
    board.pop()
    assert board.fen == fen, "another behaviour"


def by_copy(board, move):
    board.copy().push(Move(board, board_move=move))


board = Board("standard", "W:WK28:BK5")
assert not board.is_over(), "another behaviour"
for move in board.legal_moves():
    by_pop(board, move.board_move)
print("a king against a king, before the first move:", RESULTS[board.winner()])
assert board.winner() == 0, "another behaviour"
pairs = [(game(seed, lambda board, move: None), game(seed, by_pop)) for seed in range(30)]
seen = collections.Counter((*without, *tried)[::2] + (tried[1] < without[1],) for without, tried in pairs)
for (without, tried, early), games in seen.most_common():
    print(f"{games} games: {without} without trials; {tried} with push and pop{', too early' if early else ''}")
assert seen["Black wins", "draw", True] + seen["White wins", "draw", True] == 10, "another behaviour"
assert all(game(seed, by_copy) == pairs[seed][0] for seed in range(5)), "another behaviour"
PY
cd "$folder" && venv/bin/python pop.py
