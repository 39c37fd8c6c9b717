#include "tests/protocol/kill.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *kill_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

int64_t kill_number(const json_t *object, const char *key) { return json_integer_value(json_object_get(object, key)); }

const char *kill_role(const kill_player *p) {
    return p->seat < 0 ? "somebody who looks on" : p->room->game->roles[p->seat].id;
}

/* ---- sending ---- */

void kill_say(kill_player *p, const char *text) { client_send(&p->c, text); }

void kill_connect(kill_player *p) {
    char text[160];
    snprintf(text, sizeof text, "/ws/%s?game=%s", p->room->id, p->room->game->id);
    if (p->c.buffer) client_close(&p->c);
    double until = kill_seconds() + kill_patience();
    while (client_upgrade(&p->c, kill_port(), text, "") != 101) {
        if (!kill_is_cluster() || kill_seconds() > until) kill_fail("room %s: no WebSocket", p->room->id);
        client_close(&p->c);
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    if (p->left_out_of && kill_room_has_role(p->left_out_of, kill_role(p))) {
        kill_fail("room %s: %s was sent a rematch, but gets no seat in it", p->left_out_of->id, kill_role(p));
    }
    p->connected = true;
    p->moved = p->seated = p->clock_known = false;
    json_decref(p->state);
    p->state = NULL;
    if (p->token[0] && p->seq > 0 && kill_roll(2)) {
        snprintf(text, sizeof text, "{\"type\":\"resume\",\"token\":\"%s\",\"since\":%lld}", p->token,
                 (long long)p->seq);
    } else if (p->token[0]) {
        snprintf(text, sizeof text, "{\"type\":\"resume\",\"token\":\"%s\"}", p->token);
    } else if (p->left_out_of) { /* not kept: the answer may be lost, and then it must ask for the seat again */
        snprintf(text, sizeof text, "{\"type\":\"select_role\",\"role\":\"%s\"}", kill_role(p));
    } else {
        return;
    }
    kill_say(p, text);
}

void kill_leave(kill_player *p) {
    if (p->c.buffer) client_close(&p->c);
    json_decref(p->state);
    json_decref(p->prepared);
    p->connected = false;
    p->state = p->prepared = NULL;
}

/* ---- receiving ---- */

/* RFC 7396, except that null is a value and removes nothing. */
static void merge(json_t *into, json_t *changes) {
    const char *key;
    json_t *value;
    json_object_foreach(changes, key, value) {
        json_t *old = json_object_get(into, key);
        if (json_is_object(value) && json_is_object(old)) merge(old, value);
        else json_object_set_new(into, key, json_deep_copy(value));
    }
}

/* Rounds are due at fixed intervals after one instant: no client sees a round early, late or twice. */
static void receive_clock(kill_player *p, const json_t *news, bool round_played) {
    int64_t due = kill_number(news, "next_round_at"), now = kill_number(news, "server_time");
    int64_t interval = kill_number(json_object_get(p->state, "config"), "round_ms");
    if (due == 0) {
        p->clock_known = false;
        return;
    }
    if (due > now + interval + 2) {
        kill_fail("room %s: the next round is due in %lld ms, an interval is %lld", p->room->id, (long long)(due - now),
                  (long long)interval);
    }
    /* After a stall the clock skips whole intervals, with or without a round; on time it skips none. */
    int64_t expected = p->due_ms + (round_played ? interval : 0), off = due - expected;
    bool stalled = p->clock_known && now - p->due_ms >= interval - 2;
    if (stalled && off > 2) {
        kill_did.left_out += off / interval;
        off = (off + 2) % interval - 2;
    }
    if (p->clock_known && (off < -2 || off > 2)) {
        kill_fail("room %s: a round is due at %lld instead of %lld", p->room->id, (long long)due, (long long)expected);
    }
    kill_did.rounds += p->clock_known && round_played;
    p->clock_known = true;
    p->due_ms = due;
}

/* No client receives what another player has staged, or another player's token. */
static void receive_you(kill_player *p, const json_t *message) {
    const json_t *you = json_object_get(message, "you");
    const char *role = kill_text(you, "role"), *token = kill_text(you, "token");
    bool whole = json_object_get(message, "state") != NULL;
    if (!you) return;
    if (*role && strcmp(role, kill_role(p)) != 0) {
        kill_fail("room %s: %s was sent what belongs to %s", p->room->id, kill_role(p), role);
    }
    if (!*role && (*token || json_object_get(you, "staged") || json_object_get(you, "queue"))) {
        kill_fail("room %s: %s has no seat, but was sent a player's secrets", p->room->id, kill_role(p));
    }
    if (whole && *role) {
        if (p->token[0] && strcmp(p->token, token) != 0) {
            kill_fail("room %s: the token of %s has changed", p->room->id, role);
        }
        snprintf(p->token, sizeof p->token, "%s", token);
        if (!p->seated) kill_has_come_back(p, json_object_get(message, "state"), you);
        p->seated = true;
        p->may_start = json_is_true(json_object_get(you, "may_configure"));
    }
    if (*role) kill_prepared(p, you);
}

static void receive_seq(kill_player *p, int64_t seq) {
    if (seq < p->seq) {
        kill_fail("room %s: seq fell from %lld to %lld", p->room->id, (long long)p->seq, (long long)seq);
    }
    p->seq = seq;
}

static void receive_state(kill_player *p, const json_t *message) {
    json_t *state = json_object_get(message, "state");
    bool first = !p->state;
    receive_seq(p, kill_number(message, "seq"));
    json_decref(p->state);
    p->state = json_deep_copy(state);
    receive_you(p, message);
    kill_room_shows(p->room, p->seated ? p->seat : BW_WATCHER, p->seq, state);
    if (p->seated || p->seat < 0) {
        receive_clock(p, state, false);
        kill_room_rests(p->room, p->seat, state);
    }
    /* The end may be read on one player's connection before an earlier moment is read on another's. */
    bool ended = p->room->result && p->seq >= p->room->over_at;
    if (ended && !json_equal(json_object_get(state, "winner"), json_object_get(p->room->result, "winner"))) {
        kill_fail("room %s: the winner differs from the one that was sent", p->room->id);
    }
    if (ended && first && strcmp(kill_text(state, "game_status"), "ended") != 0) {
        kill_fail("room %s: it was over, but now it is %s", p->room->id, kill_text(state, "game_status"));
    }
}

static void receive_update(kill_player *p, const json_t *message) {
    int64_t seq = kill_number(message, "seq");
    json_t *changes = json_object_get(message, "changes"), *events = json_object_get(message, "events");
    kill_did.updates++;
    kill_room_happened(p->room, seq, events);
    if (!p->seated && p->seat >= 0) { /* missed updates come before the whole state */
        kill_did.missed++;
        return;
    }
    receive_seq(p, seq);
    merge(p->state, changes);
    kill_room_shows(p->room, p->seat, seq, p->state);
    if (json_array_size(events) > 0 || json_object_get(changes, "round")) {
        kill_round_was_played(p, kill_number(p->state, "round"));
    }
    receive_you(p, message);
    if (json_object_get(changes, "next_round_at")) {
        receive_clock(p, changes, json_object_get(changes, "round") != NULL);
    }
}

static void drop(kill_player *p, int index) {
    p->pending_count--;
    memmove(&p->pending[index], &p->pending[index + 1], (size_t)(p->pending_count - index) * sizeof p->pending[0]);
}

void kill_drop_once(kill_player *p) {
    for (int i = p->pending_count; i-- > 0;) {
        if (p->pending[i].once) drop(p, i);
    }
}

static int find(const kill_player *p, int64_t id) {
    for (int i = 0; i < p->pending_count; i++) {
        if (p->pending[i].id == id) return i;
    }
    return -1;
}

static void receive_ack(kill_player *p, const json_t *message) {
    int index = find(p, kill_number(message, "id"));
    if (index >= 0 && p->pending[index].is_move && kill_number(message, "seq") > p->seq) {
        kill_fail("room %s: an answer of seq %lld came before its effect", p->room->id,
                  (long long)kill_number(message, "seq"));
    }
    if (index >= 0) {
        kill_did.acked++;
        kill_did.stand_ins += p->pending[index].once;
        p->moves_acked += p->pending[index].is_move;
        drop(p, index);
    }
}

static void receive_error(kill_player *p, const json_t *message) {
    const char *code = kill_text(message, "code");
    int index = find(p, kill_number(message, "id"));
    if (strcmp(code, "paused") == 0) { /* refused for good; later messages may be accepted or refused */
        if (index >= 0) drop(p, index);
        for (int i = 0; i < p->pending_count; i++) p->pending[i].may_fail = true;
        p->paused = true;
    } else if (strcmp(code, "storage") == 0) { /* not stored, or unknown: sending the same id again is safe */
        kill_did.refused++;
        p->rests_until = kill_seconds() + 0.3;
        if (index >= 0) p->pending[index].sent = false;
    } else if (index >= 0 && p->pending[index].may_fail) {
        drop(p, index);
    } else {
        kill_fail("room %s, %s was refused: %s", p->room->id, kill_role(p), p->c.text);
    }
}

/* The next game: this player already has a seat in it. */
static void receive_rematch(kill_player *p, const json_t *message) {
    const char *token = kill_text(message, "token");
    if (p->seat >= 0 && !*token && !p->seated) {
        return; /* that was for a spectator; the seat is being taken back */
    }
    /* A player who is away at the start of a game that does not need all players is left out of it. Such players
     * only come along if they agreed before the others; they choose a seat in the next room themselves. */
    p->left_out_of = p->seat >= 0 && !*token ? p->room : NULL;
    if (*token) {
        for (int i = 0; i < p->room->game->role_count; i++) {
            if (strcmp(p->room->game->roles[i].id, kill_text(message, "role")) == 0) p->seat = i;
        }
        kill_did.rematches++;
    } else if (p->seat >= 0) {
        kill_did.behind++;
    }
    p->room = kill_room_of(kill_text(message, "room_id"), p->room->game);
    snprintf(p->token, sizeof p->token, "%s", token);
    kill_leave(p);
    p->pending_count = p->moves_acked = 0;
    p->next_id = 1;
    p->seq = 0;
    p->asked_rematch = p->paused = p->seated = false;
    p->moved = true;
}

static void hear(kill_player *p) {
    json_t *message = json_loads(p->c.text, 0, NULL);
    const char *type = kill_text(message, "type");
    if (!*type) kill_fail("room %s: not a message: %.200s", p->room->id, p->c.text);
    if (strcmp(type, "room_state") == 0) {
        receive_state(p, message);
    } else if (strcmp(type, "game_update") == 0) {
        receive_update(p, message);
    } else if (strcmp(type, "ack") == 0) {
        receive_ack(p, message);
    } else if (strcmp(type, "error") == 0) {
        receive_error(p, message);
    } else if (strcmp(type, "game_over") == 0) {
        receive_seq(p, kill_number(message, "seq"));
        kill_room_ended(p->room, message);
    } else if (strcmp(type, "rematch") == 0) {
        receive_rematch(p, message);
    }
    json_decref(message);
    if (p->state) p->paused = json_is_true(json_object_get(p->state, "paused"));
}

void kill_listen(kill_player *p) {
    int got = 0;
    while (p->connected && (got = client_receive(&p->c, 0)) > 0) {
        if (got == CLIENT_TEXT) hear(p);
        if (got == CLIENT_CLOSE) got = -1; /* as browsers do: the end of the connection is not waited for */
        if (got < 0) break;
    }
    if (got < 0) p->connected = false;
}
