"""A PostgreSQL server for test scripts: its own folder under /tmp, only a socket there, an ordinary user.

    with postgres.Server() as server: ... server.address ...
"""
import glob
import os
import shutil
import signal
import subprocess
import tempfile
import time

NOBODY = 65534


class Server:
    def __init__(self):
        programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
        if not programs:
            raise RuntimeError("PostgreSQL is not installed: apt-get install postgresql")
        self.programs = programs[-1]
        self.folder = tempfile.mkdtemp(prefix="boardwalk-pg-")
        self.address = f"postgresql://boardwalk@/boardwalk?host={self.folder}&port=5432"
        self.user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}
        if self.user:
            os.chown(self.folder, NOBODY, NOBODY)
        self._run("initdb", "-D", self.folder + "/a", "-U", "boardwalk", "-A", "trust", "-E", "UTF8", "-N",
                  "--locale", "C.UTF-8")
        self.start()
        self.sql("CREATE DATABASE boardwalk", "postgres")

    def _run(self, program, *arguments):
        return subprocess.run([f"{self.programs}/{program}", *arguments], check=True, cwd=self.folder, env={},
                              capture_output=True, text=True, **self.user).stdout

    def start(self):
        self.process = subprocess.Popen(
            [f"{self.programs}/postgres", "-D", self.folder + "/a", "-k", self.folder, "-h", "", "-p", "5432", "-c",
             "fsync=off", "-c", "shared_buffers=16MB", "-c", "dynamic_shared_memory_type=mmap"], cwd=self.folder, env={}, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, **self.user)
        until = time.monotonic() + 60
        while subprocess.run([f"{self.programs}/pg_isready", "-q", "-h", self.folder, "-d", "postgres"],
                             cwd=self.folder, env={}, **self.user).returncode != 0:
            if time.monotonic() > until or self.process.poll() is not None:
                raise RuntimeError("PostgreSQL did not start")
            time.sleep(0.05)

    def sql(self, text, name="boardwalk"):
        return self._run("psql", "-h", self.folder, "-U", "boardwalk", "-d", name, "-At", "-c", text).strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()
        shutil.rmtree(self.folder)
