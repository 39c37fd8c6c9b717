"""A small WebSocket client for test scripts: connects, sends a message, waits for one of a type."""
import base64
import json
import os
import socket
import struct
import time


class Socket:
    """One connection to ws://127.0.0.1:port/ws/room. Every received message is kept in `seen`."""

    def __init__(self, port, room, query="", timeout=20):
        self.seen = []
        self.timeout = timeout
        self.last_id = 0
        self.buffer = b""
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(f"GET /ws/{room}{query} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
                            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        while b"\r\n\r\n" not in self.buffer:
            self._more()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if not head.startswith(b"HTTP/1.1 101"):
            self.socket.close()
            raise ConnectionError(head.decode(errors="replace"))

    def _more(self):
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionError("closed")
        self.buffer += data

    def _take(self, count):
        while len(self.buffer) < count:
            self._more()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def _frame(self, opcode, payload):
        mask = os.urandom(4)
        length = len(payload)
        head = bytes([0x80 | opcode, 0x80 | length]) if length < 126 else (
            bytes([0x80 | opcode, 0xFE]) + struct.pack(">H", length) if length < 65536 else
            bytes([0x80 | opcode, 0xFF]) + struct.pack(">Q", length))
        self.socket.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload)))

    def send(self, **message):
        self._frame(1, json.dumps(message).encode())

    def receive(self):
        """The next message; TimeoutError if none arrives. Answers pings on the way."""
        deadline = time.monotonic() + self.timeout
        while True:
            if time.monotonic() > deadline:
                raise TimeoutError(f"no message in {self.timeout} seconds; the last were {self.seen[-3:]}")
            first, second = self._take(2)
            length = second & 127
            if length == 126:
                length = struct.unpack(">H", self._take(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self._take(8))[0]
            payload = self._take(length)
            if first & 15 == 9:
                self._frame(10, payload)
            elif first & 15 == 8:
                self.farewell = payload
                raise ConnectionError(f"closed: {payload!r}")
            elif first & 15 == 1:
                message = json.loads(payload)
                self.seen.append(message)
                return message

    def wait(self, kind, **fields):
        """The next message of that type with those fields."""
        while True:
            message = self.receive()
            if message["type"] == kind and all(message.get(name) == value for name, value in fields.items()):
                return message

    def ask(self, **message):
        """Sends it with an id and waits for its acknowledgement or error."""
        self.last_id += 1
        self.send(**message, id=self.last_id)
        while True:
            answer = self.receive()
            if answer["type"] in ("ack", "error") and answer.get("id") == self.last_id:
                return answer

    def closed(self, opcode=None, payload=b""):
        """Sends a frame, if one is given, and waits for the end: returns its code (None: none) and reason."""
        self.farewell = None
        try:
            if opcode is not None:
                self._frame(opcode, payload)
            while True:
                self.receive()
        except ConnectionError:
            pass
        if self.farewell is None:
            raise ConnectionError("the connection ended without a close frame")
        if not self.farewell:
            return None, ""
        return struct.unpack(">H", self.farewell[:2])[0], self.farewell[2:].decode()

    def close(self):
        self.socket.close()
