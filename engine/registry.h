/* Every game that is compiled in, one line each in games/games.def. */
#ifndef BW_REGISTRY_H
#define BW_REGISTRY_H

#include "engine/game.h"

/* The i-th game, NULL past the end. The newest rules of all listed games come first; old versions and unlisted games
 * follow. */
const bw_game *bw_game_at(int index);
/* The newest rules of a game, even if unlisted; NULL: no such game. */
const bw_game *bw_game_find(const char *id);
/* The rules of a given version, for old files and rooms; NULL: unknown. */
const bw_game *bw_game_find_version(const char *id, unsigned rules_version);
/* The game of a room made without naming one: the first listed game. */
const bw_game *bw_game_default(void);
/* Is this the newest version of its id, and offered to people? */
bool bw_game_listed(const bw_game *game);
/* The role of a wire name or alias, or -1. */
int bw_role_find(const bw_game *game, const char *name);

#endif
