#!/usr/bin/env python3
"""A database of an earlier version opens, continues and verifies: old_database_test.py BOARDWALK SOURCE

tests/data/journal/version-1.db.gz holds thirteen rooms of the four games as an earlier server left them: waiting,
before the start, with staged moves and queued orders, long enough for a snapshot, ended, re-opened. version-1.json.gz
holds what that server showed of each. None of it may be lost, however the storage of rooms has changed since.
"""
import gzip
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "support"))
import report
from ws import Socket

PROGRAM, DATA = os.path.abspath(sys.argv.pop(1)), Path(sys.argv.pop(1)).resolve() / "tests/data/journal"
# What belongs to the moment, and fields that a later version has added.
MOMENT = {"players", "spectators", "paused", "server_time", "next_round_at"}


class OldDatabase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rooms = json.loads(gzip.decompress((DATA / "version-1.json.gz").read_bytes()))
        cls.folder = tempfile.TemporaryDirectory()
        path = Path(cls.folder.name) / "old.db"
        path.write_bytes(gzip.decompress((DATA / "version-1.db.gz").read_bytes()))
        with sqlite3.connect(path) as database:  # so that the sweeps do not delete the rooms as abandoned
            database.execute("UPDATE room SET changed_at = ?", (int(time.time() * 1000),))
        database.close()
        cls.server = subprocess.Popen([PROGRAM, "serve", "--port", "0", "--database", path, "--room-cleanup-minutes", "500000",
                                       "--replay-days", "0", "--web", ""], cwd=cls.folder.name, env={},
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        cls.port = int(cls.server.stdout.readline().strip().rsplit(":", 1)[1])

    @classmethod
    def tearDownClass(cls):
        cls.server.terminate()
        cls.server.wait(20)
        cls.server.stdout.close()
        cls.folder.cleanup()

    def get(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=20) as answer:
            return answer.read().decode()

    def sit(self, room, role):
        socket = Socket(self.port, room["room"])
        self.addCleanup(socket.close)
        socket.wait("room_state")
        socket.send(type="resume", token=room["seats"][role]["token"])
        while True:
            told = socket.wait("room_state")
            if told["you"].get("role") == role:
                return socket, told

    def test_1_states_are_unchanged(self):
        for room in self.rooms:
            now = json.loads(self.get(f"/api/rooms/{room['room']}"))
            for field, value in room["state"].items():
                if field in MOMENT or (value in (None, 0) and room["state"]["started_at"] is None):
                    continue
                if field == "config":
                    self.assertEqual({name: now["config"].get(name) for name in value}, value)
                else:
                    self.assertEqual(now[field], value, f"{room['what']}: {field}")

    def test_2_logs_are_unchanged_and_verify(self):
        verified = 0
        for room in self.rooms:
            if room["log"]:
                now = self.get(f"/api/rooms/{room['room']}/log")
                lines = room["log"].splitlines()
                self.assertEqual(now.splitlines()[1:len(lines)], lines[1:])
                self.assertEqual(json.loads(now.splitlines()[0])["config"], json.loads(lines[0])["config"])
                if room["state"]["game_status"] != "ended":
                    continue  # the seed is not published yet, so there is nothing to verify with
                file = Path(self.folder.name) / f"{room['room']}.bw.jsonl"
                file.write_text(now)
                result = subprocess.run([PROGRAM, "verify", file], capture_output=True, text=True, timeout=60)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                verified += 1
        self.assertEqual(verified, 2)

    def test_3_tokens_open_the_seats_and_staged_moves_are_there(self):
        for room in self.rooms:
            for role, seat in room["seats"].items():
                _, told = self.sit(room, role)
                self.assertEqual(told["seq"], seat["seq"])
                for field, value in seat["you"].items():
                    if field != "token":
                        self.assertEqual(told["you"].get(field), value, f"{room['what']}: {field}")

    def test_4_answered_messages_are_remembered(self):
        for room in self.rooms:
            for role, seat in room["seats"].items():
                if seat["last_id"] == 0:
                    continue
                socket, told = self.sit(room, role)
                socket.last_id = seat["last_id"] - 1
                answer = socket.ask(type="resign")  # that id was another message: its answer is repeated
                self.assertEqual(answer["type"], "ack", answer)
                self.assertLessEqual(answer["seq"], told["seq"])

    def test_5_games_continue(self):
        by_what = {room["what"]: room for room in self.rooms}
        ann, _ = self.sit(by_what["island, day 3, a move staged"], "journeyman")
        bo, _ = self.sit(by_what["island, day 3, a move staged"], "weather")
        ann.last_id = 100
        self.assertEqual(ann.ask(type="end_turn")["type"], "ack")
        update = bo.wait("game_update")
        self.assertEqual(update["events"][0], {"type": "moved", "from": {"x": 2, "y": 1}, "to": {"x": 3, "y": 1}})
        cy, _ = self.sit(by_what["flood-it with an undo that can be redone"], "player")
        cy.last_id = 100
        self.assertEqual(cy.ask(type="redo")["type"], "ack")
        zoe, _ = self.sit(by_what["dungeon, a tile waits to be placed"], "player1")
        zoe.last_id = 100
        state = json.loads(self.get(f"/api/rooms/{by_what['dungeon, a tile waits to be placed']['room']}"))
        self.assertEqual(zoe.ask(type="place", rotation=state["waiting_tile"]["rotations"][0])["type"], "ack")
        long_room = by_what["island, day 91, a long game"]
        walker, _ = self.sit(long_room, "journeyman")
        self.sit(long_room, "weather")
        walker.last_id = 1000
        walker.wait("player_reconnected", role="weather")
        self.assertEqual(walker.ask(type="move", position={"x": 0, "y": 0} if long_room["state"]["journeyman_position"]["x"] else {"x": 1, "y": 0})["type"], "ack")
        self.assertEqual(walker.ask(type="end_turn")["type"], "ack")


report.run()
