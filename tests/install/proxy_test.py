#!/usr/bin/env python3
"""Requests of a browser through nginx and TLS, as pkg/nginx.conf sets it up: proxy_test.py BOARDWALK SOURCE

Requires nginx and openssl; without them meson skips it (exit status 77).
"""
import base64
import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "support"))
import ports
import report

PROGRAM, SOURCE = os.path.abspath(sys.argv.pop(1)), Path(sys.argv.pop(1)).resolve()
NGINX = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")


class Proxied(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=games.example.org",
                        "-keyout", self.folder / "key.pem", "-out", self.folder / "certificate.pem"],
                       check=True, capture_output=True)
        self.server = subprocess.Popen([PROGRAM, "serve", "--port", "0", "--database", ":memory:",
                                        "--public-url", "https://games.example.org"], cwd=self.folder, env={},
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(self.end, self.server)
        backend = self.server.stdout.readline().strip().rsplit(":", 1)[1]
        self.port, self.plain = ports.free(2)
        site = (SOURCE / "pkg/nginx.conf").read_text()
        for written, here in [("listen 443 ", f"listen 127.0.0.1:{self.port} "), ("listen 80;", f"listen 127.0.0.1:{self.plain};"),
                              ("/etc/ssl/boardwalk/", f"{self.folder}/"), ("127.0.0.1:8000", f"127.0.0.1:{backend}")]:
            self.assertIn(written, site)
            site = site.replace(written, here)
        bodies = "".join(f"{kind}_temp_path {self.folder}/{kind};" for kind in
                         ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        (self.folder / "nginx.conf").write_text(
            f"pid {self.folder}/pid; error_log {self.folder}/error.log; daemon off; events {{}}"
            f"http {{ access_log off; {bodies} {site} }}")
        self.nginx = subprocess.Popen([NGINX, "-p", self.folder, "-e", self.folder / "error.log", "-c", self.folder / "nginx.conf"],
                                      stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end, self.nginx)
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            self.assertIsNone(self.nginx.poll(), "nginx does not take pkg/nginx.conf")
            time.sleep(0.05)
        self.fail("nginx does not listen")

    @staticmethod
    def end(process):
        process.terminate()
        process.communicate(timeout=20)

    def ask(self, path, *headers, port=None):
        """The answer's status, headers and body."""
        connection = socket.create_connection(("127.0.0.1", port or self.port), 10)
        if not port:
            connection = ssl._create_unverified_context().wrap_socket(connection, server_hostname="games.example.org")
        with connection:
            lines = [f"GET {path} HTTP/1.1", f"Host: games.example.org:{self.port}", *headers, "", ""]
            connection.sendall("\r\n".join(lines).encode())
            text = b""
            while not (b"room_state" in text or b"\r\n\r\n" in text and b" 101 " not in text):
                more = connection.recv(65536)
                if not more:
                    break
                text += more
        return int(text.split()[1]), text.decode(errors="replace")

    def visit(self, origin):
        return self.ask("/ws/PROXY", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                        "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode(), f"Origin: {origin}")

    def test_a_visit(self):
        self.assertEqual(self.ask("/api/games")[0], 200)
        status, text = self.visit(f"https://games.example.org:{self.port}")
        self.assertEqual(status, 101, text)
        self.assertIn("room_state", text)
        self.assertEqual(self.visit("https://elsewhere.example.org")[0], 403)
        self.assertEqual(self.ask("/metrics")[0], 403)
        self.assertEqual(self.ask("/readyz")[0], 403)
        status, text = self.ask("/game/K7QX2M", port=self.plain)
        self.assertEqual(status, 301)
        self.assertIn("Location: https://games.example.org/game/K7QX2M", text)


if __name__ == "__main__":
    if not NGINX or not shutil.which("openssl"):
        print("nginx and openssl are not both installed")
        sys.exit(77)
    report.run()
