#include "bots/bots.h"
#include "bots/review.h"
#include "engine/text.h"

#include "bots/flag_war/players.h"
#include "bots/flag_war/words.h"
#include "bots/flood_it/players.h"
#include "bots/flood_it/puzzle.h"
#include "bots/flooded_island/players.h"
#include "bots/monadungeon/players.h"
#include "bots/search/search.h"

/* Every game's levels, weakest first. Games that are not listed get the levels of the general search. */
static const struct levels {
    const char *game;
    const bw_bot *const *bots;
    int count;
} levels[] = {
    {"flag_war", bw_war_levels, 3},
    {"flood_it", bw_floodit_levels, BW_FLOODIT_PLAYERS},
    {"flooded_island", bw_island_levels, BW_ISLAND_PLAYERS},
    {"monadungeon", bw_dungeon_levels, BW_DUNGEON_BOTS},
};

const bw_bot *bw_bot_at(const bw_game *game, int index) {
    const bw_bot *const *bots = bw_search_levels;
    int count = BW_SEARCH_LEVELS;
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        if (bw_same(levels[i].game, game->id)) {
            bots = levels[i].bots;
            count = levels[i].count;
        }
    }
    return index >= 0 && index < count ? bots[index] : NULL;
}

const bw_bot *bw_bot_find(const bw_game *game, const char *level) {
    const bw_bot *bot;
    for (int i = 0; (bot = bw_bot_at(game, i)); i++) {
        if (bw_same(bot->level, level)) return bot;
    }
    return NULL;
}

static const bw_solver *const solvers[] = {&bw_floodit_solver};

const bw_solver *bw_solver_find(const bw_game *game) {
    for (size_t i = 0; i < sizeof solvers / sizeof solvers[0]; i++) {
        if (bw_same(solvers[i]->game, game->id)) return solvers[i];
    }
    return NULL;
}

static const bw_words *const interpreters[] = {&bw_war_interpreter};

const bw_words *bw_words_find(const bw_game *game) {
    for (size_t i = 0; i < sizeof interpreters / sizeof interpreters[0]; i++) {
        if (bw_same(interpreters[i]->game, game->id)) return interpreters[i];
    }
    return NULL;
}

static const bw_insight *const insights[] = {&bw_floodit_insight, &bw_island_insight, &bw_war_insight};

const bw_insight *bw_insight_find(const bw_game *game) {
    for (size_t i = 0; i < sizeof insights / sizeof insights[0]; i++) {
        if (bw_same(insights[i]->game, game->id)) return insights[i];
    }
    return NULL;
}
