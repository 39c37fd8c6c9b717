#!/usr/bin/env python3
"""Kills parts of a whole cluster (pkg/cluster-demo) at random while tables of all games are played through its HAProxy
(kill_through.c), and compares after each kill what is stored with what the clients were shown. The first thing that is
lost or doubled ends it. Says for each kind of kill how long the players waited, each of them at each kill.

    tests/protocol/kill_cluster.py               fifty kills, sixty tables, a pair of databases; about a quarter of an hour
    tests/protocol/kill_cluster.py --patroni     three databases under Patroni, which promotes by itself

    --kills N   --tables N   --seed N   --port N   --build FOLDER (build/release)   --only KIND,KIND
"""
import argparse
import importlib.machinery
import importlib.util
import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("cluster_demo", str(ROOT / "pkg" / "cluster-demo"))
cluster_demo = importlib.util.module_from_spec(importlib.util.spec_from_loader("cluster_demo", loader))
loader.exec_module(cluster_demo)
Problem, NODES = cluster_demo.Problem, cluster_demo.NODES
NOTICED = 0.5  # seconds: a player who waits for longer has noticed something
PATIENCE = 300  # seconds, for a database that starts or is rewound beside much other work


class Kills:
    """One method for each kind of kill. It kills, tells the clients, and brings back what it killed."""

    def __init__(self, demo, dice, told):
        self.demo, self.dice, self.told = demo, dice, told
        self.away = set()  # nodes that are not to be started again yet
        self.steps = []    # what the last kill took, beside the players' waits

    def kill(self, kind, parts, number=signal.SIGKILL):
        begun = time.monotonic()
        for part in parts:
            self.demo.signal(part, number)
        self.told(begun, kind)

    def step(self, name, do):
        begun = time.monotonic()
        do()
        self.steps.append(f"{name} {time.monotonic() - begun:.1f} s")

    def rest(self, least, most):
        time.sleep(self.dice.uniform(least, most))

    # ---- nodes ----

    def node(self, kind):
        part = self.dice.choice(NODES)
        self.away.add(part)
        self.kill(kind, [part])
        self.rest(0, 2 * self.demo.lease)
        self.away.discard(part)

    def node_ends(self, kind):
        """As in an update: its rooms move while it is still there."""
        part = self.dice.choice(NODES)
        self.away.add(part)
        begun, pid = time.monotonic(), self.demo.pid(part)
        self.demo.signal_all((pid,), signal.SIGTERM)
        self.told(begun, kind)
        self.step("ended", lambda: self.demo.wait_for_end(part))
        self.away.discard(part)

    def node_sleeps(self, kind):
        part = self.dice.choice(NODES)
        self.kill(kind, [part], signal.SIGSTOP)
        self.rest(self.demo.lease + 1, self.demo.lease + 4)
        self.demo.signal(part, signal.SIGCONT)  # it finds its rooms taken, and ends; or goes on, if nobody came

    # ---- the pair ----

    def db_primary(self, kind, more=()):
        primary = self.demo.primary()
        self.kill(kind, [primary, *more])
        self.step("promoted", self.demo.promote)
        self.step("the old primary is a standby", lambda: self.demo.start(primary))

    def db_and_node(self, kind):
        self.db_primary(kind, more=[self.dice.choice(NODES)])

    # ---- under Patroni ----

    def db_postgres(self, kind):
        self.kill(kind, [f"postgres{self.demo.primary()[-1]}"])

    def db_machine(self, kind):
        primary = self.demo.primary()
        self.kill(kind, [primary])
        self.rest(1, 20)
        self.demo.start(primary)

    def db_machine_sleeps(self, kind):
        primary = self.demo.primary()
        self.kill(kind, [primary], signal.SIGSTOP)
        self.rest(self.demo.ttl + 3, self.demo.ttl + 8)
        self.demo.signal(primary, signal.SIGCONT)

    def db_manager(self, kind):
        """PostgreSQL goes on, and nobody stops it when another one is promoted."""
        primary = self.demo.primary()
        self.kill(kind, [f"patroni{primary[-1]}"])
        self.rest(self.demo.ttl + 3, self.demo.ttl + 8)
        self.demo.start(primary)

    def db_standby(self, kind):
        primary = self.demo.primary()
        part = next(part for part in self.demo.databases if part != primary and self.demo.holds(part, "synchronous"))
        self.kill(kind, [part])
        self.rest(1, 10)
        self.demo.start(part)

    def db_etcd(self, kind):
        part = self.dice.choice(cluster_demo.ETCD)
        self.kill(kind, [part])
        self.rest(1, 10)
        self.demo.start(part)


PAIR = ("node", "node_ends", "node_sleeps", "db_primary", "db_and_node")
PATRONI = ("db_postgres", "db_machine", "db_machine_sleeps", "db_manager", "db_standby", "db_etcd", "node", "node_sleeps")


class Run:
    def __init__(self, asked):
        self.asked, self.dice = asked, random.Random(asked.seed)
        self.ended, self.waits = threading.Event(), {}
        self.folder = Path(tempfile.mkdtemp(prefix="boardwalk-kills-"))
        self.folder.chmod(0o755)
        kind = cluster_demo.Managed if asked.patroni else cluster_demo.Demo
        self.demo = kind(self.folder / "demo", asked.port, asked.build / "cli" / "boardwalk", lease=2)
        self.demo.fsync, self.demo.patience = "off", PATIENCE
        self.demo.settings |= {"MAX_SOCKETS_PER_ADDRESS": "0", "MAX_ROOMS_PER_ADDRESS_PER_MINUTE": "0", "LOG_LEVEL": "warn",
                               "MAX_MISSES_PER_ADDRESS_PER_MINUTE": "0", "MAX_STORED_MB_PER_ADDRESS_PER_HOUR": "0",
                               "MAX_WORK_SECONDS_PER_ADDRESS_PER_MINUTE": "0", "SEAT_GRACE_SECONDS": "600"}
        self.kills = Kills(self.demo, self.dice, self.tell)

    def tell(self, begun, kind):
        self.players.stdin.write(f"killed {begun:.6f} {kind}\n")
        self.players.stdin.flush()

    def hear(self):
        line = self.players.stdout.readline()
        if not line or line.startswith(("FAILED", "table")):
            raise Problem((line + self.players.stdout.read()).strip() or "the players have ended")
        return line

    def restart(self, part):
        """As systemd does it: a node that has ended is started again, and no other one waits for it."""
        while not self.ended.wait(0.2):
            if not self.demo.pid(part) and part not in self.kills.away:
                try:
                    self.demo.start(part)
                except Problem:
                    pass  # without a database it ends again

    def is_well(self):
        demo = self.demo
        try:
            if not all(demo.pid(part) and demo.get(demo.node_port(part), "/readyz") for part in NODES):
                return False
            # A database that is being rewound says of itself that it is a replica.
            sql = ("SELECT count(*) FILTER (WHERE sync_state <> 'async') || ' of ' || count(*) FROM pg_stat_replication"
                   " WHERE state = 'streaming' AND application_name LIKE 'db_'")
            return demo.sql(sql, name="postgres") == f"1 of {len(demo.databases) - 1}"
        except (OSError, Problem):
            return False

    def wait_until_well(self):
        until = time.monotonic() + PATIENCE
        while not self.is_well():
            if time.monotonic() > until:
                raise Problem(f"{PATIENCE} seconds later not everything runs again")
            time.sleep(0.3)

    def kill_once(self, kind):
        self.kills.steps = []
        getattr(self.kills, kind)(kind)
        self.kills.step("all runs again", self.wait_until_well)
        self.players.stdin.write("compare\n")
        self.players.stdin.flush()
        waits = json.loads(self.hear())
        self.waits.setdefault(kind, []).append(waits)
        print(f"{sum(map(len, self.waits.values()))}. {kind}: {sum(w > NOTICED for w in waits)} of {len(waits)} players waited,"
              f" at most {max(waits):.2f} s; {', '.join(self.kills.steps)}", flush=True)

    def kinds(self):
        """All of them in turn, each round in another order."""
        named = self.asked.only.split(",") if self.asked.only else PATRONI if self.asked.patroni else PAIR
        order = []
        while len(order) < self.asked.kills:
            round_ = list(named)
            self.dice.shuffle(round_)
            order += round_
        return order[:self.asked.kills]

    def play(self):
        self.players = subprocess.Popen(
            [str(self.asked.build / "tests/protocol/kill_through"), str(self.demo.port), str(self.asked.tables),
             str(self.asked.seed)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.hear()
        watches = [threading.Thread(target=self.restart, args=(part,)) for part in NODES]
        for watch in watches:
            watch.start()
        try:
            for kind in self.kinds():
                time.sleep(self.dice.uniform(0.5, 3))
                self.kill_once(kind)
            self.players.stdin.close()
            played = self.hear()
            if self.players.wait() != 0:
                raise Problem("the players have failed at the end")
            return played
        finally:
            self.ended.set()
            for watch in watches:
                watch.join()
            self.players.kill()

    def report(self, played):
        """Each player's longest wait at each kill is a sample."""
        print(f"\n{played}\nlost 0, doubled 0; how long each player waited at each kill:")
        for kind, kills in [*self.waits.items(), ("all", sum(self.waits.values(), []))]:
            waits = sorted(sum(kills, []))
            noticed = [wait for wait in waits if wait > NOTICED]
            of_those = f", p50 {statistics.median(noticed):.2f} s" if noticed else ""
            print(f"  {kind:18} {len(kills):3} kills, lost 0, doubled 0; {len(waits):5} waits: p50 {statistics.median(waits):.2f} s,"
                  f" p99 {waits[len(waits) * 99 // 100]:.2f} s, max {waits[-1]:.2f} s;"
                  f" {len(noticed):5} of more than {NOTICED} s{of_those}")

    def run(self):
        try:
            self.demo.up()
            print(f"{self.asked.tables} tables, {self.asked.kills} kills, seed {self.asked.seed}", flush=True)
            self.report(self.play())
            return 0
        except Problem as problem:
            print(f"FAILED: {problem}")
            for log in sorted(self.folder.glob("demo/*.log")):
                print(f"---- {log.name}\n{log.read_text(errors='replace')[-3000:]}")
            return 1
        finally:
            if self.demo.folder.exists():
                self.demo.down()
            shutil.rmtree(self.folder, ignore_errors=True)


def main():
    words = argparse.ArgumentParser(usage=__doc__)
    for name, default in (("kills", 50), ("tables", 60), ("seed", 20260131), ("port", 21700)):
        words.add_argument(f"--{name}", type=int, default=default)
    words.add_argument("--build", type=Path, default=ROOT / "build/release")
    words.add_argument("--patroni", action="store_true")
    words.add_argument("--only", default="")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that nothing is left running
    return Run(words.parse_args()).run()


if __name__ == "__main__":
    sys.exit(main())
