#!/usr/bin/env python3
"""pkg/cluster-demo, played through its HAProxy while a node and the primary are killed: demo_test.py BOARDWALK ROOT"""
import importlib.machinery
import importlib.util
import os
import signal
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "support"))
import ports
import report
import ws

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


if __name__ == "__main__":
    report.run()
