#!/usr/bin/env python3
"""One command creates a game; the copy is formatted, compiles and passes its own test: new_game_test.py SOURCE

Regression: the template breaks unnoticed, because only a person who adds a game ever uses it. Also what games.def, the
list of games, refuses: a misspelt line there would lose a game without anyone noticing.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(sys.argv.pop(1)).resolve()


def run(*command, **more):
    return subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)


class NewGame(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        for folder in ("engine", "games", "bots", "tools", "web/src/lib/games/_blank"):
            shutil.copytree(SOURCE / folder, cls.root / folder)
        (cls.root / "tests/support").mkdir(parents=True)
        for file in (".clang-format", "tests/support/unit.h"):
            shutil.copy(SOURCE / file, cls.root / file)
        cls.made = run(cls.root / "tools/new-game", "nine_holes", "Nine Holes")

    def test_it_prints_what_a_finished_game_has(self):
        self.assertEqual(self.made.returncode, 0, self.made.stdout)
        self.assertRegex(self.made.stdout, r"\[x\] games/nine_holes/\*_test\.c")
        self.assertRegex(self.made.stdout, r"\[ \] docs/rules/nine-holes\.md")

    def test_the_list_has_one_more_line(self):
        before, after = (path.read_text() for path in (SOURCE / "games/games.def", self.root / "games/games.def"))
        self.assertEqual(after, before + "GAME(bw_nine_holes)\n")

    def test_no_trace_of_the_template_is_left(self):
        copies = [self.root / "games/nine_holes", self.root / "web/src/lib/games/nine_holes"]
        files = [path for folder in copies for path in folder.rglob("*") if path.is_file()]
        self.assertGreater(len(files), 10)
        for path in files:
            self.assertNotRegex(path.name + path.read_text(), r"(?i)blank|older rules|_v1\b", path)

    def test_the_copy_is_formatted(self):
        files = sorted((self.root / "games/nine_holes").glob("*.[ch]"))
        laid = run("clang-format-14", "--dry-run", "-Werror", *files, cwd=self.root)
        self.assertEqual(laid.returncode, 0, laid.stdout)

    def test_the_copy_compiles_and_its_test_passes(self):
        folder = self.root / "games/nine_holes"
        program = self.root / "test"
        sources = [*folder.glob("*.c"), *(path for path in (self.root / "engine").glob("*.c") if "_test" not in path.name)]
        built = run(os.environ.get("CC", "cc"), "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion",
                    "-Wshadow", "-Werror", "-ffunction-sections", "-Wl,--gc-sections", "-I", self.root, *sources, "-o", program, "-lcmocka")
        self.assertEqual(built.returncode, 0, built.stdout)
        played = run(program)
        self.assertEqual(played.returncode, 0, played.stdout)

    def test_invalid_ids_and_titles_are_refused_and_create_nothing(self):
        before = sorted(self.root.rglob("*"))
        for wrong in [(), ("nim",), ("Nim", "Nim"), ("nim_v2", "Nim"), ("9men", "Men"), ("../nim", "Nim"), ("nim", ""),
                      ("nim", 'N"im'), ("nine_holes", "Again"), ("flag_war", "Flag War")]:
            refused = run(self.root / "tools/new-game", *wrong)
            self.assertIn(refused.returncode, (1, 2), wrong)
            self.assertRegex(refused.stdout, r"^new-game: .*\n$", wrong)
        self.assertEqual(sorted(self.root.rglob("*")), before)

    def test_a_misspelt_line_of_the_list_is_reported(self):
        project = "project('p', 'c', meson_version: '>=1.0')\npure_args = []\nposix_args = []\nroot = include_directories('.')\n" \
                  "engine = declare_dependency()\ncmocka = declare_dependency()\nsubdir('games')\n"
        (self.root / "meson.build").write_text(project)
        games = self.root / "games/games.def"
        whole = games.read_text()
        for number, line in enumerate(["GAME(nine_holes)", "GAME(bw_nine_hole)", "GAME(bw_nine_holes", "// GAME(bw_blank)"]):
            games.write_text(whole + line + "\n")
            refused = run("meson", "setup", self.root / f"build{number}", self.root)
            self.assertNotEqual(refused.returncode, 0, line)
            self.assertIn(f'games/games.def: "{line}"', refused.stdout)
        games.write_text(whole)
        taken = run("meson", "setup", self.root / "build", self.root)
        self.assertEqual(taken.returncode, 0, taken.stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v", *sys.argv[1:]])
