/* Game files (*.bw.jsonl): written line by line as a game is played, read to replay and verify it.
 *
 *   {"format":1,"game":"flooded_island","rules_version":1,"config":{...},"seats":["journeyman",...],
 *    "names":{...},"bots":{...},"started_at":...,"given":"...","seed_hash":"...","seed":"..."}
 *   {"seq":1,"t":1712,"role":"journeyman","action":{"type":"move",...},"hash":"..."}
 *   {"seq":9,"t":9034,"role":null,"action":{"type":"round","orders":[...]},"hash":"..."}
 *   {"result":{"winner":"weather","stats":{...}},"ended_at":...,"hash":"..."}
 *
 * `given` stands where the start was written down, and is not that of settings and seed (game->set_position).
 * `t` is milliseconds since started_at. A resignation is the action {"type":"resign"}. `seed` stands in
 * the first line once the game is over. Each hash is the first 16 bytes of SHA-256 over the hash before
 * it, its own line up to `,"hash"`, and the state after it; the first one starts from the first line
 * without its `seed`. So one changed byte anywhere is found, and the line it is in is named. */
#ifndef BW_FILE_H
#define BW_FILE_H

#include "engine/json.h"
#include "engine/match.h"

enum { BW_FILE_FORMAT = 1, BW_HASH_BYTES = 16, BW_SEED_BYTES = 32 };

/* The state of a file's hash chain, from which the next line's hash is made. */
typedef struct bw_chain {
    uint8_t hash[BW_HASH_BYTES];
} bw_chain;

typedef struct bw_file_head {
    const bw_game *game;
    const void *config;
    uint32_t seats;
    uint8_t seed_hash[32];
    const char *names[BW_SEATS_MAX]; /* NULL: nobody */
    const char *bots[BW_SEATS_MAX];  /* level; NULL: a person */
    int64_t started_at;              /* ms since the epoch */
    const char *given;               /* NULL: the start is that of settings and seed */
} bw_file_head;

/* The first line without a newline; `seed` NULL while it is secret. Starts the chain. */
void bw_file_write_head(bw_out *out, const bw_file_head *head, const uint8_t *seed, bw_chain *chain);
/* A line for the action just played on `match`. seat BW_CLOCK: role null. action NULL: a resignation. Returns the
 * action's own text within the line, for callers that also store it elsewhere. */
bw_raw bw_file_write_action(bw_out *out, bw_chain *chain, const bw_match *match, uint32_t seq, int64_t t, int seat,
                            const void *action);
/* The same line with a known hash, so no position is needed. */
void bw_file_write_played(bw_out *out, const bw_game *game, uint32_t seq, int64_t t, int seat, const void *action,
                          const uint8_t hash[BW_HASH_BYTES]);
void bw_file_write_result(bw_out *out, bw_chain *chain, const bw_match *match, int64_t ended_at);
/* "winner" as on the wire: a role, a list, or null. */
void bw_encode_winner(bw_out *out, const bw_game *game, uint32_t winners);

typedef enum bw_file_error {
    BW_FILE_FORMAT_UNKNOWN = -1, /* not a game file, or a newer format */
    BW_FILE_NO_GAME = -2,        /* game or rules version not compiled in */
    BW_FILE_BAD_LINE = -3,       /* not JSON, or not the line expected here */
    BW_FILE_ILLEGAL = -4,        /* the rules refuse the action */
    BW_FILE_HASH = -5,           /* the line or the state after it is not what was hashed */
    BW_FILE_SEED = -6,           /* the seed does not match the published seed_hash */
    BW_FILE_NO_SEED = -7,        /* not over: the seed is still secret, so luck cannot be checked */
    BW_FILE_RESULT = -8,         /* the result is not the one of the position */
} bw_file_error;

typedef struct bw_file_step {
    uint32_t line, seq; /* line counts from 1 */
    int64_t t;
    int seat;
    const void *action; /* NULL: the start, a resignation, or the result */
    const bw_events *events;
    const bw_match *match; /* the position after it */
    bool result;
} bw_file_step;

typedef struct bw_file_reader {
    void *block; /* bw_match_bytes of the game, aligned to 8; bw_file_game tells the game beforehand */
    size_t block_bytes;
    bw_token *tokens; /* for one line */
    int token_cap;
    unsigned char *events; /* at least game->max_events x event size */
    size_t events_bytes;
    void *action; /* one action, aligned to 8 */
    size_t action_bytes;
    /* Called after each step; returning false stops the reading (it returns 0). May be NULL. */
    bool (*on_step)(void *user, const bw_file_step *step);
    void *user;
    bw_error_text error; /* what is wrong, and in which line */
    uint32_t line;       /* that line; an error in line 1 may only show in the hash of line 2 */
    bool given;          /* the start of the file being read was written down: it took two starts to make */
} bw_file_reader;

/* A reader for callers that do other things between lines. Its fields belong to file_read.c. */
typedef struct bw_file_reading {
    const char *at, *end;
    uint32_t line;
    bool over;
    bw_match match;
    bw_chain chain;
    bw_events events;
    bw_file_step step; /* the last line */
} bw_file_reading;

/* Reads the first line. Returns 0, and `step` is the start, or a bw_file_error. `text` must outlive the reading. */
int bw_file_begin(bw_file_reading *reading, const char *text, size_t length, bw_file_reader *reader);
/* The next line. 1: `step` describes it; 0: the end, and the file is valid; or a bw_file_error. */
int bw_file_next(bw_file_reading *reading, bw_file_reader *reader);

/* The game of a file's first line, or NULL with a bw_file_error and an error text. */
const bw_game *bw_file_game(const char *text, size_t length, int *error, bw_error_text *why);
/* Replays and checks everything. Returns 0 if the file is valid, or a bw_file_error. */
int bw_file_verify(const char *text, size_t length, bw_file_reader *reader);

#endif
