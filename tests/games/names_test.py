#!/usr/bin/env python3
"""A game's names stay in its own folders: names_test.py SOURCE

Shared code that tests for a game's id, or for a field name of one game, silently gives that behaviour to the next game
that uses the name. So this test searches rooms/, server/, cli/, wasm/ and web/src outside the games' folders for the
games' ids, their C and TypeScript types, and the names that only games declare.

In C a name counts in a string. In the web client a name of several words counts anywhere; a single word counts only as
the `type` of an action or event, because elsewhere it may be plain English. Exceptions are listed, with their reasons.
"""
import re
import sys
import unittest
from pathlib import Path

SOURCE = Path(sys.argv.pop(1)).resolve()

# (file, name or * for all): reason
ALLOWED = {
    ("cli/solve.c", "*"): "the table of commands of single solvers, which read a notation of their own",
    ("cli/solve_flood_it.c", "*"): "the command of that solver",
    ("cli/solve_boards.h", "*"): "reads the boards of that solver",
    ("cli/solve_answers.c", "*"): "keeps the answers of that solver",
    ("cli/solve_flooded_island.c", "*"): "the command of that solver",
    ("cli/solve_islands.c", "*"): "the command of that solver, for every grid",
    ("cli/solve_flag_war.c", "*"): "the command of that solver",
    ("cli/war_graph.c", "*"): "the positions of that solver",
    ("cli/war_graph.h", "*"): "the positions of that solver",
    ("cli/certificate.c", "*"): "reads the certificates of that solver",
    ("cli/check.c", "*"): "reads the certificates of that solver",
    ("cli/load.c", "orders"): "plain English: what is counted",
    ("cli/play_here.c", "move"): "plain English: one move to go",
    ("web/src/pages/SettingsDialog.svelte", "Flooded Island"): "names the only game that its switch is for",
}
WORDS = {  # names that are also plain English or the web client's own words
    "settings": "of a room, of a page", "rounds": "a flag of GameInfo: does the game have a clock",
    "origin": "of a page, of a request", "actions": "of a request to the engine", "step": "of a lesson",
    "finished": "printed of a file", "random": "a bot that plays any game", "normal": "a bot's level",
    "easy": "a bot's level", "hard": "a bot's level", "done": "of a lesson", "staged": "an outcome of a lesson's step",
    "outcome": "of a lesson's step", "text": "of a request to the engine", "from": "of a game file that is played on",
    "position": "of a lesson", "positions": "counted by perft", "size": "of anything", "kind": "of anything",
    "to": "of anything", "row": "of a table", "rows": "of a table", "n": "a count", "cell": "of a grid",
    "place": "of anything", "lost": "a result", "won": "a result", "playing": "a part in a game",
}


def read(path):
    return path.read_text(encoding="utf-8")


def without_comments(text):
    return re.sub(r"//[^\n]*", "", re.sub(r"/\*.*?\*/|<!--.*?-->", "", text, flags=re.S))


def declared(text):
    """Names of fields, variants and enumerations that a header declares for the wire."""
    patterns = [r"\bF\(S, (?:REQUIRED|OPTIONAL|NULLABLE), [A-Z_]+, *\\?\s*(\w+)", r'\bC\(\w+,\s*\w+,\s*\\?\s*"(\w+)"',
                r'\bE\(\w+,\s*"(\w+)"']
    return {name for pattern in patterns for name in re.findall(pattern, text)}


def games():
    """The folders of the games, and their titles."""
    ids = re.findall(r"^GAME\(bw_(\w+)\)$", read(SOURCE / "games/games.def"), re.M)
    return [game for game in ids if (SOURCE / "games" / game).is_dir()]


class Names(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.games = games()
        headers = {game: "".join(read(path) for path in (SOURCE / "games" / game).glob("*.h")) for game in cls.games}
        shared = "".join(read(path) for folder in ("engine", "rooms") for path in (SOURCE / folder).rglob("*.h"))
        cls.names = set().union(*map(declared, headers.values())) - declared(shared) - set(WORDS)
        cls.cases = {name for text in headers.values() for name in re.findall(r'\bC\(\w+,\s*\w+,\s*\\?\s*"(\w+)"', text)}
        sources = {game: "".join(read(path) for path in (SOURCE / "games" / game).glob("*.c")) for game in cls.games}
        cls.titles = {re.search(r'\.title = "([^"]+)",\s*\n?\s*\.summary', text)[1] for text in sources.values()}
        prefixes = {name.split("_")[1] for text in headers.values() for name in re.findall(r"BW_STRUCT\((bw_\w+),", text)}
        cls.prefixes = prefixes | set(cls.games)

    def found(self, path, hits):
        name = str(path.relative_to(SOURCE))
        return [f"{name}: {hit}" for hit in sorted(hits) if (name, "*") not in ALLOWED and (name, hit) not in ALLOWED]

    def test_there_are_names_to_look_for(self):
        self.assertGreaterEqual(len(self.games), 4)
        self.assertEqual(len(self.titles), len(self.games))
        self.assertLessEqual({"journeyman_position", "max_flood_count", "select_color", "horizon", "torch_turns"}, self.names)
        self.assertLessEqual({"island", "floodit", "dungeon", "war"}, self.prefixes)

    def in_c(self, text):
        text = without_comments(text)
        strings = re.findall(r'"((?:[^"\\\n]|\\.)*)"', re.sub(r"#include[^\n]*", "", text))
        hits = {one for string in strings for one in re.findall(r"\w+", string.replace('\\"', " "))
                if one in self.games or (one in self.names and ("_" in one or string in (one, f'\\"{one}\\"') or f'\\"{one}\\"' in string))}
        hits |= {title for title in self.titles if any(title in string for string in strings)}
        hits |= set(re.findall(r"\b(?:bw|BW)_(?:%s)_\w+" % "|".join(self.prefixes), text, re.I))
        return hits | set(re.findall(r'#include "((?:games|bots)/(?:%s)/[^"]+)"' % "|".join(self.games), text))

    def in_web(self, text):
        text = re.sub(r"<style.*?</style>", "", without_comments(text), flags=re.S)
        hits = {one for one in re.findall(r"\b\w+\b", text) if one in self.games or ("_" in one and one in self.names)}
        hits |= {one for one in re.findall(r"\btype\b[^\n]{0,12}?'(\w+)'", text) if one in self.cases & self.names}
        hits |= {title for title in self.titles if title in text}
        types = "|".join(prefix.capitalize() for prefix in self.prefixes)
        return hits | {name for names in re.findall(r"import type \{([^}]*)\} from '[^']*generated/wire'", text)
                       for name in re.findall(r"\b(?:%s)[A-Z]\w*" % types, names)}

    def test_shared_c_names_no_game(self):
        faults = []
        for folder in ("rooms", "server", "cli", "wasm"):
            for path in sorted((SOURCE / folder).rglob("*.[ch]")):
                if not re.search(r"_test\.c$|/test/|test_help", str(path)):
                    faults += self.found(path, self.in_c(read(path)))
        self.assertEqual(faults, [], "move these into bw_game, bw_solver or bw_words, or say why they are allowed")

    def test_shared_pages_name_no_game(self):
        faults = []
        for path in sorted((SOURCE / "web/src").rglob("*")):
            own = re.search(r"/lib/games/\w+/|/generated/|\.test\.ts$|\.fake\.ts$|fixture", str(path))
            if path.suffix in (".ts", ".svelte") and not own:
                faults += self.found(path, self.in_web(read(path)))
        self.assertEqual(faults, [], "move these into the game's folder, or say why they are allowed")

    def test_a_planted_name_is_found(self):
        for text, hit in [('x(game->id, "flood_it")', "flood_it"), ('field(schema, "max_flood_count")', "max_flood_count"),
                          ('#include "games/flag_war/flag_war.h"', "games/flag_war/flag_war.h"),
                          ("bw_island_view v;", "bw_island_view"), ('"{\\"width\\":4}"', "width")]:
            self.assertIn(hit, self.in_c(text))
        for text, hit in [("state.game === 'flag_war'", "flag_war"), ("state.best_known", "best_known"),
                          ("action.type === 'reset'", "reset"), ("import type { FlooditView } from '../generated/wire'", "FlooditView")]:
            self.assertIn(hit, self.in_web(text))

    def test_every_exception_is_needed(self):
        for name, hit in ALLOWED:
            path = SOURCE / name
            found = (self.in_c if path.suffix in (".c", ".h") else self.in_web)(read(path)) if path.is_file() else set()
            self.assertTrue(found if hit == "*" else hit in found, f"{name}, {hit} is allowed and not there")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v", *sys.argv[1:]])
