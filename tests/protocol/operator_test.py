#!/usr/bin/env python3
"""What an operator and a service manager do to a running server, with real processes: operator_test.py BOARDWALK

Database files that are removed or replaced while it runs, host names that it does not answer to, a manager that expects
signs of life, and invalid settings.
"""
import base64
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "support"))
import report

PROGRAM = os.path.abspath(sys.argv.pop(1))


class Socket:
    """A minimal WebSocket client for these tests."""

    def __init__(self, port, path, host="localhost", origin=None):
        self.stream = socket.create_connection(("127.0.0.1", port), 10)
        lines = [f"GET {path} HTTP/1.1", f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade",
                 "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}"]
        lines += [f"Origin: {origin}"] if origin else []
        self.stream.sendall("\r\n".join(lines + ["", ""]).encode())
        self.bytes = b""
        while b"\r\n\r\n" not in self.bytes:
            self.more()
        head, self.bytes = self.bytes.split(b"\r\n\r\n", 1)
        self.status = int(head.split()[1])

    def more(self):
        got = self.stream.recv(65536)
        if not got:
            raise EOFError
        self.bytes += got

    def say(self, **message):
        text = json.dumps(message).encode()
        head = bytes([0x81, 0x80 | len(text)]) if len(text) < 126 else bytes([0x81, 0xFE]) + len(text).to_bytes(2, "big")
        self.stream.sendall(head + b"\0\0\0\0" + text)

    def hear(self, kind):
        """The next message of that type."""
        while True:
            while len(self.bytes) < 2:
                self.more()
            length, skip = self.bytes[1] & 127, 2
            if length == 126:
                while len(self.bytes) < 4:
                    self.more()
                length, skip = int.from_bytes(self.bytes[2:4], "big"), 4
            while len(self.bytes) < skip + length:
                self.more()
            opcode, text = self.bytes[0] & 15, self.bytes[skip:skip + length]
            self.bytes = self.bytes[skip + length:]
            message = json.loads(text) if opcode == 1 else {}
            if message.get("type") == kind:
                return message


class Operated(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.database = self.folder / "b.db"
        self.log = self.folder / "log"

    def start(self, *more, **environment):
        with open(self.log, "a") as log:
            server = subprocess.Popen([PROGRAM, "serve", "--port", "0", "--database", self.database, *more], cwd=self.folder,
                                      env=environment, stdout=subprocess.PIPE, stderr=log, text=True)
        self.addCleanup(self.end, server)
        line = server.stdout.readline().strip()
        self.assertIn("http://", line, self.log.read_text())
        self.port = int(line.rsplit(":", 1)[1].split()[0])
        return server

    @staticmethod
    def end(server, number=signal.SIGTERM):
        server.send_signal(number)
        server.communicate(timeout=20)
        return server.returncode

    def get(self, path, **headers):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def connect(self, *where):
        opened = Socket(self.port, *where)
        self.addCleanup(opened.stream.close)
        return opened

    def sit(self, room):
        player = self.connect(f"/ws/{room}")
        self.assertEqual(player.status, 101)
        player.say(type="select_role", role="journeyman", reserve=True, id=1)
        token = None
        while not token:
            token = player.hear("room_state").get("you", {}).get("token")
        player.hear("ack")
        return player, token

    def metric(self, line):
        text = self.get("/metrics")[1]
        [value] = [l.rsplit(" ", 1)[1] for l in text.splitlines() if l.startswith(line + " ")]
        return float(value)


class Files(Operated):
    def test_a_removed_log_loses_nothing(self):
        """Whichever of the log's files is removed: a kill -9 afterwards loses nothing that was acknowledged."""
        for gone in (["-wal"], ["-shm"], ["-wal", "-shm"]):
            server = self.start()
            name = "ROOM" + "X" * len(gone) + gone[0][1:].upper()
            player, token = self.sit(name)
            for tail in gone:
                os.unlink(f"{self.database}{tail}")
            player.say(type="configure", max_flood_count=3, id=2)
            player.hear("ack")
            self.end(server, signal.SIGKILL)
            self.start()
            back = self.connect(f"/ws/{name}")
            back.say(type="resume", token=token)
            state = back.hear("room_state")
            while not state.get("you", {}).get("role"):
                state = back.hear("room_state")
            self.assertEqual(state["state"]["config"]["max_flood_count"], 3)
            self.doCleanups()
            self.setUp()

    def test_a_removed_database_is_reported(self):
        """Moves are refused with a sentence, /readyz fails, and the log says how to save the data."""
        for way in ("unlink", "replace", "rename"):
            server = self.start()
            player, _ = self.sit("ROOM")
            if way == "rename":
                os.rename(self.database, self.folder / "away.db")
            else:
                os.unlink(self.database)
            if way == "replace":
                self.database.write_bytes(b"")
            player.say(type="configure", max_flood_count=2, id=2)
            error = player.hear("error")
            self.assertEqual((error["code"], error["id"]), ("storage", 2))
            self.assertIn("removed or replaced", error["message"])
            status, body = self.get("/readyz")
            self.assertEqual((status, json.loads(body)["ready"]), (503, False))
            self.assertEqual(self.get("/healthz")[0], 200)
            self.assertGreaterEqual(self.metric('boardwalk_refusals_total{code="storage"}'), 1)
            self.assertEqual(self.metric("boardwalk_journal_detached"), 1)
            self.assertIn("event=database_gone", self.log.read_text())
            if way == "unlink":
                copied = self.log.read_text().split("save what it holds: cp ")[1].split()[0]
                shutil.copy(copied, self.folder / "saved.db")
                self.assertEqual(self.end(server), 0)
                os.rename(self.folder / "saved.db", self.database)
                self.start()
                self.assertEqual(self.get("/api/rooms/ROOM")[0], 200)
            if way == "rename":
                os.rename(self.folder / "away.db", self.database)
                for _ in range(100):
                    if self.get("/readyz")[0] == 200:
                        break
                    time.sleep(0.05)
                player.say(type="configure", max_flood_count=3, id=3)
                player.hear("ack")
                self.assertEqual(self.end(server, signal.SIGKILL), -9)
                self.start()
                self.assertEqual(json.loads(self.get("/api/rooms/ROOM")[1])["config"]["max_flood_count"], 3)
            self.doCleanups()
            self.setUp()


class Names(Operated):
    def test_refused_connections_are_counted_and_logged(self):
        self.start("--public-url", "https://games.example.org")
        for host, origin, status in [("evil.example", None, 403), ("localhost", "https://evil.example", 403),
                                     ("games.example.org", "https://games.example.org", 101),
                                     ("127.0.0.1", "https://games.example.org", 101)]:
            self.assertEqual(self.connect("/ws/ROOM", host, origin).status, status, (host, origin))
        self.assertEqual(self.metric('boardwalk_connections_refused_total{reason="host"}'), 1)
        self.assertEqual(self.metric('boardwalk_connections_refused_total{reason="origin"}'), 1)
        for _ in range(50):
            self.assertEqual(self.get("/api/games", Host="evil.example")[0], 403)
        self.assertEqual(self.get("/ws/ROOM")[0], 426)
        self.assertEqual(self.metric('boardwalk_connections_refused_total{reason="no_upgrade"}'), 1)
        self.assertEqual(self.metric('boardwalk_connections_refused_total{reason="host"}'), 51)
        log = self.log.read_text()
        self.assertIn('reason=origin count=1 origin="https://evil.example" host="localhost"', log)
        self.assertIn('host="evil.example"', log)
        self.assertLess(log.count("event=connection_refused"), 8)  # however often it happens


class Managed(Operated):
    def test_a_manager_is_notified_of_ready_watchdog_and_stop(self):
        address = str(self.folder / "notify")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(address)
            manager.settimeout(10)
            server = self.start(NOTIFY_SOCKET=address, WATCHDOG_USEC="400000")
            self.assertEqual(manager.recv(100), b"READY=1")
            for _ in range(3):
                self.assertEqual(manager.recv(100), b"WATCHDOG=1")
            server.send_signal(signal.SIGSTOP)  # a hang
            time.sleep(0.5)
            manager.setblocking(False)
            pings = 0
            try:
                while manager.recv(100):
                    pings += 1
            except BlockingIOError:
                pass
            self.assertLessEqual(pings, 2)
            server.send_signal(signal.SIGCONT)
            manager.settimeout(10)
            server.send_signal(signal.SIGTERM)
            while manager.recv(100) != b"STOPPING=1":
                pass
            server.communicate(timeout=20)
            self.assertEqual(server.returncode, 0)


class Settings(Operated):
    def refused(self, value, *sentences, status=(1, 2)):
        ended = subprocess.run([PROGRAM, "serve", "--port", "0", f"--database={value}"], cwd=self.folder, env={},
                               capture_output=True, text=True, timeout=20)
        self.assertIn(ended.returncode, status, ended.stderr)
        for sentence in ("DATABASE", *sentences):
            self.assertIn(sentence, ended.stderr)
        said = [line for line in ended.stderr.splitlines() if "event=client_missing" not in line]
        self.assertEqual(len(said), 1, ended.stderr)

    def test_invalid_databases(self):
        os.mkfifo(self.folder / "pipe")
        (self.folder / "text").write_text("no database at all, but long enough to be looked at as one\n" * 50)
        self.refused("file:x?mode=memory", "the path of a file")
        self.refused("postgres:h/b", "the path of a file")
        self.refused(":memory", "the path of a file")
        self.refused("", "the path of a file")
        self.refused("/dev/null", "not a regular file")
        self.refused("pipe", "not a regular file")
        self.refused(".", "it is a folder")
        self.refused("text", "not a database")
        self.refused("text/b.db", "cannot be opened")
        self.refused("nowhere/b.db", "its folder does not exist")
        self.refused("x" * 300, "cannot be opened")
        self.assertEqual({p.name for p in self.folder.iterdir()}, {"pipe", "text"})


if __name__ == "__main__":
    report.run()
