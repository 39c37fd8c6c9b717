#include "tests/protocol/kill.h"

#include <stdlib.h>
#include <string.h>

#include "engine/registry.h"

/* Small boards and short games, so that many of them end between the kills. */
typedef struct kind {
    const char *game, *settings;
    int people, watchers;
    const char *bot; /* in the last role; NULL: none */
    const char *bot_role;
} kind;

static const kind kinds[] = {
    {"flooded_island", "\"width\":5,\"height\":5", 2, 1, NULL, NULL},
    {"flag_war", "\"width\":7,\"height\":7,\"round_ms\":250,\"max_rounds\":8", 2, 1, NULL, NULL},
    {"monadungeon", "\"deck_size\":8,\"torch_turns\":1", 3, 1, NULL, NULL},
    {"flood_it", "\"rows\":7,\"cols\":7", 1, 1, NULL, NULL},
    {"flooded_island", "\"width\":8,\"height\":8", 2, 0, NULL, NULL},
    {"flag_war", "\"width\":7,\"height\":9,\"round_ms\":250,\"max_rounds\":8", 1, 0, "easy", "red"},
    {"monadungeon", "\"deck_size\":10,\"torch_turns\":1", 2, 0, "easy", "player4"},
    {"flood_it", "\"rows\":10,\"cols\":10,\"move_limit\":\"classic\"", 2, 0, NULL, NULL},
};
const int kill_kinds = sizeof kinds / sizeof kinds[0];

const bw_game *kill_game_of(int index) { return bw_game_find(kinds[index].game); }

kill_table kill_table_of(int index) {
    return (kill_table){.kind = index % kill_kinds,
                        .count = kinds[index % kill_kinds].people + kinds[index % kill_kinds].watchers};
}

int kill_people_of(const kill_table *table) { return kinds[table->kind].people; }

/* ---- sending with an id, kept until it is answered ---- */

static kill_pending *plan(kill_player *p, const char *body) {
    kill_pending *next = &p->pending[p->pending_count++];
    *next = (kill_pending){.id = p->next_id++};
    snprintf(next->text, sizeof next->text, "{\"id\":%d,%s}", next->id, body);
    return next;
}

void kill_set_up(kill_player *first) {
    const kind *of = &kinds[first->table->kind];
    char text[200];
    snprintf(text, sizeof text, "\"type\":\"configure\",%s", of->settings);
    plan(first, text);
    if (of->bot) {
        snprintf(text, sizeof text, "\"type\":\"add_bot\",\"role\":\"%s\",\"level\":\"%s\"", of->bot_role, of->bot);
        plan(first, text);
    }
}

bool kill_probe(kill_player *p) {
    char text[40];
    if (p->seat < 0 || p->pending_count == KILL_PENDING) return false;
    snprintf(text, sizeof text, "\"type\":\"rename\",\"name\":\"%d\"", p->next_id);
    p->probe = plan(p, text)->id;
    return true;
}

bool kill_probe_answered(const kill_player *p) {
    for (int i = 0; i < p->pending_count; i++) {
        if (p->pending[i].id == p->probe) return false;
    }
    return true;
}

void kill_ask_stand_in(kill_player *p, int seat) {
    char text[80];
    if (!p->connected || !p->seated || p->pending_count == KILL_PENDING) return;
    snprintf(text, sizeof text, "\"type\":\"stand_in\",\"role\":\"%s\",\"level\":\"easy\"",
             p->room->game->roles[seat].id);
    kill_pending *asked = plan(p, text);
    asked->sent = asked->tried = asked->may_fail = asked->once = true;
    p->room->stood_in |= 1u << seat;
    p->room->bots_played |= 1u << seat;
    kill_say(p, asked->text);
}

/* ---- choosing moves: as the weakest bot of the game would, from what this client has been shown ---- */

static bool decode(const bw_schema *schema, const json_t *object, void *value) {
    enum { TOKENS = 1 << 14 };
    static bw_token tokens[TOKENS];
    json_t *own = json_object();
    for (int i = 0; i < schema->count; i++) {
        json_t *field = json_object_get(object, schema->fields[i].name);
        if (field) json_object_set(own, schema->fields[i].name, field);
    }
    char *text = json_dumps(own, JSON_COMPACT);
    bw_doc doc;
    bw_error_text why;
    bool good = bw_doc_parse(&doc, text, strlen(text), tokens, TOKENS, 12, &why) > 0 &&
                bw_decode(schema, &doc, 0, value, 0, NULL, &why) == 0;
    free(text);
    json_decref(own);
    return good;
}

/* The members of the action's object, and the flags of its kind. Returns false if no action is legal. */
static bool choose(const kill_player *p, char *body, size_t cap, uint32_t *flags) {
    enum { ARENA = 1 << 26, ACTIONS = 1 << 16, VIEW = 1 << 17 };
    static _Alignas(64) unsigned char arena[ARENA]; /* the weakest bots use little of it */
    static uint64_t actions[ACTIONS / 8], view[VIEW / 8], config[BW_CONFIG_BYTES_MAX / 8];
    const bw_game *game = p->room->game;
    const bw_bot *bot = bw_bot_at(game, 0);
    bw_thinking thinking = {.seed = kill_roll(UINT32_MAX), .effort = 10, .arena = arena, .arena_bytes = ARENA};
    if (game->view->size > sizeof view || game->actions->size * BW_BOT_ACTIONS_MAX > sizeof actions ||
        bot->arena_bytes > ARENA) {
        kill_fail("%s needs more memory than this test provides", game->id);
    }
    if (!decode(game->view, p->state, view) || !decode(game->config, json_object_get(p->state, "config"), config)) {
        kill_fail("room %s: its state cannot be read", p->room->id);
    }
    memset(actions, 0, sizeof actions);
    uint32_t count = bot->choose(bot, game, view, config, p->seat, &thinking, actions, BW_BOT_ACTIONS_MAX);
    if (count == 0) return false;
    const unsigned char *action = (const unsigned char *)actions + game->actions->size * kill_roll(count);
    char text[200];
    bw_out out = bw_out_to(text, sizeof text - 1);
    bw_encode_union(&out, game->actions, action);
    text[out.length - 1] = '\0'; /* without its braces */
    snprintf(body, cap, "%s", text + 1);
    *flags = game->actions->cases[*action].flags;
    return true;
}

static void plan_turn(kill_player *p) {
    char body[200];
    uint32_t flags;
    const char *game = p->room->game->id;
    if (p->prepared && !json_is_null(p->prepared) && kill_roll(2)) {
        plan(p, "\"type\":\"end_turn\"")->is_move = true; /* what was staged some time ago */
    } else if (strcmp(game, "flood_it") == 0 && kill_number(p->state, "move_count") > 0 && kill_roll(10) == 0 &&
               p->table->players[1].seat < 0) {
        plan(p, kill_roll(3)   ? "\"type\":\"undo\""
                : kill_roll(2) ? "\"type\":\"reset\""
                               : "\"type\":\"new_game\"")
            ->is_move = true;
    } else if (choose(p, body, sizeof body, &flags)) {
        bool staged = (flags & BW_ACTION_DRAFT) != 0;
        plan(p, body)->is_move = !staged;
        if (staged && kill_roll(2)) plan(p, "\"type\":\"end_turn\"")->is_move = true;
    }
}

/* Orders for the next round and for some far later ones. */
static void plan_orders(kill_player *p) {
    static const char *const ways[] = {"up", "down", "left", "right"};
    int64_t next = kill_number(p->state, "round") + 1;
    char body[200], round[40];
    uint32_t flags, dice = kill_roll(8);
    kill_pending *order;
    if (json_array_size(p->prepared) > 20 || (dice < 4 && choose(p, body, sizeof body, &flags))) {
        if (json_array_size(p->prepared) > 20) return;
        snprintf(round, sizeof round, ",\"round\":%lld", (long long)next);
        strncat(body, round, sizeof body - strlen(body) - 1);
        order = plan(p, body);
        order->piece = (int)strtol(strstr(body, "\"piece\":") + 8, NULL, 10);
    } else {
        int piece = 1 + (int)kill_roll(3);
        long long ahead = (long long)next + kill_roll(6);
        if (dice == 7) {
            snprintf(body, sizeof body, "\"type\":\"cancel\",\"piece\":%d,\"round\":%lld", piece, ahead);
        } else {
            snprintf(body, sizeof body,
                     "\"type\":\"command\",\"piece\":%d,\"direction\":\"%s\",\"distance\":%d,\"round\":%lld", piece,
                     ways[kill_roll(4)], 1 + (int)kill_roll(3), ahead);
        }
        order = plan(p, body);
        order->piece = piece;
    }
    order->may_fail = true; /* the piece may be in jail, the game over */
}

static bool everybody_is_there(const kill_player *p) {
    const kind *of = &kinds[p->table->kind];
    const char *key;
    json_t *there;
    int count = 0;
    json_object_foreach(json_object_get(p->state, "players"), key, there) count += json_is_true(there);
    return count == of->people;
}

static void plan_something(kill_player *p) {
    const char *status = kill_text(p->state, "game_status"), *turn = kill_text(p->state, "current_role");
    if (strcmp(status, "active") == 0) {
        if (p->room->game->flags & BW_GAME_ROUNDS) {
            plan_orders(p);
        } else if (p->room->game->flags & BW_GAME_OPEN_SEATS && !*turn &&
                   strcmp(kill_text(p->state, "outcome"), "playing") == 0) {
            plan_turn(p); /* a race: every player may move */
        } else if (strcmp(turn, kill_role(p)) == 0) {
            plan_turn(p);
        }
    } else if (p->room->stood_in && !everybody_is_there(p)) { /* or the bot would come along in their place */
    } else if (strcmp(status, "ended") == 0 && !p->asked_rematch) {
        p->asked_rematch = true;
        plan(p,
             p->room->id[strlen(p->room->id) - 1] & 1 ? "\"type\":\"rematch\",\"swap\":true" : "\"type\":\"rematch\"");
    } else if (strcmp(status, "ended") != 0 && p->may_start && everybody_is_there(p)) {
        plan(p, "\"type\":\"start\"")->may_fail = true; /* both players may send it */
    }
}

void kill_act(kill_player *p) {
    if (p->seat < 0 || !p->connected || !p->seated) return;
    if (p->pending_count == 0 && !p->paused && kill_seconds() >= p->rests_until) {
        plan_something(p);
        p->rests_until = kill_seconds() + kill_rest();
    }
    for (int i = 0; i < p->pending_count && !p->paused; i++) {
        if (!p->pending[i].sent) {
            p->pending[i].sent = p->pending[i].tried = true;
            kill_say(p, p->pending[i].text);
        }
    }
}

/* ---- what is staged in secret ---- */

void kill_prepared(kill_player *p, const json_t *you) {
    json_t *now = json_object_get(you, "queue");
    now = now ? now : json_object_get(you, "staged");
    if (now) {
        json_decref(p->prepared);
        p->prepared = json_deep_copy(now);
        p->prepared_seq = p->seq;
    }
}

/* Is an order for that piece in flight, so that nobody knows whether it has arrived? (A late order is for the next
 * round.) */
static bool in_doubt(const kill_player *p, int piece) {
    bool doubt = false;
    for (int i = 0; i < p->pending_count; i++) {
        doubt = doubt || (p->pending[i].sent && p->pending[i].piece == piece);
    }
    return doubt;
}

void kill_round_was_played(kill_player *p, int64_t round) {
    size_t i;
    json_t *entry;
    json_t *left = json_array();
    if (p->seat < 0 || !json_is_array(p->prepared)) {
        json_decref(left);
        return;
    }
    json_array_foreach(p->prepared, i, entry) {
        int piece = (int)kill_number(entry, "piece");
        if (kill_number(entry, "round") > round) {
            json_array_append(left, entry);
        } else if (!in_doubt(p, piece) && p->room->order_count < KILL_ORDERS) {
            const json_t *to = json_object_get(entry, "to");
            p->room->orders[p->room->order_count++] = (kill_order){.round = kill_number(entry, "round"),
                                                                   .seat = p->seat,
                                                                   .piece = piece,
                                                                   .x = (int)kill_number(to, "x"),
                                                                   .y = (int)kill_number(to, "y")};
        }
    }
    json_decref(p->prepared);
    p->prepared = left;
}

static bool holds(const json_t *list, const json_t *wanted) {
    size_t i;
    json_t *entry;
    json_array_foreach(list, i, entry)
        if (json_equal(entry, wanted)) return true;
    return false;
}

static void compare_queues(const kill_player *p, const json_t *queue) {
    size_t i;
    json_t *entry;
    json_array_foreach(p->prepared, i, entry) {
        if (!in_doubt(p, (int)kill_number(entry, "piece")) && !holds(queue, entry)) {
            char *before = json_dumps(p->prepared, JSON_COMPACT), *after = json_dumps(queue, JSON_COMPACT);
            kill_fail("room %s: %s had queued %s, but returns to %s", p->room->id, kill_role(p), before, after);
        }
        kill_did.drafts++;
    }
    json_array_foreach(queue, i, entry)
        if (!in_doubt(p, (int)kill_number(entry, "piece")) && !holds(p->prepared, entry)) {
            char *text = json_dumps(entry, JSON_COMPACT);
            kill_fail("room %s: %s returns to an order that was never given: %s", p->room->id, kill_role(p), text);
        }
}

void kill_has_come_back(kill_player *p, const json_t *state, const json_t *you) {
    bool under_way = false;
    if (p->room->stood_in >> p->seat & 1) { /* what a bot has changed meanwhile is not known, but from now on it is */
        p->room->stood_in &= ~(1u << p->seat);
        json_decref(p->prepared);
        p->prepared = NULL;
    }
    for (int i = 0; i < p->pending_count; i++) under_way = under_way || p->pending[i].sent;
    if (!p->prepared || strcmp(kill_text(state, "game_status"), "active") != 0) return;
    if (json_is_array(p->prepared)) {
        kill_round_was_played(p, kill_number(state, "round"));
        compare_queues(p, json_object_get(you, "queue"));
    } else if (!under_way && p->prepared_seq == p->seq) {
        kill_did.drafts += !json_is_null(p->prepared);
        if (!json_equal(p->prepared, json_object_get(you, "staged"))) {
            kill_fail("room %s: %s had staged something else: %s", p->room->id, kill_role(p), p->c.text);
        }
    }
}
