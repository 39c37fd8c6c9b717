/* Reading game files: replay every line, and check every hash, the seed and the result. */
#include <string.h>

#include "engine/file.h"
#include "engine/file_chain.h"
#include "engine/registry.h"
#include "engine/sha256.h"
#include "engine/text.h"

typedef struct line {
    const char *at;
    size_t length;
    uint32_t number;
} line;

/* The next line that is not empty; false at the end of the text. */
static bool next_line(const char **at, const char *end, line *l) {
    do {
        if (*at == end) return false;
        const char *stop = *at;
        while (stop < end && *stop != '\n') stop++;
        l->at = *at;
        l->length = (size_t)(stop - *at);
        l->number++;
        *at = stop < end ? stop + 1 : end;
        if (l->length > 0 && l->at[l->length - 1] == '\r') l->length--;
    } while (l->length == 0);
    return true;
}

static int fail(bw_file_reader *reader, const line *l, int error, const char *what) {
    reader->line = l->number;
    bw_fail(&reader->error, "Line ", bw_digits_of(l->number).text, ": ", what, NULL);
    return error;
}

static bool read_hex(const bw_doc *doc, int token, uint8_t *bytes, size_t count) {
    char text[65];
    int length = bw_doc_text(doc, token, text, sizeof text);
    return length >= 0 && bw_hex_read(text, (size_t)length, bytes, count);
}

/* The line without the `,"hash":"..."}` at its end; false if it does not end so. */
static bool split_hash(const line *l, const bw_doc *doc, uint8_t hash[BW_HASH_BYTES], size_t *body) {
    static const char key[] = ",\"hash\":\"";
    size_t tail = sizeof key - 1 + 2 * BW_HASH_BYTES + 2;
    if (l->length <= tail || memcmp(l->at + l->length - tail, key, sizeof key - 1) != 0) {
        return false;
    }
    *body = l->length - tail;
    return read_hex(doc, bw_doc_member(doc, 0, "hash"), hash, BW_HASH_BYTES);
}

static bool parse(bw_file_reader *reader, const line *l, bw_doc *doc) {
    return bw_doc_parse(doc, l->at, l->length, reader->tokens, reader->token_cap, 16, NULL) > 0 &&
           bw_doc_is_object(doc, 0);
}

static const bw_game *game_of(const bw_doc *doc, int *error) {
    char id[40];
    int64_t format, version;
    *error = BW_FILE_FORMAT_UNKNOWN;
    if (!bw_doc_int(doc, bw_doc_member(doc, 0, "format"), &format) || format != BW_FILE_FORMAT ||
        bw_doc_text(doc, bw_doc_member(doc, 0, "game"), id, sizeof id) < 0 ||
        !bw_doc_int(doc, bw_doc_member(doc, 0, "rules_version"), &version) || version < 0 || version > 65535) {
        return NULL;
    }
    *error = BW_FILE_NO_GAME;
    return bw_game_find_version(id, (unsigned)version);
}

static const char *head_fault(int error) {
    return error == BW_FILE_NO_GAME ? "this game, or this version of its rules, is not in this program."
                                    : "this is not the first line of a game file of format 1.";
}

const bw_game *bw_file_game(const char *text, size_t length, int *error, bw_error_text *why) {
    bw_token tokens[256];
    const char *at = text;
    line l = {0};
    bw_doc doc;
    const bw_game *game = NULL;
    *error = BW_FILE_FORMAT_UNKNOWN;
    if (next_line(&at, text + length, &l) && bw_doc_parse(&doc, l.at, l.length, tokens, 256, 16, NULL) > 0) {
        game = game_of(&doc, error);
    }
    if (!game) bw_fail(why, "Line 1: ", head_fault(*error), NULL);
    return game;
}

static int read_seats(const bw_game *game, const bw_doc *doc, uint32_t *seats) {
    int list = bw_doc_member(doc, 0, "seats");
    *seats = 0;
    if (list < 0 || doc->tokens[list].type != JSMN_ARRAY) return -1;
    for (int i = 0; i < doc->tokens[list].size; i++) {
        char id[40];
        int seat = bw_doc_text(doc, list + 1 + i, id, sizeof id) >= 0 ? bw_role_find(game, id) : -1;
        if (seat < 0) return -1;
        *seats |= 1u << seat;
    }
    return 0;
}

/* The first line: game, settings, seed. Starts `match` and `chain`. */
static int read_head(bw_file_reader *reader, const line *l, bw_match *match, bw_chain *chain) {
    static const char seed_key[] = ",\"seed\":\"";
    uint8_t seed[BW_SEED_BYTES], digest[32], published[32];
    uint64_t config[1024 / sizeof(uint64_t)];
    char given[BW_GIVEN_BYTES_MAX];
    uint32_t seats;
    bw_doc doc;
    int error;
    if (!parse(reader, l, &doc)) {
        return fail(reader, l, BW_FILE_FORMAT_UNKNOWN, head_fault(BW_FILE_FORMAT_UNKNOWN));
    }
    const bw_game *game = game_of(&doc, &error);
    if (!game) return fail(reader, l, error, head_fault(error));
    if (bw_match_bytes(game) > reader->block_bytes || game->config->size > sizeof config ||
        game->actions->size > reader->action_bytes ||
        (size_t)game->max_events * game->events->size > reader->events_bytes) {
        return fail(reader, l, BW_FILE_NO_GAME, "the reader has too little memory for this game.");
    }
    bw_error_text why;
    int settings = bw_doc_member(&doc, 0, "config");
    if (settings < 0 || bw_decode(game->config, &doc, settings, config, 0, NULL, &why) < 0) {
        return fail(reader, l, BW_FILE_BAD_LINE, settings < 0 ? "the settings are missing." : why.text);
    }
    if (read_seats(game, &doc, &seats) < 0) {
        return fail(reader, l, BW_FILE_BAD_LINE, "\"seats\" must list roles of the game.");
    }
    if (!read_hex(&doc, bw_doc_member(&doc, 0, "seed_hash"), published, sizeof published)) {
        return fail(reader, l, BW_FILE_BAD_LINE, "\"seed_hash\" must be 64 hexadecimal digits.");
    }
    int seed_token = bw_doc_member(&doc, 0, "seed");
    if (seed_token < 0) {
        return fail(reader, l, BW_FILE_NO_SEED, "the seed is not published before the game is over.");
    }
    size_t tail = sizeof seed_key - 1 + 2 * BW_SEED_BYTES + 2;
    if (!read_hex(&doc, seed_token, seed, sizeof seed) || l->length <= tail ||
        memcmp(l->at + l->length - tail, seed_key, sizeof seed_key - 1) != 0) {
        return fail(reader, l, BW_FILE_BAD_LINE, "\"seed\" must come last and be 64 hexadecimal digits.");
    }
    bw_sha256_of(seed, sizeof seed, digest);
    if (memcmp(digest, published, sizeof digest) != 0) {
        return fail(reader, l, BW_FILE_SEED, "the seed is not the one whose SHA-256 was published.");
    }
    int given_token = bw_doc_member(&doc, 0, "given");
    reader->given = given_token >= 0;
    if (reader->given && bw_doc_text(&doc, given_token, given, sizeof given) < 0) {
        return fail(reader, l, BW_FILE_BAD_LINE,
                    "\"given\" must be a start written down as text, of 4096 bytes at most.");
    }
    bw_match_attach(match, game, reader->block);
    int refusal = bw_match_start(match, config, seats, seed);
    if (refusal == 0 && reader->given) refusal = bw_match_set_position(match, given);
    if (refusal < 0) return fail(reader, l, BW_FILE_BAD_LINE, bw_refusal(game, refusal));
    bw_chain_start(chain, l->at, l->length - tail);
    return 0;
}

static int read_action(bw_file_reader *reader, const line *l, const bw_doc *doc, bw_match *match, bw_events *events,
                       bw_file_step *step) {
    static const char *const keys[] = {"type", NULL};
    const bw_game *game = match->game;
    void *action = reader->action;
    char role[40], type[40];
    int64_t seq, t;
    int role_token = bw_doc_member(doc, 0, "role"), action_token = bw_doc_member(doc, 0, "action");
    if (!bw_doc_int(doc, bw_doc_member(doc, 0, "seq"), &seq) || seq < 0 || seq > UINT32_MAX ||
        !bw_doc_int(doc, bw_doc_member(doc, 0, "t"), &t) || action_token < 0 ||
        bw_doc_text(doc, bw_doc_member(doc, action_token, "type"), type, sizeof type) < 0) {
        return fail(reader, l, BW_FILE_BAD_LINE, "the line of an action has seq, t, role, action and hash.");
    }
    int seat = bw_doc_is_null(doc, role_token) ? BW_CLOCK : -1;
    if (seat != BW_CLOCK) {
        seat = bw_doc_text(doc, role_token, role, sizeof role) >= 0 ? bw_role_find(game, role) : -1;
        if (seat < 0) {
            return fail(reader, l, BW_FILE_BAD_LINE, "\"role\" must be a role of the game, or null.");
        }
    }
    *step =
        (bw_file_step){.line = l->number, .seq = (uint32_t)seq, .t = t, .seat = seat, .events = events, .match = match};
    bool resigns = seat >= 0 && memcmp(type, "resign", sizeof "resign") == 0;
    if (resigns) {
        int refusal = bw_match_resign(match, seat, events);
        return refusal < 0 ? fail(reader, l, BW_FILE_ILLEGAL, bw_refusal(game, refusal)) : 0;
    }
    bw_error_text why;
    if (bw_decode_union(game->actions, doc, action_token, action, keys, &why) < 0) {
        return fail(reader, l, BW_FILE_BAD_LINE, why.text);
    }
    const bw_case *kind = &game->actions->cases[*(const uint8_t *)action];
    bool due = seat == BW_CLOCK || (game->turn(match->state) >> seat & 1) || (kind->flags & BW_ACTION_REOPENS);
    if (!due || (seat == BW_CLOCK) != ((kind->flags & BW_ACTION_CLOCK) != 0) || (kind->flags & BW_ACTION_COMMIT)) {
        return fail(reader, l, BW_FILE_ILLEGAL, "it was not this role's turn to do that.");
    }
    int refusal = bw_match_play(match, seat, action, events);
    if (refusal < 0) return fail(reader, l, BW_FILE_ILLEGAL, bw_refusal(game, refusal));
    step->action = action;
    return 0;
}

/* Compares the recorded result with the result of the position. */
static int read_result(bw_file_reader *reader, const line *l, const bw_match *match, size_t body) {
    char text[2048];
    bw_out out = bw_out_to(text, sizeof text);
    bw_chain unused = {{0}};
    static const char ended[] = ",\"ended_at\":";
    if (match->game->turn(match->state) != 0) {
        return fail(reader, l, BW_FILE_RESULT, "there is a result, but the game is not over.");
    }
    bw_file_write_result(&out, &unused, match, 0);
    size_t same = 0; /* the part before the time, which may be anything */
    while (same + sizeof ended <= out.length && memcmp(text + same, ended, sizeof ended - 1) != 0) {
        same++;
    }
    if (out.overflow || body < same || memcmp(text, l->at, same) != 0) {
        return fail(reader, l, BW_FILE_RESULT, "the result is not that of the game.");
    }
    return 0;
}

int bw_file_begin(bw_file_reading *reading, const char *text, size_t length, bw_file_reader *reader) {
    line l = {0};
    *reading = (bw_file_reading){.at = text, .end = text + length};
    reader->error.text[0] = 0;
    if (!next_line(&reading->at, reading->end, &l)) {
        l.number = 1;
        return fail(reader, &l, BW_FILE_FORMAT_UNKNOWN, "the file is empty.");
    }
    int error = read_head(reader, &l, &reading->match, &reading->chain);
    if (error < 0) return error;
    reading->line = l.number;
    bw_events *events = &reading->events;
    *events = (bw_events){.memory = reader->events, .size = reading->match.game->events->size};
    events->cap = (uint32_t)(reader->events_bytes / events->size);
    reading->step = (bw_file_step){.line = l.number, .seat = BW_WATCHER, .events = events, .match = &reading->match};
    return 0;
}

int bw_file_next(bw_file_reading *reading, bw_file_reader *reader) {
    line l = {.number = reading->line};
    bw_doc doc;
    uint8_t hash[BW_HASH_BYTES];
    size_t body;
    bw_match *match = &reading->match;
    bw_file_step *step = &reading->step;
    if (!next_line(&reading->at, reading->end, &l)) {
        l.number++;
        return reading->over ? 0 : fail(reader, &l, BW_FILE_RESULT, "the result is missing: the file was cut off.");
    }
    reading->line = l.number;
    reading->events.count = 0;
    if (!parse(reader, &l, &doc) || !split_hash(&l, &doc, hash, &body)) {
        return fail(reader, &l, BW_FILE_BAD_LINE, "this is not a line of a game file, or it was cut off.");
    }
    *step = (bw_file_step){.line = l.number, .seat = BW_WATCHER, .events = &reading->events, .match = match};
    if (reading->over) return fail(reader, &l, BW_FILE_BAD_LINE, "nothing may follow the result.");
    reading->over = step->result = bw_doc_member(&doc, 0, "result") >= 0;
    int error = reading->over ? read_result(reader, &l, match, body)
                              : read_action(reader, &l, &doc, match, &reading->events, step);
    if (error < 0) return error;
    bw_chain_add(&reading->chain, l.at, body, match);
    if (memcmp(hash, reading->chain.hash, sizeof hash) != 0) {
        if (step->seq == 1) {
            /* The first hash covers lines 1 and 2, so it cannot tell which of them was changed. */
            int outcome = fail(reader, &l, BW_FILE_HASH, "");
            bw_fail(&reader->error, "Line 1 or line ", bw_digits_of(l.number).text,
                    ": one of them is not what was recorded.", NULL);
            reader->line = 1;
            return outcome;
        }
        return fail(reader, &l, BW_FILE_HASH, "the line, or the position after it, is not what was recorded.");
    }
    return 1;
}

int bw_file_verify(const char *text, size_t length, bw_file_reader *reader) {
    bw_file_reading reading;
    int outcome = bw_file_begin(&reading, text, length, reader);
    if (outcome < 0) return outcome;
    bool going = !reader->on_step || reader->on_step(reader->user, &reading.step);
    while (going && (outcome = bw_file_next(&reading, reader)) > 0) {
        going = !reader->on_step || reader->on_step(reader->user, &reading.step);
    }
    return outcome < 0 ? outcome : 0;
}
