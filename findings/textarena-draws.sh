#!/usr/bin/env bash
# Draws of ultimate tic-tac-toe in TextArena.
#
# Guess: a full board without a winner is a draw, as in OpenSpiel.
# Seen (textarena 0.7.4, open_spiel 2.0.2): it is a draw only if each of the nine small boards was won. Of 100 games of
# random legal moves, played in both, 21 end with a full board and a small board that nobody won: then the game goes on,
# and the player to move has no legal move left and loses for an illegal one. The 78 wins and the other draw agree.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check textarena==0.7.4 open_spiel==2.0.2 numpy==2.4.6

cat >"$folder/draws.py" <<'PY'
import collections, random, re
import pyspiel
from textarena.envs.UltimateTicTacToe.env import UltimateTicTacToeEnv

CELL = re.compile(r"Local board (\d): .\((\d),(\d)\)")
game = pyspiel.load_game("ultimate_tic_tac_toe")
ends = collections.Counter()
for seed in range(100):
    chance = random.Random(seed)
    state, arena = game.new_initial_state(), UltimateTicTacToeEnv()
    arena.reset(num_players=2)
    is_over = False
    while not state.is_terminal():
        action = chance.choice(state.legal_actions())
        found = CELL.match(state.action_to_string(action))  # other actions choose a board for the next one
        if found:
            board, row, column = map(int, found.groups())
            assert not is_over
            is_over, _ = arena.step(f"[{board} {3 * row + column}]")
            assert not arena.state.error_count, "refused"
        state.apply_action(action)
    if is_over:
        assert arena.state.rewards[0] == state.returns()[0], "another behaviour"
        ends["win" if state.returns()[0] else "draw"] += 1
    else:
        assert state.returns()[0] == 0
        cells = arena.state.game_state["board"]
        assert not any(cell == " " for board in cells for row in board for cell in row), "another behaviour"
        mover = arena.state.current_player_id
        while not is_over:
            is_over, _ = arena.step("[0 0]")
        assert arena.state.rewards[mover] == -1, "another behaviour"
        ends["draw, lost by the player to move"] += 1
print(dict(ends))
assert ends == {"win": 78, "draw": 1, "draw, lost by the player to move": 21}, "another behaviour"
PY
cd "$folder" && venv/bin/python draws.py
