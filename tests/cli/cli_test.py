#!/usr/bin/env python3
"""The command line: cli_test.py BOARDWALK

Sentences, exit codes, machine-readable output, valid and invalid game files, bots as programs. Ends with a line that
tools/count-tests reads.
"""
import base64
import hashlib
import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import textwrap
import threading
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "support"))
import report

PROGRAM = os.path.abspath(sys.argv.pop(1))


def run(*arguments, stdin="", timeout=120):
    return subprocess.run([PROGRAM, *map(str, arguments)], input=stdin, capture_output=True, text=True, timeout=timeout)


class Usage(unittest.TestCase):
    def refused(self, *arguments, says):
        result = run(*arguments)
        self.assertEqual(result.returncode, 2, result)
        self.assertIn(says, result.stderr)
        self.assertEqual(result.stdout, "")

    def test_help_lists_every_command(self):
        result = run("--help")
        self.assertEqual(result.returncode, 0)
        for command in ["serve", "play", "replay", "verify", "solve", "check", "arena", "ladder", "perft", "load", "cluster", "schema"]:
            self.assertIn(f"  {command} ", result.stdout)
            detail = run(command, "--help")
            self.assertEqual(detail.returncode, 0)
            self.assertIn("usage: boardwalk " + command, detail.stdout.lower())

    def test_no_command_is_wrong_usage(self):
        self.assertEqual(run().returncode, 2)

    def test_an_answer_that_cannot_be_written_fails(self):
        for arguments in [["perft", "flag_war", "--depth", "1"], ["schema"], ["solve", "flood_it"], ["play", "flood_it"]]:
            with open("/dev/full", "w") as full:
                result = subprocess.run([PROGRAM, *arguments], input="abca\n", stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
            self.assertEqual(result.returncode, 1, arguments)
            self.assertIn("could not be written", result.stderr)

    def test_mistyped_words_get_a_suggestion(self):
        self.refused("pertf", says='did you mean "perft"?')
        self.refused("perft", "flag_wra", says='did you mean "flag_war"?')
        self.refused("perft", "flag_war", "--dpeth", "3", says='did you mean "--depth"?')
        self.refused("arena", "flag_war", "--a", "esay", "--b", "random", says='did you mean "easy"')
        self.refused("play", "flag_war", "--as", "bleu", says='did you mean "blue"?')
        self.refused("zzzzzz", says="--help")

    def test_values_are_checked(self):
        self.refused("perft", "flag_war", "--depth", "many", says="a whole number from 0 to 64")
        self.refused("perft", "flag_war", "--depth", "-1", says="a whole number from 0 to 64")
        self.refused("perft", "flag_war", "--depth", "3x", says='not "3x"')
        self.refused("perft", "flag_war", "--depth", says="requires a value")
        self.refused("perft", says="perft GAME")
        self.refused("perft", "flag_war", "blank", says='unexpected argument "blank"')
        self.refused("perft", "flooded_island", "--config", '{"width":2}', says="from 3 to 10")
        self.refused("perft", "flooded_island", "--config", "{", says="--config")
        self.refused("arena", "blank", "--a", "random", says="--b")
        self.refused("schema", "--ts", "--json", says="one form")
        self.refused("verify", "no-such-file", says="no-such-file")
        self.refused("load", "not a url", says="it looks like http://localhost:8000")
        self.refused("play", "flag_war", "--join", "http:///game/ABCD", says="it looks like http://localhost:8000")

    def test_an_answer_to_another_key_opens_no_connection(self):
        """Regression: something that is no WebSocket server, or a cache in between, answers 101."""
        right = lambda key: base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
        answers = [
            (lambda key: "", "not a WebSocket server"),
            (lambda key: "Sec-WebSocket-Accept: \r\n", "not a WebSocket server"),
            (lambda key: f"Sec-WebSocket-Accept: {key}\r\n", "not a WebSocket server"),
            (lambda key: f"Sec-WebSocket-Accept: {right('dGhlIHNhbXBsZSBub25jZQ==')}\r\n", "not a WebSocket server"),
            (lambda key: f"Sec-WebSocket-Accept: {right(key)}x\r\n", "not a WebSocket server"),
            (lambda key: f"Sec-WebSocket-Accept: {right(key)[:-1]}\r\n", "not a WebSocket server"),
            (lambda key: f"X: y\r\nSEC-WEBSOCKET-ACCEPT:{right(key)} \r\n", "closed the connection"),
        ]
        for answer, says in answers:
            with socket.create_server(("127.0.0.1", 0)) as listening:
                def serve():
                    connection, _ = listening.accept()
                    with connection:
                        asked = b""
                        while b"\r\n\r\n" not in asked:
                            asked += connection.recv(4096)
                        key = re.search(r"Sec-WebSocket-Key: (\S+)", asked.decode())[1]
                        connection.sendall(f"HTTP/1.1 101 Yes\r\nUpgrade: websocket\r\n{answer(key)}\r\n".encode())

                thread = threading.Thread(target=serve)
                thread.start()
                url = f"http://127.0.0.1:{listening.getsockname()[1]}/game/ABCD"
                quiet, keyboard = os.pipe()
                result = subprocess.run([PROGRAM, "play", "flag_war", "--join", url], stdin=quiet, capture_output=True, text=True, timeout=30)
                os.close(quiet), os.close(keyboard)
                thread.join()
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(says, result.stderr + result.stdout)

    def test_option_values_may_follow_an_equals_sign(self):
        for arguments in (["--depth=2"], ["--depth", "2"]):
            depths = json.loads(run("perft", "blank", "--json", *arguments).stdout)["depths"]
            self.assertEqual([d["positions"] for d in depths], [9, 72])


class Perft(unittest.TestCase):
    """Counted by hand: each number has its reasoning beside it."""

    def counts(self, game, depth, config=None):
        extra = ["--config", json.dumps(config)] if config else []
        result = run("perft", game, "--depth", depth, "--json", *extra)
        self.assertEqual(result.returncode, 0, result.stderr)
        return [d["positions"] for d in json.loads(result.stdout)["depths"]]

    def test_blank(self):
        # 9 squares, then 8, 7, ...; and none after the last of four.
        self.assertEqual(self.counts("blank", 4), [9, 72, 504, 3024])
        self.assertEqual(self.counts("blank", 5, {"width": 2, "height": 2}), [4, 12, 24, 24, 0])

    def test_flooded_island(self):
        # From the corner there are 3 moves. Up to two of the 8 other squares of 3x3 flood: 1 + 8 + 28 = 37 replies.
        self.assertEqual(self.counts("flooded_island", 2, {"width": 3, "height": 3, "max_flood_count": 2}), [3, 111])
        # 10x10: 1 + 99 + 99*98/2 = 4951 replies to each move.
        self.assertEqual(self.counts("flooded_island", 2), [3, 3 * 4951])

    def test_flag_war(self):
        # Each of three pieces has 21 destinations (11 columns + 11 rows - 1): 1 + 63 choices for each side.
        self.assertEqual(self.counts("flag_war", 1), [64 * 64])

    def test_default_depth(self):
        depths = {game: len(json.loads(run("perft", game, "--json").stdout)["depths"]) for game in ("blank", "flag_war")}
        self.assertEqual(depths, {"blank": 3, "flag_war": 2})


class Progress(unittest.TestCase):
    """Long work shows a progress bar on a terminal, and Ctrl-C ends it with the results so far."""

    def interrupted(self, says, *arguments):
        """Stderr is a terminal; Ctrl-C is sent once the bar matches `says`. Returns the status, stdout and stderr."""
        master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (24, 100))
        with subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=slave) as process:
            os.close(slave)
            said = b""
            while chunk := self.read(master):
                said += chunk
                if re.search(says, said):
                    process.send_signal(signal.SIGINT)
                    says = rb"$^"
            out = process.stdout.read()
        os.close(master)
        for drawn in said.decode().split("\r\x1b[K")[1:]:
            self.assertLess(len(drawn.split("\r")[0]), 200 if "boardwalk:" in drawn else 100, drawn)
        return process.returncode, out.decode(), said.decode()

    def read(self, master):
        try:
            return os.read(master, 4096)
        except OSError:  # the other end is closed
            return b""

    def test_perft_ends_with_the_depths_that_are_done(self):
        status, out, said = self.interrupted(rb"%  depth 3", "perft", "flag_war", "--depth", 3, "--json")
        self.assertEqual(status, 1)
        self.assertEqual(len(json.loads(out)["depths"]), 2)
        self.assertRegex(said, r"interrupted at depth 3: [1-9][0-9]* positions")

    def test_arena_ends_with_the_games_that_are_over(self):
        status, out, said = self.interrupted(rb"%  [1-9][0-9]*/1000000 games", "arena", "flag_war", "--a", "random",
                                             "--b", "random", "--games", 1000000, "--json")
        self.assertEqual(status, 0)
        report = json.loads(out)
        self.assertGreater(report["games"], 0)
        self.assertEqual(report["a"]["wins"] + report["b"]["wins"] + report["draws"], report["games"])
        self.assertIn("move", said)


class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.paths = {}
        for game in ["blank", "flooded_island", "flag_war"]:
            run("arena", game, "--a", "random", "--b", "random", "--games", 2, "--seed", 5, "--log", cls.folder.name)
            cls.paths[game] = os.path.join(cls.folder.name, f"{game}-0001.bw.jsonl")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_games_verify(self):
        for game, path in self.paths.items():
            result = run("verify", path)
            self.assertEqual((result.returncode, result.stderr), (0, ""), result)
            report = json.loads(run("verify", path, "--json").stdout)
            self.assertEqual((report["valid"], report["game"], report["finished"]), (True, game, True))
            with open(path, encoding="utf-8") as lines:
                self.assertEqual(report["moves"], sum(1 for _ in lines) - 2)

    def test_games_from_before_a_setting_was_added_verify(self):
        """Files of older programs lack settings that were added later: such settings have their old meaning."""
        for path in sorted((Path(__file__).parent.parent / "data" / "games_before").glob("*.bw.jsonl")):
            report = json.loads(run("verify", path, "--json").stdout)
            self.assertEqual((report["valid"], report["finished"]), (True, True), path)
            self.assertEqual(run("replay", path).returncode, 0, path)

    def test_any_changed_byte_is_found_and_its_line_named(self):
        with tempfile.TemporaryDirectory() as folder:
            for game, path in self.paths.items():
                data = bytearray(Path(path).read_bytes())
                places = range(0, len(data) - 1, max(1, len(data) // 120))
                files = []
                for at in places:
                    files.append(Path(folder) / f"{at}.bw.jsonl")
                    changed = bytearray(data)
                    changed[at] = changed[at] ^ 1
                    files[-1].write_bytes(changed.decode("latin-1").encode())
                result = run("verify", *files, path, "--json")
                self.assertEqual(result.returncode, 1, game)
                *answers, untouched = map(json.loads, result.stdout.splitlines())
                self.assertTrue(untouched["valid"], untouched)
                for at, answer in zip(places, answers, strict=True):
                    self.assertFalse(answer["valid"], f"{game}, byte {at}: {data[at:at+1]}")
                    line = data[: at + 1].count(b"\n") + (0 if data[at] == 10 else 1)
                    self.assertRegex(answer["message"], rf"[Ll]ine ({line}|{line + 1})\b", f"{game}, byte {at}")

    def test_of_several_files_the_worst_counts(self):
        good, bad, none = self.paths["blank"], self.paths["blank"] + ".changed", self.paths["blank"] + ".none"
        Path(bad).write_text(Path(good).read_text(encoding="utf-8").replace('"seq":2', '"seq":3'), encoding="utf-8")
        for files, status in [([good, good], 0), ([good, bad], 1), ([bad, good], 1), ([none, good], 2), ([bad, none, good], 2)]:
            result = run("verify", *files)
            self.assertEqual(result.returncode, status, (files, result))
            self.assertEqual(result.stdout.count(" is valid: "), files.count(good))

    def test_a_missing_line_is_found(self):
        lines = Path(self.paths["blank"]).read_text(encoding="utf-8").splitlines(keepends=True)
        for gone in range(len(lines) - 1):
            result = run("verify", "-", stdin="".join(lines[:gone] + lines[gone + 1 :]))
            self.assertEqual(result.returncode, 1, gone)

    def test_replay_shows_each_move(self):
        for path in self.paths.values():
            steps = [json.loads(line) for line in run("replay", path, "--json").stdout.splitlines()]
            moves = json.loads(run("verify", path, "--json").stdout)["moves"]
            self.assertEqual([s["seq"] for s in steps[: moves + 1]], list(range(moves + 1)))
            self.assertIn("winner", steps[-1])
            self.assertEqual(run("replay", path, "--step", 1).returncode, 0)
            shown = run("replay", path).stdout
            self.assertNotIn('"type"', shown)  # words, not JSON
            for event in (event for step in steps for event in step["events"] if event["type"] == "moved"):
                more = 0 if "monadungeon" in path else 1
                to = event["to"]
                self.assertRegex(shown, rf"- moved .*to {to['x'] + more},{to['y'] + more}\b")
            self.assertEqual(run("replay", path, "--step", moves + 5).returncode, 2)

    def test_an_unfinished_game_is_shown_unchecked(self):
        for path in self.paths.values():
            lines = Path(path).read_text(encoding="utf-8").splitlines()
            head = json.loads(lines[0])
            del head["seed"]  # as in GET .../log while the game is running
            log = "\n".join([json.dumps(head, separators=(",", ":")), *lines[1:4]]) + "\n"
            result = run("replay", "-", stdin=log)
            self.assertEqual(result.returncode, 0, result)
            self.assertIn("not over", result.stderr)
            said = [row for row in result.stdout.splitlines() if re.match(r" *\d+ +[\d.]+ s ", row)]
            for line, row in zip(map(json.loads, lines[1:4]), said, strict=True):
                action = line["action"]
                self.assertIn(" " + action["type"].replace("_", " "), row)
                if action["type"] == "mark":  # columns and rows count from 1 in words, from 0 in the file
                    self.assertTrue(row.endswith(f" mark {action['x'] + 1},{action['y'] + 1}"), row)
            steps = [json.loads(line) for line in run("replay", "-", "--json", stdin=log).stdout.splitlines()]
            self.assertEqual([step["seq"] for step in steps], [1, 2, 3])
            self.assertIn("\nno line{\n", run("replay", "-", stdin=log + "no line{\n").stdout)
            self.assertEqual(run("replay", "-", "--step", 1, stdin=log).returncode, 1)
            self.assertEqual(run("verify", "-", stdin=log).returncode, 1)

    def test_the_same_seed_gives_the_same_file(self):
        with tempfile.TemporaryDirectory() as folder:
            run("arena", "flag_war", "--a", "random", "--b", "random", "--games", 1, "--seed", 5, "--log", folder)
            again = Path(os.path.join(folder, "flag_war-0001.bw.jsonl")).read_text(encoding="utf-8")
            self.assertEqual(again, Path(self.paths["flag_war"]).read_text(encoding="utf-8"))


class Arena(unittest.TestCase):
    def match(self, *arguments):
        result = run("arena", *arguments, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual(report["a"]["wins"] + report["b"]["wins"] + report["draws"], report["games"])
        # On a slow machine a match takes over ten seconds and tells its progress.
        return report, re.sub(r"(?m)^\d+ %, \d+/\d+ games, .*\n", "", result.stderr)

    def program(self, text):
        handle, path = tempfile.mkstemp(suffix=".py")
        os.write(handle, ("#!" + sys.executable + "\n" + textwrap.dedent(text)).encode())
        os.close(handle)
        os.chmod(path, 0o755)
        self.addCleanup(os.remove, path)
        return path

    FIRST = """
        import json, sys
        for line in sys.stdin:
            turn = json.loads(line)
            assert turn["type"] == "turn" and turn["role"] and turn["state"] and turn["budget_ms"] == 30000
            print(json.dumps(turn["legal"][0]), flush=True)
        """

    def test_a_seed_gives_the_same_match(self):
        wanted = ["wins", "faults"]
        one, _ = self.match("flooded_island", "--a", "random", "--b", "random", "--games", 10, "--seed", 3)
        two, _ = self.match("flooded_island", "--a", "random", "--b", "random", "--games", 10, "--seed", 3)
        for key in ("score", "elo", "moves", "draws"):
            self.assertEqual(one[key], two[key])
        self.assertEqual([one["a"][k] for k in wanted], [two["a"][k] for k in wanted])

    def test_programs_play_both_sides(self):
        path = self.program(self.FIRST)
        report, said = self.match("flooded_island", "--a", path, "--b", path, "--games", 2, "--budget-ms", 30000,
                                  "--config", '{"width":4,"height":4}')
        self.assertEqual((report["a"]["faults"], report["b"]["faults"], said), (0, 0, ""))

    def test_a_program_may_order_several_pieces_in_a_round(self):
        path = self.program(
            """
            import json, sys
            for line in sys.stdin:
                turn = json.loads(line)
                orders = {action["piece"]: action for action in turn["legal"]}
                print(json.dumps(list(orders.values())), flush=True)
            """
        )
        report, said = self.match("flag_war", "--a", path, "--b", "random", "--games", 2, "--budget-ms", 30000)
        self.assertEqual((report["a"]["faults"], said), (0, ""))

    def test_a_faulty_program_loses_and_is_reported(self):
        cases = {
            "ended": "import sys\nfor line in sys.stdin: sys.exit(3)",
            "JSON": "import sys\nfor line in sys.stdin: print('what?', flush=True)",
            "free": "import sys\nfor line in sys.stdin: print('{\"type\":\"mark\",\"x\":0,\"y\":0}', flush=True)",
            "whole number": "import sys\nfor line in sys.stdin: print('{\"type\":\"mark\",\"x\":\"a\",\"y\":0}', flush=True)",
        }
        for says, text in cases.items():
            path = self.program(text)
            report, said = self.match("blank", "--a", path, "--b", "random", "--games", 2,
                                      "--budget-ms", 30000)
            self.assertEqual((report["a"]["faults"], report["b"]["wins"]), (2, 2), says)
            self.assertIn(says, said)

    def test_scores_come_with_their_error(self):
        report, _ = self.match("blank", "--a", "random", "--b", "random", "--games", 40)
        self.assertLess(report["elo_low"], report["elo_high"])
        self.assertAlmostEqual(report["score"], 0.5)


class Play(unittest.TestCase):
    def test_a_game_by_typed_moves(self):
        moves = "mark 1,1\nmark 1,1\nmark 2 1\n{\"type\":\"mark\",\"x\":0,\"y\":1}\n1\n"
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "game.bw.jsonl")
            result = run("play", "blank", "--config", '{"width":2,"height":2}', "--save", path, stdin=moves)
            self.assertEqual(result.returncode, 0, result)
            self.assertIn("still free", result.stdout)
            self.assertIn('Winner: "second"', result.stdout)
            self.assertEqual(run("verify", path).returncode, 0)

    def test_a_variant_is_chosen_by_its_name(self):
        listed = run("play", "--help").stdout
        for words in ["flooded_island\n", "month ", "flag_war\n", "march ", "Three squares a round", "classic "]:
            self.assertIn(words, listed)
        self.assertIn("Day 1 of 30.", run("play", "flooded_island", "--variant", "month", stdin="quit\n").stdout)
        self.assertIn("Day 1 of 365.", run("play", "flooded_island", stdin="quit\n").stdout)
        both = run("play", "flooded_island", "--variant", "quick", "--config", '{"days":11}', stdin="quit\n").stdout
        self.assertIn("Day 1 of 11.", both)
        wrong = run("play", "flooded_island", "--variant", "mnth", stdin="")
        self.assertEqual((wrong.returncode, wrong.stdout), (2, ""))
        self.assertIn('did you mean "month"?', wrong.stderr)
        other = run("play", "monadungeon", "--variant", "expert", stdin="")
        self.assertEqual(other.returncode, 2)
        self.assertIn("there are: short, full.", other.stderr)

    def test_against_a_bot(self):
        result = run("play", "blank", "--bot", "random", "--seed", 4, stdin="1\n" * 30)
        self.assertIn("Winner:", result.stdout)

    def test_typing_errors_are_sentences(self):
        result = run("play", "flooded_island", stdin="mvoe 1,1\nmove 0,1\nmove 9,9\nmove\nmove x\n1000000\nquit\n")
        self.assertIn('did you mean "move"?', result.stdout)
        self.assertEqual(result.returncode, 0)

    def test_settings_are_named_one_by_one(self):
        typed = "new_game rows=3 cols=4 move_limit=classic seed=walk origin=3,4\nnew_game origin=0,1\nnew_game rows=1\nnew_game cols=5 rose=5\nhelp\n"
        result = run("play", "flood_it", stdin=typed)
        self.assertIn(" of 12 squares", result.stdout)
        self.assertIn("Board walk", result.stdout)
        self.assertIn('"row" must be a whole number from 1 to 64', result.stdout)
        self.assertIn('"rows" must be a whole number from 2 to 64', result.stdout)
        self.assertIn('"rose=5" is not expected there; usage: new_game [rows= cols= ', result.stdout)
        self.assertEqual(result.returncode, 0)

    def test_hints_lead_to_the_end_by_the_fewest_moves(self):
        config = ["--config", '{"rows":7,"cols":7,"colors":4,"move_limit":0,"seed":"walk"}']
        board = run("play", "flood_it", *config, "--json").stdout
        cells = "".join(str(cell) for row in json.loads(board.splitlines()[0])["state"]["grid"] for cell in row)
        fewest = int(run("solve", "flood_it", stdin=cells + "\n").stdout.split("\t")[1])
        moves = []
        for left in range(fewest, 0, -1):
            lines = run("play", "flood_it", *config, "--json", stdin="\n".join(moves + ["hint"])).stdout.splitlines()
            hint = json.loads(next(line for line in lines if line.startswith('{"hint"')))["hint"]
            self.assertEqual([hint["moves_left"], hint["proven"], hint["hopeless"]], [left, True, False])
            moves.append("select_color " + hint["action"]["color"])
        self.assertIn('Winner: "player"', run("play", "flood_it", *config, stdin="\n".join(moves)).stdout)

    def test_a_hint_says_if_it_is_hopeless_or_unavailable(self):
        config = '{"rows":7,"cols":7,"colors":4,"move_limit":2,"seed":"walk"}'
        said = run("play", "flood_it", "--config", config, stdin="help\nhint\n").stdout
        self.assertRegex(said, r"hint +the next move of the best known solution")
        self.assertRegex(said, r"Hint: select_color \w+\. \d+ moves to go, proven optimal\. No solution fits in")
        self.assertIn("no solver that gives hints", run("play", "flag_war", stdin="hint\nquit\n").stdout)

    def test_an_interrupt_keeps_the_game_so_far(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "game.bw.jsonl")
            command = [PROGRAM, "play", "blank", "--save", path]
            with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as game:
                game.stdin.write("1\nshow\n")
                game.stdin.flush()
                while "marked" not in game.stdout.readline():
                    pass
                game.send_signal(signal.SIGINT)
                said = game.communicate(timeout=30)[1]
                self.assertEqual(game.returncode, 1)
            self.assertIn("interrupted: the game so far is in", said)
            self.assertEqual(len(Path(path).read_text().splitlines()), 2)

    def test_addresses_are_checked(self):
        for url in ["nonsense://x", "http://localhost:99999/game/ABCD", "http://localhost/", "http://localhost/game/AB"]:
            self.assertEqual(run("play", "blank", "--join", url).returncode, 2, url)
        self.assertEqual(run("play", "blank", "--join", "http://127.0.0.1:1/game/ABCD").returncode, 1)


class Server(unittest.TestCase):
    """`play --join` and `load` against the real server."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        settings = {"BACKEND_PORT": "0", "DATABASE": ":memory:", "MAX_ROOMS_PER_ADDRESS_PER_MINUTE": "0",
                    "MAX_SOCKETS_PER_ADDRESS": "0", "MAX_STORED_MB_PER_ADDRESS_PER_HOUR": "0",
                    "MAX_WORK_SECONDS_PER_ADDRESS_PER_MINUTE": "0"}
        cls.server = subprocess.Popen([PROGRAM, "serve"], env={**os.environ, **settings}, cwd=cls.folder.name,
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        said = cls.server.stdout.readline()  # "Boardwalk is at http://localhost:41234"
        cls.url = "http://127.0.0.1:" + said.strip().rsplit(":", 1)[1]

    @classmethod
    def tearDownClass(cls):
        cls.server.terminate()
        cls.server.wait(30)
        cls.server.stdout.close()
        cls.folder.cleanup()

    def test_a_room_is_played_from_two_terminals(self):
        url = self.url + "/game/CLQTEST"
        command = [PROGRAM, "play", "flooded_island", "--join", url]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
        with subprocess.Popen(command, **pipes) as one, subprocess.Popen(command + ["--as", "weather"], **pipes) as two:

            def until(player, text):
                for line in player.stdout:
                    if text in line:
                        return
                self.fail(f"{text!r} was never printed")

            def say(player, *lines):
                for line in lines:
                    player.stdin.write(line + "\n")

            until(one, "configuring")
            say(one, 'configure {"width":3,"height":3}', "start")
            until(one, "Your turn")
            say(one, "move 0,1", "move 2,2", "end_turn")
            until(one, "off the island")
            until(one, "moved from 1,1 to 2,2")
            until(one, "other side's turn")
            until(two, "Your turn")
            say(two, "flood 1,1", "end_turn")
            until(two, "flooded 1,1")
            until(two, "other side's turn")
            until(one, "Your turn")
            say(one, "resign")
            until(two, 'Winner: "weather"')
            say(one, "quit")
            say(two, "quit")
            self.assertEqual((one.wait(30), two.wait(30)), (0, 0))

    def test_a_game_of_rounds_says_little(self):
        url = self.url + "/game/CLQWAR"
        command = [PROGRAM, "play", "flag_war", "--join", url, "--as"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
        with subprocess.Popen(command + ["blue"], **pipes) as one, subprocess.Popen(command + ["red"], **pipes) as two:

            def until(player, pattern):
                heard = []
                for line in player.stdout:
                    heard.append(line)
                    if re.search(pattern, line):
                        return heard
                self.fail(f"{pattern!r} was never printed")

            def say(player, *lines):
                for line in lines:
                    player.stdin.write(line + "\n")

            until(one, "configuring")
            say(one, 'configure {"round_ms":250}', "start")
            until(one, r"^round \d")  # the board, at the start
            say(one, "command 1 up 3")
            until(one, r"^Ordered: round \d+: 1 to 5,6$")
            until(one, r"^Round \d+: moved blue-1 from 5,9 to 5,6$")
            # Two seconds of rounds; a piece moves in every second one. One line for each round, and a board or two.
            for turn in range(5):
                say(one, "command 1 %s 1" % ("down" if turn % 2 else "up"))
                heard = until(one, r"^Round \d+: moved blue-1")
                self.assertLessEqual(sum(line.startswith("round ") for line in heard), 1)
            until(two, "^Round .* to 5,5$")
            say(one, "resign")
            until(two, "red")
            say(one, "quit")
            say(two, "quit")
            self.assertEqual((one.wait(30), two.wait(30)), (0, 0))

    def test_load_plays_and_measures(self):
        result = run("load", self.url, "--rooms", 5, "--seconds", 1, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual((report["rooms"], report["failed"]), (5, 0))
        self.assertGreater(report["moves"], 0)
        self.assertLessEqual(report["latency_ms"]["p50"], report["latency_ms"]["p99"])
        self.assertEqual(run("load", self.url, "--rooms", 1, "--rate", 1000).returncode, 2)
        self.assertEqual(run("load", self.url, "--game", "monadungeon").returncode, 2)

    def test_load_follows_the_clocks_of_rounds(self):
        result = run("load", self.url, "--game", "flag_war", "--rooms", 3, "--seconds", 7, "--rate", 20, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual((report["rooms"], report["failed"], report["drift_ms"]), (3, 0, 0))
        self.assertIn(report["rounds"], range(6, 10))  # two or three in each room
        self.assertGreater(report["orders"], 20)
        self.assertLessEqual(report["late_ms"]["p50"], report["late_ms"]["max"])


class Schema(unittest.TestCase):
    def test_every_form_is_complete(self):
        document = json.loads(run("schema", "--json").stdout)
        definitions = document["$defs"]

        def references(node):
            if isinstance(node, dict):
                if "$ref" in node:
                    yield node["$ref"]
                for value in node.values():
                    yield from references(value)
            elif isinstance(node, list):
                for value in node:
                    yield from references(value)

        for reference in references(document):
            self.assertIn(reference.removeprefix("#/$defs/"), definitions)
        self.assertIn("export interface GameWire", run("schema", "--ts").stdout)
        self.assertIn("Flag War", run("schema", "--markdown").stdout)


if __name__ == "__main__":
    report.run()
