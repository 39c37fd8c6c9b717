/* Golden playthroughs: games that a person can read, compared line by line.
 *
 *   golden check FOLDER    every GAME/golden/NAME.play below FOLDER must play to its NAME.txt, and every
 *                          registered game must have one
 *   golden write FOLDER    rewrites the .txt files; read the difference before you commit it
 *
 * A .play file, one command a line ('#' starts a comment):
 *
 *   game blank 2                 rules version: optional, default the newest
 *   config {"width":2}           settings that differ from the defaults
 *   seats first second           optional, default all
 *   seed 0123...                 64 hexadecimal digits; optional, default zeros
 *   first {"type":"mark",...}    an action, as in game files; "!" before it: must be refused
 *   round                        rounds: plays what was ordered
 *   resign first
 *   random 20                    this many random legal steps
 *   show                         the position in words (also shown at the start and the end) */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/config.h"
#include "engine/sha256.h"
#include "tests/support/any_game.h"

enum { TOKENS = 1 << 12 };

typedef struct player {
    const char *path;
    FILE *out;
    bw_any any;
    const bw_game *game;
    bw_fast fast;
    bool started;
    int faults;
    char text[1 << 17];
    bw_token tokens[TOKENS];
} player;

static void fault(player *p, int line, const char *what) {
    fprintf(stderr, "%s:%d: %s\n", p->path, line, what);
    p->faults++;
}

static void print_json(player *p, const bw_union *u, const void *value) {
    bw_out out = bw_out_to(p->text, sizeof p->text);
    bw_encode_union(&out, u, value);
    fprintf(p->out, "%.*s\n", (int)out.length, p->text);
}

static void show(player *p) {
    void *view = calloc(1, p->game->view->size);
    if (view) {
        p->game->view_of(p->any.match.state, BW_WATCHER, view);
        bw_out text = bw_out_to(p->text, sizeof p->text - 1);
        p->game->text(view, &text);
        p->text[text.length] = '\0';
        for (char *at = p->text; *at;) {
            size_t length = strcspn(at, "\n");
            fprintf(p->out, "    %.*s\n", (int)length, at);
            at += length + (at[length] == '\n');
        }
    }
    free(view);
}

static void print_state(player *p) {
    uint8_t digest[32];
    uint32_t turn = p->game->turn(p->any.match.state);
    bw_sha256_of(p->any.match.state, p->game->state_size, digest);
    fprintf(p->out, "  state %02x%02x%02x%02x%02x%02x%02x%02x, turn %" PRIu32 ", to act:", digest[0], digest[1],
            digest[2], digest[3], digest[4], digest[5], digest[6], digest[7],
            p->game->current_turn(p->any.match.state));
    for (int seat = 0; seat < p->game->role_count; seat++) {
        if (turn >> seat & 1) {
            fprintf(p->out, " %s (%" PRIu32 " legal)", p->game->roles[seat].id,
                    p->game->legal(p->any.match.state, seat, NULL, 0));
        }
    }
    fputs(turn ? "\n" : " nobody\n", p->out);
}

static void print_step(player *p, int seat) {
    fprintf(p->out, "%s ", seat == BW_CLOCK ? "clock" : p->game->roles[seat].id);
    print_json(p, p->game->actions, p->any.played);
    for (uint32_t i = 0; i < p->any.events.count; i++) {
        fputs("  event ", p->out);
        print_json(p, p->game->events, p->any.events.memory + (size_t)i * p->any.events.size);
    }
    print_state(p);
}

static void start(player *p, int line) {
    if (p->started) return;
    p->started = true;
    if (bw_match_start(&p->any.match, p->any.config, p->any.seats, p->any.seed) < 0) {
        fault(p, line, "these settings are refused");
    }
    fprintf(p->out, "game %s, rules version %d\nconfig ", p->game->id, p->game->rules_version);
    bw_out out = bw_out_to(p->text, sizeof p->text);
    bw_encode(&out, p->game->config, p->any.config);
    fprintf(p->out, "%.*s\n", (int)out.length, p->text);
    print_state(p);
    show(p);
}

static bool open_game(player *p, int line, char *rest) {
    char id[40];
    unsigned version = 0;
    int count = sscanf(rest, "%39s %u", id, &version);
    p->game = count == 2 ? bw_game_find_version(id, version) : count == 1 ? bw_game_find(id) : NULL;
    if (!p->game) {
        const bw_game *other = count > 0 ? bw_game_find(id) : NULL;
        char what[160];
        if (other)
            snprintf(what, sizeof what, "%s has no rules version %u here; its newest is %u", id, version,
                     other->rules_version);
        else if (count > 0) snprintf(what, sizeof what, "there is no game \"%s\"", id);
        else snprintf(what, sizeof what, "the first line is: game ID [RULES_VERSION]");
        fault(p, line, what);
    } else {
        bw_any_open(&p->any, p->game);
        memcpy(p->any.config, p->game->defaults, p->game->config->size);
        p->any.seats = (1u << p->game->role_count) - 1;
    }
    return p->game != NULL;
}

static void read_config(player *p, int line, const char *json) {
    bw_doc doc;
    bw_error_text why = {""};
    if (bw_doc_parse(&doc, json, strlen(json), p->tokens, TOKENS, 8, &why) < 0 ||
        bw_config_read(p->game, &doc, 0, p->any.config, NULL, &why) < 0) {
        fault(p, line, why.text);
    }
}

static void read_seats(player *p, int line, char *rest) {
    char *after = NULL;
    p->any.seats = 0;
    for (char *name = strtok_r(rest, " ", &after); name; name = strtok_r(NULL, " ", &after)) {
        int seat = bw_role_find(p->game, name);
        if (seat < 0) fault(p, line, "there is no such seat");
        else p->any.seats |= 1u << seat;
    }
}

static void read_seed(player *p, int line, const char *hex) {
    for (int i = 0; i < 32; i++) {
        unsigned byte;
        if (sscanf(hex + 2 * i, "%2x", &byte) != 1) {
            fault(p, line, "a seed has 64 hexadecimal digits");
            return;
        }
        p->any.seed[i] = (uint8_t)byte;
    }
}

static void play(player *p, int line, int seat, char *json) {
    bool refused_is_right = json[0] == '!';
    bw_doc doc;
    bw_error_text why = {""};
    char *text = json + refused_is_right;
    if (bw_doc_parse(&doc, text, strlen(text), p->tokens, TOKENS, 8, &why) < 0 ||
        bw_decode_union(p->game->actions, &doc, 0, p->any.played, NULL, &why) < 0) {
        fault(p, line, why.text);
        return;
    }
    p->any.events.count = 0;
    bool draft = p->game->flags & BW_GAME_ROUNDS;
    int outcome = draft ? bw_match_submit(&p->any.match, seat, p->any.played, p->any.played, &p->any.events)
                        : bw_match_play(&p->any.match, seat, p->any.played, &p->any.events);
    if ((outcome < 0) != refused_is_right) {
        fault(p, line, outcome < 0 ? bw_refusal(p->game, outcome) : "this should have been refused");
    }
    if (outcome < 0) {
        fprintf(p->out, "%s %s\n  refused: %s\n", p->game->roles[seat].id, text, bw_refusal(p->game, outcome));
    } else if (draft) {
        fprintf(p->out, "%s orders ", p->game->roles[seat].id);
        print_json(p, p->game->actions, p->any.played);
    } else {
        print_step(p, seat);
    }
}

static void command(player *p, int line, char *word, char *rest) {
    int seat = bw_role_find(p->game, word);
    if (strcmp(word, "config") == 0 && !p->started) {
        read_config(p, line, rest);
        return;
    }
    if (strcmp(word, "seats") == 0 && !p->started) {
        read_seats(p, line, rest);
        return;
    }
    if (strcmp(word, "seed") == 0 && !p->started) {
        read_seed(p, line, rest);
        return;
    }
    start(p, line);
    if (strcmp(word, "round") == 0) {
        p->any.events.count = 0;
        bw_match_round(&p->any.match, p->any.played, &p->any.events);
        print_step(p, BW_CLOCK);
    } else if (strcmp(word, "random") == 0) {
        for (long n = strtol(rest, NULL, 10); n > 0; n--) {
            int who = bw_any_step(&p->any, &p->fast);
            if (who == BW_WATCHER) break;
            print_step(p, who);
        }
    } else if (strcmp(word, "resign") == 0 && bw_role_find(p->game, rest) >= 0) {
        p->any.events.count = 0;
        int refusal = bw_match_resign(&p->any.match, bw_role_find(p->game, rest), &p->any.events);
        fprintf(p->out, "%s resigns%s\n", rest, refusal < 0 ? ": refused" : "");
        print_state(p);
    } else if (strcmp(word, "show") == 0) {
        show(p);
    } else if (seat >= 0) {
        play(p, line, seat, rest);
    } else {
        fault(p, line, "there is no such command or role");
    }
}

static void print_end(player *p) {
    show(p);
    if (p->game->turn(p->any.match.state) != 0) return;
    void *stats = calloc(1, p->game->stats->size);
    bw_out out = bw_out_to(p->text, sizeof p->text);
    bw_out_text(&out, "over: winner ");
    bw_encode_winner(&out, p->game, p->game->winners(p->any.match.state));
    bw_out_text(&out, ", stats ");
    if (stats) {
        p->game->stats_of(p->any.match.state, stats);
        bw_encode(&out, p->game->stats, stats);
    }
    fprintf(p->out, "%.*s\n", (int)out.length, p->text);
    free(stats);
}

/* Plays a script into `out`. Returns the number of errors. */
static int play_script(const char *path, FILE *out, const bw_game **game) {
    size_t length;
    char *script = bw_any_read_file(path, &length);
    player *p = calloc(1, sizeof *p);
    int line = 0, faults = 1;
    if (script && p) {
        p->path = path, p->out = out, p->fast.state = 1;
        for (char *at = script; *at;) {
            size_t size = strcspn(at, "\n");
            char *next = at + size + (at[size] == '\n');
            at[size] = 0;
            line++;
            char *space = strchr(at, ' ');
            char *rest = space ? space + 1 : at + size;
            if (*at && *at != '#') {
                if (space) *space = 0;
                if (p->game) {
                    command(p, line, at, rest);
                } else if (strcmp(at, "game") != 0) {
                    fault(p, line, "the first line is: game ID [RULES_VERSION]");
                    break;
                } else if (!open_game(p, line, rest)) {
                    break;
                }
            }
            at = next;
        }
        if (p->game) {
            start(p, line);
            print_end(p);
            bw_any_close(&p->any);
        }
        if (!p->game && !p->faults) fault(p, line, "the first line is: game ID [RULES_VERSION]");
        faults = p->faults;
        *game = p->game;
    }
    free(script);
    free(p);
    return faults;
}

/* ---- folders ---- */

static int compare(const char *path, const char *fresh) {
    size_t length;
    char *kept = bw_any_read_file(path, &length);
    if (!kept) return 1;
    int line = 1, fault_count = strcmp(kept, fresh) != 0;
    for (const char *a = kept, *b = fresh; fault_count; a++, b++) {
        if (*a != *b) {
            while (a > kept && a[-1] != '\n') a--, b--;
            fprintf(stderr, "%s:%d: differs\n  kept:  %.*s\n  fresh: %.*s\n", path, line, (int)strcspn(a, "\n"), a,
                    (int)strcspn(b, "\n"), b);
            break;
        }
        line += *a == '\n';
    }
    free(kept);
    return fault_count;
}

/* Written to a file beside it and renamed, so that the old file stays complete whatever happens. */
static bool replace(const char *path, const char *text, size_t size) {
    char beside[1424];
    snprintf(beside, sizeof beside, "%s.new", path);
    FILE *file = fopen(beside, "wb");
    bool good = file && fwrite(text, 1, size, file) == size;
    if (file && fclose(file) != 0) good = false;
    good = good && rename(beside, path) == 0;
    if (!good) {
        fprintf(stderr, "%s: can't be written\n", path);
        remove(beside);
    }
    return good;
}

static int one_script(const char *play_path, bool write, const bw_game **game) {
    char txt_path[1408], *fresh = NULL;
    size_t size;
    snprintf(txt_path, sizeof txt_path, "%.*s.txt", (int)(strlen(play_path) - 5), play_path);
    FILE *out = open_memstream(&fresh, &size);
    if (!out) return 1;
    int faults = play_script(play_path, out, game);
    fclose(out);
    if (write && faults) {
        fprintf(stderr, "%s: not written, for its play failed\n", txt_path);
    } else if (write) {
        faults += !replace(txt_path, fresh, size);
    } else {
        faults += compare(txt_path, fresh);
    }
    free(fresh);
    return faults;
}

static int in_folder(const char *folder, bool write, bool covered[64]) {
    char path[1400];
    int faults = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        size_t length = strlen(entry->d_name);
        const bw_game *game = NULL;
        if (length < 6 || strcmp(entry->d_name + length - 5, ".play") != 0) continue;
        if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= (int)sizeof path) {
            continue;
        }
        int found = one_script(path, write, &game);
        printf("%s %s\n", found ? "FAILED" : "ok", path);
        faults += found;
        for (int i = 0; i < 64 && bw_game_at(i); i++) covered[i] |= bw_game_at(i) == game;
    }
    if (dir) closedir(dir);
    return faults;
}

int main(int argc, char **argv) {
    bool covered[64] = {false}, write = argc == 3 && strcmp(argv[1], "write") == 0;
    char path[1024];
    int faults = 0;
    if (argc != 3 || (!write && strcmp(argv[1], "check") != 0)) {
        fputs("usage: golden check|write GAMES_FOLDER\n", stderr);
        return 2;
    }
    DIR *dir = opendir(argv[2]);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (entry->d_name[0] != '.' &&
            snprintf(path, sizeof path, "%s/%s/golden", argv[2], entry->d_name) < (int)sizeof path) {
            faults += in_folder(path, write, covered);
        }
    }
    if (dir) closedir(dir);
    for (int i = 0; i < 64 && bw_game_at(i); i++) {
        if (!covered[i]) {
            fprintf(stderr, "%s (rules version %d) has no golden playthrough\n", bw_game_at(i)->id,
                    bw_game_at(i)->rules_version);
            faults++;
        }
    }
    return faults ? 1 : 0;
}
