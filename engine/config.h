/* Settings from JSON: the one way in which some are changed and the rest is kept, for rooms, files of
 * playthroughs, the command line and the browser. */
#ifndef BW_CONFIG_H
#define BW_CONFIG_H

#include "engine/game.h"
#include "engine/json.h"

/* Lays what an object gives over `config`, as bw_decode does with PARTIAL, and lets the game settle what
 * hangs together (game->configure). Ranges are checked, game->check is the caller's. Returns 0 or
 * BW_JSON_MISMATCH; on refusal `config` is unspecified, so change a copy. */
int bw_config_read(const bw_game *game, const bw_doc *doc, int object, void *config, const char *const *also,
                   bw_complaint *complaint);

#endif
