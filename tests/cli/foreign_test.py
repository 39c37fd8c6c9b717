#!/usr/bin/env python3
"""Text from other people and programs, in the terminal: foreign_test.py BOARDWALK GOLDEN

Regressions: text that somebody else wrote controls the terminal, however it comes in; files and boards as other programs
write and copy them (a byte order mark, one row a line) are refused; an error names the wrong line; JSON output contains
anything else; a failed play destroys the golden. Ends with a line that tools/count-tests reads.
"""
import base64
import hashlib
import json
import os
import re
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "support"))
import report

PROGRAM, GOLDEN = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202etxt\u2066\x7f\r"
COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
BOM = "\ufeff"


def run(*arguments, stdin="", held=False, timeout=60):
    """`held`: the input stays open until the program exits, as on a terminal."""
    data = stdin if isinstance(stdin, bytes) else stdin.encode()
    source, end = os.pipe()
    with os.fdopen(source, "rb") as source, os.fdopen(end, "wb") as end:
        how = {"stdin": source} if held else {"input": data}
        if held:
            end.write(data)
            end.flush()
        result = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, timeout=timeout, **how)
    result.stdout, result.stderr = result.stdout.decode(), result.stderr.decode()  # strict: the output is UTF-8
    return result


class Server:
    """A server that sends what it is given, to one client."""

    def __init__(self, messages, upgrade=b"Upgrade: websocket\r\n"):
        self.messages, self.upgrade = messages, upgrade
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}/game/ABCDEFGH"
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def serve(self):
        connection = self.socket.accept()[0]
        request = b""
        while b"\r\n\r\n" not in request:
            request += connection.recv(4096)
        key = re.search(rb"Sec-WebSocket-Key: (\S+)", request).group(1)
        accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
        connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\n" + self.upgrade + b"Connection: Upgrade\r\n"
                           b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n")
        try:
            self.say(connection)
        except OSError:
            pass  # the client has left
        connection.close()
        self.socket.close()

    def say(self, connection):
        for message in self.messages:
            data = message if isinstance(message, bytes) else json.dumps(message, ensure_ascii=False).encode()
            connection.sendall(b"\x81" + (bytes([len(data)]) if len(data) < 126 else b"\x7e" + struct.pack(">H", len(data))) + data)
        connection.sendall(b"\x88\x02\x03\xe8")
        connection.recv(65536)


class Terminal(unittest.TestCase):
    def silent(self, result, *says):
        for text in (result.stdout, result.stderr):
            self.assertIsNone(COMMANDS.search(text), repr(text))
        for word in says:
            self.assertIn(word, result.stdout + result.stderr)

    def messages(self):
        state = {"room_id": EVIL, "game": "flood_it", "game_status": EVIL, "players": {}, "bots": {}, "paused": False}
        return [
            {"type": "room_state", "seq": 1, "state": state, "you": {"role": "player"}},
            {"type": "game_update", "seq": 2, "events": [{"type": EVIL, EVIL: EVIL, "deep": {EVIL: [EVIL]}}], "changes": {}},
            {"type": "error", "code": "illegal", "message": EVIL},
            {"type": "orders_result", "summary": EVIL, "error": EVIL, "understood": True},
            {"type": "player_disconnected", "role": EVIL},
            {"type": "room_closed", "reason": EVIL},
            {"type": "game_over", "winner": EVIL, "replay_id": EVIL},
            b'{"type":"error","message":"raw \x1b[2J \xc2\x9b31m \xff \xe2\x80\xae"}',
            ("no JSON at all " + EVIL).encode(),
        ]

    def test_a_server_does_not_control_the_terminal(self):
        server = Server(self.messages())
        result = run("play", "flood_it", "--join", server.url, held=True)
        server.thread.join()
        self.silent(result, r"\u001b]0;owned\u0007", r"\u202e", r"\u009b31m")

    def test_json_output_is_only_json(self):
        spread = b'{\n\t"type": "error",\r\n "message": "on several lines"\n}'
        server = Server([b"no JSON", b"[]", b"5", b"", b"{", spread, *self.messages()])
        typed = "help\nshow\nnonsense\nconfigure x\nmark\n"
        result = run("play", "flood_it", "--join", server.url, "--json", stdin=typed, held=True)
        server.thread.join()
        self.silent(result)
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertGreaterEqual(len(lines), 7)
        errors = [line["message"] for line in lines if line["type"] == "error"]
        self.assertEqual(errors[:2], ["on several lines", EVIL])
        self.assertIn("not a message of this game", result.stderr)

    def test_only_a_websocket_is_accepted(self):
        for upgrade in (b"", b"Upgrade: h2c\r\n", b"Upgrade: websockets\r\n", b"X-Upgrade: websocket\r\n"):
            server = Server([{"type": "error", "message": "never told"}], upgrade)
            result = run("play", "flood_it", "--join", server.url, held=True)
            server.thread.join()
            self.assertEqual((result.returncode, "not a WebSocket server" in result.stderr), (1, True), upgrade)
        server = Server([{"type": "error", "message": "told"}], b"upgrade:  WebSocket \r\n")
        self.assertIn("told", run("play", "flood_it", "--join", server.url, "--json", held=True).stdout)
        server.thread.join()

    def test_a_file_does_not_control_the_terminal(self):
        head = {"format": 1, "game": "blank", "rules_version": 1, "config": {}, "seats": ["first"], "seed_hash": "0" * 64}
        lines = [json.dumps({**head, EVIL: 1, "names": {"first": EVIL}}, ensure_ascii=False)]
        lines += [json.dumps({"seq": 1, "t": 1, "role": EVIL, "action": {"type": EVIL}, "hash": EVIL}, ensure_ascii=False), EVIL]
        for text in ["\n".join(lines), EVIL, json.dumps({**head, "game": EVIL}, ensure_ascii=False),
                     json.dumps({**head, "config": {EVIL: 5}}, ensure_ascii=False)]:
            for command in (["replay", "-"], ["replay", "-", "--json"], ["verify", "-"], ["verify", "-", "--json"]):
                self.silent(run(*command, stdin=text))

    def test_errors_do_not_control_the_terminal(self):
        self.silent(run("perft", "flag_war", "--config", json.dumps({EVIL: 1}, ensure_ascii=False)), r"\u001b")
        self.silent(run("play", "blank", stdin=json.dumps({"type": "mark", EVIL: 1}, ensure_ascii=False) + "\n" + EVIL + "\n"))
        self.silent(run("play", "flag_war", stdin=f"orders go {EVIL} there\nquit\n"))
        self.silent(run("solve", "flood_it", stdin=EVIL))
        self.silent(run("play", EVIL))
        self.silent(run("play", "flood_it", "--join", EVIL))


class Boards(unittest.TestCase):
    def solved(self, text, *arguments):
        result = run("solve", "flood_it", "--json", *arguments, stdin=text)
        self.assertEqual(result.returncode, 0, result.stderr)
        return [json.loads(line)["moves"] for line in result.stdout.splitlines()]

    def test_rows_are_one_board(self):
        for n in (2, 3, 4, 5, 9, 16):
            rows = ["".join("abc"[(x * x + 2 * y + x * y) % 3] for x in range(n)) for y in range(n)]
            whole = self.solved("".join(rows))
            for text in ["\n".join(rows), "\r\n".join(rows) + "\r\n", "\n\n" + "\n".join(" " + r + "\t" for r in rows) + "\n\n"]:
                self.assertEqual(self.solved(text), whole, n)
                self.assertEqual(self.solved(BOM + text), whole, n)
                self.assertEqual(self.solved(text + "\n\n" + text), whole * 2, n)

    def test_other_shapes_are_reported(self):
        self.assertEqual(self.solved("ab\nba\nab", "--rows", 3, "--cols", 2), self.solved("abbaab", "--rows", 3, "--cols", 2))
        self.assertEqual(len(self.solved("abab\nabba\nabab")), 3)  # three lines of four: boards of 2x2
        self.assertEqual(len(self.solved("abab\nabba\nabab\nabab", "--rows", 2, "--cols", 2)), 4)
        self.assertEqual(run("solve", "flood_it", stdin="abc\nabc").returncode, 2)


class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        run("arena", "blank", "--a", "random", "--b", "random", "--games", 1, "--seed", 5, "--log", cls.folder.name)
        cls.lines = Path(cls.folder.name, "blank-0001.bw.jsonl").read_text().splitlines()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def verified(self, lines, begin=""):
        result = run("verify", "-", "--json", stdin=begin + "\n".join(lines) + "\n")
        return json.loads(result.stdout), result.returncode

    def test_a_byte_order_mark_is_ignored(self):
        report, status = self.verified(self.lines, BOM)
        self.assertEqual((report["valid"], report["line"], status), (True, len(self.lines), 0))
        self.assertEqual(run("replay", "-", stdin=BOM + "\n".join(self.lines)).returncode, 0)

    def test_the_line_of_a_fault_is_named(self):
        for number in range(1, len(self.lines) + 1):
            for old, new in [('"', "'"), ('"hash":"', '"hash":"0'), ("1", "7")]:
                changed = list(self.lines)
                changed[number - 1] = changed[number - 1].replace(old, new, 1)
                if changed == self.lines:
                    continue
                report, status = self.verified(changed)
                self.assertEqual((report["valid"], status), (False, 1))
                if old != "1" or number != 2:  # lines 1 and 2 share one hash
                    self.assertEqual(report["line"], number, report)
                self.assertIn(f"ine {report['line']}", report["message"])
        for change in ['"started_at":5', '"names":{"first":"Eve"}']:
            changed = re.sub(r'"started_at":\d+', change, self.lines[0])
            if changed != self.lines[0]:
                report, _ = self.verified([changed] + self.lines[1:])
                self.assertEqual(report["line"], 1, report)

    def test_a_game_without_its_seed_is_not_called_unfinished(self):
        cut = [re.sub(r',"seed":"\w+"', "", self.lines[0])] + self.lines[1:]
        for command in (["replay", "-"], ["replay", "-", "--json"], ["verify", "-"]):
            result = run(*command, stdin="\n".join(cut))
            self.assertEqual(result.returncode, 1, command)
            self.assertIn("seed is missing", result.stdout + result.stderr)
        report, _ = self.verified(cut)
        self.assertEqual((report["line"], report["error"]), (1, "no_seed"))
        self.assertEqual(run("replay", "-", stdin="\n".join(cut[:-1])).returncode, 0)  # a game that is not over


class Goldens(unittest.TestCase):
    def golden(self, play, kept="as it was\n"):
        with tempfile.TemporaryDirectory() as folder:
            inside = Path(folder, "blank", "golden")
            inside.mkdir(parents=True)
            (inside / "a.play").write_text(play)
            (inside / "a.txt").write_text(kept)
            result = subprocess.run([GOLDEN, "write", folder], capture_output=True, text=True)
            self.assertEqual([path.name for path in sorted(inside.iterdir())], ["a.play", "a.txt"])
            return (inside / "a.txt").read_text(), result

    def test_a_play_that_fails_leaves_the_golden(self):
        for play, says in [("game blank 77\n", "no rules version 77"), ("game blnk\n", 'no game "blnk"'),
                           ("hello\n", "the first line is"), ("", ""), ("game blank\nnonsense 1\n", "")]:
            kept, result = self.golden(play)
            self.assertEqual(kept, "as it was\n", play)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(says, result.stderr)
        self.assertNotEqual(self.golden("game blank\n")[0], "as it was\n")


if __name__ == "__main__":
    report.run()
