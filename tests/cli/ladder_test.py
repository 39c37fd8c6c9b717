#!/usr/bin/env python3
"""boardwalk ladder, and arena --sprt: ladder_test.py BOARDWALK. Ends with a line that tools/count-tests reads."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "support"))
import report

PROGRAM = os.path.abspath(sys.argv.pop(1))


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120)


def ladder(*arguments):
    return run("ladder", *arguments)


def rows(text):
    return [json.loads(line) for line in text.splitlines()]


class Ladder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.file = Path(cls.folder.name) / "results"
        cls.games = Path(cls.folder.name) / "games"
        cls.first = ladder("blank", "--games", 4, "--file", cls.file, "--log", cls.games, "--json")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_every_pair_of_bots_has_met_on_both_sides(self):
        self.assertEqual(self.first.returncode, 0, self.first.stderr)
        found = {row["bot"]: row for row in rows(self.first.stdout)}
        self.assertEqual(set(found), {"random", "easy", "normal", "hard"})
        for row in found.values():
            self.assertEqual(row["games"], 3 * 4)
            self.assertEqual(row["score"], 50)  # on nine squares the first seat always marks the last one
        lines = rows(self.file.read_text())
        self.assertEqual(len(lines), 6 * 2)
        self.assertEqual(len({(row["a"], row["b"], row["pair"]) for row in lines}), 6 * 2)

    def test_games_are_stored_and_verify(self):
        files = sorted(self.games.iterdir())
        self.assertEqual(len(files), 6 * 4)
        self.assertEqual(run("verify", files[0]).returncode, 0)
        self.assertEqual(run("verify", files[-1]).returncode, 0)

    def test_a_later_run_goes_on_from_the_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "results"
            lines = self.file.read_text().splitlines(keepends=True)
            file.write_text("".join(lines[:5]) + lines[5][:20])  # the last line is incomplete
            again = ladder("blank", "--games", 4, "--file", file, "--json", "--threads", 1)
            self.assertEqual(again.returncode, 0, again.stderr)
            self.assertEqual(again.stdout, self.first.stdout)
            self.assertEqual(file.read_text().splitlines(keepends=True)[:5], lines[:5])
            self.assertEqual(sorted(file.read_text().splitlines()), sorted(self.file.read_text().splitlines()))
            before = file.read_text()
            self.assertEqual(ladder("blank", "--games", 4, "--file", file, "--json").stdout, self.first.stdout)
            self.assertEqual(file.read_text(), before)
            # another seed makes another ladder
            other = ladder("blank", "--games", 2, "--seed", 2, "--file", file, "--json")
            self.assertEqual(rows(other.stdout)[0]["games"], 3 * 2)

    def test_time_up_prints_the_results_so_far(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "results"
            command = [PROGRAM, "ladder", "--games", "2", "--file", str(file)]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            while not file.exists() or file.read_text().count("\n") < 1:
                self.assertIsNone(process.poll())
            process.send_signal(signal.SIGINT)
            out, error = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 1)
            self.assertIn("pairs of games were played", error)
            self.assertIn("| bot | Elo |", out)

    def test_wrong_usage(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "results"
            file.write_text("hello\n")
            for arguments, says in [(["chess"], "chess"), (["blank", "blank"], "twice"), (["blank", "--games", 1], "--games"),
                                    (["blank", "--file", file], "line 1"), (["blank", "--file", folder], "read")]:
                result = ladder(*arguments)
                self.assertEqual(result.returncode, 2, arguments)
                self.assertIn(says, result.stderr)
                self.assertEqual(result.stdout, "")
            self.assertEqual(file.read_text(), "hello\n")


class Sprt(unittest.TestCase):
    def test_a_clear_match_ends_early_and_says_who_is_stronger(self):
        for a, b, says in [("normal", "random", "a is stronger"), ("random", "normal", "a is not stronger")]:
            result = run("arena", "flag_war", "--a", a, "--b", b, "--games", 2000, "--sprt", 200)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(says, result.stdout)
            self.assertLess(int(result.stdout.split(" games")[0].split()[-1]), 200)

    def test_the_same_seed_is_the_same_match(self):
        outs = [run("arena", "flag_war", "--a", "normal", "--b", "easy", "--games", 50, "--sprt", 50).stdout for _ in range(2)]
        self.assertEqual(outs[0].splitlines()[:3], outs[1].splitlines()[:3])

    def test_any_number_of_threads_plays_the_same_match(self):
        for game, extra in [("flag_war", ()), ("flood_it", ("--seats", 1)), ("flag_war", ("--sprt", 60))]:
            outs = []
            for threads in (1, 3):
                out = run("arena", game, "--a", "normal", "--b", "easy", "--games", 31, "--threads", threads, *extra).stdout
                outs.append([line for line in out.splitlines() if not line.startswith("speed")])
            self.assertEqual(outs[0], outs[1])
            if not extra:
                self.assertIn("31 games", outs[0][0])

    def test_a_match_goes_on_from_its_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "results"
            match = ["arena", "flag_war", "--a", "normal", "--b", "easy", "--json", "--file", file]

            def report(*arguments):
                result = run(*match, *arguments)
                self.assertEqual(result.returncode, 0, result.stderr)
                said = json.loads(result.stdout)
                del said["seconds"], said["games_per_second"]
                return said

            whole = report("--games", 20)
            lines = file.read_text().splitlines(keepends=True)
            self.assertEqual(len(lines), 10)
            file.write_text("".join(lines[3:8]) + lines[8][:40])  # in any order, with gaps, the last one incomplete
            again = report("--games", 20)
            self.assertEqual(sorted(json.loads(line)["pair"] for line in file.read_text().splitlines()), list(range(10)))
            for side in ("a", "b"):
                del whole[side]["slowest_ms"], again[side]["slowest_ms"]
            self.assertEqual(again, whole)
            before = file.read_text()
            self.assertEqual(report("--games", 20)["games"], 20)
            self.assertEqual(file.read_text(), before)
            # other settings, another seed or other players make another match
            for number, other in enumerate([("--seed", 2), ("--config", '{"max_rounds":20}'), ("--b", "random")], 1):
                self.assertEqual(report("--games", 2, *other)["games"], 2)
                self.assertEqual(len(file.read_text().splitlines()), 10 + number)
            file.write_text("{}\n")
            result = run(*match)
            self.assertEqual(result.returncode, 2)
            self.assertIn("line 1", result.stderr)

    def test_the_search_is_a_bot_of_every_game(self):
        for game, name in [("blank", "search"), ("flag_war", "search-easy"), ("flood_it", "search-easy")]:
            result = run("arena", game, "--a", name, "--b", "random", "--games", 2)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(name, result.stdout)
        result = run("arena", "blank", "--a", "searched", "--b", "random")
        self.assertEqual(result.returncode, 2)
        self.assertIn("search", result.stderr)


if __name__ == "__main__":
    report.run()
