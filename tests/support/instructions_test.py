#!/usr/bin/env python3
"""tools/count-instructions finds a slower path, a new one, and a missing one."""
import importlib.machinery
import importlib.util
import sys
import unittest

import report

sys.dont_write_bytecode = True
TOOL = sys.argv.pop(1)
loader = importlib.machinery.SourceFileLoader("tool", TOOL)
tool = importlib.util.module_from_spec(importlib.util.spec_from_loader("tool", loader))
loader.exec_module(tool)


class Compare(unittest.TestCase):
    before = tool.read("# a comment\n      1000  hall: a move\n     20000  rules: a step\n")

    def test_a_line_is_a_number_and_a_name(self):
        self.assertEqual(self.before, {"hall: a move": 1000, "rules: a step": 20000})

    def test_within_five_percent_nothing_fails(self):
        for move in (1, 999, 1000, 1050):
            self.assertEqual(tool.compare({"hall: a move": move, "rules: a step": 20000}, self.before), [])

    def test_a_slower_path_is_named(self):
        wrong = tool.compare({"hall: a move": 1051, "rules: a step": 21001}, self.before)
        self.assertEqual(len(wrong), 2)
        self.assertIn("hall: a move: 1,051 instructions, 5.1% more than 1,000", wrong[0])

    def test_every_path_is_in_both(self):
        wrong = tool.compare({"hall: a move": 1000, "hall: a round": 5}, self.before)
        self.assertEqual(wrong, ["hall: a round is not in paths.counts", "rules: a step is in paths.counts and was not run"])


if __name__ == "__main__":
    report.run()
