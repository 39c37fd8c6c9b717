#include "cli/player.h"

#include "bots/random.h"
#include "bots/search/search.h"
#include "cli/turn.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEVELS = 16 };

/* A word that is not a level may be a program; one that cannot be run is more likely a mistyped level. */
static bool can_run(const char *command) {
    char folder[4096], file[8192];
    size_t word = strcspn(command, " \t");
    if (command[word] || memchr(command, '/', word)) {
        return command[word] || access(command, X_OK) == 0;
    }
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t length = strcspn(path, ":");
        if (length < sizeof folder) {
            memcpy(folder, path, length);
            folder[length] = '\0';
            snprintf(file, sizeof file, "%s/%s", folder, command);
            if (access(file, X_OK) == 0) return true;
        }
        path += length + (path[length] == ':');
    }
    return false;
}

/* Players for any game, besides its own levels: "random", "search" (the same as search-hard), "search-easy" and so
 * on. */
static const bw_bot *general(const char *name) {
    if (strcmp(name, "random") == 0) return &bw_random;
    if (strcmp(name, "search") == 0) return bw_search_levels[BW_SEARCH_LEVELS - 1];
    for (int i = 0; i < BW_SEARCH_LEVELS; i++) {
        if (strncmp(name, "search-", 7) == 0 && strcmp(name + 7, bw_search_levels[i]->level) == 0) {
            return bw_search_levels[i];
        }
    }
    return NULL;
}

static bool no_such_player(const bw_game *game, const char *name) {
    static const char *const generals[] = {"random", "search", "search-easy", "search-normal", "search-hard"};
    enum { GENERALS = sizeof generals / sizeof generals[0] };
    const char *levels[LEVELS + GENERALS];
    int count = 0;
    for (const bw_bot *bot; count < LEVELS && (bot = bw_bot_at(game, count)); count++) {
        levels[count] = bot->level;
    }
    for (int i = 0; i < GENERALS; i++) levels[count++] = generals[i];
    cli_print(stderr, "boardwalk: \"%s\" is neither a level of %s (", name, game->id);
    for (int i = 0; i < count; i++) fprintf(stderr, "%s%s", i ? ", " : "", levels[i]);
    const char *near = cli_nearest(name, levels, count);
    fprintf(stderr, ") nor an executable program");
    if (near) fprintf(stderr, "; did you mean \"%s\"", near);
    fputs(".\n", stderr);
    return false;
}

bool player_open(player *p, const bw_game *game, const char *name, int64_t budget_ms) {
    memset(p, 0, sizeof *p);
    p->name = name;
    p->game = game;
    p->budget_ms = budget_ms;
    p->bot = bw_bot_find(game, name);
    if (!p->bot) p->bot = general(name);
    if (!p->bot && !can_run(name)) return no_such_player(game, name);
    p->view = cli_memory(game->view->size);
    p->actions = cli_memory((size_t)BW_BOT_ACTIONS_MAX * game->actions->size);
    if (p->bot) {
        if (p->bot->arena_bytes && posix_memalign(&p->arena, 64, p->bot->arena_bytes) != 0) {
            return cli_failed("out of memory for the bot \"%s\".", name), false;
        }
        return true;
    }
    p->program.command = name;
    p->line = cli_out(1 << 16);
    return true;
}

bool player_never_started(const player *p) { return !p->bot && p->program.never_started; }

bool player_starting(const player *p) { return !p->bot && p->program.answers < 2; }

void player_close(player *p) {
    program_stop(&p->program);
    free(p->arena);
    free(p->view);
    free(p->legal);
    free(p->actions);
    free(p->line.at);
}

/* ---- programs ---- */

static bool decode_one(const bw_game *game, const bw_doc *doc, int token, void *action, bw_error_text *why) {
    static const char *const also[] = {"type", NULL};
    if (bw_decode_union(game->actions, doc, token, action, also, why) != 0) return false;
    uint32_t flags = game->actions->cases[*(const uint8_t *)action].flags;
    if (!(flags & (BW_ACTION_CLOCK | BW_ACTION_WORDS | BW_ACTION_COMMIT))) return true;
    return bw_fail(why, "that action is not played by bots", NULL);
}

static int decode_answer(const bw_game *game, const char *text, void *actions, uint32_t cap, bw_error_text *why) {
    int count = -1;
    bw_doc doc;
    if (cli_json(text, strlen(text), 8, &doc, why)) {
        if (doc.tokens[0].type != JSMN_ARRAY) {
            if (decode_one(game, &doc, 0, actions, why)) count = 1;
        } else if (!(game->flags & BW_GAME_ROUNDS) || doc.tokens[0].size > (int)cap) {
            bw_fail(why, "a list of actions is not an answer here", NULL);
        } else {
            count = doc.tokens[0].size;
            for (int i = 0, token = 1; i < doc.tokens[0].size; i++, token = bw_doc_behind(&doc, token)) {
                if (!decode_one(game, &doc, token, (char *)actions + (size_t)i * game->actions->size, why)) {
                    count = -1;
                    break;
                }
            }
        }
    }
    free(doc.tokens);
    return count;
}

static int ask_program(player *p, const bw_match *match, int seat, void *actions, uint32_t cap, bw_error_text *why) {
    const bw_game *game = p->game;
    uint32_t legal = cli_legal(match, seat, &p->legal, &p->legal_cap);
    const turn now = {match, seat, p->view, p->legal, legal, p->budget_ms};
    p->line.length = 0;
    do turn_write(&p->line, &now);
    while (cli_grow(&p->line));
    /* Allows a tenth more time for the transfer. */
    int64_t limit = p->budget_ms + p->budget_ms / 10 + 20;
    uint64_t unasked = p->program.unasked;
    const char *answer = program_ask(&p->program, p->line.at, p->line.length, limit, why);
    if (!unasked && p->program.unasked) {
        cli_print(stderr, "boardwalk: %s sent output that was not asked for; it is ignored.\n", p->name);
    }
    return answer ? decode_answer(game, answer, actions, cap, why) : -1;
}

int player_choose(player *p, const bw_match *match, int seat, uint64_t seed, void *actions, uint32_t cap,
                  bw_error_text *why) {
    p->game->view_of(match->state, seat, p->view);
    if (!p->bot) return ask_program(p, match, seat, actions, cap, why);
    bw_thinking thinking = {.seed = seed, .effort = 100, .arena = p->arena, .arena_bytes = p->bot->arena_bytes};
    return (int)p->bot->choose(p->bot, p->game, p->view, match->config, seat, &thinking, actions, cap);
}

bool player_play(player *p, bw_match *match, int seat, uint64_t seed, void *played, bw_events *events,
                 bw_error_text *why) {
    const bool rounds = p->game->flags & BW_GAME_ROUNDS;
    const double begun = cli_clock();
    int count = player_choose(p, match, seat, seed, p->actions, BW_BOT_ACTIONS_MAX, why);
    p->took = cli_clock() - begun;
    bool good = count > 0 || (count == 0 && (rounds || bw_fail(why, "no action was chosen", NULL)));
    for (int i = 0; good && i < (rounds ? count : 1); i++) {
        const void *action = p->actions + (size_t)i * p->game->actions->size;
        int refusal =
            rounds ? bw_match_submit(match, seat, action, played, NULL) : bw_match_play(match, seat, action, events);
        good = refusal >= 0 || bw_fail(why, bw_refusal(p->game, refusal), NULL);
    }
    if (!good) program_kill(&p->program);
    return good;
}
