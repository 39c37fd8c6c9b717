#!/usr/bin/env python3
"""tools/check-layers finds a forbidden include, whichever layer or part it points to: layers_test.py CHECK_LAYERS"""
import os
import subprocess
import sys
import tempfile

# file, what it includes, is it allowed?
CASES = [
    ("engine/a.c", "engine/b.h", True),
    ("engine/a.c", "games/b.h", False),
    ("games/x/a.h", "rooms/hall.h", False),
    ("server/a.c", "rooms/hall.h", True),
    ("rooms/room/a.c", "rooms/room/b.h", True),
    ("rooms/room/a.c", "rooms/view/view.h", False),
    ("rooms/room/a.h", "rooms/hall.h", False),
    ("rooms/room/a.c", "rooms/journal.h", True),
    ("rooms/view/a.c", "rooms/room/room.h", True),
    ("rooms/view/a.c", "rooms/session/session.h", False),
    ("rooms/view/a.c", "rooms/hall/loading.h", False),
    ("rooms/session/a.c", "rooms/view/view.h", True),
    ("rooms/session/a.c", "rooms/hall/loading.h", False),
    ("rooms/session/a.c", "rooms/test/rig.h", False),
    ("rooms/hall/a.c", "rooms/session/session.h", True),
    ("rooms/hall/a.c", "server/shell.h", False),
    ("rooms/journal.h", "rooms/room/room.h", False),
    ("rooms/more.c", "rooms/bytes.h", False),
    ("rooms/room/a_test.c", "rooms/hall.h", True),
    ("rooms/test/rig.c", "rooms/hall.h", True),
]


def holds(check, file, include):
    with tempfile.TemporaryDirectory() as root:
        path = os.path.join(root, file)
        os.makedirs(os.path.dirname(path))
        with open(path, "w", encoding="utf-8") as text:
            text.write(f'#include <stdint.h>\n  #  include "{include}"\n')
        return subprocess.run([sys.executable, check, root], capture_output=True, check=False).returncode == 0


faults = [(file, include) for file, include, allowed in CASES if holds(sys.argv[1], file, include) != allowed]
for fault in faults:
    print("wrongly judged: %s includes %s" % fault)
print(f"{len(CASES) - len(faults)} of {len(CASES)} cases")
sys.exit(1 if faults else 0)
