#!/usr/bin/env python3
"""boardwalk solve flood_it: solve_flood_it_test.py BOARDWALK. Ends with a line that tools/count-tests reads."""
import json
import math
import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "support"))
import report

PROGRAM = os.path.abspath(sys.argv.pop(1))
DATA = Path(__file__).resolve().parent.parent / "data" / "flood_it"


def run(*arguments, stdin=""):
    command = [PROGRAM, "solve", "flood_it", *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=120)


def floods(board, cols, origin, sequence):
    """Plays the sequence on plain text."""
    cells = list(board)
    for color in sequence:
        before = cells[origin]
        if before == color:
            return False
        stack = [origin]
        while stack:
            cell = stack.pop()
            if cells[cell] != before:
                continue
            cells[cell] = color
            stack += [cell - 1] if cell % cols else []
            stack += [cell + 1] if cell % cols < cols - 1 else []
            stack += [cell - cols] if cell >= cols else []
            stack += [cell + cols] if cell + cols < len(cells) else []
    return len(set(cells)) == 1


class SolveFloodIt(unittest.TestCase):
    def refused(self, text, *arguments, says):
        result = run(*arguments, stdin=text)
        self.assertEqual(result.returncode, 2, result)
        self.assertIn(says, result.stderr)
        self.assertEqual(result.stdout, "")

    def test_known_optima(self):
        optima = (DATA / "n10c6.opt").read_text().split()
        boards = (DATA / "n10c6.txt").read_text().split()
        result = run(DATA / "n10c6.txt")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.splitlines()
        self.assertEqual(len(lines), len(optima))
        for i, line in enumerate(lines):
            index, moves, kind, sequence, milliseconds = line.split("\t")
            self.assertEqual((int(index), moves, kind, len(sequence)), (i + 1, optima[i], "optimal", int(moves)))
            self.assertTrue(floods(boards[i], 10, 0, sequence))
            self.assertGreaterEqual(float(milliseconds), 0)

    def test_a_beam_says_best_unless_the_bound_proves_it(self):
        result = run("--beam", 3, stdin=(DATA / "n14c6.txt").read_text())
        kinds = [line.split("\t")[2] for line in result.stdout.splitlines()]
        self.assertEqual(len(kinds), 50)
        self.assertIn("best", kinds)

    def test_shape_origin_and_blank_lines(self):
        result = run("--rows", 2, "--cols", 3, "--origin", "1,2", stdin="\nabbacc\r\n\n  Z9Z9Z9 \n")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = [line.split("\t") for line in result.stdout.splitlines()]
        self.assertEqual([line[:3] for line in lines], [["1", "2", "optimal"], ["2", "3", "optimal"]])
        self.assertTrue(floods("abbacc", 3, 5, lines[0][3]))
        self.assertTrue(floods("Z9Z9Z9", 3, 5, lines[1][3]))

    def test_one_colour_needs_no_move(self):
        self.assertEqual(run(stdin="aaaa\n").stdout.split("\t")[:4], ["1", "0", "optimal", ""])

    def test_json(self):
        answer = json.loads(run("--json", stdin="abca").stdout)
        self.assertEqual((answer["index"], answer["moves"], answer["proven"], answer["lower"]), (1, 3, True, 3))
        self.assertTrue(floods("abca", 2, 0, answer["sequence"]))

    def test_bad_boards_name_the_line(self):
        self.refused("abba\n\nabb\n", says="line 3")
        self.refused("ab-a\n", says="line 1: column 3")
        self.refused("abcabc\n", "--rows", 4, says="line 1")
        self.refused("abcabc\n", "--rows", 2, "--cols", 2, says="line 1")
        self.refused("abba\n", "--origin", "2,0", says="line 1")
        self.refused("".join(chr(c) for c in range(ord("A"), ord("Z") + 1)) + "abcdefghij", says="32 colours")
        self.refused("a" * 65 * 65, says="1 to 64")
        self.refused("", says="one per line")

    def test_bad_options(self):
        self.refused("abba", "--origin", "1", says="--origin")
        self.refused("abba", "--seconds", "soon", says="--seconds")
        self.refused("abba", "--beam", "0", says="--beam")
        self.refused("abba", "--rows", "65", says="--rows")
        self.refused("abba", "/no/such/file", says="/no/such/file")

    def test_stops_in_time_with_a_line_that_holds(self):
        board = "".join("0123456789"[(i * i * 7 + i // 64 * 13 + i * 3 + (i * i) // 5) % 10] for i in range(64 * 64))
        start = time.monotonic()
        result = run("--seconds", "0.5", stdin=board)
        self.assertLess(time.monotonic() - start, 30)
        line = result.stdout.split("\t")
        self.assertEqual(line[2], "best")
        self.assertTrue(floods(board, 64, 0, line[3]))

    def test_an_interrupt_gives_the_best_so_far(self):
        hard = (DATA / "p99.txt").read_text().split()[66]
        command = [PROGRAM, "solve", "flood_it"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            process.stdin.write(f"{hard}\n{hard}\n")
            process.stdin.close()
            time.sleep(0.7)
            process.send_signal(signal.SIGINT)
            said = process.stdout.read()
            complaint = process.stderr.read()
            self.assertEqual(process.wait(timeout=30), 1)
        self.assertIn("interrupted", complaint)
        self.assertEqual(len(said.splitlines()), 1)
        self.assertTrue(floods(hard, math.isqrt(len(hard)), 0, said.split("\t")[3]))


if __name__ == "__main__":
    report.run()
