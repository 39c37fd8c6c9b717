"""Players for test scripts: one sits down, plays on while its room moves, and comes back whenever its connection ends."""
import random
import subprocess
import threading
import time

import ws


def seat(port, room, role):
    """A client on that seat; its `token` is the seat's."""
    client = ws.Socket(port, room)
    client.wait("room_state")
    client.ask(type="select_role", role=role, reserve=True)
    while not any(m["type"] == "room_state" and m["you"].get("token") for m in client.seen):
        client.receive()
    client.token = next(m["you"]["token"] for m in client.seen if m["type"] == "room_state" and m["you"].get("token"))
    return client


class Player(threading.Thread):
    """A seated player who acts ten times a second, and returns by whatever port `find_port` says if the connection ends.
    `gaps` are the times between two answers, and `ends` when each ended; `farewells` are the close frames (b"": cut without one); `phases` are the due
    times of rounds that it received."""

    def __init__(self, find_port, room, seated):
        super().__init__(daemon=True)
        self.find_port, self.room, self.client, self.token = find_port, room, seated, seated.token
        self.gaps, self.ends, self.phases, self.farewells = [], [], [], []
        self.ending, self.failure = threading.Event(), None
        self.next_id, self.unanswered = 1000, None

    def note_rounds(self):
        for message in self.client.seen:
            at = message.get("state", message.get("changes", {})).get("next_round_at")
            self.phases += [at] if at else []

    def come_back(self):
        while True:
            try:
                self.client = ws.Socket(self.find_port(), self.room)
                self.client.send(type="resume", token=self.token)
                while not self.client.wait("room_state")["you"].get("role"):
                    pass
                return
            except OSError:
                time.sleep(0.02)

    def answer(self, wanted):
        while True:
            message = self.client.receive()
            if message["type"] == "ack" and message.get("id") == wanted:
                return
            if message["type"] == "error" and message.get("id") == wanted:
                raise AssertionError(f"{self.room}: {message}")

    def run(self):
        heard = time.monotonic()
        try:
            while not self.ending.is_set():
                self.next_id += 1
                while True:
                    try:
                        self.client.send(type="rename", name=f"n{self.next_id}", id=self.next_id)
                        self.answer(self.next_id)
                        break
                    except OSError:
                        self.farewells.append(getattr(self.client, "farewell", b""))
                        self.note_rounds()
                        self.client.socket.close()
                        time.sleep(random.random() / 10)  # as the pages do
                        self.come_back()
                now = time.monotonic()
                self.gaps.append(now - heard)
                self.ends.append(now)
                heard = now
                time.sleep(0.1)
            self.note_rounds()
        except Exception as failure:
            self.failure = failure


class Yardstick(threading.Thread):
    """What a busy machine adds to a player's waits, and no server: it asks another process as often as a move of a room
    makes processes ask each other, ten times a second, and `waited(player)` leaves out what that took too long."""

    HOPS = 20

    def __init__(self):
        super().__init__(daemon=True)
        self.gaps, self.ending = [], threading.Event()
        self.other = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)

    def run(self):
        heard = time.monotonic()
        while not self.ending.is_set():
            for _ in range(self.HOPS):
                self.other.stdin.write(b".")
                self.other.stdout.read(1)
            now = time.monotonic()
            self.gaps.append((heard, now))
            heard = now
            time.sleep(0.1)

    def end(self):
        self.ending.set()
        self.join(20)
        self.other.stdin.close()
        self.other.wait(20)
        self.other.stdout.close()

    def waited(self, player):
        """The longest wait of that player, without what the machine took."""
        def machine(since, until):
            return max((end - begun - 0.1 for begun, end in self.gaps if begun < until and end > since), default=0)

        return max(gap - machine(end - gap, end) for gap, end in zip(player.gaps, player.ends))
