/* Changes some settings from JSON and keeps the others, for rooms, playthroughs, the command line and the browser. */
#ifndef BW_CONFIG_H
#define BW_CONFIG_H

#include "engine/game.h"
#include "engine/json.h"

/* Merges an object's settings into `config`, as bw_decode does with PARTIAL, and lets the game adjust settings that
 * depend on each other (game->configure). Checks ranges; the caller calls game->check. Returns 0 or
 * BW_JSON_MISMATCH; on refusal `config` is unspecified, so change a copy. */
int bw_config_read(const bw_game *game, const bw_doc *doc, int object, void *config, const char *const *also,
                   bw_error_text *why);

#endif
