/* A game in this terminal, with people and bots. */
#include "cli/phrase.h"
#include "cli/play.h"
#include "cli/player.h"
#include "cli/progress.h"
#include "cli/recorder.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LISTED = 30, LINE_BYTES = 4096, TOKENS = 2048 };

typedef struct table {
    const play_options *options;
    const bw_game *game;
    bw_match match;
    uint32_t people; /* seats that are played here */
    player bot;
    recorder record;
    double begun;
    void *view, *action, *played;
    bw_events events;
    unsigned char *legal;
    uint32_t legal_count, legal_cap;
    uint64_t moves;
    uint8_t seed[32];
    int failed; /* the exit status if a bot failed; 0: none did */
} table;

static void show(table *t, int seat) {
    t->game->view_of(t->match.state, seat, t->view);
    if (!t->options->json) {
        play_show(t->game, t->view);
        return;
    }
    bw_out out = cli_out(1 << 16);
    do {
        bw_out_text(&out, "{\"role\":");
        bw_out_string(&out, seat >= 0 ? t->game->roles[seat].id : NULL);
        bw_out_format(&out, ",\"current_turn\":%u,\"state\":", t->game->current_turn(t->match.state));
        bw_encode(&out, t->game->view, t->view);
        bw_out_text(&out, "}");
    } while (cli_grow(&out));
    cli_print(stdout, "%.*s\n", (int)out.length, out.at);
    free(out.at);
}

static void tell_events(table *t) {
    char memory[4096], words[4096];
    for (uint32_t i = 0; i < t->events.count && !t->options->json; i++) {
        bw_out json = bw_out_to(memory, sizeof memory), out = bw_out_to(words, sizeof words);
        bw_encode_union(&json, t->game->events, t->events.memory + (size_t)i * t->events.size);
        phrase_tell(t->game->events, memory, json.length, &out);
        cli_print(stdout, "  - %.*s\n", (int)out.length, words);
    }
    t->events.count = 0;
}

static void record(table *t, int seat, const void *action) {
    t->moves++;
    recorder_add(&t->record, &t->match, (int64_t)((cli_clock() - t->begun) * 1000), seat, action);
}

/* In columns, as they would be typed. A long list is shown only on request. */
static void print_legal(const table *t, bool all) {
    enum { COLUMNS = 80 };
    int column = 0;
    if (!all && t->legal_count > LISTED) {
        printf("%u actions are legal: \"list\" shows them, \"help\" explains how to type them.\n", t->legal_count);
        return;
    }
    for (uint32_t i = 0; i < t->legal_count; i++) {
        char words[256], entry[300];
        phrase_write(t->game->actions, t->legal + (size_t)i * t->game->actions->size, words, sizeof words);
        int width = snprintf(entry, sizeof entry, "%3u %-15s ", i + 1, words);
        if (column && column + width > COLUMNS) putchar('\n'), column = 0;
        fputs(entry, stdout);
        column += width;
    }
    if (column) putchar('\n');
}

/* Parses the line to t->action. */
static bool read_action(table *t, const char *line) {
    static const char *const also[] = {"type", NULL};
    int64_t number;
    if (cli_whole(line, 1, UINT32_MAX, &number)) {
        if (number > t->legal_count) {
            return printf("There are %u actions in the list.\n", t->legal_count), false;
        }
        memcpy(t->action, t->legal + (size_t)(number - 1) * t->game->actions->size, t->game->actions->size);
        return true;
    }
    char memory[LINE_BYTES];
    bw_out json = bw_out_to(memory, sizeof memory);
    bw_token tokens[TOKENS];
    bw_error_text why = {{0}};
    bw_doc doc;
    int error = -1;
    if (phrase_read(t->game->actions, line, &json, &why) && !json.overflow &&
        bw_doc_parse(&doc, memory, json.length, tokens, TOKENS, 8, &why) > 0) {
        error = bw_decode_union(t->game->actions, &doc, 0, t->action, also, &why);
        if (error == BW_JSON_UNKNOWN_TYPE) {
            bw_fail(&why, "There is no such action; \"help\" lists them.", NULL);
        }
    }
    if (error) cli_print(stdout, "%s\n", why.text);
    return error == 0;
}

/* Gives the orders in a text. */
static void order_in_words(table *t, int seat) {
    const bw_words *words = bw_words_find(t->game);
    if (!words) {
        puts("This game does not accept orders as text.");
        return;
    }
    unsigned char actions[16 * 1024];
    uint32_t cap = (uint32_t)(sizeof actions / t->game->actions->size);
    bw_words_answer answer = {0};
    bw_words_asked asked = words->asked_by(t->action);
    void *you = cli_memory(t->game->you->size);
    t->game->show_draft(t->match.state, seat, bw_match_draft(&t->match, seat), you);
    words->read(t->view, t->match.config, seat, you, &asked, actions, cap < 64 ? cap : 64, &answer);
    free(you);
    bool given = answer.understood && !asked.suggest;
    for (uint32_t i = 0; i < answer.count && given; i++) {
        bw_match_submit(&t->match, seat, actions + (size_t)i * t->game->actions->size, t->played, NULL);
    }
    if (answer.summary[0]) printf("%s%s\n", given ? "" : "Proposed: ", answer.summary);
    if (answer.error[0]) cli_print(stdout, "%s\n", answer.error);
}

static bool has_hints(const bw_game *game) {
    const bw_solver *solver = bw_solver_find(game);
    return solver && solver->hint;
}

/* The next move of the best known solution, if the game has a solver. */
static void hint(const table *t) {
    enum { ARENA_BYTES = 256 << 20, EFFORT = 1000 };
    if (!has_hints(t->game)) {
        puts("This game has no solver that gives hints.");
        return;
    }
    char memory[512];
    bw_hint found;
    bw_thinking thinking = {.effort = EFFORT, .arena = cli_memory(ARENA_BYTES), .arena_bytes = ARENA_BYTES};
    const char *trouble = bw_solver_find(t->game)->hint(t->view, &thinking, t->action, &found);
    free(thinking.arena);
    if (trouble) {
        printf("%s\n", trouble);
        return;
    }
    if (t->options->json) {
        bw_out out = bw_out_to(memory, sizeof memory);
        bw_encode_union(&out, t->game->actions, t->action);
        printf("{\"hint\":{\"action\":%.*s,\"moves_left\":%u,\"proven\":%s,\"hopeless\":%s}}\n", (int)out.length,
               out.at, found.moves_left, found.proven ? "true" : "false", found.hopeless ? "true" : "false");
        return;
    }
    phrase_write(t->game->actions, t->action, memory, sizeof memory);
    printf("Hint: %s. %u %s to go, %s.%s\n", memory, found.moves_left, found.moves_left == 1 ? "move" : "moves",
           found.proven ? "proven optimal" : "best known",
           found.hopeless ? " No solution fits in the moves that are left." : "");
}

typedef enum said { SAID_NOTHING, SAID_PLAYED, SAID_DONE, SAID_QUIT } said;

static said act(table *t, int seat, const char *line) {
    const bw_game *game = t->game;
    bool rounds = game->flags & BW_GAME_ROUNDS;
    if (!*line) return rounds ? SAID_DONE : SAID_NOTHING;
    if (!strcmp(line, "quit")) return SAID_QUIT;
    if (!strcmp(line, "help")) {
        play_help(game);
        if (has_hints(game)) puts("  hint                               the next move of the best known solution");
        return SAID_NOTHING;
    }
    if (!strcmp(line, "hint")) return hint(t), SAID_NOTHING;
    if (!strcmp(line, "show")) return show(t, seat), SAID_NOTHING;
    if (!strcmp(line, "list")) return print_legal(t, true), SAID_NOTHING;
    if (!strcmp(line, "resign")) {
        int refusal = game->resign ? bw_match_resign(&t->match, seat, &t->events) : 0;
        if (!game->resign) {
            return puts("This game cannot be resigned; \"quit\" ends it."), SAID_NOTHING;
        }
        if (refusal) return printf("%s\n", bw_refusal(game, refusal)), SAID_NOTHING;
        record(t, seat, NULL);
        return SAID_PLAYED;
    }
    if (!read_action(t, line)) return SAID_NOTHING;
    uint32_t flags = game->actions->cases[*(const uint8_t *)t->action].flags;
    if (flags & BW_ACTION_WORDS) return order_in_words(t, seat), SAID_NOTHING;
    if (flags & BW_ACTION_CLOCK) return puts("Only the clock plays that."), SAID_NOTHING;
    /* A staged move is played at once: nothing is hidden at one terminal. */
    bool submit = rounds || flags & BW_ACTION_COMMIT;
    int outcome = submit ? bw_match_submit(&t->match, seat, t->action, t->played, &t->events)
                         : bw_match_play(&t->match, seat, t->action, &t->events);
    if (outcome < 0) return printf("%s\n", bw_refusal(game, outcome)), SAID_NOTHING;
    if (rounds) return puts("Ordered. An empty line plays the round."), SAID_NOTHING;
    record(t, seat, submit ? t->played : t->action);
    return SAID_PLAYED;
}

static said ask(table *t, int seat) {
    char memory[LINE_BYTES];
    bool terminal = isatty(STDIN_FILENO) && !t->options->json;
    t->legal_count = cli_legal(&t->match, seat, &t->legal, &t->legal_cap);
    show(t, seat);
    if (!t->options->json && !(t->game->flags & BW_GAME_ROUNDS)) print_legal(t, false);
    for (;;) {
        if (terminal) printf("%s> ", t->game->roles[seat].id);
        fflush(stdout);
        const char *line = play_line(memory, sizeof memory);
        if (!line) return SAID_QUIT;
        said s = act(t, seat, line);
        if (s != SAID_NOTHING) return s;
    }
}

static bool ask_bot(table *t, int seat) {
    bw_error_text why = {{0}};
    uint64_t seed;
    memcpy(&seed, t->seed, sizeof seed);
    seed += t->moves * BW_SEATS_MAX + (uint64_t)seat;
    bool rounds = t->game->flags & BW_GAME_ROUNDS;
    if (!player_play(&t->bot, &t->match, seat, seed, t->played, &t->events, &why)) {
        t->failed = player_never_started(&t->bot) ? CLI_USAGE : CLI_NO;
        if (!progress_interrupted()) {
            cli_failed("the bot %s, as %s: %s", t->bot.name, t->game->roles[seat].id, why.text);
        }
        return false;
    }
    if (!rounds) record(t, seat, t->bot.actions);
    if (!rounds && !t->options->json) printf("\n%s:\n", t->game->roles[seat].title);
    return true;
}

/* True: the game continues. */
static bool round_or_turn(table *t, uint32_t turn, int *last) {
    const bw_game *game = t->game;
    if (game->flags & BW_GAME_ROUNDS) {
        for (int seat = 0; seat < game->role_count; seat++) {
            if (!(turn >> seat & 1)) continue;
            if (t->people >> seat & 1) {
                said s = ask(t, seat);
                if (s == SAID_QUIT) return false;
                if (s == SAID_PLAYED) return true; /* resigned */
            } else if (!ask_bot(t, seat)) {
                return false;
            }
        }
        bw_match_round(&t->match, t->played, &t->events);
        record(t, BW_CLOCK, t->played);
    } else {
        do {
            *last = (*last + 1) % game->role_count;
        } while (!(turn >> *last & 1));
        if (t->people >> *last & 1) {
            if (ask(t, *last) == SAID_QUIT) return false;
        } else if (!ask_bot(t, *last)) {
            return false;
        }
    }
    tell_events(t);
    return true;
}

static void finish(table *t) {
    const bw_game *game = t->game;
    char memory[4096];
    bw_out out = bw_out_to(memory, sizeof memory);
    void *stats = cli_memory(game->stats->size);
    uint32_t winners = game->winners(t->match.state);
    show(t, BW_WATCHER);
    game->stats_of(t->match.state, stats);
    bw_out_text(&out, t->options->json ? "{\"winner\":" : "Winner: ");
    if (winners || t->options->json) bw_encode_winner(&out, game, winners);
    else bw_out_text(&out, "nobody");
    bw_out_text(&out, t->options->json ? ",\"stats\":" : "\n");
    bw_encode(&out, game->stats, stats);
    if (t->options->json) bw_out_text(&out, "}");
    cli_print(stdout, "%.*s\n", (int)out.length, memory);
    free(stats);
}

/* Assigns the seats. False after an error message. */
static bool seat_people(table *t, uint32_t *seats) {
    const play_options *o = t->options;
    const bw_game *game = t->game;
    bool open = game->flags & BW_GAME_OPEN_SEATS;
    int64_t count = o->seats;
    /* Open seats: alone, or against one bot. */
    if (!count) {
        count = !open ? game->role_count : o->level && game->seats_min < 2 ? 2 : game->seats_min;
    }
    if (count > game->role_count || count < game->seats_min || (!open && count != game->role_count)) {
        return cli_wrong("%s takes %u to %u players.", game->id, game->seats_min, game->role_count), false;
    }
    int mine = o->role ? bw_role_find(game, o->role) : 0;
    *seats = (1u << count) - 1;
    if (!(*seats >> mine & 1)) *seats = (*seats >> 1) | 1u << mine;
    t->people = o->level ? 1u << mine : *seats;
    if (!o->level && o->role && count > 1) {
        return cli_wrong("--as %s leaves the other roles open: --bot LEVEL fills them.", o->role), false;
    }
    return true;
}

int play_here(const play_options *options) {
    table t = {.options = options, .game = options->game};
    const bw_game *game = options->game;
    void *config = cli_config(game, options->variant, options->config_json);
    uint32_t seats;
    if (!config) return CLI_USAGE;
    if (!seat_people(&t, &seats)) return free(config), CLI_USAGE;
    if (options->save && !recorder_can_save(options->save)) return free(config), CLI_USAGE;
    signal(SIGPIPE, SIG_IGN);
    if (options->level && !player_open(&t.bot, game, options->level, 10000)) {
        return free(config), CLI_USAGE;
    }
    if (options->seed >= 0) cli_seed((uint64_t)options->seed, t.seed);
    else cli_random(t.seed);
    void *block = cli_memory(bw_match_bytes(game));
    t.view = cli_memory(game->view->size);
    t.action = cli_memory(game->actions->size);
    t.played = cli_memory(game->actions->size);
    t.events = (bw_events){.size = game->events->size, .cap = game->max_events};
    t.events.memory = cli_memory((size_t)game->max_events * game->events->size);
    bw_match_attach(&t.match, game, block);
    bw_match_start(&t.match, config, seats, t.seed);
    const char *bots[BW_SEATS_MAX] = {0};
    for (int seat = 0; seat < game->role_count; seat++) {
        if (seats >> seat & 1 && !(t.people >> seat & 1)) bots[seat] = options->level;
    }
    recorder_start(&t.record, &t.match, NULL, bots, (int64_t)time(NULL) * 1000);
    t.begun = cli_clock();
    if (!options->json) {
        printf("%s. \"help\" explains what to type, \"quit\" ends the game.\n", game->title);
    }

    uint32_t turn;
    int last = game->role_count - 1;
    bool going = true;
    progress keeping = {0}; /* Ctrl-C ends a game that will be saved, like the end of the input does */
    if (options->save) keeping = progress_begin();
    while (going && !progress_interrupted() && (turn = game->turn(t.match.state)) != 0) {
        going = round_or_turn(&t, turn, &last);
    }
    int status = t.failed;
    if (game->turn(t.match.state) == 0) {
        finish(&t);
        recorder_finish(&t.record, &t.match, (int64_t)time(NULL) * 1000);
    }
    if (options->save) progress_end(&keeping);
    if (options->save && !recorder_save(&t.record, options->save)) {
        status = CLI_NO;
    } else if (progress_interrupted()) {
        status = cli_failed("interrupted: the game so far is in %s.", options->save);
    }
    if (options->level) player_close(&t.bot);
    recorder_free(&t.record);
    free(block), free(config), free(t.view), free(t.action), free(t.played), free(t.events.memory), free(t.legal);
    return status;
}
