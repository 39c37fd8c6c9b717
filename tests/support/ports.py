"""Ports for what a test starts, below those that the system gives to whoever connects: nobody takes one before the
program does, or while that is dead."""
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
