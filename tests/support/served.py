"""A server for one test: a TestCase with a running `boardwalk serve` and HTTP requests to it.

    class Wire(served.Served): ...      # PROGRAM is the path of the program
    status, body, answer = self.ask("GET", "/api/games")
"""
import http.client
import subprocess
import tempfile
import unittest


class Served(unittest.TestCase):
    PROGRAM = None

    @classmethod
    def setUpClass(cls):
        folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.server = subprocess.Popen([cls.PROGRAM, "serve", "--port", "0", "--database", folder + "/b.db"], cwd=folder,
                                      env={}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        cls.port = int(cls.server.stdout.readline().rsplit(":", 1)[1].split()[0])

    @classmethod
    def tearDownClass(cls):
        cls.server.terminate()
        assert cls.server.wait(20) == 0  # SIGTERM ends with status 0
        cls.server.stdout.close()

    def fetch(self, method, path, body=None, **headers):
        """The status, the body's bytes, and the answer with its headers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request(method, path, body, headers, encode_chunked="Transfer-Encoding" in headers)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, text, answer
