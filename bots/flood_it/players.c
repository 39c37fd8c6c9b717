#include "bots/flood_it/players.h"

#include "bots/flood_it/puzzle.h"

#include <string.h>

enum {
    HARD_BEAM = 3, /* 1 lost clearly to perfect, and was no better than the general search; 4 is hardly better */
    HARD_ARENA = 4 << 20,
    PERFECT_WORK = 20000000, /* positions x cells x colours: everyday boards are proven long before */
    PERFECT_ARENA = BW_FLOOD_BEST_KNOWN_ARENA,
};

typedef struct strength {
    bw_bot bot;
    bool greedy; /* without the solver: the colour that absorbs most, else any that absorbs a third of that or more */
    bool searches;
    uint32_t beam; /* of the solver; 0: its own, and then the proof */
} strength;

static int walk(const bw_floodit_state *state, const bw_floodit_seat *seat, bool greedy, bw_fast *fast) {
    int gains[BW_FLOODIT_COLORS_MAX], best = 0, chosen = -1;
    uint32_t ties = 0;
    for (int color = 0; color < state->board.colors; color++) {
        bw_floodit_plane plane = seat->territory;
        gains[color] = color == seat->color ? -1 : bw_floodit_select(&state->board, &plane, color) - seat->cells;
        if (gains[color] > best) best = gains[color];
    }
    int least = greedy ? best : (best + 2) / 3;
    for (int color = 0; color < state->board.colors; color++) {
        if (gains[color] >= least && bw_fast_below(fast, ++ties) == 0) chosen = color;
    }
    return chosen;
}

static bool go_on(void *user, const bw_flood_progress *progress) {
    bw_thinking *thinking = user;
    (void)progress;
    return !thinking->keep_going || thinking->keep_going(thinking->user);
}

/* The first move of the best line that the solver finds, or -1. */
static int search(const strength *level, const bw_floodit_view *view, bw_thinking *thinking) {
    bw_flood_board board;
    bw_flood_solution solution;
    bw_flood_limits limits = {
        .beam_width = level->beam, .beam_only = level->beam != 0, .keep_going = go_on, .user = thinking};
    if (!level->beam) {
        limits.max_nodes = 1 + (uint64_t)PERFECT_WORK * thinking->effort / 100 /
                                   (uint64_t)(view->rows * view->cols * view->colors_count);
    }
    bw_flood_board_of(view, &board);
    if (bw_flood_solve(&board, &limits, thinking->arena, level->bot.arena_bytes, &solution) != BW_FLOOD_OK ||
        solution.count == 0) {
        return -1;
    }
    return solution.moves[0];
}

static uint32_t choose(const bw_bot *bot, const bw_game *game, const void *view, const void *config, int seat,
                       bw_thinking *thinking, void *actions, uint32_t cap) {
    const strength *level = (const strength *)bot;
    bw_floodit_state *state = thinking->arena; /* done with before the solver takes the arena */
    bw_fast fast = {thinking->seed};
    if (cap < 1 || game->guess(state, view, config, seat, thinking->seed) < 0 || seat < 0 ||
        !(game->turn(state) >> seat & 1)) {
        return 0;
    }
    int color = walk(state, &state->seats[seat], level->greedy, &fast), found = -1;
    if (level->searches) found = search(level, view, thinking);
    bw_floodit_action *action = actions;
    memset(action, 0, sizeof *action);
    action->type = BW_FLOODIT_SELECT;
    action->as.select_color.color = (uint8_t)(found >= 0 ? found : color);
    return 1;
}

#define LEVEL(name, bytes) .bot = {.game = "flood_it", .level = name, .arena_bytes = bytes, .choose = choose}
static const strength easy = {LEVEL("easy", 1 << 16)};
static const strength normal = {LEVEL("normal", 1 << 16), .greedy = true};
static const strength hard = {LEVEL("hard", HARD_ARENA), .greedy = true, .searches = true, .beam = HARD_BEAM};
static const strength perfect = {LEVEL("perfect", PERFECT_ARENA), .greedy = true, .searches = true};

const bw_bot *const bw_floodit_levels[BW_FLOODIT_PLAYERS] = {&easy.bot, &normal.bot, &hard.bot, &perfect.bot};
