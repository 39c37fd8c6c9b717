#!/usr/bin/env python3
"""What a client that was written from the protocol's page alone relies on, over the wire: wire_test.py BOARDWALK

Regressions: an answer whose name, code, status or field differs from the page. Every HTTP request, every client message
in every status with valid, missing and invalid fields, and which of several refusals comes first.
"""
import json
import os
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "support"))
import report
import served
import ws

PROGRAM = os.path.abspath(sys.argv.pop(1))
COMMON = ("room_id game rules_version game_status players names bots spectators paused current_role current_turn winner "
          "config created_at started_at ended_at seed_hash").split()
GAMES = {
    "flooded_island": (["journeyman", "weather"],
                       "width height grid_size max_flood_count grid journeyman_position"),
    "flood_it": (["player", "player2"], "rows cols colors grid controlled move_count move_limit par current_color "
                 "controlled_count moves seed undone"),
    "monadungeon": (["player1", "player2"], "tiles players_info turn_number actions_left deck_left rooms_left torches "
                    "awaiting waiting_tile battle dragon"),
    "flag_war": (["blue", "red"], "width height round pieces flags keys zones territory server_time next_round_at "
                 "ready ready_until clock_started_at"),
}
STATS = {
    "flooded_island": "days_survived fields_flooded fields_dried",
    "flood_it": "move_count par best_known proven",
    "monadungeon": "turns points slayer",
    "flag_war": "rounds reason rescues jailed",
}
SEATED = [{"type": "leave_role"}, {"type": "configure"}, {"type": "start"}, {"type": "resign"}, {"type": "rematch"},
          {"type": "rename", "name": "Ann"}, {"type": "ready"}, {"type": "claim"},
          {"type": "react", "reaction": "wave"}]


class Wire(served.Served):
    PROGRAM = PROGRAM

    def ask(self, method, path, body=None, **headers):
        status, text, answer = self.fetch(method, path, json.dumps(body) if isinstance(body, dict) else body, **headers)
        parsed = text and answer.getheader("content-type") == "application/json"
        return status, json.loads(text) if parsed else text.decode(), answer

    def room(self, game, **config):
        status, made, _ = self.ask("POST", "/api/rooms", {"game": game, "config": config})
        self.assertEqual(status, 201, made)
        self.assertEqual(set(made), {"room_id", "game", "url"})
        return made["room_id"]

    def join(self, room, query=""):
        client = ws.Socket(self.port, room, query)
        self.addCleanup(client.close)
        client.wait("room_state")
        return client

    def refused(self, client, code, **message):
        answer = client.ask(**message)
        self.assertEqual((answer["type"], answer.get("code")), ("error", code), (message, answer))
        self.assertGreater(len(answer["message"]), 10)

    def accepted(self, client, **message):
        answer = client.ask(**message)
        self.assertEqual(answer["type"], "ack", (message, answer))

    def seat_of(self, client):
        """The token of a player's seat, and the last seq that was sent."""
        token = [m["you"]["token"] for m in client.seen if m["type"] == "room_state" and m["you"].get("token")][-1]
        return token, max(message["seq"] for message in client.seen if message["type"] in ("room_state", "game_update"))

    def started(self, game, **config):
        room = self.room(game, **config)
        first, second = self.join(room), self.join(room)
        for client, role in zip((first, second), GAMES[game][0]):
            self.accepted(client, type="select_role", role=role)
        self.accepted(first, type="start")
        return room, first, second

    def test_http_answers_with_the_status_and_the_code_of_the_page(self):
        long = '{"game":"flag_war","pad":"' + "x" * 5000 + '"}'
        for method, path, body, status, code in [
                ("POST", "/api/rooms", "{", 400, "bad_json"), ("POST", "/api/rooms", "[]", 400, "bad_message"),
                ("POST", "/api/rooms", {}, 400, "bad_message"),
                ("POST", "/api/rooms", {"game": "chess"}, 404, "no_such_game"),
                ("POST", "/api/rooms", {"game": "flag_war", "config": {"width": 80}}, 400, "bad_message"),
                ("POST", "/api/rooms", {"game": "flag_war", "config": {"width": 8}}, 400, "illegal"),
                ("POST", "/api/rooms", {"game": "flag_war", "size": 8}, 400, "bad_message"),
                ("POST", "/api/rooms", long, 413, "too_large"),
                ("GET", "/api/rooms", None, 405, "not_allowed"), ("PUT", "/api/games", None, 405, "not_allowed"),
                ("GET", "/api/rooms/NOPE", None, 404, "not_found"), ("GET", "/api/rooms/NO", None, 404, "not_found"),
                ("GET", "/api/rooms/NOPE/log", None, 404, "not_found"),
                ("GET", "/api/replays/nope", None, 404, "not_found"), ("GET", "/api/nope", None, 404, "not_found"),
                ("GET", "/a;b", None, 400, "bad_message"), ("GET", "/api/games?x=;", None, 400, "bad_message"),
                ("GET", "/a%01b", None, 400, "bad_message")]:
            with self.subTest(f"{method} {path} {str(body)[:60]}"):
                got, answer, _ = self.ask(method, path, body)
                self.assertEqual((got, answer["type"], answer["code"]), (status, "error", code))
        status, _, answer = self.ask("GET", "/api/games", Origin="http://elsewhere.example")
        self.assertEqual(status, 403)
        status, _, answer = self.ask("GET", "/api/games", Origin="http://localhost:5173")
        self.assertEqual((status, answer.getheader("access-control-allow-origin")), (200, "http://localhost:5173"))
        self.assertIn("frame-ancestors 'none'", answer.getheader("content-security-policy"))
        self.assertEqual(answer.getheader("x-content-type-options"), "nosniff")
        self.assertTrue(answer.getheader("referrer-policy"))
        for path in "/healthz", "/readyz":
            self.assertEqual(self.ask("GET", path)[0], 200)

    def test_games_list_their_settings_and_variants(self):
        games = {game["id"]: game for game in self.ask("GET", "/api/games")[1]}
        self.assertLessEqual(set(GAMES), set(games))
        for name, game in games.items():
            self.assertLessEqual({"id", "title", "roles", "config", "bot_levels", "rules_version", "variants"}, set(game))
            for variant in game["variants"]:
                self.assertEqual(set(variant), {"id", "title", "summary", "minutes", "config"})
                self.room(name, **variant["config"])
        firsts = {name: games[name]["variants"][0]["id"] for name in GAMES}
        self.assertEqual(firsts, {"flooded_island": "month", "flood_it": "normal", "monadungeon": "short",
                                  "flag_war": "march"})

    def test_the_state_has_the_fields_of_the_page_in_every_status(self):
        for game, (roles, own) in GAMES.items():
            with self.subTest(game):
                room, first, _ = self.started(game)
                states = [message["state"] for message in first.seen if message["type"] == "room_state"]
                states.append(self.ask("GET", "/api/rooms/" + room.lower())[1])
                for state in states:
                    self.assertLessEqual(set(COMMON + own.split()), set(state))
                self.assertEqual(states[0]["game_status"], "waiting")
                self.assertEqual(states[-1]["game_status"], "active")

    def test_the_end_sends_statistics_and_stops_the_clock(self):
        for game in GAMES:
            with self.subTest(game):
                room, first, second = self.started(game)
                self.accepted(second, type="resign")
                if game in ("flood_it", "monadungeon"):
                    self.accepted(first, type="resign")
                over = next((message for message in first.seen if message["type"] == "game_over"), None)
                over = over or first.wait("game_over")
                self.assertEqual(set(over), {"type", "seq", "winner", "stats", "seed", "replay_id"})
                self.assertLessEqual(set(STATS[game].split()), set(over["stats"]))
                self.assertEqual(self.ask("GET", "/api/replays/" + over["replay_id"])[0], 200)
                for message in first.seen:
                    changes = message.get("changes", {})
                    if changes.get("game_status") == "ended":
                        self.assertIsNone(changes.get("next_round_at"))
                self.refused(first, "wrong_status", type="resign")
                self.refused(first, "wrong_status", type="claim")
                self.refused(first, "wrong_status", type="start")

    def test_refusals_come_in_the_order_of_the_page(self):
        for game, (roles, _) in GAMES.items():
            with self.subTest(game):
                client = self.join(self.room(game))
                self.refused(client, "unknown_type", type="nope")
                self.refused(client, "unknown_type", type="round")
                for message in SEATED:
                    self.refused(client, "no_seat", **message)
                    self.refused(client, "bad_message", **message, nonsense=1)
                self.refused(client, "bad_message", type="react", reaction="shrug")
                self.refused(client, "bad_message", type="stand_in", role=roles[1], level="godlike")
                self.refused(client, "bad_message", type="add_bot", role=roles[1])
                self.refused(client, "bad_message", type="select_role", role="nobody")
                self.refused(client, "bad_message", type="select_role", role=roles[0], name="x" * 25)
                self.refused(client, "bad_message", type="select_role", role=roles[0], name="a\u0007b")
                self.refused(client, "no_seat", type="resume", token="0" * 32)

    def test_a_seat_may_do_what_the_page_says_before_the_start(self):
        for game, (roles, _) in GAMES.items():
            with self.subTest(game):
                room = self.room(game)
                client, other = self.join(room), self.join(room)
                self.accepted(client, type="select_role", role=roles[0], name=" \u200b ")  # nothing visible: no name
                self.assertNotIn(roles[0], self.ask("GET", "/api/rooms/" + room)[1]["names"])
                self.refused(other, "role_taken", type="select_role", role=roles[0])
                self.refused(client, "not_allowed", type="select_role", role=roles[1])
                self.accepted(client, type="rename", name="Ann")
                self.accepted(client, type="react", reaction="heart")
                self.refused(client, "rate_limited", type="react", reaction="heart")
                self.assertEqual(other.wait("react")["role"], roles[0])
                for early in "resign", "rematch", "claim":
                    self.refused(client, "wrong_status", type=early)
                self.refused(client, "wrong_status", type="stand_in", role=roles[1], level="easy")
                self.refused(client, "wrong_status" if game == "flag_war" else "not_allowed", type="ready")
                self.accepted(client, type="add_bot", role=roles[1], level="easy")
                self.refused(client, "role_taken", type="add_bot", role=roles[0], level="easy")
                self.accepted(client, type="remove_bot", role=roles[1])

    def test_the_new_messages_in_a_running_game(self):
        room, blue, red = self.started("flag_war", ready_ms=60000)
        state = self.ask("GET", "/api/rooms/" + room)[1]
        self.assertIsNone(state["clock_started_at"])
        self.assertEqual((state["ready"], state["next_round_at"]), ({"blue": False, "red": False}, None))
        self.assertGreater(state["ready_until"], state["started_at"])
        self.accepted(blue, type="ready")
        self.accepted(red, type="command", piece=1, direction="down", distance=1)  # an order counts as ready
        state = self.ask("GET", "/api/rooms/" + room)[1]
        self.assertEqual((state["ready"], state["ready_until"]), ({"blue": True, "red": True}, None))
        self.assertIsNotNone(state["clock_started_at"])
        self.refused(blue, "not_allowed", type="claim")
        self.refused(blue, "not_allowed", type="stand_in", role="red", level="easy")
        self.accepted(blue, type="rename", name="Ann")

    def test_only_unanswerable_messages_end_the_connection(self):
        room = self.room("flood_it")
        for opcode, payload, code in [(2, b"{}", 1003), (1, b"\xff", 1007), (3, b"", 1002), (1, b"x" * 70000, 1009),
                                      (8, b"\x03\xe8bye", 1000), (8, b"", None)]:
            with self.subTest(f"{opcode} {payload[:8]}"):
                self.assertEqual(self.join(room).closed(opcode, payload)[0], code)
        flood = self.join(room)
        for _ in range(300):
            flood.send(type="ping", t=1)
        self.assertEqual(flood.closed(), (1008, "rate_limited"))
        self.assertIn("rate_limited", [message.get("code") for message in flood.seen])
        nowhere = ws.Socket(self.port, "NEWROOM", "?game=chess")
        self.addCleanup(nowhere.close)
        self.assertEqual(nowhere.closed(), (1008, "no_such_game"))
        self.assertEqual(nowhere.seen[-1]["code"], "no_such_game")
        for path in "abc", "ABCDEFGHIJKLM", "AB_C", "":
            with self.assertRaisesRegex(ConnectionError, '^HTTP/1.1 404'):
                ws.Socket(self.port, path)

    def test_a_returning_player_gets_only_what_was_missed(self):
        room, first, second = self.started("flag_war", ready_ms=60000)
        token, seen = self.seat_of(first)
        first.close()
        self.accepted(second, type="rename", name="Ann")
        for since in seen, None, 10 ** 6:  # missed updates; the whole state; a number that never existed
            with self.subTest(since):
                back = self.join(room)
                back.seen.clear()
                self.accepted(back, type="resume", token=token, **({} if since is None else {"since": since}))
                sent = [message for message in back.seen if message["type"] in ("room_state", "game_update")]
                self.assertEqual(sent[-1]["type"], "room_state")
                self.assertEqual((sent[-1]["you"]["role"], sent[-1]["state"]["names"].get("red")), ("blue", "Ann"))
                self.assertEqual([m["seq"] for m in sent], sorted(m["seq"] for m in sent))
                back.close()

    def test_missed_moves_arrive_as_updates(self):
        room, mine, other = self.started("flood_it")
        state = self.ask("GET", "/api/rooms/" + room)[1]
        while other.seen[-1].get("state", {}).get("game_status") != "active":
            other.wait("room_state")
        token, seen = self.seat_of(other)
        color = next(c for i, c in enumerate(state["colors"]) if state["current_color"] not in (i, c))
        self.accepted(mine, type="select_color", color=color)
        other.close()
        mine.wait("player_disconnected")
        back = self.join(room)
        back.seen.clear()
        self.accepted(back, type="resume", token=token, since=seen)
        missed = [message for message in back.seen if message["type"] == "game_update" and message["events"]]
        self.assertEqual([event["type"] for message in missed for event in message["events"]][:1], ["colored"])
        self.assertTrue(all(message["seq"] > seen for message in missed))

    def test_the_result_of_orders_in_words_goes_only_to_the_sender(self):
        _, blue, red = self.started("flag_war", ready_ms=60000)
        self.accepted(blue, type="orders", text="piece 1 right 1", suggest=True)
        result = next((m for m in blue.seen if m["type"] == "orders_result"), None) or blue.wait("orders_result")
        self.assertLessEqual({"type", "round", "commands", "summary", "understood", "by", "error"}, set(result))
        self.assertEqual((result["by"], result["understood"], result["error"]), ("interpreter", True, None))
        self.assertEqual([order["piece"] for order in result["commands"]], [1])
        self.refused(red, "bad_message", type="orders")
        self.assertNotIn("orders_result", [message["type"] for message in red.seen])

    def test_metrics_have_the_names_of_the_page(self):
        text = self.ask("GET", "/metrics")[1]
        for name in ('boardwalk_connections ', 'boardwalk_rooms{status="active"}', 'boardwalk_rooms_in_memory ',
                     'boardwalk_moves_total ', 'boardwalk_refusals_total{code="not_found"}',
                     'boardwalk_commit_seconds_bucket{', 'boardwalk_round_lateness_seconds_bucket{',
                     'boardwalk_requests ', 'boardwalk_answer_bytes ', 'boardwalk_bad_requests_total ',
                     'process_resident_memory_bytes '):
            self.assertIn("\n" + name, text)


if __name__ == "__main__":
    report.run()
