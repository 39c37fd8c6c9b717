"""The end of a test script: runs its cases and prints what tools/count-tests reads. Import it as the scripts do."""
import signal
import sys
import unittest

# Under nohup, or after a shell's &, these signals are ignored, also by the programs under test, which inherit this.
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)


def run():
    outcome = unittest.main(module="__main__", exit=False, verbosity=2).result
    bad = len(outcome.failures) + len(outcome.errors)
    print(f"[  PASSED  ] {outcome.testsRun - bad} test(s).")
    for test, _ in outcome.failures + outcome.errors:
        print(f"[  FAILED  ] {test.id()}")
    sys.exit(bad != 0)
