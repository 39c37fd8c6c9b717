#!/usr/bin/env python3
"""A bot for Flooded Island, as a program: both roles, one step of thought.

    boardwalk arena flooded_island --a "python3 docs/bots/island.py" --b random

A line of JSON comes in for each of its turns, and one action goes out. See docs/PROTOCOL.md, "Bots as programs".
"""
import json
import sys


def neighbours(place, dry):
    """The dry fields beside a place, diagonals too."""
    x, y = place
    around = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
    return [field for field in around if field in dry]


def adventurer(legal, dry):
    """Goes where most dry fields are near, counting those two steps away half."""
    def room(action):
        place = (action["position"]["x"], action["position"]["y"])
        near = neighbours(place, dry)
        return len(near) + sum(len(neighbours(field, dry)) for field in near) / 16

    return max(legal, key=room)


def weather(parts, legal, dry, me):
    """Floods the fields beside the adventurer that lead to most others.

    Three floods have more combinations than a line holds: then `legal` is a sample, and `legal_parts` lists the
    fields that may be flooded, and how many at most.
    """
    if parts:
        fields = parts["flood"]["positions"]["from"]
        most = parts["flood"]["positions"]["most"]
    else:
        fields = [action["positions"][0] for action in legal if len(action["positions"]) == 1]
        most = max(len(action["positions"]) for action in legal)

    def danger(field):
        x, y = field["x"], field["y"]
        beside = max(abs(x - me[0]), abs(y - me[1])) == 1
        return (beside, len(neighbours((x, y), dry)))

    return {"type": "flood", "positions": sorted(fields, key=danger, reverse=True)[:most]}


for line in sys.stdin:
    turn = json.loads(line)
    state, legal = turn["state"], turn["legal"]
    dry = {(x, y) for y, row in enumerate(state["grid"]) for x, field in enumerate(row) if field == "dry"}
    me = (state["journeyman_position"]["x"], state["journeyman_position"]["y"]) if state["journeyman_position"] else (0, 0)
    action = adventurer(legal, dry) if turn["role"] == "journeyman" else weather(turn.get("legal_parts"), legal, dry, me)
    print(json.dumps(action), flush=True)
