#!/usr/bin/env python3
"""boardwalk solve flag_war: solve_flag_war_test.py BOARDWALK. Ends with a line that tools/count-tests reads."""
import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "support"))
import report

PROGRAM = os.path.abspath(sys.argv.pop(1))


def run(*arguments):
    return subprocess.run([PROGRAM, "solve", "flag_war", *map(str, arguments)], capture_output=True, text=True, timeout=120)


class SolveFlagWar(unittest.TestCase):
    def test_the_start_is_even(self):
        done = run("--max-distance", 1, "--rounds", 20, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        value = json.loads(done.stdout)
        self.assertAlmostEqual(value["low"], 0, delta=1e-6)
        self.assertAlmostEqual(value["high"], 0, delta=1e-6)
        # one square a round: each can keep the other from winning for ever
        self.assertEqual((value["forced"], value["conceded"]), (-1, 1))

    def test_a_bot_that_plays_at_random_loses_most_of_what_there_is(self):
        asked = ["--against", "random", "--rounds", 30, "--samples", 20, "--games", 100, "--json"]
        first, again, other = run(*asked), run(*asked), run(*asked, "--seed", 2)
        self.assertEqual(first.returncode, 0, first.stderr)
        bot = json.loads(first.stdout.splitlines()[1])
        self.assertEqual(bot["games"], bot["won"] + bot["drawn"] + bot["lost"])
        self.assertGreater(bot["mean"], 0.6)
        self.assertTrue(bot["low"] <= bot["mean"] <= bot["high"])
        self.assertEqual(first.stdout, again.stdout)
        self.assertEqual(other.returncode, 0, other.stderr)

    def test_in_one_round_there_is_nothing_to_lose(self):
        bot = json.loads(run("--against", "easy", "--rounds", 1, "--samples", 5, "--games", 10, "--json").stdout.splitlines()[1])
        self.assertEqual((bot["drawn"], bot["in_the_samples"]), (10, 0))

    def test_what_cannot_be_solved_is_refused(self):
        large = run("--pieces", 2, "--positions", 1000)
        self.assertEqual(large.returncode, 1)
        self.assertIn("more than 1000 positions", large.stderr)
        self.assertEqual(run("--guard-distance", 3).returncode, 2)
        self.assertEqual(run("--against", "nobody-of-this-name").returncode, 2)


if __name__ == "__main__":
    report.run()
