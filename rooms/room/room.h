/* A room: a game and its players, as they are stored. It knows nothing of connections.
 *
 * Whatever changes a room for good is a bw_change (records.h), and goes through bw_apply: while the room is live, when
 * it is read again from the journal, and when it is played on from an old game. So a room that was read again equals
 * the live one. Missed updates, snapshots and game files are made from what stands here.
 *
 *   bw_apply(scratch, room, &change, BW_HASH_MAKE, &events);      // live: the record receives the hash of its play
 *   bw_rebuild_begin(scratch, room, stored);                      // from the journal, in slices
 *   while (bw_rebuild_slice(scratch, room) == 0) ...
 *   bw_snapshot_begin(scratch, room);                             // to the journal, in slices
 *
 * Limits: 5,000 plays; 64 answers of each seat. Working memory is the caller's bw_scratch, sized for the largest game. */
#ifndef BW_ROOM_H
#define BW_ROOM_H

#include "rooms/planted.h"
#include "rooms/room/memory.h"
#include "rooms/room/records.h"

enum {
    BW_ANSWERS_MAX = 64,   /* acknowledgements remembered for each seat, and as many refusals */
    BW_MISSED_MAX = 64,    /* updates that can be made again, at least */
    BW_PLAYS_MAX = 5000,   /* of a game in a room; whoever has more to play makes another room */
    BW_PUZZLE_WORK = 1000, /* units, for a new puzzle: the limit of a large board is looked for */
    BW_SLICE = 1000,       /* units of work of a job at once: about a millisecond */
};

/* ---- working memory ---- */

typedef struct bw_scratch {
    bw_memory memory;
    /* Work is counted, so that a test sees what an input costs without a clock: a unit is about a microsecond. */
    uint64_t work;
    char *text, *pieces; /* what is written; the parts that it is put together from */
    size_t text_cap, pieces_cap;
    unsigned char *events;
    void *action, *played, *config, *preview, *stats;
    void *block; /* a copy of a match */
    void *views[2][BW_SEATS_MAX + 1];
    void *you[2][BW_SEATS_MAX];
    bw_token *tokens;
    int token_cap;
} bw_scratch;

void bw_scratch_init(bw_scratch *scratch); /* for the largest game that there is */
void bw_scratch_clear(bw_scratch *scratch);
/* Doubles the text (the pieces) where it overflowed: the caller writes again. */
bool bw_grow_text(bw_scratch *scratch, const bw_out *out);
bool bw_grow_pieces(bw_scratch *scratch, const bw_out *out);
bw_events bw_scratch_events(bw_scratch *scratch, const bw_game *game);

static inline void bw_worked(bw_scratch *scratch, uint64_t units) { scratch->work += units; }
static inline uint64_t bw_cost_of_text(size_t length) { return 1 + length / 512; }
static inline uint64_t bw_cost_of_play(const bw_game *game) { return 1 + game->state_size / 256; }
static inline uint64_t bw_cost_of_hash(const bw_game *game) { return 1 + game->state_size / 64; }
/* Of what a play has led to: a puzzle at its start may be a new one (or taken back to there, which costs less). */
static inline uint64_t bw_cost_of_puzzle(const bw_match *match) {
    return match->block && match->game->puzzle && match->game->current_turn(match->state) == 0 ? BW_PUZZLE_WORK : 0;
}

/* ---- answers: what became of messages that carry an id ---- */

typedef struct bw_answer {
    int64_t id;
    uint64_t ticket;   /* the answer stands once this is durable */
    int64_t seq;       /* of an acknowledgement */
    bw_bytes *refusal; /* or the error as it was sent; NULL: acknowledged */
} bw_answer;

typedef struct bw_answers {
    struct bw_acks *acks; /* those that stand, packed, oldest first; NULL: none */
    bw_queue list;        /* of bw_answer, oldest first: refusals, and acknowledgements that may be rolled back */
    int64_t forgotten;    /* ids up to this are no longer known */
    int64_t highest;      /* no id above this was ever answered: most messages need no search */
} bw_answers;

/* Walks over all: acknowledgements that stand, then the others. `position` is {0} at first; false: no more. */
typedef struct bw_answers_position {
    size_t index, offset;
    int64_t id, seq;
} bw_answers_position;
bool bw_answers_next(const bw_answers *answers, bw_answers_position *position, bw_answer *answer);
bool bw_answers_find(const bw_answers *answers, int64_t id, bw_answer *found);
/* `durable`: tickets up to this are; takes answer.refusal over. */
void bw_answers_add(bw_memory *memory, bw_answers *answers, bw_answer answer, uint64_t durable);
void bw_answers_rollback(bw_memory *memory, bw_answers *answers, uint64_t last_good);
void bw_answers_clear(bw_memory *memory, bw_answers *answers);

/* ---- rooms ---- */

typedef struct bw_seat {
    bool held; /* a token opens it */
    bool reserve;
    uint8_t token_hash[32];
    uint8_t next_hash[32]; /* of the token in the next room; agreed bit set */
    char *name;
    char *level;                  /* a bot's */
    char *file_name, *file_level; /* as they were at the start, for the game's file */
    bw_answers answers;
    /* not durable: what its holder has shown */
    bool token_known;
    uint8_t token[BW_TOKEN_BYTES];
} bw_seat;

typedef struct bw_room {
    char id[BW_ROOM_ID_MAX + 1];
    const bw_game *game; /* NULL: nothing was applied yet */
    void *config;
    bw_seat *seats;                           /* game->role_count */
    int64_t created_at, started_at, ended_at; /* 0: not yet */
    int64_t seq;
    uint32_t record_count;   /* so far */
    uint32_t snapshot_index; /* of the last snapshot */
    bw_match match;          /* block NULL: not started */
    bw_buffer plays;         /* compact */
    uint32_t play_count;
    void *base[2];               /* positions 64..128 plays ago; NULL: the start */
    size_t base_at[2];           /* where in plays they stand */
    bw_chain chain, first_chain; /* now; at the start */
    char replay_id[BW_REPLAY_ID_MAX + 1];
    uint64_t replays_written; /* bytes, about */
    uint32_t resigned;        /* bit set */
    uint32_t agreed;          /* to another game */
    bool swap;
    char next_room[BW_ROOM_ID_MAX + 1];
    bw_known known;           /* by a solver, of the current puzzle or an earlier one */
    uint32_t ready;           /* bit set of seats that said so */
    int64_t ready_from;       /* ms since the epoch: the time to get ready; 0: a seat was never taken yet */
    int64_t clock_started_at; /* ms since the epoch; 0: not yet, or a game without rounds */
    /* Not durable: who is there, as the session says. A status depends on it. */
    uint32_t present; /* bit set of seats */
    uint32_t spectators;
    struct bw_rebuilding *rebuilding;     /* as far as it is read */
    struct bw_snapshotting *snapshotting; /* as far as its snapshot is written */
    struct bw_session *session;           /* who uses it; not looked at here */
} bw_room;

void bw_room_set_game(bw_scratch *scratch, bw_room *room, const bw_game *game); /* with empty seats */
void bw_room_clear(bw_scratch *scratch, bw_room *room);                         /* all that is durable */
bool bw_room_id_fold(const char *id, char folded[BW_ROOM_ID_MAX + 1]);          /* false: not an id */
bw_status bw_room_status(const bw_room *room);
bool bw_room_paused(const bw_room *room);
bool bw_room_is_full(const bw_room *room);            /* of plays: it takes no more */
bool bw_seat_filled(const bw_room *room, int seat);   /* somebody is there, or a bot is */
bool bw_may_configure(const bw_room *room, int seat); /* the first role, if a person is there; else anybody seated */
/* Games with rounds: the game has begun, and its clock has not. */
bool bw_getting_ready(const bw_room *room);
uint32_t bw_ready_seats(const bw_room *room); /* nobody waits for them: ready, or a bot */
/* ms since the epoch; 0: the clock runs, or waits for a seat to be taken. */
int64_t bw_ready_until(const bw_room *room);
/* Every seat of the game is a person's, there or not, or a bot's. */
bool bw_seats_taken(const bw_room *room);
/* What is known of the current puzzle of `match`; NULL: nothing. */
const bw_known *bw_known_of(const bw_room *room, const bw_match *match);

/* Fills in the date, if the game leaves one to the day: of settings, or of an action. */
void bw_config_complete(const bw_game *game, void *config, int64_t wall_ms);
void bw_action_complete(const bw_game *game, void *action, int64_t wall_ms);

/* ---- plays ---- */

/* One play, as a room keeps it. */
typedef struct bw_play {
    int64_t seq;
    int64_t at;
    int8_t seat; /* BW_CLOCK: a round */
    bool resigns;
    uint8_t hash[BW_HASH_BYTES];
    bw_known known; /* a solver's news, first shown with this play; puzzle 0: none */
    void *action;   /* game->actions->size bytes of the reader's */
} bw_play;

typedef struct bw_play_reader {
    const bw_room *room;
    size_t at;
} bw_play_reader;

void bw_play_add(bw_scratch *scratch, bw_room *room, const bw_play *play);
bool bw_play_next(bw_play_reader *reader, bw_play *play); /* false: no more. play->action must be set */
/* Plays it on a match. 0, or a refusal. */
int bw_play_on(bw_match *match, const bw_play *play, bw_events *events);
/* Of a block: what replaying needs. Drafts stand last in it, and are left out. */
static inline size_t bw_base_bytes(const bw_match *match) { return (size_t)(match->drafts - match->block); }
/* The game's file so far; its seed is in it once the game is over, or `with_seed`. */
bw_bytes *bw_room_file(bw_scratch *scratch, const bw_room *room, bool with_seed);

/* ---- changes ---- */

typedef enum bw_hashing {
    BW_HASH_MAKE,  /* a new play: its record receives the hash of its line */
    BW_HASH_CHECK, /* a stored one: its hash must be that of its line */
    BW_HASH_TRUST, /* of a snapshot, whose sum and last hash are checked */
} bw_hashing;

enum { BW_BROKEN = -32767 }; /* a change that cannot be one of this room */

/* 0; or the refusal of the rules, or BW_BROKEN, and then a live room has not changed. After BW_HASH_MAKE the action's
 * text stands in scratch->text. `events` may be NULL. */
int bw_apply(bw_scratch *scratch, bw_room *room, bw_change *change, bw_hashing hashing, bw_events *events);
/* The message that led to a change is answered, once `ticket` is durable. */
void bw_answer_cause(bw_scratch *scratch, bw_room *room, const bw_record *record, uint64_t ticket, uint64_t durable);

/* ---- from and to the journal ---- */

void bw_rebuild_begin(bw_scratch *scratch, bw_room *room, const bw_stored_room *stored);
/* 1: the room is there; 0: there is more (and `stored` is needed no longer); -1: it is damaged. */
int bw_rebuild_slice(bw_scratch *scratch, bw_room *room);
void bw_rebuild_end(bw_scratch *scratch, bw_room *room);

void bw_snapshot_begin(bw_scratch *scratch, bw_room *room);
bool bw_snapshot_slice(bw_scratch *scratch, bw_room *room); /* true: all plays are in it */
bw_bytes *bw_snapshot_end(bw_scratch *scratch, bw_room *room);
void bw_snapshot_drop(bw_scratch *scratch, bw_room *room);

#endif
