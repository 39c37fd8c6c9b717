/* Any bytes as a game file: verification must end, within its memory, with a verdict and a sentence. */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "engine/file.h"

enum { TOKENS = 1 << 13 };

/* Allocated once: allocating for each input took most of the time. */
static bw_token tokens[TOKENS];

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    bw_error_text why = {""};
    char *text = malloc(length + 1);
    if (!text) return 0;
    memcpy(text, bytes, length);
    int error;
    const bw_game *game = bw_file_game(text, length, &error, &why);
    if (!game) {
        if (why.text[0] == 0) abort();
        free(text);
        return 0;
    }
    bw_file_reader reader = {.block_bytes = bw_match_bytes(game),
                             .tokens = tokens,
                             .token_cap = TOKENS,
                             .events_bytes = (size_t)game->max_events * game->events->size,
                             .action_bytes = game->actions->size};
    reader.block = malloc(reader.block_bytes);
    reader.events = malloc(reader.events_bytes);
    reader.action = malloc(reader.action_bytes);
    if (reader.block && reader.events && reader.action) {
        error = bw_file_verify(text, length, &reader);
        if ((error < 0) != (reader.error.text[0] != 0)) abort();
    }
    free(reader.block), free(reader.events), free(reader.action), free(text);
    return 0;
}
