/* A room: a game and its players, as they are stored. It knows nothing of connections.
 *
 * Every durable change of a room is a bw_change (records.h) and goes through bw_apply: while the room is live, when it
 * is rebuilt from the journal, and when it is forked from an old game. So a rebuilt room equals the live one. Missed
 * updates, snapshots and game files are made from a room.
 *
 *   bw_apply(scratch, room, &change, BW_HASH_MAKE, &events);      // live: the record receives the hash of its line
 *   bw_rebuild_begin(scratch, room, stored);                      // from the journal, in slices
 *   while (bw_rebuild_slice(scratch, room) == 0) ...
 *   bw_snapshot_begin(scratch, room);                             // to the journal, in slices
 *
 * A room keeps its last 64 to 128 moves, or fewer if they take many bytes. Only the newest 64 of them have their hashes, which
 * its game's file and its snapshot need: for these, all others are read back from the journal, in slices (bw_rebuild_begin).
 *
 * Limits: 5,000 moves; 64 answers per seat. Working memory is the caller's bw_scratch, sized for the largest game. */
#ifndef BW_ROOM_H
#define BW_ROOM_H

#include "rooms/planted.h"
#include "rooms/room/memory.h"
#include "rooms/room/records.h"

enum {
    BW_ANSWERS_MAX = 64, /* acknowledgements remembered per seat, and as many refusals */
#ifdef BW_SHORT_MEMORY   /* for tests: most games are long ones */
    BW_LOT_MOVES = 4,
    BW_OPEN_MAX = 2,
#else
    BW_LOT_MOVES = 64, /* moves; a room keeps one or two lots of them */
    BW_OPEN_MAX = 4,   /* rooms whose positions are open; one input uses one or two */
#endif
    BW_LOT_BYTES = 1536,   /* ... and a lot has no more bytes than this and one more move */
    BW_MOVES_MAX = 5000,   /* moves in a room; to play on, people make another room */
    BW_PUZZLE_WORK = 1000, /* units, for a new puzzle: computing the move limit of a large board */
    BW_SLICE = 1000,       /* units of work in a slice of a job: about a millisecond */
};

/* ---- working memory ---- */

/* A place for the position of a room that is in use. */
typedef struct bw_open {
    bw_match match;
    struct bw_room *room; /* NULL: free */
    uint64_t used;        /* the higher, the later */
} bw_open;

typedef struct bw_scratch {
    bw_memory memory;
    /* Work is counted, so that a test can see the cost of an input without a clock: a unit is about a microsecond. */
    uint64_t work;
    char *text, *pieces; /* the written text; the pieces it is made of */
    size_t text_cap, pieces_cap;
    unsigned char *events;
    void *action, *played, *config, *preview, *stats;
    void *block;               /* a copy of a match */
    uint8_t *before, *packed;  /* moves.c */
    bw_open open[BW_OPEN_MAX]; /* the positions of the rooms used last */
    uint64_t uses;
    bw_match unstarted; /* empty */
    void *views[2][BW_SEATS_MAX + 1];
    void *you[2][BW_SEATS_MAX];
    bw_token *tokens;
    int token_cap;
} bw_scratch;

void bw_scratch_init(bw_scratch *scratch); /* for the largest of all games */
void bw_scratch_clear(bw_scratch *scratch);
/* Doubles the text or the pieces if that overflowed; the caller writes again. */
bool bw_grow(bw_scratch *scratch, const bw_out *out, char **at, size_t *cap);
bw_events bw_scratch_events(bw_scratch *scratch, const bw_game *game);

/* Units of work. */
uint64_t bw_cost_of_text(size_t length);
uint64_t bw_cost_of_move(const bw_match *match); /* that was just played; without its hash */
uint64_t bw_cost_of_hash(const bw_game *game);
uint64_t bw_cost_of_start(const bw_match *match, bool given);

/* ---- answers to messages that carry an id ---- */

typedef struct bw_answer {
    int64_t id;
    uint64_t ticket;   /* the answer is final once this ticket is durable */
    int64_t seq;       /* of an acknowledgement */
    bw_bytes *refusal; /* the error as sent; NULL: acknowledged */
} bw_answer;

typedef struct bw_answers {
    struct bw_acks *acks; /* the final ones, packed, oldest first; NULL: none */
    bw_queue list;        /* bw_answer, oldest first: refusals, and acknowledgements that may be rolled back */
    int64_t forgotten;    /* ids up to this one are forgotten */
    int64_t highest;      /* the highest answered id: most messages have a higher one and need no search */
} bw_answers;

/* Iterates over all: first the final acknowledgements, then the others. `position` starts as {0}; false: no more. */
typedef struct bw_answers_position {
    size_t index, offset;
    int64_t id, seq;
} bw_answers_position;
bool bw_answers_next(const bw_answers *answers, bw_answers_position *position, bw_answer *answer);
bool bw_answers_find(const bw_answers *answers, int64_t id, bw_answer *found);
/* `durable`: the last durable ticket; takes ownership of answer.refusal. */
void bw_answers_add(bw_memory *memory, bw_answers *answers, bw_answer answer, uint64_t durable);
void bw_answers_rollback(bw_memory *memory, bw_answers *answers, uint64_t last_good);
void bw_answers_clear(bw_memory *memory, bw_answers *answers);

/* ---- rooms ---- */

typedef struct bw_seat {
    bool held; /* a token opens the seat */
    bool reserve;
    uint8_t token_hash[32];
    uint8_t *next_hash; /* 32 bytes: hash of the token in the next room; NULL: no rematch was offered or accepted */
    char *name;
    char *level;                  /* a bot's */
    char *file_name, *file_level; /* as they were at the start, for the game's file */
    bw_answers answers;
    /* not durable: what the holder has sent */
    bool token_known;
    uint8_t token[BW_TOKEN_BYTES];
} bw_seat;

/* What the next move's number and time are stored against. */
typedef struct bw_move_mark {
    int64_t seq, at;
} bw_move_mark;

/* A position that was kept, to play on from: the newer one as its difference from the older one. */
typedef struct bw_base {
    size_t at;                      /* of the newer one: offset in the room's moves of the move after it */
    size_t last_at;                 /* ... and of the move before it, which may not be in the journal yet */
    uint32_t number;                /* moves before it */
    bw_move_mark last;              /* of the last of them */
    bw_solver_result solver_result; /* the room's at that time */
    uint8_t position[];             /* packed (bw_sparse_put), without the drafts */
} bw_base;

typedef struct bw_room {
    char id[BW_ROOM_ID_MAX + 1];
    const bw_game *game; /* NULL: no change was applied yet */
    void *config;
    bw_seat **seats;                          /* game->role_count; NULL: it was never taken */
    int64_t created_at, started_at, ended_at; /* 0: not yet */
    int64_t seq;
    uint32_t record_count;   /* so far */
    uint32_t snapshot_index; /* of the last snapshot */
    bw_open *open;           /* its position; NULL: not started, or it rests */
    uint8_t *resting;        /* ... packed, as the difference from the newest base, and out of date while it is open */
    char *given;             /* its start, where that was written down; else NULL */
    bw_buffer moves;         /* the last moves, packed; all of them if moves_before is 0 */
    bw_buffer bare;          /* the moves between the two bases, without hashes */
    uint32_t move_count, moves_before;
    bool keeps_all; /* no move is dropped for now */
    bw_move_mark last_move;
    bw_base *base[2]; /* a position one or two lots of BW_LOT_MOVES ago, and the one after it; NULL: the start */
    bw_chain chain, chain_before; /* now, and before the last move */
    char replay_id[BW_REPLAY_ID_MAX + 1];
    uint64_t replays_written; /* bytes, about */
    uint32_t resigned;        /* bit set */
    uint32_t agreed;          /* the room after a rematch */
    bool swap;
    char next_room[BW_ROOM_ID_MAX + 1];
    bw_solver_result solver_result; /* a solver's result for the current puzzle or an earlier one */
    uint32_t ready;                 /* bit set of seats that are ready */
    int64_t ready_from;       /* ms since the epoch: the deadline to get ready; 0: some seat has never been taken */
    int64_t clock_started_at; /* ms since the epoch; 0: not yet, or a game without rounds */
    /* Not durable: who is connected, set by the session. The status depends on it. */
    uint32_t present; /* bit set of seats */
    uint32_t spectators;
    struct bw_rebuilding *rebuilding;     /* progress of reading */
    struct bw_snapshotting *snapshotting; /* progress of writing the snapshot */
    struct bw_session *session;           /* the owner's; not used here */
    bw_scratch *scratch;                  /* the hall's */
} bw_room;

void bw_room_set_game(bw_scratch *scratch, bw_room *room, const bw_game *game); /* with empty seats */
void bw_room_clear(bw_scratch *scratch, bw_room *room);                         /* frees everything durable */
/* Its game, valid until BW_OPEN_MAX other rooms were asked for theirs; `block` is NULL before the start. */
bw_match *bw_room_match(const bw_room *room);
bw_match *bw_room_begin_match(bw_room *room); /* to be started; its memory is not zero */
void bw_room_drop_match(bw_room *room);
void bw_room_rest(bw_room *room);                                      /* packs it at once */
bool bw_room_id_fold(const char *id, char folded[BW_ROOM_ID_MAX + 1]); /* false: not an id */
bw_status bw_room_status(const bw_room *room);
bool bw_room_paused(const bw_room *room);
const bw_seat *bw_seat_at(const bw_room *room, int seat);
bw_seat *bw_seat_use(bw_room *room, int seat);        /* to be changed */
uint32_t bw_bot_seats(const bw_room *room);           /* bit set: those of bots, also of bots that stand in */
uint32_t bw_filled_seats(const bw_room *room);        /* bit set: somebody is there, or a bot is */
bool bw_may_configure(const bw_room *room, int seat); /* the first role if its person is there; else any player */
/* Games with rounds: the game has begun, and its clock has not. */
bool bw_getting_ready(const bw_room *room);
/* ... unless the clock runs at once. `vacant`: its seats are still to be taken. */
bool bw_clock_runs_from_start(const bw_room *room, bool vacant);
uint32_t bw_ready_seats(const bw_room *room); /* nobody waits for them: ready, or a bot */
/* ms since the epoch; 0: the clock runs, or waits until a seat is taken. */
int64_t bw_ready_until(const bw_room *room);
/* Does every seat of the game have a person, connected or not, or a bot? */
bool bw_seats_taken(const bw_room *room);
/* The solver's result for the current puzzle of `match`; NULL: none. */
const bw_solver_result *bw_solver_result_of(const bw_room *room, const bw_match *match);

/* Fills in the date in settings or an action (the other one is NULL) of a game with set_date. */
void bw_set_date(const bw_game *game, void *config, void *action, int64_t wall_ms);

/* ---- moves ---- */

/* One move, as a room stores it. */
typedef struct bw_move {
    int64_t seq;
    int64_t at;
    int8_t seat; /* BW_CLOCK: a round */
    bool resigns;
    uint8_t hash[BW_HASH_BYTES];
    bw_solver_result solver_result; /* a solver's result, first shown with this move; puzzle 0: none */
    void *action;                   /* game->actions->size bytes, owned by the reader */
} bw_move;

typedef struct bw_move_reader {
    const bw_room *room;
    size_t at;
    bw_move_mark last;
    bool bare; /* it is among room->bare, whose moves have no hash */
} bw_move_reader;

void bw_move_add(bw_scratch *scratch, bw_room *room, const bw_move *move);
/* Packs a move behind others; `last` becomes its mark. `bare`: without its hash. */
void bw_move_put(bw_scratch *scratch, const bw_room *room, bw_buffer *to, bw_move_mark *last, const bw_move *move,
                 bool bare);
bw_move_reader bw_moves_all(const bw_room *room);         /* of a room that is whole */
bw_move_reader bw_moves_of_base(const bw_room *room);     /* those after base[0], some without their hashes */
bool bw_move_next(bw_move_reader *reader, bw_move *move); /* false: no more. move->action must be set */
static inline bool bw_room_is_whole(const bw_room *room) { return room->moves_before == 0; }
/* Puts what was dropped before what was kept. Takes over the buffer. */
void bw_moves_complete(bw_scratch *scratch, bw_room *room, bw_buffer *older);
void bw_moves_keep_last(bw_scratch *scratch, bw_room *room); /* ends keeps_all */
/* Plays it on a match. 0, or a refusal. */
int bw_move_play(bw_match *match, const bw_move *move, bw_events *events);
/* Keeps the current position; the older one of two is dropped. last_at: where the last move is in room->moves. */
void bw_base_keep(bw_scratch *scratch, bw_room *room, size_t last_at);
/* Starts a match at base[0], or at the start. false: the start is damaged. */
bool bw_match_at_base(const bw_room *room, bw_match *match);
/* The first line of the game's file, which starts its chain; with the seed if the game is over or `with_seed`. */
void bw_room_write_head(bw_out *out, const bw_room *room, bool with_seed, bw_chain *chain);
/* The file so far of a game that is whole; includes the seed if it is over or `with_seed`. */
bw_bytes *bw_room_file(bw_scratch *scratch, const bw_room *room, bool with_seed);

/* ---- changes ---- */

typedef enum bw_hashing {
    BW_HASH_MAKE,  /* a new move: its record receives the hash of its line */
    BW_HASH_CHECK, /* a stored move: its hash must match its line */
    BW_HASH_TRUST, /* a move of a snapshot, which is checked by its sum and last hash */
} bw_hashing;

enum { BW_BROKEN = -32767 }; /* the change is impossible in this room */

/* 0; or a refusal of the rules, or BW_BROKEN; a live room is then unchanged. After BW_HASH_MAKE, scratch->text holds
 * the action's text. `events` may be NULL. */
int bw_apply(bw_scratch *scratch, bw_room *room, bw_change *change, bw_hashing hashing, bw_events *events);
/* Answers the message that caused a change; final once `ticket` is durable. */
void bw_answer_cause(bw_scratch *scratch, bw_room *room, const bw_record *record, uint64_t ticket, uint64_t durable);

/* ---- from and to the journal ---- */

/* A room in use (keeps_all must have been set before its data was asked for) becomes whole; nothing else of it changes. */
void bw_rebuild_begin(bw_scratch *scratch, bw_room *room, const bw_stored_room *stored);
/* 1: the room is complete; 0: there is more (`stored` is no longer needed); -1: the data is damaged, or does not have
 * all moves that a room in use no longer has. */
int bw_rebuild_slice(bw_scratch *scratch, bw_room *room);
void bw_rebuild_end(bw_scratch *scratch, bw_room *room);

void bw_snapshot_begin(bw_scratch *scratch, bw_room *room); /* which is whole; sets keeps_all */
bool bw_snapshot_slice(bw_scratch *scratch, bw_room *room); /* true: all moves are written */
bw_bytes *bw_snapshot_end(bw_scratch *scratch, bw_room *room);
void bw_snapshot_drop(bw_scratch *scratch, bw_room *room);

#endif
