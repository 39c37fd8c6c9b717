#!/usr/bin/env python3
"""boardwalk solve flooded_island --all and its certificates: solve_island_test.py BOARDWALK. Ends with a line that tools/count-tests reads."""
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
# Only a few seconds, so that it decides only the fast grids. It gets more time for what a slow machine misses.
ALL = [PROGRAM, "solve", "flooded_island", "--all", "--seconds", "2", "--memory", "200"]


def run(*arguments):
    return subprocess.run([*ALL, *map(str, arguments)], capture_output=True, text=True, timeout=120)


def rows(text):
    return [json.loads(line) for line in text.splitlines()]


class SolveIslands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.file = Path(cls.folder.name) / "results"
        cls.first = run("--json", "--file", cls.file)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_every_grid_is_listed_and_rotation_changes_nothing(self):
        self.assertEqual(self.first.returncode, 0, self.first.stderr)
        found = {(r["width"], r["height"], r["max_flood_count"]): (r["lower"], r["upper"]) for r in rows(self.first.stdout)}
        self.assertEqual(len(found), 64 * 3)
        for (width, height, floods), (lower, upper) in found.items():
            self.assertEqual((lower, upper), found[height, width, floods])
            self.assertLessEqual(lower, upper)
        def bounds(grid, enough):
            for seconds in (8, 32):
                if enough(*found[grid]):
                    break
                width, height, floods = grid
                result = solve("--width", width, "--height", height, "--max-flood-count", floods, "--seconds", seconds, "--json")
                found[grid] = (json.loads(result.stdout)["lower"], json.loads(result.stdout)["upper"])
            return found[grid]

        exact = lambda lower, upper: lower == upper
        for sides, two, three in [((3, 3), 4, 2), ((3, 4), 5, 3), ((4, 4), 7, 4), ((5, 5), 11, 4), ((5, 6), 12, 4)]:
            self.assertEqual(bounds((*sides, 2), exact), (two, two))
            self.assertEqual(bounds((*sides, 3), exact), (three, three))
        self.assertTrue(all(found[w, h, 1] == (365, 365) for w in range(3, 11) for h in range(3, 11)))
        lower, upper = bounds((10, 10, 2), lambda lower, upper: lower >= 16 and upper <= 23)
        self.assertGreaterEqual(lower, 16)
        self.assertLessEqual(upper, 23)

    def test_a_larger_grid_is_never_worth_less(self):
        found = {(r["width"], r["height"], r["max_flood_count"]): r for r in rows(self.first.stdout)}
        for (width, height, floods), r in found.items():
            for larger in [(width + 1, height, floods), (width, height + 1, floods), (width, height, floods - 1)]:
                if larger in found:
                    self.assertGreaterEqual(found[larger]["lower"], r["lower"])
                    self.assertGreaterEqual(found[larger]["upper"], r["upper"])

    def test_a_later_run_uses_known_results(self):
        before = self.file.read_text()
        again = run("--json", "--file", self.file, "--seconds", 2)
        self.assertEqual(again.returncode, 0, again.stderr)
        strip = lambda text: [(r["width"], r["height"], r["max_flood_count"], r["lower"], r["upper"]) for r in rows(text)]
        self.assertEqual(strip(again.stdout), strip(self.first.stdout))
        self.assertEqual(self.file.read_text(), before)  # nothing was left to try within one second

    def test_an_incomplete_line_is_dropped(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "results"
            whole = self.file.read_text()
            file.write_text(whole + '{"width":3,"hei')
            self.assertEqual(run("--file", file).returncode, 0)
            self.assertEqual(file.read_text(), whole)

    def test_an_invalid_line_is_reported_and_kept(self):
        good = '{"width":3,"height":3,"max_flood_count":2,"lower":4,"upper":4,"milliseconds":1}\n'
        for bad, says in [("hello\n", "line 2"), (good.replace("4,", "5,", 1), "line 2"), (good.replace('"width":3', '"width":2'), "width"),
                          ("\n", "line 2"), (good.replace('"upper":4', '"upper":3'), "lower")]:
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "results"
                file.write_text(good + bad)
                result = run("--file", file)
                self.assertEqual(result.returncode, 2, bad)
                self.assertIn(says, result.stderr)
                self.assertEqual(file.read_text(), good + bad)

    def test_an_interrupt_keeps_the_results_so_far(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "results"
            command = [*ALL[:4], "--seconds", "0", "--threads", "2", "--memory", "200", "--file", str(file)]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            while not file.exists() or file.read_text().count("\n") < 20:
                self.assertIsNone(process.poll())
            process.send_signal(signal.SIGINT)
            out, error = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 1)
            self.assertIn("interrupted", error)
            self.assertIn("| 10 ", out)
            kept = {(r["width"], r["height"], r["max_flood_count"]) for r in rows(file.read_text())}
            self.assertGreaterEqual(len(kept), 20)

    def test_wrong_usage(self):
        for arguments, says in [(["--width", 3], "--all"), (["--memory", 16, "--threads", 2], "--memory"), (["--threads", 0], "--threads")]:
            result = run(*arguments)
            self.assertEqual(result.returncode, 2)
            self.assertIn(says, result.stderr)
            self.assertEqual(result.stdout, "")


def solve(*arguments):
    return subprocess.run([PROGRAM, "solve", "flooded_island", "--memory", "64", *map(str, arguments)], capture_output=True, text=True, timeout=120)


def check(*arguments, stdin=None):
    return subprocess.run([PROGRAM, "check", *map(str, arguments)], capture_output=True, input=stdin, timeout=60)


class Certificates(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.file = Path(self.folder.name) / "certificate"

    def tearDown(self):
        self.folder.cleanup()

    def test_solved_grids_are_proven_and_checked(self):
        for width, height, floods, says in [(4, 4, 2, b"trapped after 7 moves"), (10, 10, 3, b"trapped after 4 moves"),
                                            (5, 10, 1, b"survives")]:
            result = solve("--width", width, "--height", height, "--max-flood-count", floods, "--certificate", self.file)
            self.assertEqual(result.returncode, 0, result.stderr)
            checked = check(self.file)
            self.assertEqual(checked.returncode, 0, checked.stderr)
            self.assertIn(says, checked.stdout)
            self.assertIn(f"{width}x{height}, up to {floods} flood".encode(), checked.stdout)

    def test_a_bound_that_takes_too_long_is_omitted_and_reported(self):
        result = solve("--width", 7, "--height", 7, "--seconds", 1, "--memory", 32, "--certificate", self.file)
        self.assertEqual(result.returncode, 1)
        self.assertIn("bound is missing", result.stderr)
        checked = check(self.file)
        self.assertEqual(checked.returncode, 0, checked.stderr)

    def test_a_changed_byte_is_refused_with_its_line(self):
        self.assertEqual(solve("--width", 3, "--height", 3, "--certificate", self.file).returncode, 0)
        good = self.file.read_bytes()
        bad = good.replace(b"w 3 b2", b"w 2 b2", 1)
        line = good[: good.index(b"w 3 b2")].count(b"\n") + 1
        for command, stdin in [([self.file], None), (["-"], bad)]:
            self.file.write_bytes(bad)
            result = check(*command, stdin=stdin)
            self.assertEqual(result.returncode, 1)
            self.assertEqual(result.stdout, b"")
            self.assertIn(f"line {line}: ".encode(), result.stderr)
        for text in [b"", b"hello", b"\0" * 100, b"\n", good[:-1], good + b"x", good[:40]]:
            self.file.write_bytes(text)
            result = check(self.file)
            self.assertEqual((result.returncode, result.stdout), (1, b""), text)
            self.assertIn(b"line ", result.stderr)

    def test_wrong_usage(self):
        self.assertEqual(check().returncode, 2)
        self.assertEqual(check(self.file).returncode, 2)  # the file does not exist
        self.assertEqual(check(self.file, self.file).returncode, 2)
        result = solve("--width", 3, "--height", 3, "--certificate", self.file / "nowhere")
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot be written", result.stderr)
        self.assertEqual(solve("--all", "--certificate", self.file).returncode, 2)


if __name__ == "__main__":
    report.run()
