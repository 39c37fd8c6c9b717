#!/usr/bin/env python3
"""A finished game's file given to the server over real sockets: replays_test.py BOARDWALK

Regressions with a long body: a valid file is stored as it is; an invalid one is answered with a sentence that names the
line; a body that is too large, one too many, or never complete takes nothing from other clients.
"""
import json
import os
import socket
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "support"))
import report
import served
import ws

PROGRAM = os.path.abspath(sys.argv.pop(1))
FAR = 2 * 1024 * 1024


class Replays(served.Served):
    PROGRAM = PROGRAM

    def finished(self):
        _, made, _ = self.fetch("POST", "/api/rooms", json.dumps({"game": "flooded_island"}))
        players = []
        for role in ("journeyman", "weather"):
            players.append(ws.Socket(self.port, json.loads(made)["room_id"]))
            self.addCleanup(players[-1].close)
            players[-1].ask(type="select_role", role=role)
        players[0].ask(type="start")
        players[0].ask(type="move", position={"x": 1, "y": 1})
        players[0].ask(type="end_turn")
        players[1].ask(type="resign")
        over = players[1].wait("game_over")
        status, file, _ = self.fetch("GET", "/api/replays/" + over["replay_id"])
        self.assertEqual(status, 200)
        return file

    def test_a_file_becomes_a_replay(self):
        file = self.finished()
        for headers, body in (({}, file), ({"Transfer-Encoding": "chunked"}, (file[i:i + 100] for i in range(0, len(file), 100)))):
            status, text, answer = self.fetch("POST", "/api/replays", body, **headers)
            self.assertEqual((status, answer.getheader("content-type")), (201, "application/json"), text)
            made = json.loads(text)
            self.assertEqual(set(made), {"replay_id", "url"})
            self.assertEqual(made["url"], "/replay/" + made["replay_id"])
            self.assertEqual(self.fetch("GET", "/api/replays/" + made["replay_id"])[1], file)
            # It can be continued like any other game.
            self.assertEqual(self.fetch("POST", "/api/rooms", json.dumps(
                {"game": "flooded_island", "replay_id": made["replay_id"], "seq": 1}))[0], 201)

    def test_invalid_files_are_refused(self):
        file = self.finished()
        lines = file.splitlines(keepends=True)
        for body in (b"", b"{}", b"\0\1", b"\n\n", file[:-1], file[:-40], file + b"\n", b"".join(lines[:-1]), lines[0],
                     b"".join(lines[:1] + lines[2:]), file.replace(b"\"format\":1", b"\"format\":2", 1)):
            status, text, _ = self.fetch("POST", "/api/replays", body)
            error = json.loads(text)
            self.assertEqual((status, error["type"]), (400, "error"), body[:80])
            self.assertIn("Line ", error["message"])
        # A game, or a version of its rules, that is not here.
        for body in (file.replace(b"\"rules_version\":", b"\"rules_version\":9", 1), file.replace(b"flooded_island", b"flooded_inland", 1)):
            status, text, _ = self.fetch("POST", "/api/replays", body)
            self.assertEqual((status, json.loads(text)["code"]), (404, "no_such_game"), body[:80])
        status, text, _ = self.fetch("POST", "/api/replays", b"x" * (FAR + 1))
        self.assertEqual((status, json.loads(text)["code"]), (413, "too_large"))
        for method in ("GET", "HEAD", "PUT", "DELETE"):
            self.assertEqual(self.fetch(method, "/api/replays")[0], 405, method)
        # Long bodies have a limit for each address.
        for path in ("/api/rooms", "/api/replays/", "/api/replaysx", "/", "/api/replays/ABC"):
            self.assertEqual(self.fetch("POST", path, b" " * 5000)[0], 413, path)

    def begin(self, forwarded=""):
        slow = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        self.addCleanup(slow.close)
        slow.sendall(f"POST /api/replays HTTP/1.1\r\nHost: localhost\r\n{forwarded}Content-Length: 2000000\r\n\r\n{{"
                     .encode())
        self.fetch("GET", "/healthz")  # the server has seen it
        return slow

    def test_bodies_that_never_end_are_few(self):
        address = "X-Forwarded-For: 192.0.2.7\r\n"
        waiting = [self.begin(address), self.begin(address)]
        self.assertIn(b" 429 ", self.begin(address).recv(100))  # two from one address
        waiting += [self.begin(f"X-Forwarded-For: 192.0.2.{n}\r\n") for n in (10, 10, 11, 11, 12, 12)]
        for forwarded in ("", address, "X-Forwarded-For: 192.0.2.8\r\n"):
            self.assertIn(b" 429 ", self.begin(forwarded).recv(100))  # eight in total
        self.assertEqual(self.fetch("POST", "/api/replays", b"{}")[0], 400)  # a short body is not counted
        for slow in waiting:
            slow.close()
        status = 429
        while status == 429:  # until the server has noticed
            status = self.fetch("POST", "/api/replays", b"{}\n" * 3000)[0]
        self.assertEqual(status, 400)


if __name__ == "__main__":
    report.run()
