/* A seat in a room on a server, from this terminal. What the server sends is kept as JSON (the state, with merge
 * patches applied) and shown as the game's own text.
 *
 * A game of rounds changes all the time, so it prints less: a line for a round in which something happened, and then
 * the board, every few seconds at most. */
#include "cli/phrase.h"
#include "cli/play.h"
#include "cli/ws.h"

#include <jansson.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_BYTES = 4096, SECONDS_A_BOARD = 3 };

typedef struct guest {
    const play_options *options;
    const bw_game *game;
    ws connection;
    json_t *state;
    char role[40]; /* from the server; empty: none yet */
    bool asked;    /* that asks for a role */
    bool over, moved;
    double shown; /* when the board was last shown */
} guest;

/* Prints a sentence of our own. With --json it does not go to stdout, which then contains only JSON. */
static void tell(const guest *g, const char *sentence) {
    if (g->options->json) cli_failed("%s", sentence);
    else cli_print(stdout, "%s\n", sentence);
}

static bool in_rounds(const guest *g) { return g->game->flags & BW_GAME_ROUNDS; }

/* RFC 7396, except that null is a value and removes nothing. */
static void merge(json_t *into, json_t *changes) {
    const char *key;
    json_t *value;
    json_object_foreach(changes, key, value) {
        json_t *old = json_object_get(into, key);
        if (json_is_object(value) && json_is_object(old)) merge(old, value);
        else json_object_set(into, key, value);
    }
}

/* Reads the fields of an object that a schema declares, as its struct. */
static bool decode_own(const bw_schema *schema, const json_t *object, void *value) {
    char *text = json_dumps(object, JSON_COMPACT);
    bw_doc doc;
    bool good = text && cli_json(text, strlen(text), 12, &doc, NULL) &&
                bw_decode(schema, &doc, 0, value, BW_DECODE_OTHERS, NULL, NULL) == 0;
    if (text) free(doc.tokens);
    free(text);
    return good;
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void show(guest *g) {
    g->moved = false;
    g->shown = cli_clock();
    const char *status = text_of(g->state, "game_status");
    if (strcmp(status, "active") == 0 || strcmp(status, "ended") == 0) {
        void *view = cli_memory(g->game->view->size);
        if (decode_own(g->game->view, g->state, view)) play_show(g->game, view);
        free(view);
    }
    const char *turn = text_of(g->state, "current_role");
    if (json_is_true(json_object_get(g->state, "paused"))) {
        puts("Paused: somebody is away.");
    } else if (strcmp(status, "active") == 0 && *turn) {
        printf("%s\n", strcmp(turn, g->role) == 0 ? "Your turn." : "It is the other side's turn.");
    } else if (strcmp(status, "active") != 0) {
        cli_print(stdout, "Room %s: %s.\n", text_of(g->state, "room_id"), status);
    }
}

/* Seconds until the changed board should be shown; negative: it has not changed. */
static double until_show(const guest *g) {
    if (!g->moved || g->options->json) return -1;
    double left = in_rounds(g) && !g->over ? g->shown + SECONDS_A_BOARD - cli_clock() : 0;
    return left > 0 ? left : 0;
}

/* "moved blue-2 from 6,9 to 6,4". */
static void say_event(const guest *g, const json_t *event) {
    char words[LINE_BYTES];
    bw_out out = bw_out_to(words, sizeof words);
    char *text = json_dumps(event, JSON_COMPACT);
    if (text) phrase_tell(g->game->events, text, strlen(text), &out);
    cli_put(stdout, words, out.length, false);
    free(text);
}

static void tell_events(const guest *g, const json_t *changes, const json_t *events) {
    const json_t *event;
    size_t i;
    bool rounds = in_rounds(g);
    json_array_foreach(events, i, event) {
        if (rounds && i == 0) {
            printf("Round %" JSON_INTEGER_FORMAT ": ", json_integer_value(json_object_get(changes, "current_turn")));
        }
        if (!rounds) fputs("  - ", stdout);
        else if (i > 0) fputs("; ", stdout);
        say_event(g, event);
        if (!rounds) putchar('\n');
    }
    if (rounds && i > 0) putchar('\n');
}

/* This seat's drafts. */
static void tell_prepared(const guest *g, const json_t *you) {
    char memory[LINE_BYTES];
    bw_out out = bw_out_to(memory, sizeof memory);
    if (!g->game->draft_text) return;
    void *prepared = cli_memory(g->game->you->size);
    if (decode_own(g->game->you, you, prepared)) {
        g->game->draft_text(prepared, &out);
        cli_print(stdout, "%.*s\n", (int)out.length, memory);
    }
    free(prepared);
}

static void send_json(guest *g, json_t *message) {
    char *text = json_dumps(message, JSON_COMPACT);
    ws_send(&g->connection, text, strlen(text));
    free(text);
    json_decref(message);
}

/* The requested role, else the first free one. */
static void take_seat(guest *g) {
    const char *role = g->options->role;
    json_t *players = json_object_get(g->state, "players"), *bots = json_object_get(g->state, "bots");
    for (int i = 0; !role && i < g->game->role_count; i++) {
        const char *id = g->game->roles[i].id;
        if (!json_is_true(json_object_get(players, id)) && !json_is_string(json_object_get(bots, id))) {
            role = id;
        }
    }
    g->asked = true;
    if (!role) {
        tell(g, "All seats are taken: you are watching.");
        return;
    }
    json_t *message = json_pack("{s:s, s:s, s:b}", "type", "select_role", "role", role, "reserve", 1);
    if (g->options->name) json_object_set_new(message, "name", json_string(g->options->name));
    send_json(g, message);
}

static void on_state(guest *g, const json_t *message) {
    json_t *state = json_object_get(message, "state");
    if (!json_is_object(state)) return;
    if (strcmp(text_of(g->state, "game_status"), text_of(state, "game_status")) != 0) {
        g->shown = 0; /* show it now */
    }
    json_decref(g->state);
    g->state = json_deep_copy(state);
    const bw_game *game = bw_game_find(text_of(state, "game"));
    if (game) g->game = game;
    snprintf(g->role, sizeof g->role, "%s", text_of(json_object_get(message, "you"), "role"));
    if (!g->asked && !*g->role) take_seat(g);
    g->moved = true;
}

static void on_text(void *user, const char *text, size_t length) {
    guest *g = user;
    json_t *message = json_loadb(text, length, 0, NULL);
    const char *type = text_of(message, "type");
    if (!json_is_object(message)) {
        tell(g, "The server sent something that is not a message of this game.");
    } else if (g->options->json) {
        char *line = json_dumps(message, JSON_COMPACT); /* on one line, however the server formatted it */
        if (line) cli_put(stdout, line, strlen(line), false), putchar('\n');
        free(line);
    }
    if (!strcmp(type, "room_state")) {
        on_state(g, message);
    } else if (!strcmp(type, "game_update")) {
        json_t *changes = json_object_get(message, "changes"), *events = json_object_get(message, "events");
        if (json_is_object(changes) && g->state) merge(g->state, changes);
        if (!g->options->json) tell_events(g, changes, events);
        if (!g->options->json && !json_array_size(events)) {
            tell_prepared(g, json_object_get(message, "you"));
        }
        g->moved = g->moved || (in_rounds(g) ? json_array_size(events) : json_object_size(changes)) > 0;
    } else if (!strcmp(type, "game_over")) {
        char *winner = json_dumps(json_object_get(message, "winner"), JSON_ENCODE_ANY);
        if (!g->options->json) {
            cli_print(stdout, "The game is over. Winner: %s. Replay: %s\n",
                      winner && strcmp(winner, "null") ? winner : "nobody", text_of(message, "replay_id"));
        }
        free(winner);
        g->over = true;
    } else if (!strcmp(type, "error") || !strcmp(type, "room_closed")) {
        if (!g->options->json) {
            cli_print(stdout, "%s\n", text_of(message, *type == 'e' ? "message" : "reason"));
        }
    } else if (!strcmp(type, "orders_result")) {
        const char *summary = text_of(message, "summary"), *error = text_of(message, "error");
        bool proposed = json_is_false(json_object_get(message, "understood"));
        if (!g->options->json) {
            cli_print(stdout, "%s%s%s%s\n", proposed && *summary ? "Proposed: " : "", summary,
                      *summary && *error ? " " : "", error);
        }
    } else if (!strcmp(type, "player_disconnected") || !strcmp(type, "player_reconnected")) {
        if (!g->options->json) {
            cli_print(stdout, "%s is %s.\n", text_of(message, "role"), type[7] == 'd' ? "away" : "back");
        }
    }
    json_decref(message);
}

static void room_help(const guest *g) {
    play_help(g->game);
    if (in_rounds(g)) puts("\"show\" shows the board at once.");
    puts("In a room you can also type: start, configure {...}, add_bot ROLE LEVEL, remove_bot ROLE, rematch, or any "
         "message as JSON.");
}

static void print_json(const json_t *state) {
    char *text = json_dumps(state, JSON_COMPACT);
    if (text) cli_print(stdout, "{\"type\":\"room_state\",\"state\":%s}\n", text);
    free(text);
}

/* False: leave. */
static bool act(guest *g, const char *line) {
    char memory[LINE_BYTES];
    char role[40], level[40];
    bw_error_text why = {{0}};
    bw_out json = bw_out_to(memory, sizeof memory);
    if (!*line) return true;
    if (!strcmp(line, "quit")) return false;
    if (!strcmp(line, "help") && !g->options->json) return room_help(g), true;
    if (!strcmp(line, "show")) return g->options->json ? print_json(g->state) : show(g), true;
    if (!strcmp(line, "resign") || !strcmp(line, "start") || !strcmp(line, "rematch")) {
        send_json(g, json_pack("{s:s}", "type", line));
    } else if (sscanf(line, "add_bot %39s %39s", role, level) == 2) {
        send_json(g, json_pack("{s:s, s:s, s:s}", "type", "add_bot", "role", role, "level", level));
    } else if (sscanf(line, "remove_bot %39s", role) == 1) {
        send_json(g, json_pack("{s:s, s:s}", "type", "remove_bot", "role", role));
    } else if (!strncmp(line, "configure ", 10)) {
        json_t *settings = json_loads(line + 10, 0, NULL);
        if (!json_is_object(settings)) {
            tell(g, "Usage: configure {\"SETTING\": VALUE, ...}");
        } else {
            json_object_set_new(settings, "type", json_string("configure")), send_json(g, json_incref(settings));
        }
        json_decref(settings);
    } else if (phrase_read(g->game->actions, line, &json, &why) && !json.overflow) {
        ws_send(&g->connection, memory, json.length);
    } else {
        tell(g, why.text);
    }
    return true;
}

/* Lines are read without stdio, whose buffer would hide input from poll. */
static bool read_lines(guest *g, char *buffer, size_t *used) {
    ssize_t n = read(STDIN_FILENO, buffer + *used, LINE_BYTES - 1 - *used);
    if (n <= 0) return false;
    *used += (size_t)n;
    for (char *newline; (newline = memchr(buffer, '\n', *used)) != NULL;) {
        *newline = '\0';
        buffer[strcspn(buffer, "\r")] = '\0';
        bool stay = act(g, buffer + strspn(buffer, " \t"));
        *used -= (size_t)(newline + 1 - buffer);
        memmove(buffer, newline + 1, *used);
        if (!stay) return false;
    }
    if (*used == LINE_BYTES - 1) *used = 0; /* no line is this long */
    return true;
}

/* "/game/ROOM" or "/ws/ROOM" -> "/ws/ROOM?game=GAME". False with an error text. */
static bool socket_path(const ws_url *url, const char *game, char *path, size_t cap, bw_error_text *why) {
    const char *room = url->path;
    if (!strncmp(room, "/game/", 6)) room += 6;
    else if (!strncmp(room, "/ws/", 4)) room += 4;
    else room = "";
    size_t length = strspn(room, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789");
    if (length < 4 || length > 12) {
        return bw_fail(why, "the address of a room looks like http://host/game/K7QX2M", NULL);
    }
    snprintf(path, cap, "/ws/%.*s?game=%s", (int)length, room, game);
    return true;
}

int play_room(const play_options *options) {
    guest g = {.options = options, .game = options->game};
    bw_error_text why = {{0}};
    ws_url url;
    char path[128], buffer[LINE_BYTES];
    size_t used = 0;
    if (options->level || options->variant || options->config_json || options->save) {
        return cli_wrong("--bot, --variant, --config and --save are for games played here; in a room type add_bot or "
                         "configure.");
    }
    if (!ws_url_parse(&url, options->join, &why) || !socket_path(&url, options->game->id, path, sizeof path, &why)) {
        return cli_wrong("--join: %s.", why.text);
    }
    struct addrinfo *addresses = ws_resolve(&url, &why);
    if (!addresses) return cli_failed("%s.", why.text);
    int status = CLI_OK;
    if (!ws_open(&g.connection, &url, addresses, path, &why)) {
        status = cli_failed("%s.", why.text);
    } else {
        bool connected = true;
        while (connected) {
            struct pollfd fds[2] = {{.fd = g.connection.fd, .events = ws_wants(&g.connection)},
                                    {.fd = STDIN_FILENO, .events = POLLIN}};
            double left = until_show(&g);
            if (poll(fds, 2, left < 0 ? -1 : (int)(left * 1000) + 1) < 0) break;
            connected = ws_pump(&g.connection, on_text, &g, &why);
            if (until_show(&g) == 0) show(&g);
            fflush(stdout);

            if (fds[1].revents && g.connection.status == WS_OPEN && !read_lines(&g, buffer, &used)) {
                break;
            }
        }
        if (!connected && !g.over) status = cli_failed("%s.", why.text);
        ws_close(&g.connection);
        ws_free(&g.connection);
    }
    freeaddrinfo(addresses);
    ws_url_free(&url);
    json_decref(g.state);
    return status;
}
