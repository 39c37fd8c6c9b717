/* Any bytes as a message of any game: the first byte chooses the game, the rest is the message. An accepted message
 * must encode and decode to the same bytes; a refused one must have a sentence. */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "engine/config.h"
#include "engine/registry.h"

enum { MESSAGE = 4096, TOKENS = MESSAGE / 2 + 1, TEXT = 1 << 16 };

/* Allocated once: allocating for each input took most of the time. */
static char first_text[TEXT], second_text[TEXT];
static bw_token message_tokens[TOKENS], second_tokens[TOKENS];

static void must(bool held) {
    if (!held) abort();
}

/* The struct of a schema: decode, encode, decode. */
static void settings(const bw_game *game, const bw_doc *doc) {
    uint64_t value[128], again[128];
    bw_error_text why = {""};
    char *text = first_text;
    bw_token *tokens = second_tokens;
    memcpy(value, game->defaults, game->config->size);
    if (bw_config_read(game, doc, 0, value, NULL, &why) == 0) {
        bw_doc second;
        bw_out out = bw_out_to(text, TEXT);
        bw_encode(&out, game->config, value);
        must(!out.overflow && bw_doc_parse(&second, text, out.length, tokens, TOKENS, 8, NULL) > 0);
        must(bw_decode(game->config, &second, 0, again, 0, NULL, &why) == 0);
        if (game->check) game->check(again);
    } else {
        must(why.text[0] != 0);
    }
}

static void action(const bw_game *game, const bw_doc *doc) {
    static const char *const also[] = {"type", "id", NULL};
    size_t size = game->actions->size;
    unsigned char *value = calloc(1, size), *again = calloc(1, size);
    char *text = first_text, *text_again = second_text;
    bw_token *tokens = second_tokens;
    bw_error_text why = {""};
    if (value && again) {
        int error = bw_decode_union(game->actions, doc, 0, value, also, &why);
        must(error == 0 || why.text[0] != 0);
        if (error == 0) {
            bw_doc second;
            bw_out out = bw_out_to(text, TEXT), out_again = bw_out_to(text_again, TEXT);
            bw_encode_union(&out, game->actions, value);
            must(!out.overflow && bw_doc_parse(&second, text, out.length, tokens, TOKENS, 8, NULL) > 0);
            must(bw_decode_union(game->actions, &second, 0, again, also, &why) == 0);
            bw_encode_union(&out_again, game->actions, again);
            must(out.length == out_again.length && memcmp(text, text_again, out.length) == 0);
        }
    }
    free(value), free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    int games = 0;
    while (bw_game_at(games)) games++;
    if (length < 1 || length > MESSAGE) return 0;
    const bw_game *game = bw_game_at(bytes[0] % games);
    bw_doc doc;
    bw_error_text why = {""};
    /* With no spare byte at the end, so that the sanitizer sees a read past it. */
    char *text = malloc(length);
    if (text) {
        memcpy(text, bytes + 1, length - 1);
        int count = bw_doc_parse(&doc, text, length - 1, message_tokens, TOKENS, 8, &why);
        must(count > 0 || why.text[0] != 0);
        if (count > 0) {
            action(game, &doc);
            settings(game, &doc);
        }
    }
    free(text);
    return 0;
}
