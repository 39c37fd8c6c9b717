#!/usr/bin/env python3
"""`boardwalk review`: where a game turned, for the recorded games of each game: review_test.py BOARDWALK"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "support"))
import report

PROGRAM = os.path.abspath(sys.argv.pop(1))
SMALL = {"flooded_island": '{"width":4,"height":4}', "flood_it": '{"rows":6,"cols":6}',
         "monadungeon": "{}", "flag_war": '{"width":7,"height":7}'}


def run(*words, text=None):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, input=text, timeout=100, env={})


class Review(unittest.TestCase):
    def played(self, game, *options):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        made = run("arena", game, "--a", "easy", "--b", "random", "--games", "1", "--log", folder, *options)
        self.assertEqual(made.returncode, 0, made.stderr)
        return Path(folder, os.listdir(folder)[0]).read_text()

    def review(self, text, *options):
        answer = run("review", "-", "--json", *options, text=text)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return [json.loads(line) for line in answer.stdout.splitlines()]

    def test_every_move_of_every_game(self):
        for game, config in SMALL.items():
            with self.subTest(game=game):
                lines = self.played(game, "--config", config).splitlines()
                # Only the first moves: a review goes move by move, and a file may end early.
                moves = self.review("\n".join(lines[:10]) + "\n", "--games", "2", "--bot", "random")
                self.assertTrue(1 <= len(moves) <= 9)
                for move in moves:
                    self.assertGreaterEqual(move["cost"], 0)
                    figures = move.get("chances") or move["moves_left"]
                    self.assertEqual("moves_left" in move, game.startswith("flood"))
                    for worth in (worth for both in figures.values() for worth in both):
                        self.assertTrue(worth is None or worth >= 0)
                        if "chances" in move:
                            self.assertLessEqual(worth, 1)

    def test_a_wasted_move_of_a_puzzle_costs_one(self):
        moves = self.review(self.played("flood_it", "--config", '{"rows":6,"cols":6}'))
        for move in moves:
            before, after = move["moves_left"][move["role"]]
            self.assertEqual(move["cost"], max(0, after + 1 - before))
            self.assertEqual(move["better"] is not None and move["cost"] > 0, move["better"] is not None)
        # Random colours on one of two boards waste moves; the last move of a solved board wastes none.
        self.assertGreater(sum(move["cost"] for move in moves), 0)
        self.assertIn(0, [move["moves_left"][move["role"]][1] for move in moves])

    def test_an_island_is_exact_if_it_is_proven(self):
        moves = self.review(self.played("flooded_island", "--config", '{"width":3,"height":3}'))
        # 3x3 with two floods: the adventurer completes four moves (docs/STRENGTH.md).
        self.assertEqual(moves[0]["moves_left"]["journeyman"][0], 4)
        self.assertEqual(moves[-1]["moves_left"]["journeyman"][1], 0)
        self.assertTrue(moves[-1]["exact"][1])
        for move in moves:
            self.assertEqual(move["better"] is not None, move["cost"] > 0)

    def test_a_better_round_is_better(self):
        moves = self.review(self.played("flag_war", "--config", '{"width":7,"height":7}'), "--games", "4")
        for move in moves:
            self.assertIsNone(move["role"])
            if move["better"]:
                self.assertTrue(move["again"])
                self.assertGreater(move["with_better"], move["chances"][move["of"]][1])
                self.assertEqual({order["type"] for order in move["better"]}, {"command"})

    def test_a_won_game_ends_with_the_winners_chance_at_one(self):
        text = self.played("flag_war", "--config", '{"width":7,"height":7}')
        winner = json.loads(text.splitlines()[-1])["result"]["winner"]
        self.assertEqual(self.review(text, "--games", "2")[-1]["chances"][winner][1], 1)
        self.assertTrue(self.review(text, "--games", "2")[-1]["exact"][1])

    def test_the_same_file_has_the_same_review(self):
        text = self.played("flag_war", "--config", '{"width":7,"height":7}')
        self.assertEqual(self.review(text, "--games", "2", "--bot", "random"),
                         self.review(text, "--games", "2", "--bot", "random"))

    def test_invalid_files_are_reported(self):
        text = self.played("flood_it", "--config", '{"rows":4,"cols":4}')
        lines = text.splitlines()
        lines[2] = lines[2].replace('"t":', '"t":1', 1)
        edited = run("review", "-", text="\n".join(lines) + "\n")
        self.assertEqual(edited.returncode, 1)
        self.assertIn("ine 3", edited.stderr)
        for wrong in ("", "{}", "\0"):
            answer = run("review", "-", text=wrong)
            self.assertEqual(answer.returncode, 1)
            self.assertIn("Line 1", answer.stderr)
        self.assertEqual(run("review").returncode, 2)
        self.assertEqual(run("review", "/nowhere/file").returncode, 2)
        self.assertEqual(run("review", "-", "--bot", "nobody", text=text).returncode, 2)


if __name__ == "__main__":
    report.run()
