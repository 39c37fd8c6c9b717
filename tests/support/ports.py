"""Ports for the programs that a test starts, below the system's range for outgoing connections: nobody takes one
before the program does, or while the program is down."""
import os
import socket


def free(count):
    found = []
    port = 20000 + os.getpid() * 16 % 10000
    while len(found) < count:
        port += 1
        try:
            socket.create_server(("127.0.0.1", port)).close()
            found.append(port)
        except OSError:
            continue
    return found
