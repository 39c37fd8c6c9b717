#!/usr/bin/env python3
"""tools/check-budget finds what is too large, and a line that fits no file: budget_test.py CHECK_BUDGET"""
import subprocess
import sys
import tempfile
from pathlib import Path

HTML = '<script src="/assets/index-AbCd1234.js"></script><link href="/assets/index-Zz_9-9zz.css">'
# the lines of a budget, and what is said of them: None if all is well
CASES = [
    ("first_page 1000", None),
    ("first_page 30", "first_page:"),
    ("fonts 500 soft-*.woff2", None),
    ("fonts 499 soft-*.woff2", "fonts:"),
    ("# a comment\n\nboard 100 board.js board.css", None),
    ("board 20 board.js board.css", "board:"),
    ("board 100 gone.js", "there is no such file"),
    ("first_page 30\nboard 20 board.js", "board:"),
]


def said(check, budget):
    with tempfile.TemporaryDirectory() as root:
        assets = Path(root) / "pages" / "assets"
        assets.mkdir(parents=True)
        (assets.parent / "index.html").write_text(HTML)
        for name in ("index-AbCd1234.js", "index-Zz_9-9zz.css", "board-00000000.js", "board-11111111.css"):
            (assets / name).write_text("x" * 5000)
        (assets / "board-00000000.js.br").write_bytes(bytes(5000))  # a copy, not a file more
        (assets / "soft-AAAAAAAA.woff2").write_bytes(bytes(500))
        lines = Path(root) / "budget"
        lines.write_text(budget + "\n")
        ran = subprocess.run([sys.executable, check, assets.parent, lines], capture_output=True, text=True, check=False)
        return ran.stderr if ran.returncode else None


def main():
    wrong = []
    for budget, expected in CASES:
        answer = said(sys.argv[1], budget)
        if (answer is None) != (expected is None) or (expected and expected not in answer):
            wrong.append(f"{budget!r}: {answer!r} instead of {expected!r}")
    print("\n".join(wrong) or f"{len(CASES)} budgets, as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
