#include "cli/cli.h"
#include "engine/config.h"
#include "engine/sha256.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>

void *cli_memory(size_t bytes) {
    void *memory = calloc(1, bytes ? bytes : 1);
    if (!memory) {
        cli_print(stderr, "boardwalk: out of memory (%zu bytes were requested).\n", bytes);
        exit(CLI_NO);
    }
    return memory;
}

void *cli_more(void *memory, size_t bytes) {
    void *more = realloc(memory, bytes);
    if (!more) {
        cli_print(stderr, "boardwalk: out of memory (%zu bytes were requested).\n", bytes);
        exit(CLI_NO);
    }
    return more;
}

void *cli_map(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void cli_unmap(void *memory, size_t bytes) {
    if (memory) munmap(memory, bytes);
}

bw_out cli_out(size_t cap) { return bw_out_to(cli_memory(cap), cap); }

bool cli_grow(bw_out *out) {
    if (!out->overflow) return false;
    *out = bw_out_to(cli_more(out->at, 2 * out->cap), 2 * out->cap);
    return true;
}

char *cli_read(const char *path, size_t *length) {
    bool from_stdin = strcmp(path, "-") == 0;
    FILE *file = from_stdin ? stdin : fopen(path, "rb");
    if (!file) {
        cli_print(stderr, "boardwalk: %s cannot be read: %s.\n", path, strerror(errno));
        return NULL;
    }
    size_t cap = 1 << 16, used = 0;
    char *text = cli_memory(cap);
    for (;;) {
        size_t got = fread(text + used, 1, cap - used - 1, file);
        used += got;
        if (got == 0) break;
        if (cap - used < 2) text = cli_more(text, cap *= 2);
    }
    bool bad = ferror(file) != 0;
    if (!from_stdin) fclose(file);
    if (bad) {
        cli_print(stderr, "boardwalk: %s cannot be read: %s.\n", from_stdin ? "stdin" : path, strerror(errno));
        free(text);
        return NULL;
    }
    if (used >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) memmove(text, text + 3, used -= 3);
    text[used] = '\0';
    *length = used;
    return text;
}

bool cli_json(const char *text, size_t length, int depth, bw_doc *doc, bw_error_text *why) {
    int cap = (int)(length / 2 + 2);
    bw_token *tokens = cli_memory((size_t)cap * sizeof *tokens);
    return bw_doc_parse(doc, text, length, tokens, cap, depth, why) > 0;
}

uint32_t cli_legal(const bw_match *match, int seat, unsigned char **actions, uint32_t *cap) {
    const bw_game *game = match->game;
    uint32_t count = game->legal(match->state, seat, *actions, *cap);
    if (count <= *cap) return count;
    *cap = count;
    *actions = cli_more(*actions, (size_t)count * game->actions->size);
    return game->legal(match->state, seat, *actions, *cap);
}

double cli_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

const bw_game *cli_game(const char *id) {
    const bw_game *game = bw_game_find(id);
    if (game) return game;
    const char *names[32];
    int count = 0;
    for (int i = 0; bw_game_at(i) && count < 32; i++) {
        if (bw_game_listed(bw_game_at(i))) names[count++] = bw_game_at(i)->id;
    }
    cli_no_such("there is no game", id, names, count, NULL);
    return NULL;
}

static bool lay_over(const bw_game *game, const char *json, void *config, bw_error_text *why) {
    bw_doc doc;
    bool good = cli_json(json, strlen(json), 8, &doc, why) && bw_config_read(game, &doc, 0, config, NULL, why) == 0;
    free(doc.tokens);
    return good;
}

static const bw_variant *variant_of(const bw_game *game, const char *id) {
    const char *names[UINT8_MAX];
    for (int i = 0; i < game->variant_count; i++) {
        if (strcmp(game->variants[i].id, id) == 0) return &game->variants[i];
        names[i] = game->variants[i].id;
    }
    char what[64];
    snprintf(what, sizeof what, "%s has no variant", game->id);
    cli_no_such(what, id, names, game->variant_count, game->variant_count ? NULL : "it has none");
    return NULL;
}

void *cli_config(const bw_game *game, const char *variant_id, const char *json) {
    const bw_variant *variant = variant_id ? variant_of(game, variant_id) : NULL;
    if (variant_id && !variant) return NULL;
    void *config = cli_memory(game->config->size);
    memcpy(config, game->defaults, game->config->size);
    bw_error_text why = {0};
    bool good =
        (!variant || lay_over(game, variant->settings, config, &why)) && (!json || lay_over(game, json, config, &why));
    if (!good) {
        cli_wrong("--config: %s", why.text);
    } else if (game->check) {
        int refusal = game->check(config);
        good = refusal == 0;
        if (!good) cli_wrong("--config: %s", bw_refusal(game, refusal));
    }
    if (good) return config;
    free(config);
    return NULL;
}

void cli_seed(uint64_t number, uint8_t seed[32]) {
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)(number >> (8 * i));
    bw_sha256_of(bytes, sizeof bytes, seed);
}

void cli_random(uint8_t seed[32]) {
    if (getrandom(seed, 32, 0) == 32) return;
    cli_print(stderr, "boardwalk: the system's random source cannot be read: %s.\n", strerror(errno));
    exit(CLI_NO);
}
