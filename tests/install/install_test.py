#!/usr/bin/env python3
"""What `meson install` installs, and what pkg/ says about the program: install_test.py BUILD SOURCE

The program finds its pages relative to where it was installed; another program can be built with the library through
pkg-config; unit, container, manual, example and package agree with the actual settings.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "support"))
import report

BUILD, SOURCE = Path(sys.argv.pop(1)).resolve(), Path(sys.argv.pop(1)).resolve()


def output(*command, **more):
    return subprocess.run([*map(str, command)], check=True, capture_output=True, text=True, timeout=120, **more).stdout


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="boardwalk install ")
        cls.root = Path(cls.folder.name)
        subprocess.run(["meson", "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir", cls.root], check=True)
        cls.program = next(cls.root.glob("usr/**/bin/boardwalk"))
        cls.prefix = cls.program.parent.parent

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_manual_is_installed(self):
        self.assertTrue((self.prefix / "share/man/man1/boardwalk.1").is_file())

    def test_the_program_finds_its_pages(self):
        pages = self.prefix / "share/boardwalk/web"
        if not (pages / "index.html").is_file():  # npm has built it, or not
            pages.mkdir(parents=True, exist_ok=True)
            (pages / "index.html").write_text("<!doctype html><title>Boardwalk</title>")
        server = subprocess.Popen(
            [self.program, "serve", "--port", "0", "--database", ":memory:", "--log-level", "info"],
            cwd=self.root, env={}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            self.assertRegex(server.stdout.readline(), r"http://localhost:\d+")
            started = server.stderr.readline()
            self.assertIn("client=yes", started)
        finally:
            server.terminate()
            server.communicate(timeout=20)
        self.assertEqual(server.returncode, 0)

    def test_a_third_party_program(self):
        [config] = self.root.glob("usr/**/pkgconfig/boardwalk.pc")
        environment = dict(os.environ, PKG_CONFIG_PATH=str(config.parent))
        # The prefix where it is now, not where it would be installed. Replaced afterwards, because the flags are split
        # at spaces.
        wanted = output("pkg-config", "--define-variable=prefix=PREFIX", "--cflags", "--libs", "boardwalk", env=environment)
        flags = [flag.replace("PREFIX", str(self.prefix)) for flag in wanted.split()]
        player = self.root / "player"
        output(os.environ.get("CC", "cc"), "-std=c11", "-Wall", "-Wextra", "-Werror", SOURCE / "tests/install/player.c",
               "-o", player, *flags)
        lines = [line.split() for line in output(player).splitlines()]
        listed = re.search(r"gameIds = \[(.*?)\]", output(BUILD / "cli/boardwalk", "schema", "--ts"))[1]
        self.assertEqual([game for game, _, _ in lines], re.findall(r"'(\w+)'", listed))
        for game, _, played in lines:
            self.assertGreater(int(played), 3, game)

    def test_every_header_compiles_alone(self):
        [folder] = self.root.glob("usr/**/include/boardwalk")
        headers = sorted(str(path.relative_to(folder)) for path in folder.glob("**/*.h"))
        self.assertGreater(len(headers), 10)
        text = "".join(f"#include <{name}>\n" for name in headers)
        for program in [text] + [f"#include <{name}>\n" for name in headers]:
            subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-fsyntax-only", "-x", "c", "-I", folder, "-"],
                           input=program, text=True, check=True)


class Said(unittest.TestCase):
    """pkg/ against `boardwalk serve --help`."""

    def setUp(self):
        self.settings = set(re.findall(r"^  --\S+ VALUE +([A-Z_]+)$", output(BUILD / "cli/boardwalk", "serve", "--help"), re.M))
        self.assertIn("SEAT_GRACE_SECONDS", self.settings)

    def pkg(self, name):
        return (SOURCE / "pkg" / name).read_text()

    def test_the_example_has_every_setting(self):
        self.assertEqual(set(re.findall(r"^([A-Z_]+)=", self.pkg("example.env"), re.M)), self.settings)

    def test_the_example_can_be_used_as_it_is(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(SOURCE / "pkg/example.env", Path(folder) / ".env")
            server = subprocess.Popen([BUILD / "cli/boardwalk", "serve", "--port", "0"], cwd=folder, env={},
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            line = server.stdout.readline()
            server.terminate()
            server.communicate(timeout=20)
            self.assertIn("http://localhost:", line)
            self.assertEqual(server.returncode, 0)

    def test_the_manual_has_every_setting(self):
        manual = self.pkg("boardwalk.1").split(".SH ENVIRONMENT")[1].split(".SH")[0]
        self.assertEqual(set(re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b|\bBIND\b|\bDATABASE\b", manual)), self.settings)

    def test_the_page_for_operators_has_every_setting(self):
        """Its table against --help: names, defaults and ranges."""
        page = (SOURCE / "docs/OPERATING.md").read_text()
        rows = {name: (default, allowed) for names, default, allowed in
                re.findall(r"^\| (`[A-Z].*?) \| (.*?) \| (.*?) \|", page, re.M) for name in re.findall(r"`([A-Z_]+)`", names)}
        said = re.findall(r"^  --\S+ VALUE +([A-Z_]+)\n.*\n +(.*); default (\S+)$",
                          output(BUILD / "cli/boardwalk", "serve", "--help"), re.M)
        self.assertEqual(set(rows), self.settings)
        self.assertEqual({name for name, _, _ in said}, self.settings)
        for name, allowed, default in said:
            self.assertEqual(rows[name][0], default, name)
            for range_ in re.findall(r"number from (\d+ to \d+)", allowed):
                self.assertEqual(rows[name][1], range_, name)

    def test_the_unit_and_the_container_use_existing_settings(self):
        used = re.findall(r"^Environment=([A-Z_]+)=", self.pkg("boardwalk.service"), re.M)
        used += re.findall(r"([A-Z_]+)=", re.search(r"^ENV (.*)$", self.pkg("Dockerfile"), re.M).group(1))
        self.assertLessEqual(set(used), self.settings)
        self.assertTrue({"DATABASE", "BIND"} <= set(used))

    def test_versions_agree(self):
        [version] = re.findall(r"^project\(.* version: '([^']+)'", (SOURCE / "meson.build").read_text(), re.M)
        self.assertTrue(self.pkg("debian/changelog").startswith(f"boardwalk ({version}) "))

    def test_the_container_has_every_linked_library(self):
        wanted = {name for name in re.findall(r"^\s+(lib(?:websockets|ev|pq|sqlite3|curl|jansson|ssl)\S*)\.so",
                                             output("ldd", BUILD / "cli/boardwalk"), re.M)}
        installed = self.pkg("Dockerfile")
        for name in wanted:
            self.assertIn(re.sub(r"\d+$", "", name), installed)


if __name__ == "__main__":
    report.run()
