#include "engine/registry.h"
#include "engine/text.h"

#include <string.h>

#define GAME(game) extern const bw_game game;
#include "games/games.def"
#undef GAME

#define GAME(game) &game,
static const bw_game *const games[] = {
#include "games/games.def"
};
#undef GAME

enum { GAMES = sizeof games / sizeof games[0] };

const bw_game *bw_game_at(int index) { return index >= 0 && index < GAMES ? games[index] : NULL; }

const bw_game *bw_game_find(const char *id) {
    for (int i = 0; i < GAMES; i++) {
        if (bw_same(games[i]->id, id)) return games[i];
    }
    return NULL;
}

const bw_game *bw_game_find_version(const char *id, unsigned rules_version) {
    for (int i = 0; i < GAMES; i++) {
        if (games[i]->rules_version == rules_version && bw_same(games[i]->id, id)) return games[i];
    }
    return NULL;
}

bool bw_game_listed(const bw_game *game) { return !(game->flags & BW_GAME_UNLISTED) && bw_game_find(game->id) == game; }

const bw_game *bw_game_default(void) {
    int first = 0;
    while (first < GAMES && !bw_game_listed(games[first])) first++;
    return bw_game_at(first);
}

int bw_role_find(const bw_game *game, const char *name) {
    for (int i = 0; i < game->role_count; i++) {
        const bw_role *role = &game->roles[i];
        if (bw_same(role->id, name) || (role->alias && bw_same(role->alias, name))) return i;
    }
    return -1;
}
