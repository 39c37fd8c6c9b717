#include "engine/config.h"

#include <string.h>

int bw_config_read(const bw_game *game, const bw_doc *doc, int object, void *config, const char *const *also,
                   bw_error_text *why) {
    if (!game->configure) {
        return bw_decode(game->config, doc, object, config, BW_DECODE_PARTIAL, also, why);
    }
    uint64_t given[BW_CONFIG_BYTES_MAX / sizeof(uint64_t)] = {0};
    int error = bw_decode(game->config, doc, object, given, BW_DECODE_PARTIAL, also, why);
    if (error == 0) game->configure(config, given);
    return error;
}
