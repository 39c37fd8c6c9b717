#!/usr/bin/env python3
"""Bots that are programs: programs_test.py BOARDWALK REPOSITORY

Regressions: stray output of a program answers the next question; a fault causes the next one; start-up counts against a
program's time; a process outlives `boardwalk`, however that ends; a turn takes more than a few kilobytes; a command that
is no bot, or a file that cannot be written, is reported only after the result. Ends with a line that tools/count-tests
reads.
"""
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "support"))
import report

PROGRAM, ROOT = os.path.abspath(sys.argv.pop(1)), Path(sys.argv.pop(1)).resolve()
LONG = 60000  # ms to answer, when time does not matter: an interpreter starts slowly on a busy machine


def run(*arguments, stdin="", timeout=120):
    return subprocess.run([PROGRAM, *map(str, arguments)], input=stdin, capture_output=True, text=True, timeout=timeout)


def gone(pid):
    """Exited, or a zombie that nobody has reaped yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True


class Programs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def bot(self, text, name="bot"):
        """A program: `turn` is the question, `say` prints the answer."""
        head = """
            import json, os, subprocess, sys, time
            def say(action, end="\\n"):
                sys.stdout.write(json.dumps(action) + end)
                sys.stdout.flush()
            """
        path = self.folder / f"{name}.py"
        path.write_text(textwrap.dedent(head) + textwrap.dedent(text))
        return f"{sys.executable} {path}"

    def match(self, game, bot, *arguments, games=2, other="random", budget=LONG):
        result = run("arena", game, "--a", bot, "--b", other, "--games", games, "--budget-ms", budget, "--json", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout), result.stderr


class Fair(Programs):
    def test_stray_lines_answer_nothing(self):
        """At any time: at the start, right after an answer, or so late that the next question is already sent."""
        strays = {
            "a banner": ('say("I am a bot")', "", ""),
            "behind, at once": ("", 'say([])', ""),
            "behind, in the same write": ("", "", "[]\\n[]\\n"),
            "behind, late": ("", "time.sleep(0.05); say([])", ""),
            "empty lines": ("", "print(flush=True); time.sleep(0.05); print(flush=True)", ""),
            "many": ("", "sys.stdout.write('[]\\n' * 30000); sys.stdout.flush()", ""),
        }
        for what, (first, behind, same) in strays.items():
            said = self.folder / "said"
            said.write_text("")
            bot = self.bot(f"""
                {first}
                for line in sys.stdin:
                    turn = json.loads(line)
                    action = turn["legal"][turn["state"]["current_turn"] * 11 % len(turn["legal"])]
                    open({str(said)!r}, "a").write(json.dumps([turn["state"]["current_turn"], action]) + "\\n")
                    say(action, "\\n{same}")
                    {behind}
                """)
            result, told = self.match("flag_war", bot, "--log", self.folder, "--config", '{"max_rounds":12}', games=1)
            self.assertEqual(result["a"]["faults"], 0, (what, told))
            self.assertIn("sent output that was not asked for", told, what)
            lines = (self.folder / "flag_war-0001.bw.jsonl").read_text().splitlines()[1:-1]
            said = [json.loads(line) for line in said.read_text().splitlines()]
            self.assertGreater(len(said), 3, what)
            self.assertGreater(len({json.dumps(action) for _, action in said}), 3, what)
            for played, (round_, action) in zip(map(json.loads, lines), said):
                ordered = [(order["piece"], order["to"]) for order in played["action"]["orders"] if order["role"] == "blue"]
                self.assertEqual(ordered, [(action["piece"], action["to"])], f"{what}, round {round_}")

    def test_a_byte_order_mark_before_an_answer_is_ignored(self):
        bot = self.bot("""
            sys.stdout.write("\\ufeff")
            for line in sys.stdin:
                say(json.loads(line)["legal"][0])
            """)
        self.assertEqual(self.match("blank", "PYTHONIOENCODING=utf-8 " + bot)[0]["a"]["faults"], 0)

    def test_start_up_counts_against_nobody(self):
        """1.5 s to load, before or after the first question is read, and 300 ms to answer."""
        for where in ["before", "after"]:
            bot = self.bot(f"""
                if {where == "before"}: time.sleep(1.5)
                for n, line in enumerate(sys.stdin):
                    if {where == "after"} and n == 0: time.sleep(1.5)
                    say(json.loads(line)["legal"][0])
                """)
            result, told = self.match("blank", bot, budget=1000 if where == "after" else 300, games=1)
            self.assertEqual((result["a"]["faults"], told), (0, ""), where)
            self.assertLess(result["a"]["slowest_ms"], 1300)

    def test_each_fault_restarts_the_program(self):
        """Late, not JSON, not an action, illegal, exited, endless: a new process plays the next game."""
        faults = {
            "late": "time.sleep(60)",
            "no JSON": "print('what?', flush=True)",
            "no action": "say({'type': 'jump'})",
            "illegal": "say({'type': 'mark', 'x': 0, 'y': 99})",
            "ended": "sys.exit(3)",
            "endless": "sys.stdout.write('x' * 100000); sys.stdout.flush(); time.sleep(60)",
        }
        for what, fault in faults.items():
            starts = self.folder / what
            bot = self.bot(f"""
                open({str(starts)!r}, "a").write(".")
                for n, line in enumerate(sys.stdin):
                    if n == 1: {fault}
                    say(json.loads(line)["legal"][0])
                """)
            result, told = self.match("blank", bot, games=3, budget=400 if what == "late" else LONG)
            self.assertEqual((result["a"]["faults"], result["b"]["wins"]), (3, 3), (what, told))
            self.assertEqual(told.count("boardwalk: game"), 3, told)
            self.assertEqual(starts.read_text(), "...", what)

    def test_a_turn_fits_in_a_few_kilobytes(self):
        """The longest lists of each game; `legal_parts` names everything that `legal` omits."""
        positions = {
            "flooded_island": ['{"max_flood_count":3}', '{"max_flood_count":2}', '{"max_flood_count":1}'],
            "flag_war": ['{"width":31,"height":31,"pieces":7,"diagonals":true}', "{}"],
            "flood_it": ['{"rows":8,"cols":8}'],
            "monadungeon": ["{}"],
        }
        longest = self.folder / "longest"
        bot = self.bot(f"""
            longest = ""
            for n, line in enumerate(sys.stdin):
                longest = max(longest, line, key=len)
                open({str(longest)!r}, "w").write(longest)
                say(json.loads(line)["legal"][-1] if n < 8 else "enough")
            """)
        for game, settings in positions.items():
            for setting in settings:
                run("arena", game, "--a", bot, "--b", "random", "--games", 2, "--budget-ms", LONG, "--config", setting)
                line = longest.read_text()
                turn = json.loads(line)
                self.assertLess(len(line), 20000, (game, setting))
                self.assertLess(len(json.dumps(turn["legal"], separators=(",", ":"))), 6400)
                self.assertEqual("legal_parts" in turn, turn["legal_count"] > len(turn["legal"]), (game, setting))
                if game == "flooded_island" and turn["legal_count"] > len(turn["legal"]):
                    floods = turn["legal_parts"]["flood"]["positions"]
                    fields, most = len(floods["from"]), json.loads(setting)["max_flood_count"]
                    self.assertEqual((floods["least"], floods["most"]), (0, most))
                    self.assertEqual(turn["legal_count"], sum(math.comb(fields, k) for k in range(most + 1)))
                if game == "flag_war" and "legal_parts" in turn:
                    self.assertEqual(turn["legal_parts"]["command"]["piece"]["from"], list(range(1, 8)))
                    self.assertEqual({action["piece"] for action in turn["legal"]}, set(range(1, 8)))

    def test_the_bots_of_the_documents_play(self):
        anybot = self.folder / "any"
        subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-O1", "-o", anybot, ROOT / "docs/bots/any.c"], check=True)
        for path in ROOT.glob("docs/bots/*"):
            self.assertLess(len(path.read_text().splitlines()), 60, path)
        for game in ["flooded_island", "flag_war", "flood_it", "monadungeon"]:
            config = '{"max_rounds":20}' if game == "flag_war" else "{}"
            result, told = self.match(game, anybot, "--config", config)
            self.assertEqual((result["a"]["faults"], told), (0, ""), game)
        island = f"{sys.executable} {ROOT}/docs/bots/island.py"
        result, told = self.match("flooded_island", island, "--config", '{"max_flood_count":3,"days":40}', games=4)
        self.assertEqual((result["a"]["wins"], result["a"]["faults"], told), (4, 0, ""))


class Ends(Programs):
    def started(self, extra):
        """An arena whose bot has child processes, once they run: the process, and the pids of the others."""
        pids = self.folder / "pids"
        pids.write_text("")
        bot = self.bot(f"""
            child = subprocess.Popen(["sleep", "1000"])
            open({str(pids)!r}, "a").write(f"{{os.getpid()}} {{child.pid}} ")
            for line in sys.stdin:
                {extra}
                say(json.loads(line)["legal"][0])
            """)
        return ["arena", "blank", "--a", f"sleep 1001 & echo $! $$ >> {pids}; {bot}", "--b", "random", "--games", "1",
                "--budget-ms", str(LONG)], pids

    def all_gone(self, pids, why):
        pids = [int(pid) for pid in pids.read_text().split()]
        until = time.monotonic() + 10
        while time.monotonic() < until and not all(map(gone, pids)):
            time.sleep(0.02)
        self.assertEqual([pid for pid in pids if not gone(pid)], [], why)
        self.assertEqual(len(pids), 4)

    def test_no_process_outlives_a_match(self):
        command, pids = self.started("pass")
        self.assertEqual(run(*command).returncode, 0)
        self.all_gone(pids, "the normal end")

    def test_no_process_outlives_a_fault(self):
        command, pids = self.started("say('no action')")
        self.assertEqual(run(*command).returncode, 0)
        self.all_gone(pids, "a fault")

    def test_no_process_outlives_a_signal(self):
        for number in [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL]:
            command, pids = self.started("time.sleep(1000)")
            with subprocess.Popen([PROGRAM, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as arena:
                until = time.monotonic() + 30
                while len(pids.read_text().split()) < 4 and time.monotonic() < until:
                    time.sleep(0.02)
                arena.send_signal(number)
                arena.wait(30)
            self.all_gone(pids, number)


class Refused(Programs):
    def test_a_program_that_cannot_start_is_wrong_usage(self):
        """Misspelt, missing, not executable, exits at once: nobody wins, and there is no Elo."""
        plain = self.folder / "plain"
        plain.write_text("no program")
        for wrong in ["pyhton3 bot.py", f"{sys.executable} {self.folder}/no-such-bot.py", f"{plain} --fast", "exit 3",
                      f"cd {self.folder}/nowhere && ./bot", "/no/such/bot"]:
            for side, other in [("--a", "--b"), ("--b", "--a")]:
                result = run("arena", "blank", side, wrong, other, "random", "--games", 20)
                self.assertEqual((result.returncode, result.stdout), (2, ""), (wrong, result.stderr))
                self.assertIn(wrong.split()[0], result.stderr)
            self.assertEqual(run("play", "blank", "--bot", wrong, stdin="1\n" * 9).returncode, 2, wrong)

    def test_a_bot_that_fails_fails_the_game(self):
        """Also in the middle of the game; the game so far is kept."""
        for n, fault in enumerate(["sys.exit(0)", "say({'type': 'mark', 'x': 99, 'y': 0})", "os.kill(os.getpid(), 9)"]):
            bot = self.bot(f"""
                for n, line in enumerate(sys.stdin):
                    if n == {n}: {fault}
                    say(json.loads(line)["legal"][-1])
                """)
            path = self.folder / "game.bw.jsonl"
            result = run("play", "blank", "--bot", bot, "--save", path, stdin="1\n" * 9)
            self.assertEqual(result.returncode, 1, (fault, result))
            self.assertEqual(len(path.read_text().splitlines()), 2 + 2 * n, fault)

    def test_a_folder_for_games_is_created_or_refused_first(self):
        deep = self.folder / "a" / "b"
        arena = ["arena", "blank", "--a", "random", "--b", "random", "--games", 2, "--log"]
        self.assertEqual(run(*arena, deep).returncode, 0)
        self.assertEqual(len(list(deep.iterdir())), 2)
        self.assertEqual(run(*arena, f"{deep}/").returncode, 0)
        plain = self.folder / "plain"
        plain.write_text("")
        for wrong in [plain, plain / "below", "/proc/nowhere", ""]:
            result = run(*arena, wrong)
            self.assertEqual((result.returncode, result.stdout), (2, ""), wrong)
            self.assertIn("cannot be written", result.stderr)

    def test_a_file_for_the_game_is_refused_first(self):
        for wrong in [self.folder, self.folder / "none" / "game", "", f"{self.folder}/", "/proc/nowhere/game"]:
            result = run("play", "blank", "--save", wrong, stdin="1\n" * 9)
            self.assertEqual((result.returncode, result.stdout), (2, ""), wrong)
            self.assertIn("cannot be written", result.stderr)

    def test_a_signal_keeps_the_game_so_far(self):
        for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
            path = self.folder / f"game-{number}"
            command = [PROGRAM, "play", "blank", "--save", path]
            with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as game:
                game.stdin.write("1\nshow\n")
                game.stdin.flush()
                while "marked" not in game.stdout.readline():
                    pass
                game.send_signal(number)  # whatever it is doing at this moment
                said = game.communicate(timeout=30)[1]
            self.assertEqual(game.returncode, 1, number)
            self.assertIn("the game so far is in", said)
            self.assertEqual(len(path.read_text().splitlines()), 2)


if __name__ == "__main__":
    report.run()
