#!/usr/bin/env python3
"""What ./run says if it cannot install, is interrupted, or is already running: setup_test.py SOURCE

Scripts stand in for the system's programs. A user who may not install gets one sentence that says what to do, and is
never asked for what they cannot give.
"""
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "support"))
import report

SOURCE = Path(sys.argv.pop(1)).resolve()


class Installing(unittest.TestCase):
    def install(self, **programs):
        """Runs install_packages with one missing package; `programs` are the bodies of scripts."""
        with tempfile.TemporaryDirectory(prefix="boardwalk setup ") as folder:
            bin = Path(folder) / "bin"
            bin.mkdir()
            for tool in ["bash", "cat", "sed", "tr", "sort", "awk", "grep", "mkdir", "tail", "env"]:
                (bin / tool).symlink_to(f"/usr/bin/{tool}")
            system = {"dpkg-query": "", "apt-get": 'echo "$@" >>asked', "id": '[ "$1" = -u ] && echo 1000 || echo alice'}
            for name, body in {**system, **programs}.items():
                if body is not None:
                    (bin / name).write_text(f"#!/bin/bash\n{body}\n")
                    (bin / name).chmod(0o755)
            Path(folder, "list").write_text("some-library  # for something\n")
            result = subprocess.run(["/bin/bash", "-c", f'. "{SOURCE}/tools/setup.sh"; install_packages list'], cwd=folder,
                                    env={"PATH": str(bin)}, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30)
            asked = Path(folder, "asked")
            return result.returncode, result.stdout + result.stderr, asked.read_text() if asked.exists() else ""

    def test_without_root_or_sudo(self):
        status, said, asked = self.install()
        self.assertEqual((status, asked), (1, ""))
        self.assertEqual(said, "These packages are missing, and neither root nor sudo is here to install them:\n"
                               "    apt-get install some-library\n")

    def test_sudo_refuses(self):
        status, said, asked = self.install(sudo="echo 'sudo: a password is required' >&2; exit 1")
        self.assertEqual((status, asked), (1, ""))
        self.assertEqual(said, "These packages are missing, and sudo refuses to install them for alice; as root:\n"
                               "    apt-get install some-library\n")

    def test_sudo_installs(self):
        status, said, asked = self.install(sudo='[ "$1" = -n ] && shift; "$@"', true="")
        self.assertEqual(status, 0, said)
        self.assertIn("Installing from Debian: some-library", said)
        self.assertRegex(asked, r"^update .*\ninstall .*--no-install-recommends some-library\n$")

    def test_root_installs(self):
        status, said, asked = self.install(id="echo 0")
        self.assertEqual(status, 0, said)
        self.assertIn("some-library", asked)

    def test_without_a_network(self):
        status, said, _ = self.install(**{"id": "echo 0", "apt-get": "echo 'E: Could not resolve host'; exit 100"})
        self.assertEqual(status, 1)
        self.assertIn("The list of packages could not be refreshed", said)
        self.assertIn("E: Could not resolve host", said)
        self.assertIn("Installing failed. The command was: apt-get install some-library", said)

    def test_nothing_is_missing(self):
        self.assertEqual(self.install(**{"dpkg-query": "echo some-library:amd64 ii"}), (0, "", ""))

    def test_another_system(self):
        status, said, _ = self.install(**{"apt-get": None})
        self.assertEqual(status, 0)
        self.assertIn("This is not Debian: please see to it that these are installed: some-library", said)


class Running(unittest.TestCase):
    """./run in a folder with a space in its name, with everything installed and a slow ninja."""

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="boardwalk run ")))
        shutil.copy(SOURCE / "run", self.folder)
        shutil.copytree(SOURCE / "tools", self.folder / "tools")
        bin = self.folder / "bin"
        bin.mkdir()
        present = (SOURCE / "tools/packages.txt").read_text().split()
        for name, body in {
            "dpkg-query": "".join(f"echo {package} ii\n" for package in present), "apt-get": "exit 1", "gcc": "echo 12",
            "meson": 'mkdir -p "$2" && touch "$2/build.ninja"', "ninja": '[ "$3" != -n ] || exit 0; echo started; exec sleep 20',
        }.items():
            (bin / name).write_text(f"#!/bin/bash\n{body}\n")
            (bin / name).chmod(0o755)
        self.environment = dict(os.environ, PATH=f"{bin}:{os.environ['PATH']}")

    def start(self):
        run = subprocess.Popen([self.folder / "run", "--build", "--no-web"], env=self.environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
        self.addCleanup(run.communicate)
        self.addCleanup(lambda: run.poll() is not None or os.killpg(run.pid, signal.SIGKILL))
        return run

    def test_interrupted(self):
        run = self.start()
        self.assertEqual(run.stdout.readline(), "Building the program ...\n")
        log = self.folder / "build/program.log"
        while not (log.exists() and log.read_text()):
            self.assertIsNone(run.poll())
        os.killpg(run.pid, signal.SIGINT)
        said, _ = run.communicate(timeout=10)
        self.assertEqual(run.returncode, 130)
        self.assertTrue(said.endswith("Interrupted. ./run again goes on from here.\n"), said)

    def test_another_one_is_running(self):
        (self.folder / "build").mkdir()
        with open(self.folder / "build/.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            run = self.start()
            self.assertEqual(run.stdout.readline(), "Another ./run or ./test is building here; waiting for it ...\n")
            self.assertIsNone(run.poll())
        self.assertEqual(run.stdout.readline(), "Building the program ...\n")


if __name__ == "__main__":
    report.run()
