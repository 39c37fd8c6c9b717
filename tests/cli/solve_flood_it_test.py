#!/usr/bin/env python3
"""boardwalk solve flood_it: solve_flood_it_test.py BOARDWALK. Ends with a line that tools/count-tests reads."""
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
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
    """Applies the colours to a board as plain text."""
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
    def refused(self, text, *arguments, says, after=0):
        result = run(*arguments, stdin=text)
        self.assertEqual(result.returncode, 2, result)
        self.assertIn(says, result.stderr)
        self.assertEqual(len(result.stdout.splitlines()), after)  # the boards before it are answered

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
        self.refused("abba\n\nabb\n", says="line 3", after=1)
        self.refused("abcd\nabcd\nab-d\nabcd\n", says="line 3: column 3 ")
        self.refused("abba\n\n" + "a" * 8193 + "\nabba\n", says="line 3: more than 8192", after=1)
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
        self.refused("abba", DATA, says=str(DATA))
        self.refused("abba", "--threads", 2, "--memory", 31, says="--memory")
        self.refused("abba", "--threads", 2, "--at-once", 0, says="--at-once")
        self.refused("abba", "--beam", 3, "--file", "never-made", says="--file")

    def test_stops_in_time_with_a_valid_line(self):
        board = "".join("0123456789"[(i * i * 7 + i // 64 * 13 + i * 3 + (i * i) // 5) % 10] for i in range(64 * 64))
        start = time.monotonic()
        result = run("--seconds", "0.5", stdin=board)
        self.assertLess(time.monotonic() - start, 30)
        line = result.stdout.split("\t")
        self.assertEqual(line[2], "best")
        self.assertTrue(floods(board, 64, 0, line[3]))

    def test_an_interrupt_gives_the_best_so_far(self):
        self.interrupt(1)

    def test_an_interrupt_stops_every_thread(self):
        self.interrupt(2)

    def interrupt(self, threads):
        hard = (DATA / "p99.txt").read_text().split()[66]
        command = [PROGRAM, "solve", "flood_it", "--threads", str(threads)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            process.stdin.write(f"{hard}\n" * 3)
            process.stdin.close()
            time.sleep(0.7)
            process.send_signal(signal.SIGINT)
            said = process.stdout.read()
            complaint = process.stderr.read()
            self.assertEqual(process.wait(timeout=30), 1)
        self.assertIn("interrupted", complaint)
        self.assertEqual(len(said.splitlines()), threads)
        for line in said.splitlines():
            self.assertTrue(floods(hard, math.isqrt(len(hard)), 0, line.split("\t")[3]))

    def test_a_board_is_answered_before_the_next_is_written(self):
        with subprocess.Popen([PROGRAM, "solve", "flood_it"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            for index, board in enumerate((DATA / "n10c6.txt").read_text().split()[:5]):
                process.stdin.write(board + "\n")
                process.stdin.flush()
                index_said, *_, sequence, _ = process.stdout.readline().split("\t")
                self.assertEqual(int(index_said), index + 1)
                self.assertTrue(floods(board, 10, 0, sequence))
            for row in ("", "abc", "bca", "cab", ""):  # the rows of one board; a blank line ends it
                process.stdin.write(row + "\n")
                process.stdin.flush()
            self.assertEqual(process.stdout.readline().split("\t")[:3], ["6", "4", "optimal"])
            process.stdin.close()
            self.assertEqual(process.wait(timeout=30), 0)

    def test_an_interrupt_ends_the_wait_for_more(self):
        with subprocess.Popen([PROGRAM, "solve", "flood_it"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            process.stdin.write("abba" * 25 + "\nab")
            process.stdin.flush()
            self.assertIn("optimal", process.stdout.readline())
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=30), 1)
            self.assertIn("interrupted after 1 board", process.stderr.read())

    def test_lines_are_rows_of_one_board_or_each_a_board(self):
        def counts(text):
            result = run("--json", stdin=text)
            self.assertEqual(result.returncode, 0, result.stderr)
            return [len(json.loads(line)["sequence"]) for line in result.stdout.splitlines()]

        self.assertEqual(counts("abab\n" * 20), [1] * 20)  # the last 16 lines do not make a board of 16 rows
        self.assertEqual(counts("abab\n" * 3), [1] * 3)
        self.assertEqual(len(counts("abab\n" * 4)), 1)
        self.assertEqual(counts("abab\n" * 5), [1] * 5)
        self.assertEqual(len(counts("abab\n" * 4 + "\n" + "abab\n" * 4)), 2)
        self.assertEqual(len(counts("\ufeff" + "ab" * 2048 + "\n" + "abab\n" * 4)), 5)

    def test_many_threads_answer_in_order_and_alike(self):
        boards = "".join((DATA / name).read_text() for name in ("n14c6.txt", "n10c6.txt"))
        outs = [[line.rsplit("\t", 1)[0] for line in run("--threads", threads, stdin=boards).stdout.splitlines()] for threads in (1, 4)]
        self.assertEqual(len(outs[0]), 100)
        self.assertEqual(outs[0], outs[1])

    def test_threads_that_are_free_help_with_the_board_at_hand(self):
        boards = "".join(f"{text}\n" for text in (DATA / "p99.txt").read_text().split()[:2])
        said = [[line.rsplit("\t", 1)[0] for line in run(*flags, stdin=boards).stdout.splitlines()]
                for flags in (("--threads", 1), ("--threads", 3, "--at-once", 1), ("--threads", 3))]
        self.assertEqual(said[0], said[1])
        self.assertEqual(said[0], said[2])
        self.assertIn("optimal", said[0][0])

    def test_a_later_run_goes_on_from_the_file(self):
        boards = (DATA / "n10c6.txt").read_text().splitlines(keepends=True)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "results"
            first = run("--file", file, stdin="".join(boards[:20]))
            self.assertEqual(first.returncode, 0, first.stderr)
            lines = file.read_text().splitlines(keepends=True)
            self.assertEqual(len(lines), 20)
            file.write_text("".join(lines[:12]) + lines[12][:30])  # the last line is incomplete
            boards.reverse()  # a board is known at any position
            again = run("--file", file, "--json", stdin="".join(boards))
            self.assertEqual(again.returncode, 0, again.stderr)
            found = [json.loads(line) for line in again.stdout.splitlines()]
            for answer, board in zip(found, boards, strict=True):
                self.assertTrue(answer["proven"] and floods(board.strip(), 10, 0, answer["sequence"]))
            self.assertEqual(len(file.read_text().splitlines()), 50)
            before = file.read_text()
            self.assertEqual(run("--file", file, "--json", stdin="".join(boards)).stdout, again.stdout)  # times too
            self.assertEqual(file.read_text(), before)
            self.assertEqual(run("--file", file, "--origin", "9,9", stdin=boards[0]).returncode, 0)
            self.assertEqual(len(file.read_text().splitlines()), 51)  # another origin makes another board
            # a solution that does not flood its board is rejected
            lie = json.loads(before.splitlines()[0])
            lie["sequence"] = lie["sequence"][::-1]
            file.write_text(json.dumps(lie) + "\n")
            told = run("--file", file, stdin="".join(boards))
            self.assertEqual(told.returncode, 1)
            self.assertIn("does not flood", told.stderr)
            file.write_text(json.dumps(lie | {"moves": lie["moves"] - 1}) + "\n")
            self.refused(boards[0], "--file", file, says="line 1")

    def test_a_board_that_time_stopped_is_tried_again_only_for_longer(self):
        hard = (DATA / "p99.txt").read_text().split()[66]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "results"
            lines = lambda: len(file.read_text().splitlines())
            first = run("--file", file, "--seconds", "0.05", stdin=hard)
            self.assertIn("best", first.stdout)
            self.assertEqual(run("--file", file, "--seconds", "0.04", stdin=hard).stdout, first.stdout)
            self.assertEqual(lines(), 1)
            self.assertNotEqual(run("--file", file, "--seconds", "3", stdin=hard).stdout, first.stdout)
            self.assertEqual(lines(), 2)


if __name__ == "__main__":
    report.run()
