/* Every game that is compiled in, one line each in games/games.def. */
#ifndef BW_REGISTRY_H
#define BW_REGISTRY_H

#include "engine/game.h"

/* The i-th game (newest rules of each id first come the listed ones); NULL past the end.
 * Old rules versions and unlisted games are in this list too. */
const bw_game *bw_game_at(int index);
/* The newest rules of a game, unlisted ones included; NULL: no such game. */
const bw_game *bw_game_find(const char *id);
/* The rules that an old file or room was started under; NULL: unknown. */
const bw_game *bw_game_find_version(const char *id, unsigned rules_version);
/* The game of a room that is made without naming one: the first that is listed. */
const bw_game *bw_game_default(void);
/* Is this the newest version of its id, and offered to people? */
bool bw_game_listed(const bw_game *game);
/* The role of a wire name or alias, or -1. */
int bw_role_find(const bw_game *game, const char *name);

#endif
