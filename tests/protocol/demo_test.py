#!/usr/bin/env python3
"""pkg/cluster-demo, played through its HAProxy while a node and the primary are killed: demo_test.py BOARDWALK ROOT"""
import importlib.machinery
import importlib.util
import os
import signal
import sys
import tempfile
import threading
import time
import unittest
import urllib.error
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "support"))
import held
import ports
import report
import ws
from player import Player, seat

PROGRAM, ROOT = os.path.abspath(sys.argv.pop(1)), Path(sys.argv.pop(1)).resolve()
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("cluster_demo", str(ROOT / "pkg" / "cluster-demo"))
cluster_demo = importlib.util.module_from_spec(importlib.util.spec_from_loader("cluster_demo", loader))
loader.exec_module(cluster_demo)


class Demonstration(unittest.TestCase):
    def runs(self, pid):
        try:
            return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
        except OSError:
            return False

    def come_back(self, token):
        until = time.monotonic() + 30
        while True:
            try:
                client = ws.Socket(self.demo.port, "DEMO")
                client.send(type="resume", token=token)
                while not (message := client.wait("room_state"))["you"].get("role"):
                    pass
                return client, message["state"]
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)

    def test_a_game_goes_on_whatever_is_killed(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            self.demo = demo = cluster_demo.Demo(Path(folder) / "demo", ports.free(1)[0], PROGRAM, lease=1)
            demo.up()
            try:
                player = ws.Socket(demo.port, "DEMO")
                player.wait("room_state")
                player.ask(type="select_role", role="journeyman", reserve=True)
                token = next(m["you"]["token"] for m in player.seen if m["type"] == "room_state" and m["you"].get("token"))
                address = demo.sql("SELECT n.address FROM boardwalk.room r JOIN boardwalk.node n ON n.id = r.owner")
                owner = next(part for part in cluster_demo.NODES if demo.cluster_address(part) == address)
                self.assertEqual(player.ask(type="rename", name="before")["type"], "ack")
                demo.signal(owner, signal.SIGKILL)
                player, state = self.come_back(token)
                self.assertEqual(state["names"]["journeyman"], "before")
                player.last_id = 50
                self.assertEqual(player.ask(type="rename", name="after")["type"], "ack")
                demo.start(owner)
                demo.signal("db1", signal.SIGKILL)
                self.assertEqual(demo.promote(), "db2")
                demo.start("db1")  # as the standby of the other
                player, state = self.come_back(token)
                self.assertEqual(state["names"]["journeyman"], "after")
                player.last_id = 100
                self.assertEqual(player.ask(type="rename", name="at last")["type"], "ack")
                running = [demo.pid(part) for part in cluster_demo.PARTS]
                self.assertNotIn(None, running)
            finally:
                demo.down()
            self.assertEqual(os.listdir(folder), [])
            for pid in running:
                self.assertFalse(self.runs(pid))

    def newcomer(self, room, refused):
        try:
            client = ws.Socket(self.demo.port, room)
            client.wait("room_state")
            client.close()
        except OSError as error:
            refused.append((room, error))

    def test_a_node_that_ends_cuts_nobody(self):
        """It takes longer than HAProxy needs to see that a node is dead. Still each player is told to go, once at most, and
        newcomers notice nothing."""
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            self.demo = demo = cluster_demo.Demo(Path(folder) / "demo", ports.free(1)[0], PROGRAM)
            demo.settings |= {"MAX_SOCKETS_PER_ADDRESS": "0", "MAX_ROOMS_PER_ADDRESS_PER_MINUTE": "0"}
            demo.up()
            try:
                players = [Player(lambda: demo.port, f"ROOM{i}", seat(demo.port, f"ROOM{i}", role))
                           for i in range(12) for role in ("journeyman", "weather")]
                # Those come to the same rooms by any node, which passes them on.
                watchers = [ws.Socket(demo.node_port(part), f"ROOM{i}") for part in cluster_demo.NODES for i in range(12)]
                for player in players:
                    player.start()
                owner = demo.sql("SELECT n.address FROM boardwalk.room r JOIN boardwalk.node n ON n.id = r.owner"
                                 " GROUP BY 1 ORDER BY count(*) DESC LIMIT 1")
                part = next(part for part in cluster_demo.NODES if demo.cluster_address(part) == owner)
                there = int(demo.sql(f"SELECT count(*) FROM boardwalk.room r JOIN boardwalk.node n ON n.id = r.owner"
                                     f" WHERE n.address = '{owner}'"))
                refused = []
                threads = [threading.Thread(target=self.newcomer, args=(f"NEW{i}", refused)) for i in range(12)]
                with held.rooms(demo.sql, at_least=1.7):  # the node cannot end before
                    demo.signal_all((demo.pid(part),), signal.SIGTERM)
                    for thread in threads:
                        thread.start()
                    for path in ("/readyz", "/api/rooms/ROOM0", "/ws/NEWER"):
                        with self.assertRaises(urllib.error.HTTPError) as answer:
                            demo.get(demo.node_port(part), path)
                        self.assertEqual(answer.exception.code, 503)
                        self.assertIn('"draining"', answer.exception.read().decode())
                for thread in threads:
                    thread.join()
                demo.wait_for_end(part)
                time.sleep(1)  # longer than a player needs to come back
            finally:
                for player in players:
                    player.ending.set()
                for player in players:
                    player.join(20)
                for client in (*watchers, *(player.client for player in players)):
                    client.close()
                demo.down()
            self.assertEqual(refused, [])
            self.assertGreaterEqual(sum(len(player.farewells) for player in players), 2 * there)
            for player in players:
                self.assertIsNone(player.failure)
                self.assertIn(player.farewells, ([], [b"\x03\xf4room_moved"]), player.room)


if __name__ == "__main__":
    report.run()
