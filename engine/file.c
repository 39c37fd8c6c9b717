/* Writing game files, and the chain of hashes. Reading is file_read.c. */
#include "engine/file.h"

#include <string.h>

#include "engine/file_chain.h"
#include "engine/sha256.h"

void bw_chain_start(bw_chain *chain, const char *head, size_t length) {
    uint8_t digest[32];
    bw_sha256_of(head, length, digest);
    memcpy(chain->hash, digest, sizeof chain->hash);
}

void bw_chain_add(bw_chain *chain, const char *line, size_t length, const bw_match *match) {
    uint8_t digest[32];
    bw_sha256 sha;
    bw_sha256_init(&sha);
    bw_sha256_update(&sha, chain->hash, sizeof chain->hash);
    bw_sha256_update(&sha, line, length);
    bw_sha256_update(&sha, match->state, match->game->state_size);
    bw_sha256_final(&sha, digest);
    memcpy(chain->hash, digest, sizeof chain->hash);
}

static void write_hash(bw_out *out, const uint8_t hash[BW_HASH_BYTES]) {
    bw_out_text(out, ",\"hash\":\"");
    bw_out_hex(out, hash, BW_HASH_BYTES);
    bw_out_text(out, "\"}");
}

static void close_line(bw_out *out, bw_chain *chain, const bw_match *match, size_t start) {
    if (!out->overflow) bw_chain_add(chain, out->at + start, out->length - start, match);
    write_hash(out, chain->hash);
}

static void write_by_role(bw_out *out, const char *name, const bw_game *game, const char *const values[]) {
    int written = 0;
    bw_out_text(out, name);
    for (int i = 0; i < game->role_count; i++) {
        if (values[i]) {
            bw_out_format(out, "%s%s\":\"%s\"", written++ > 0 ? ",\"" : "\"", game->roles[i].id, values[i]);
        }
    }
    bw_out_text(out, "}");
}

void bw_file_write_head(bw_out *out, const bw_file_head *head, const uint8_t *seed, bw_chain *chain) {
    const bw_game *game = head->game;
    size_t start = out->length;
    int written = 0;
    bw_out_format(out, "{\"format\":%d,\"game\":\"%s\",\"rules_version\":%d,\"config\":", BW_FILE_FORMAT, game->id,
                  game->rules_version);
    bw_encode(out, game->config, head->config);
    bw_out_text(out, ",\"seats\":[");
    for (int i = 0; i < game->role_count; i++) {
        if (head->seats >> i & 1) {
            bw_out_format(out, "%s%s\"", written++ > 0 ? ",\"" : "\"", game->roles[i].id);
        }
    }
    write_by_role(out, "],\"names\":{", game, head->names);
    write_by_role(out, ",\"bots\":{", game, head->bots);
    bw_out_format(out, ",\"started_at\":%" PRId64, head->started_at);
    if (head->given) {
        bw_out_format(out, ",\"given\":\"%s\"", head->given);
    }
    bw_out_text(out, ",\"seed_hash\":\"");
    bw_out_hex(out, head->seed_hash, sizeof head->seed_hash);
    bw_out_text(out, "\"");
    if (!out->overflow) bw_chain_start(chain, out->at + start, out->length - start);
    if (seed) {
        bw_out_text(out, ",\"seed\":\"");
        bw_out_hex(out, seed, BW_SEED_BYTES);
        bw_out_text(out, "\"");
    }
    bw_out_text(out, "}");
}

/* A line, up to its hash. */
static bw_raw open_action(bw_out *out, const bw_game *game, uint32_t seq, int64_t t, int seat, const void *action) {
    bw_out_format(out, "{\"seq\":%u,\"t\":%" PRId64 ",\"role\":", seq, t);
    bw_out_string(out, seat >= 0 ? game->roles[seat].id : NULL);
    bw_out_text(out, ",\"action\":");
    size_t start = out->length;
    if (action) bw_encode_union(out, game->actions, action);
    else bw_out_text(out, "{\"type\":\"resign\"}");
    return (bw_raw){out->at + start, out->length - start};
}

bw_raw bw_file_write_action(bw_out *out, bw_chain *chain, const bw_match *match, uint32_t seq, int64_t t, int seat,
                            const void *action) {
    size_t start = out->length;
    bw_raw written = open_action(out, match->game, seq, t, seat, action);
    close_line(out, chain, match, start);
    return written;
}

void bw_file_write_played(bw_out *out, const bw_game *game, uint32_t seq, int64_t t, int seat, const void *action,
                          const uint8_t hash[BW_HASH_BYTES]) {
    open_action(out, game, seq, t, seat, action);
    write_hash(out, hash);
}

void bw_encode_winner(bw_out *out, const bw_game *game, uint32_t winners) {
    bool several = (winners & (winners - 1)) != 0;
    int written = 0;
    if (winners == 0) {
        bw_out_text(out, "null");
        return;
    }
    bw_out_text(out, several ? "[" : "");
    for (int i = 0; i < game->role_count; i++) {
        if (winners >> i & 1) {
            bw_out_text(out, written++ > 0 ? "," : "");
            bw_out_string(out, game->roles[i].id);
        }
    }
    bw_out_text(out, several ? "]" : "");
}

void bw_file_write_result(bw_out *out, bw_chain *chain, const bw_match *match, int64_t ended_at) {
    const bw_game *game = match->game;
    /* Statistics are small structs: larger ones would not fit in their wire message either. */
    uint64_t stats[1024 / sizeof(uint64_t)] = {0};
    size_t start = out->length;
    bw_out_text(out, "{\"result\":{\"winner\":");
    bw_encode_winner(out, game, game->winners(match->state));
    bw_out_text(out, ",\"stats\":");
    if (game->stats->size > sizeof stats) {
        out->overflow = true;
        return;
    }
    game->stats_of(match->state, stats);
    bw_encode(out, game->stats, stats);
    bw_out_format(out, "},\"ended_at\":%" PRId64, ended_at);
    close_line(out, chain, match, start);
}
