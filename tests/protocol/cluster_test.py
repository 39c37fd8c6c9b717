#!/usr/bin/env python3
"""Several nodes on one PostgreSQL: cluster_test.py BOARDWALK

Regressions: two nodes own a room, or none does; a client receives from one node what another does not know; a node
continues after its rooms have been taken over.
"""
import ctypes
import json
import os
import http.client
import pty
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "support"))
import held
import ports
import postgres
import report
import ws
from player import Player, Yardstick, seat

PROGRAM = os.path.abspath(sys.argv.pop(1))
SECRET = "a secret".replace(" ", "-") + "-of-sixteen-or-more"
LEASE = 2


PTRACE_SEIZE, PTRACE_INTERRUPT, PTRACE_DETACH = 0x4206, 0x4207, 17


def ptrace(request, thread):
    call = ctypes.CDLL(None, use_errno=True).ptrace
    call.argtypes, call.restype = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p], ctypes.c_long
    if call(request, thread, None, None) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")


def stop_main_thread(process):
    """That one alone: its number is the process's."""
    ptrace(PTRACE_SEIZE, process)
    ptrace(PTRACE_INTERRUPT, process)
    os.waitpid(process, 0)


class Node:
    def __init__(self, folder, address, cluster_port):
        self.cluster_port = cluster_port
        self.arguments = [PROGRAM, "serve", "--port", "0", "--database", address, "--cluster-listen",
                          f"127.0.0.1:{cluster_port}", "--lease-seconds", str(LEASE), "--log-level", "warn",
                          "--max-sockets-per-address", "60", "--hibernate-seconds", "1"]
        self.folder, self.environment = folder, {}
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.arguments, cwd=self.folder, env={"CLUSTER_SECRET": SECRET, **self.environment},
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(self.process.stderr.read())
        self.port = int(line.rsplit(":", 1)[1].split()[0])

    def get(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("GET", path)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def metric(self, name):
        _, text = self.get("/metrics")
        return float(next(line.split()[1] for line in text.splitlines() if line.startswith(name + " ")))

    def end(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        self.process.wait(20)
        self.process.stdout.close()
        self.process.stderr.close()


def returns(node, room, token, since=0):
    """Reconnects as a client does: repeatedly, until a node has the room."""
    until = time.monotonic() + 30
    while True:
        try:
            client = ws.Socket(node.port, room)
            client.send(type="resume", token=token, since=since)
            while True:
                message = client.wait("room_state")
                if message["you"].get("role"):
                    return client, message
        except (ConnectionError, OSError):
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


class Cluster(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.database = cls.enterClassContext(postgres.Server())

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.nodes = []
        self.addCleanup(self.end)
        for port in ports.free(3):
            self.nodes.append(Node(self.folder, self.database.address, port))

    def end(self):
        for node in self.nodes:
            if node.process.poll() is None:
                node.process.send_signal(signal.SIGCONT)
                node.end()
        self.database.sql("DROP SCHEMA IF EXISTS boardwalk CASCADE")

    def command(self, *words, database=None, status=0):
        result = subprocess.run([PROGRAM, "cluster", *words], cwd=self.folder, capture_output=True, text=True, timeout=90,
                                env={"DATABASE": database or self.database.address})
        self.assertEqual(result.returncode, status, result)
        return result.stdout if status == 0 else result.stderr

    def address(self, node):
        return f"127.0.0.1:{node.cluster_port}"

    def test_the_command_lists_nodes_and_drains_one(self):
        a, b, c = self.nodes
        players = [self.player("ROOMC", one) for one in self.game("ROOMC", a, b)]
        ws.Socket(c.port, "ROOMW").wait("room_state")
        listed = {node["node"]: node for node in json.loads(self.command("--json", "--rooms"))["nodes"]}
        self.assertEqual({name: node["state"] for name, node in listed.items()},
                         {self.address(a): "lives", self.address(b): "lives", self.address(c): "lives"})
        self.assertEqual(listed[self.address(a)]["rooms"], {"active": 1, "waiting": 0, "ended": 0})
        self.assertEqual(listed[self.address(a)]["list"], [{"room": "ROOMC", "status": "active"}])
        self.assertEqual(listed[self.address(c)]["list"], [{"room": "ROOMW", "status": "waiting"}])
        self.assertTrue(0 < listed[self.address(a)]["lease_seconds"] <= LEASE)
        text = self.command()
        self.assertRegex(text, rf"(?m)^{self.address(a)} +lives +\d\.\d s +1 +0 +0$")
        c.end()
        until = time.monotonic() + 20
        while not re.search(rf"(?m)^{self.address(c)} +silent +over +0 +1 +0$", self.command()):
            self.assertLess(time.monotonic(), until)
            time.sleep(0.1)
        yardstick = Yardstick()
        for thread in (yardstick, *players):
            thread.start()
        told = json.loads(self.command("drain", self.address(a), "--json"))
        self.assertEqual((told["node"], told["ended"], told["handed_over"], told["left"]), (self.address(a), True, 1, 0))
        self.assertEqual(a.process.wait(20), 0)
        self.assertIn(f"{self.address(a):22} ended", self.command())
        yardstick.end()
        for player in players:
            player.ending.set()
            player.join(20)
            self.assertIsNone(player.failure)
            self.assertLess(yardstick.waited(player), 0.5)
        self.assertRegex(self.command("--rooms"), rf"(?m)^{self.address(b)} +lives .*\n  ROOMC +active$")
        # Wrong input, each with what would be right.
        self.assertIn("No other node runs", self.command("drain", self.address(b), status=1))
        self.assertIn("does not run", self.command("drain", self.address(a), status=1))
        self.assertIn('did you mean "127.0.0.1:', self.command("drain", self.address(b)[:-1] + "x", status=2))
        self.assertIn("there is no node", self.command("drain", "elsewhere", status=2))
        self.assertIn("cluster drain NODE", self.command("drain", status=2))
        self.assertIn('knows no "drian"', self.command("drian", self.address(b), status=2))
        self.assertIn("not a postgresql:// address", self.command(database="boardwalk.db", status=2))
        self.assertIn("cannot be reached", self.command(database="postgresql://x@127.0.0.1:1/x", status=1))
        self.database.sql("ALTER SCHEMA boardwalk RENAME TO put_away")
        self.assertIn("no tables of this version", self.command(status=1))
        self.database.sql("ALTER SCHEMA put_away RENAME TO boardwalk")

    def test_a_drain_shows_how_far_it_is_and_can_be_left_alone(self):
        a = self.nodes[0]
        a.end()
        a.arguments[a.arguments.index("--lease-seconds") + 1] = "10"  # the database holds it up for longer than for 2
        a.start()
        watchers = [ws.Socket(a.port, f"ROOM{i}") for i in range(3)]
        for watcher in watchers:
            watcher.wait("room_state")
        ours, theirs = pty.openpty()
        with held.rooms(self.database.sql):
            drain = subprocess.Popen([PROGRAM, "cluster", "drain", self.address(a)], cwd=self.folder, stdout=subprocess.PIPE,
                                     stderr=theirs, env={"DATABASE": self.database.address})
            os.close(theirs)
            shown = b""
            while b"0 of 3 rooms handed over" not in shown:
                shown += os.read(ours, 4096)
            self.assertIn(b"[........................]   0 %", shown)
            drain.send_signal(signal.SIGINT)
            while b"without being watched" not in shown:
                shown += os.read(ours, 4096)
            self.assertEqual((drain.wait(20), drain.stdout.read()), (1, b""))
        drain.stdout.close()
        os.close(ours)
        self.assertEqual(a.process.wait(20), 0)
        for watcher in watchers:
            self.assertEqual(watcher.closed(), (1012, "room_moved"))
        self.assertEqual(self.database.sql("SELECT count(*) FROM boardwalk.room r JOIN boardwalk.node n ON n.id = r.owner"
                                           f" WHERE n.address <> '{self.address(a)}'"), "3")

    def test_a_node_that_ends_asks_systemd_for_time(self):
        """As long as rooms leave it."""
        a = self.nodes[0]
        a.end()
        a.arguments += ["--max-rooms-per-address-per-minute", "0"]
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(self.folder + "/notify")
            manager.settimeout(20)
            a.environment = {"NOTIFY_SOCKET": self.folder + "/notify"}
            a.start()
            self.assertEqual(manager.recv(100), b"READY=1")
            watchers = [ws.Socket(a.port, f"ROOM{i}") for i in range(50)]
            for watcher in watchers:
                watcher.wait("room_state")
            a.process.send_signal(signal.SIGTERM)
            self.assertEqual(manager.recv(100), b"STOPPING=1")
            self.assertEqual(manager.recv(100), b"EXTEND_TIMEOUT_USEC=30000000")
            for watcher in watchers:
                self.assertEqual(watcher.closed(), (1012, "room_moved"))
            self.assertEqual(a.process.wait(20), 0)

    def seat(self, node, room, role):
        return seat(node.port, room, role)

    def player(self, room, seated):
        """Who comes back by any running node."""
        return Player(lambda: random.choice([n for n in self.nodes if n.process.poll() is None]).port, room, seated)

    def game(self, room, first, second):
        """A game of Flooded Island between players at two nodes."""
        ann, bob = self.seat(first, room, "journeyman"), self.seat(second, room, "weather")
        self.assertEqual(ann.ask(type="configure_grid", size=5)["type"], "ack")
        bob.wait("room_state")
        return ann, bob

    def move(self, ann, bob, x, y):
        self.assertEqual(ann.ask(type="move", position={"x": x, "y": y})["type"], "ack")
        self.assertEqual(ann.ask(type="end_turn")["type"], "ack")
        return bob.wait("game_update")

    def test_any_node_answers_for_any_room(self):
        a, b, c = self.nodes
        ann, bob = self.game("ROOMA", a, b)
        self.assertEqual(b.metric("boardwalk_connections_passed_on"), 1)
        state = json.loads(a.get("/api/rooms/ROOMA")[1])
        for node in (b, c):
            status, text = node.get("/api/rooms/rooma")
            self.assertEqual((status, json.loads(text)["players"]), (200, state["players"]))
            self.assertEqual(node.get("/api/rooms/ROOMA/log"), a.get("/api/rooms/ROOMA/log"))
            self.assertEqual(node.get("/api/rooms/NOSUCH")[0], 404)
        bob.ask(type="rename", name="Bob")
        while not any(m["type"] == "room_state" and m["state"]["names"].get("weather") == "Bob" for m in ann.seen):
            ann.receive()
        # The owner notices that a client of another node leaves.
        bob.socket.close()
        self.assertEqual(ann.wait("player_disconnected")["role"], "weather")
        self.assertEqual(a.metric("boardwalk_connections_passed_on"), 0)

    def test_limits_count_at_the_owner(self):
        a, b, _ = self.nodes
        first = ws.Socket(a.port, "LIMITS")
        clients = [ws.Socket(b.port, "LIMITS") for _ in range(59)]
        with self.assertRaisesRegex(ConnectionError, "429"):
            ws.Socket(b.port, "LIMITS")
        for client in [first, *clients]:
            client.socket.close()

    def test_a_refused_room_takes_no_name(self):
        a, _, _ = self.nodes
        a.end()
        a.arguments += ["--max-rooms-per-address-per-minute", "2"]
        a.start()
        for name in ("ROOM1", "ROOM2"):
            ws.Socket(a.port, name).wait("room_state")
        for name in ("ROOM3", "ROOM4"):
            self.assertEqual(ws.Socket(a.port, name).wait("error")["code"], "rate_limited")
        self.assertEqual(self.database.sql("SELECT string_agg(name, ' ' ORDER BY name) FROM boardwalk.room"), "ROOM1 ROOM2")

    def test_a_killed_node_is_not_missed(self):
        a, b, c = self.nodes
        ann, bob = self.game("ROOMK", a, b)
        seq = ann.ask(type="rename", name="Ann")["seq"]
        a.end()
        started = time.monotonic()
        ann, state = returns(b, "ROOMK", ann.token)
        self.assertGreaterEqual(state["seq"], seq)
        self.assertEqual(state["state"]["names"]["journeyman"], "Ann")
        self.assertLess(time.monotonic() - started, LEASE + 5)
        bob, _ = returns(c, "ROOMK", bob.token)
        self.assertEqual(b.metric("boardwalk_rooms_adopted_total"), 1)
        # The killed node returns, and passes on connections to rooms that it owned.
        a.start()
        watcher = ws.Socket(a.port, "ROOMK")
        self.assertEqual(watcher.wait("room_state")["state"]["names"]["journeyman"], "Ann")
        self.assertEqual(a.metric("boardwalk_connections_passed_on"), 1)
        self.assertEqual(bob.ask(type="rename", name="Bo")["type"], "ack")

    def test_a_node_that_was_stopped_too_long_exits(self):
        a, b, _ = self.nodes
        ann, bob = self.game("ROOMS", a, a)
        a.process.send_signal(signal.SIGSTOP)
        ann.send(type="rename", name="never seen", id=99)
        bob.send(type="resume", token=bob.token)
        again, state = returns(b, "ROOMS", ann.token)
        self.assertNotEqual(state["state"]["names"].get("journeyman"), "never seen")
        again.last_id = 200
        self.assertEqual(again.ask(type="rename", name="Ann")["type"], "ack")
        seen_before = len(bob.seen)
        a.process.send_signal(signal.SIGCONT)
        with self.assertRaises(ConnectionError):
            while True:
                bob.receive()
        self.assertEqual(bob.seen[seen_before:], [])  # the state in its memory is stale, and is sent to nobody
        self.assertEqual(a.process.wait(20), 1)
        self.assertIn("Another server has taken over", a.process.stderr.read())
        self.assertEqual(json.loads(b.get("/api/rooms/ROOMS")[1])["names"]["journeyman"], "Ann")
        records = self.database.sql("SELECT count(*), count(DISTINCT number), max(number) FROM boardwalk.record"
                                    " WHERE room = 'ROOMS'").split("|")
        self.assertEqual(len(set(records)), 1)

    def test_a_node_whose_loop_hangs_loses_its_rooms(self):
        """Its other threads go on, and one of them renews the lease: not for a loop that has hung for a whole one."""
        a, b, _ = self.nodes
        ann, bob = self.game("ROOML", a, b)
        self.assertEqual(ann.ask(type="rename", name="Ann")["type"], "ack")
        stopped = time.monotonic()
        stop_main_thread(a.process.pid)
        for client in (bob, ann):  # bob is passed on by b; ann's connection is a's own
            client, state = returns(b, "ROOML", client.token)
            self.assertEqual(state["state"]["names"]["journeyman"], "Ann")
        took = time.monotonic() - stopped
        self.assertGreater(took, LEASE)  # a shorter pause costs nothing
        self.assertLess(took, 2 * LEASE * 1.2 + 3)
        self.assertEqual(client.ask(type="rename", name="Ann again")["type"], "ack")
        ptrace(PTRACE_DETACH, a.process.pid)
        self.assertEqual(a.process.wait(20), 1)
        self.assertIn("Another server has taken over", a.process.stderr.read())

    def test_a_stopped_node_does_not_hold_its_relayed_clients(self):
        """The stopped node's kernel keeps its connections. The node that passes them on sees that the lease is over."""
        a, b, c = self.nodes
        ann, bob = self.game("ROOMH", a, b)
        watcher = ws.Socket(c.port, "ROOMH")
        watcher.wait("room_state")
        a.process.send_signal(signal.SIGSTOP)
        stopped = time.monotonic()
        # A new client is passed on too, and gets no answer from that node.
        late = threading.Thread(target=lambda: self.assertEqual(b.get("/api/rooms/ROOMH")[0], 503))
        late.start()
        for client in (bob, watcher):
            with self.assertRaises(ConnectionError):
                while True:
                    client.receive()
            self.assertEqual(client.farewell, b"\x03\xf4room_moved")
        self.assertLess(time.monotonic() - stopped, LEASE * 1.2 + 1)  # the lease may have been renewed just before
        bob, _ = returns(b, "ROOMH", bob.token)
        self.assertLess(time.monotonic() - stopped, LEASE * 1.2 + 1.5)
        self.assertEqual(bob.ask(type="rename", name="Bob")["type"], "ack")
        late.join()
        for node in (b, c):
            self.assertEqual(node.metric("boardwalk_connections_let_go_total"), 2 if node is b else 1)

    def test_a_stopped_relay_does_not_pass_on_an_old_resume(self):
        """The client came back by another node: what it sent before must not take its seat from it."""
        a, b, _ = self.nodes
        ann, bob = self.game("ROOMO", a, b)
        b.process.send_signal(signal.SIGSTOP)
        bob.send(type="resume", token=bob.token)
        time.sleep(LEASE + 0.5)
        again, _ = returns(a, "ROOMO", bob.token)
        again.last_id = 200
        b.process.send_signal(signal.SIGCONT)
        with self.assertRaises(ConnectionError):
            while True:
                bob.receive()
        for name in ("Bob", "Bo"):
            self.assertEqual(again.ask(type="rename", name=name)["type"], "ack")
        self.assertNotIn("error", [message["type"] for message in again.seen])

    def test_a_node_that_exits_releases_its_rooms(self):
        a, b, _ = self.nodes
        ann, bob = self.game("ROOMD", a, a)
        a.process.send_signal(signal.SIGTERM)
        with self.assertRaises(ConnectionError):
            while True:
                ann.receive()
        self.assertEqual(int.from_bytes(ann.farewell[:2], "big"), 1012)
        bob.socket.close()
        ann.socket.close()
        started = time.monotonic()
        ann, _ = returns(b, "ROOMD", ann.token)
        self.assertLess(time.monotonic() - started, LEASE)  # no node waits for a lease to end
        self.assertEqual(a.process.wait(20), 0)

    def flag_war(self, room, first, second):
        ann, bob = self.seat(first, room + "?game=flag_war", "blue"), self.seat(second, room, "red")
        self.assertEqual(ann.ask(type="start")["type"], "ack")
        self.assertEqual(ann.ask(type="ready")["type"], "ack")
        self.assertEqual(bob.ask(type="ready")["type"], "ack")
        return ann, bob

    def test_a_node_that_exits_hands_over_its_rooms_one_by_one(self):
        """While all play, each node shuts down and restarts once: no player waits for half a second, nothing is lost, and
        rounds stay due when they were due."""
        players = []
        for i in range(12):
            nodes = [self.nodes[(i + k) % 3] for k in range(2)]
            room = f"MOVES{i}"
            seated = self.flag_war(room, *nodes) if i % 4 == 0 else self.game(room, *nodes)
            players += [self.player(room, one) for one in seated]
        yardstick = Yardstick()
        for thread in (yardstick, *players):
            thread.start()
        time.sleep(1)
        for node in self.nodes:
            node.process.send_signal(signal.SIGTERM)
            self.assertEqual(node.process.wait(20), 0)
            time.sleep(0.5)
            node.start()
            time.sleep(0.5)
        for player in players:
            player.ending.set()
        for player in players:
            player.join(20)
            self.assertIsNone(player.failure)
        yardstick.end()
        moved = [player for player in players if player.farewells]
        self.assertGreater(len(moved), 20)
        for player in moved:  # sent explicitly, by the owner or by the node that passed it on
            self.assertEqual(set(player.farewells), {b"\x03\xf4room_moved"}, player.room)
        downtimes = sorted(yardstick.waited(player) for player in moved)
        print(f"{len(moved)} players moved: downtime p50 {downtimes[len(downtimes) // 2] * 1000:.0f} ms,"
              f" max {downtimes[-1] * 1000:.0f} ms", file=sys.stderr)
        self.assertLess(downtimes[-1], 0.5)
        for player in players:
            state = json.loads(self.nodes[0].get(f"/api/rooms/{player.room}")[1])
            self.assertIn(f"n{player.next_id}", state["names"].values())
            phases = [at - player.phases[0] for at in player.phases]
            off = max([min(phase % 3000, 3000 - phase % 3000) for phase in phases], default=0)
            self.assertLess(off, 50, (player.room, phases))
        self.assertEqual(sum(bool(player.phases) for player in players), 6)

    def test_two_nodes_create_one_room(self):
        """The first one creates it; both players are in the same room."""
        a, b, c = self.nodes
        for i in range(8):
            one, two = ws.Socket(a.port, f"BOTH{i}"), ws.Socket(b.port, f"BOTH{i}")
            one.wait("room_state"), two.wait("room_state")
            self.assertEqual(one.ask(type="select_role", role="journeyman")["type"], "ack")
            self.assertEqual(two.ask(type="select_role", role="journeyman").get("code"), "role_taken")
            one.socket.close(), two.socket.close()

    def test_strangers_cannot_connect(self):
        a = self.nodes[0]
        for line in (b"GET / HTTP/1.1\r\n\r\n", b"BOARDWALK1 wrong 10.0.0.1\n", b"BOARDWALK1 " + b"x" * 600 + b"\n",
                     b"BOARDWALK1 " + SECRET.encode()[:-1] + b" 10.0.0.1\n", b"\n", b"\0\n"):
            with socket.create_connection(("127.0.0.1", a.cluster_port), timeout=20) as guest:
                try:
                    guest.sendall(line + b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
                    self.assertEqual(guest.recv(100), b"", line)
                except ConnectionResetError:
                    pass
        with socket.create_connection(("127.0.0.1", a.cluster_port), timeout=20) as guest:
            guest.sendall(b"BOARDWALK1 " + SECRET.encode() + b" 10.0.0.1\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            self.assertTrue(guest.recv(100).startswith(b"HTTP/1.1 200"))

    def test_a_greeting_may_come_in_pieces_and_costs_nothing_while_it_waits(self):
        a = self.nodes[0]
        whole = b"BOARDWALK1 " + SECRET.encode() + b" 10.0.0.1\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
        with socket.create_connection(("127.0.0.1", a.cluster_port), timeout=20) as guest:
            guest.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for at in range(len(whole)):
                guest.sendall(whole[at : at + 1])
                time.sleep(0.002)
            self.assertTrue(guest.recv(100).startswith(b"HTTP/1.1 200"))

        def cpu():
            fields = Path(f"/proc/{a.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

        for part in (whole[:1], whole[:30]):
            before = cpu()
            with socket.create_connection(("127.0.0.1", a.cluster_port), timeout=20) as guest:
                guest.sendall(part)
                self.assertEqual(guest.recv(100), b"")  # it times out after three seconds
            self.assertLess(cpu() - before, 1)


if __name__ == "__main__":
    report.run()
