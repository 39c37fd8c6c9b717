/* Inside rooms/ only: the hall's data, and what its files offer each other.
 *
 *   hall.c       inputs to the right place, deadlines, figures
 *   outputs.c    the queue of outputs; what waits for the journal (output commit)
 *   rooms.c      a room's life in memory: made, looked up, let go
 *   plays.c      the plays of a game, compact
 *   fold.c       the durable state of a room: what each note does to it
 *   check.c      whether a stored note can be one of this room's
 *   rebuild.c    a room from the journal
 *   jobs.c       what takes long, in slices
 *   snapshot.c   a room as notes
 *   commit.c     a note on its way: encoded, applied, given to the journal; failures
 *   loading.c    rooms that are being read; who waits for them
 *   state.c      state, you, updates: what viewers are sent
 *   answers.c    ids, acknowledgements, refusals
 *   clients.c    connections: opened, closed, silent
 *   dispatch.c   a message's way to its handler, and the order of refusals
 *   seats.c      roles, tokens, bots in seats
 *   away.c       a bot for who is away, a game that is claimed; reactions
 *   settings.c   configure, start, and what a game has of its own to do both
 *   play.c       game actions, resignation, the end
 *   missed.c     updates made again for who missed them
 *   rounds.c     the clock of games of rounds
 *   ready.c      and what it waits for: everybody, or the time to get ready
 *   bots.c       work for bots
 *   known.c      work for solvers, and what they found
 *   orders.c     orders in words
 *   rematch.c    another game
 *   files.c      game files: log and replay
 *   http.c       requests that are not sockets; games_json.c: the list of games
 *   fork.c       a new room at a move of an old game
 *   shared.c     a finished game's file from a player's own device
 *   limits.c     messages per connection, rooms and questions to a model per address
 *   idle.c       hibernation, closing, forgetting */
#ifndef BW_ROOMS_INTERNAL_H
#define BW_ROOMS_INTERNAL_H

#include "engine/file.h"
#include "rooms/map.h"
#include "rooms/notes.h"
#include "rooms/planted.h"

enum {
    BW_ANSWERS_MAX = 64,         /* acknowledgements remembered for each seat, and as many refusals */
    BW_MISSED_MAX = 64,          /* updates that can be made again, at least */
    BW_ROOMS_MAX = 1 << 20,      /* in memory */
    BW_ROOM_CONNECTIONS = 10000, /* to one room */
    BW_INPUTS_MAX = 100000,      /* bytes that a connection may send into a room that is being read */
    BW_WORDS_ACTIONS_MAX = 64,   /* orders understood from one text */
    BW_PLAYS_MAX = 5000,         /* of a game in a room; whoever has more to play makes another room */
    BW_REPLAYS_MAX = 16 << 20,   /* bytes of its replay, written again at each end of a game that goes on after it */
    BW_LOOSE_NOTES = 512,        /* settings, seats, what is prepared: so many are put together in a snapshot */
    BW_MISSED_BYTES = 200000, /* of the updates that are made again at once; more would be the whole state, cheaper */
    BW_PUZZLE_WORK = 1000,    /* units, for a new puzzle: the limit of a large board is looked for */
    BW_RECORD_BYTES = 100,    /* of the database, beside what a record holds: a row, its place in an index */
    BW_SLICE = 1000,          /* units of work (bw_worked) of a job at once: about a millisecond */
};

typedef struct bw_room bw_room;
typedef struct bw_rebuilding bw_rebuilding;
typedef struct bw_forking bw_forking;

/* ---- connections ---- */

typedef struct bw_answer {
    int64_t id;
    uint64_t ticket;   /* the answer stands once this is durable */
    int64_t seq;       /* of an acknowledgement */
    bw_bytes *refusal; /* or the error as it was sent; NULL: acknowledged */
} bw_answer;

typedef struct bw_answers {
    struct bw_acks *acks; /* those that stand, packed (answers.c), oldest first; NULL: none */
    bw_queue list;        /* of bw_answer, oldest first: refusals, and acknowledgements that may be rolled back */
    int64_t forgotten;    /* ids up to this are no longer known */
} bw_answers;

typedef struct bw_conn {
    uint64_t number;
    bw_room *room;
    int8_t seat;              /* BW_WATCHER: looks on */
    bool attached;            /* told the state: takes part in broadcasts */
    int64_t bucket_us;        /* limits.c */
    int64_t reacted_us;       /* the last reaction */
    int64_t pong_us, ping_us; /* due times: gone, next ping */
    uint32_t waiting_bytes;   /* in the inputs of a room that is being read */
    bw_key address;
    bw_answers answers;              /* while it holds no seat */
    struct bw_conn *next, *previous; /* in the room */
    struct bw_conn *ping_next, *ping_previous, *pong_next, *pong_previous;
} bw_conn;

/* ---- rooms ---- */

typedef struct bw_seat {
    /* durable */
    bool held; /* a token opens it */
    bool reserve;
    uint8_t token_hash[32];
    uint8_t next_hash[32]; /* of the token in the next room; agreed bit set */
    char *name;
    char *level;                  /* a bot's */
    char *file_name, *file_level; /* as they were at the start, for the game's file */
    bw_answers answers;
    /* of this moment */
    bool token_known;
    uint8_t token[BW_TOKEN_BYTES];
    bw_conn *conn; /* NULL: away */
    int64_t gone_us;
    uint64_t work;    /* a bot is thinking; 0: no */
    uint8_t failures; /* answers in a row that the rules refused */
    int64_t asked_us; /* orders.c: the last question to the model */
    uint64_t question;
} bw_seat;

typedef enum bw_phase {
    BW_PHASE_LOADING, /* LOAD is out; inputs wait */
    BW_PHASE_LIVE,
    BW_PHASE_LEAVING, /* its last entries are on their way; then it leaves memory */
} bw_phase;

/* What waits for the journal before it leaves for a client. */
typedef struct bw_pending {
    uint64_t ticket;
    uint64_t conn;
    int64_t id;       /* of the message that it answers; 0: none */
    bw_out_kind kind; /* SEND, CLOSE, REPLY */
    int code;
    const char *reason;
    bw_bytes *bytes;
    bool answer; /* tells the fate of a message: turned into an error where the journal fails */
} bw_pending;

typedef enum bw_input_kind {
    BW_INPUT_OPEN,
    BW_INPUT_MESSAGE,
    BW_INPUT_TOO_LARGE,
    BW_INPUT_STATE,
    BW_INPUT_LOG,
    BW_INPUT_CREATE,  /* HTTP: `bytes` is the config, as the note has it */
    BW_INPUT_FORK,    /* HTTP: `bytes` is the file of an old game, `seq` its last play that is taken over */
    BW_INPUT_SHARE,   /* HTTP: `bytes` is the file of a game that was played elsewhere */
    BW_INPUT_REMATCH, /* `origin` asks for it */
} bw_input_kind;

typedef struct bw_input {
    bw_input_kind kind;
    uint64_t conn;
    const bw_game *game;
    bw_bytes *bytes;
    int64_t seq;
    char origin[BW_ROOM_ID_MAX + 1];
    bw_key address; /* who asks by HTTP */
} bw_input;

/* A file that is read in slices (jobs.c). To play on from it, two readings: the first finds the last play that is taken
 * over, the second takes over. */
struct bw_forking {
    bw_input input; /* BW_INPUT_FORK or BW_INPUT_SHARE */
    bw_file_reader reader;
    bw_file_reading reading;
    bool taking;     /* the second reading */
    int64_t seq;     /* the play that was asked for */
    int64_t last;    /* the last one that is taken over */
    uint32_t number; /* of the last play of a file that is shared */
    bw_chain before; /* its hash */
};

/* A replay that is being read: for its own sake, or because a room is to be made from it. */
typedef struct bw_wanted {
    uint64_t conn;
    bool for_room;
    int64_t seq; /* the last play that is taken over */
    bw_key address;
} bw_wanted;

struct bw_room {
    char id[BW_ROOM_ID_MAX + 1];
    uint8_t phase;
    /* durable: the fold of the notes */
    const bw_game *game; /* NULL while LOADING the first time */
    void *config;
    int64_t created_at, started_at, ended_at; /* 0: not yet */
    int64_t seq;
    uint32_t note_count;     /* records so far */
    uint32_t snapshot_index; /* of the last snapshot */
    bw_match match;          /* block NULL: not started */
    uint32_t play_count;
    bw_buffer plays;             /* fold.h: compact */
    void *base[2];               /* positions 64..128 plays ago; NULL: the start */
    size_t base_at[2];           /* where in plays they stand */
    bw_chain chain, first_chain; /* now; at the start */
    char replay_id[BW_REPLAY_ID_MAX + 1];
    uint64_t replays_written; /* bytes, about */
    uint32_t resigned;        /* bit set */
    uint32_t agreed;          /* to another game */
    bool swap;
    char next_room[BW_ROOM_ID_MAX + 1];
    bw_known known;           /* by a solver, of a puzzle that lies or lay there */
    uint32_t ready;           /* bit set of seats that said so */
    int64_t clock_started_at; /* ms since the epoch; 0: not yet, or a game without rounds */
    /* of this moment */
    bw_known found;   /* the solver's last answer, to be noted with the next play */
    uint64_t solving; /* the solver's work; 0: none */
    bw_conn *conns;   /* newest first */
    uint32_t conn_count, spectators;
    bw_key payer;   /* the address of who last did something here: what is stored counts as theirs */
    bool told_over; /* the end was announced */
    bool rematch_under_way;
    bool forgetting;    /* LEAVING for good */
    bw_seat *old_seats; /* while it is read again after a failure: who sat where */
    int old_count;
    bw_rebuilding *rebuilding;            /* LOADING: as far as it is read */
    struct bw_snapshotting *snapshotting; /* as far as its snapshot is written */
    bool snapshot_wanted;                 /* a job; it may wait for its first slice */
    bool hibernating;                     /* it leaves memory then */
    uint32_t loose_notes;                 /* since the last snapshot, those that make no game longer */
    bw_forking *forking;                  /* LOADING: as far as it is played again */
    uint64_t last_ticket;                 /* the last entry that is not durable; 0: all are */
    uint64_t note_ticket;                 /* the last record among them */
    bw_queue pending;                     /* bw_pending */
    bw_queue inputs;                      /* bw_input, while LOADING */
    uint32_t spectators_told;
    /* deadlines on the monotonic clock; INT64_MAX: none */
    int64_t round_us, ready_us, idle_us, close_us, spectators_us, retry_us;
    int64_t round_wall_ms; /* the same moment as clients are told it, ms since the epoch */
    int64_t deadline_us;
    size_t heap_at;  /* 0: not in the heap */
    uint8_t counted; /* figures: status + 1 */
    bw_seat *seats;  /* game->role_count; NULL while game is */
};

/* An entry that is on its way, for the journal's answers. */
typedef struct bw_underway {
    uint64_t ticket;
    bw_room *room;
    char name[BW_ROOM_ID_MAX + 1]; /* of the room */
    bw_entry_kind kind;
    uint64_t conn; /* who is told where it fails */
    int64_t id;
} bw_underway;

struct bw_hall {
    bw_memory memory;
    bw_hall_settings settings;
    bw_now now; /* of the input under way */
    uint32_t key[8];
    uint64_t drawn;
    bw_map rooms, conns;
    bw_map works, questions;      /* with bots, and with a language model */
    bw_map wanted;                /* bw_wanted, by the number of who asked */
    struct bw_address *addresses; /* limits.c; NULL: none yet */
    uint64_t addresses_secret;
    int64_t questions_us; /* limits.c: of all addresses */
    bw_room **heap;       /* heap[1..heap_count], earliest deadline first */
    size_t heap_count, heap_cap;
    bw_queue outputs;  /* bw_output */
    bw_queue underway; /* bw_underway */
    bw_queue jobs;     /* bw_key of a room: in slices, one after the other */
    int64_t jobs_us;   /* the next slice */
    uint64_t tickets;  /* given out */
    uint64_t durable;
    uint64_t last_work;
    bw_conn ping_list, pong_list; /* rings: next is the earliest */
    int64_t sweep_us;
    bool draining, closed_all;
    bool storage_full;
    bw_hall_figures figures;
    /* scratch, sized for the largest game */
    struct bw_scratch {
        char *text, *pieces; /* a message; the parts it is put together from */
        size_t text_cap, pieces_cap;
        unsigned char *events;
        void *action, *played, *config, *preview, *stats;
        void *block; /* a copy of a match */
        void *views[2][BW_SEATS_MAX + 1];
        void *you[2][BW_SEATS_MAX];
        bw_token *tokens;
        int token_cap;
    } scratch;
};

/* ---- outputs.c ---- */

/* To a client of a room, behind what the room still has on its way to the journal. Takes `bytes` over. */
void bw_send(bw_hall *hall, bw_room *room, uint64_t conn, bw_bytes *bytes);
void bw_send_answer(bw_hall *hall, bw_room *room, uint64_t conn, int64_t id, bw_bytes *bytes);
void bw_send_close(bw_hall *hall, bw_room *room, uint64_t conn, int code, const char *reason);
void bw_reply(bw_hall *hall, bw_room *room, uint64_t conn, int status, bw_bytes *bytes); /* room may be NULL */
void bw_reply_error(bw_hall *hall, bw_room *room, uint64_t conn, int status, bw_error_code code, const char *message);
/* Everybody who is attached; shared. Does not take `bytes` over. */
void bw_broadcast(bw_hall *hall, bw_room *room, bw_bytes *bytes);
/* Doubles the scratch text where it overflowed: the caller writes again. */
bool bw_grow_text(bw_hall *hall, const bw_out *out);
/* An output that waits for nothing. */
bw_output *bw_emit(bw_hall *hall, bw_out_kind kind);
/* What of the room is durable now leaves. */
void bw_release_pending(bw_hall *hall, bw_room *room);
/* Throws away what waits; who waited for an answer gets `reason`. */
void bw_drop_pending(bw_hall *hall, bw_room *room, const char *reason);
/* Encodes a server's message. */
bw_bytes *bw_message(bw_hall *hall, const bw_server_message *message);
bw_bytes *bw_error_message(bw_hall *hall, bw_error_code code, const char *sentence, int64_t id);

/* ---- rooms.c ---- */

bw_room *bw_room_find(const bw_hall *hall, const char *id);
/* A room of that id that is being read: LOAD goes out. */
bw_room *bw_room_load(bw_hall *hall, const char *id);
bw_room *bw_room_new(bw_hall *hall, const char *id); /* without a LOAD */
/* Gives a room its game and empty seats. */
void bw_room_set_game(bw_hall *hall, bw_room *room, const bw_game *game);
/* Drops what is durable (to be folded anew), keeping connections. */
void bw_room_forget_durable(bw_hall *hall, bw_room *room);
void bw_room_free(bw_hall *hall, bw_room *room);
bool bw_room_id_fold(const char *id, char folded[BW_ROOM_ID_MAX + 1]); /* false: not an id */
void bw_room_id_draw(bw_hall *hall, char id[BW_ROOM_ID_MAX + 1]);
void bw_replay_id_draw(bw_hall *hall, char id[BW_REPLAY_ID_MAX + 1]);
void bw_draw(bw_hall *hall, uint8_t *bytes, size_t count); /* secret randomness, at most 64 bytes */
bw_status bw_room_status(const bw_room *room);
bool bw_room_paused(const bw_room *room);
/* Somebody is there, or a bot is. */
bool bw_seat_filled(const bw_seat *seat);
/* Recomputes the room's deadline. */
void bw_room_schedule(bw_hall *hall, bw_room *room);
void bw_heap_remove(bw_hall *hall, bw_room *room);
void bw_room_count(bw_hall *hall, bw_room *room); /* figures: its status may have changed */

/* ---- plays.c, fold.c, rebuild.c ---- */

/* One play in `plays`, as it is kept in memory. */
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

void bw_play_add(bw_hall *hall, bw_room *room, const bw_play *play);
/* false: no more. play->action must be set. */
bool bw_play_next(bw_play_reader *reader, bw_play *play);
/* Plays it on a match. Returns 0 or a refusal. */
/* Of a block: what replaying needs. Drafts stand last in it, and are not looked at. */
static inline size_t bw_base_bytes(const bw_match *match) { return (size_t)(match->drafts - match->block); }
int bw_play_on(bw_match *match, const bw_play *play, bw_events *events);

/* Applies a note. `action`, `config`: what stands beside the note (NULL: nothing). `played`: the match has it
 * already. false: the note does not fit (a stored room is broken). */
bool bw_fold(bw_hall *hall, bw_room *room, const bw_note *note, const void *config, const void *action, bool played);
bool bw_note_is_public(const bw_note *note); /* it moves seq */

/* A stored note (its config and action beside it, as read): could it follow in this room? Before it is folded. */
bool bw_note_fits(const bw_room *room, const bw_note *note, const void *config, const void *action, bool in_snapshot);
/* Folds a stored room, slice by slice. 1: it is there; 0: there is more (and `stored` is needed no longer);
 * -1: it is damaged. */
void bw_rebuild_begin(bw_hall *hall, bw_room *room, const bw_stored_room *stored);
int bw_rebuild_slice(bw_hall *hall, bw_room *room);
void bw_rebuild_end(bw_hall *hall, bw_room *room);

/* ---- jobs.c ---- */

/* A room that is LOADING is to be given slices of work, soon. */
void bw_job_add(bw_hall *hall, bw_room *room);
void bw_jobs_tick(bw_hall *hall);
int64_t bw_jobs_deadline(const bw_hall *hall);
void bw_room_rebuilt(bw_hall *hall, bw_room *room, bool good); /* loading.c: goes on where it is done */

/* Work is counted, so that a test can see what an input costs without a clock: a unit is about a microsecond. */
static inline void bw_worked(bw_hall *hall, uint64_t units) { hall->figures.work_total += units; }
/* Of what a play has led to: a puzzle at its start may have been laid just now (or taken back to there, which costs less). */
static inline uint64_t bw_cost_of_puzzle(const bw_match *match) {
    return match->block && match->game->puzzle && match->game->current_turn(match->state) == 0 ? BW_PUZZLE_WORK : 0;
}
static inline uint64_t bw_cost_of_text(size_t length) { return 1 + length / 128; }
static inline uint64_t bw_cost_of_play(const bw_game *game) { return 1 + game->state_size / 1024; }
static inline uint64_t bw_cost_of_hash(const bw_game *game) { return 1 + game->state_size / 64; }

/* ---- snapshot.c ---- */

void bw_snapshot_begin(bw_hall *hall, bw_room *room);
bool bw_snapshot_slice(bw_hall *hall, bw_room *room); /* true: all plays are in it */
bw_bytes *bw_snapshot_end(bw_hall *hall, bw_room *room);
void bw_snapshot_drop(bw_hall *hall, bw_room *room);
/* In slices, stored when it is whole, wherever the room stands then. */
void bw_snapshot_soon(bw_hall *hall, bw_room *room);
bool bw_snapshot_job(bw_hall *hall, bw_room *room); /* true: done */

/* ---- commit.c ---- */

typedef struct bw_cause {
    bw_conn *conn; /* NULL: nobody */
    int64_t id;    /* 0: none */
} bw_cause;

/* Encodes, folds and journals a note. */
void bw_commit(bw_hall *hall, bw_room *room, bw_note *note, const void *config, const void *action, bool played,
               bw_cause cause);
bw_bytes *bw_encode_note(bw_hall *hall, const bw_room *room, const bw_note *note, const void *config,
                         const void *action);
void bw_append(bw_hall *hall, bw_room *room, bw_entry_kind kind, bw_bytes *bytes, bw_cause cause);
void bw_commit_failed(bw_hall *hall, uint64_t last_good, const char *reason, bool in_doubt);

/* ---- loading.c ---- */

void bw_wait_input(bw_hall *hall, bw_room *room, bw_input input);
void bw_run_inputs(bw_hall *hall, bw_room *room);
void bw_wait_message(bw_hall *hall, bw_conn *conn, const char *bytes, size_t length);
/* NULL or "": the default. NULL: there is no such game, or it is offered to nobody. */
const bw_game *bw_game_for_new_room(const bw_hall *hall, const char *id);
void bw_load_again(bw_hall *hall, bw_room *room);
void bw_room_roll_back(bw_hall *hall, bw_room *room, bw_entry_kind kind, uint64_t last_good);
void bw_seats_drop(bw_hall *hall, bw_room *room);
void bw_note_created_for(const bw_hall *hall, bw_note *note, const bw_game *game);
/* The room as a new one. */
void bw_room_create(bw_hall *hall, bw_room *room, const bw_game *game, const void *config);

/* ---- state.c ---- */

bw_bytes *bw_room_state_for(bw_hall *hall, bw_room *room, int seat);
/* `state` alone, as a spectator sees it. */
bw_bytes *bw_state_for_http(bw_hall *hall, bw_room *room);
/* room_state to everybody, but one (NULL: none). */
void bw_tell_state(bw_hall *hall, bw_room *room, const bw_conn *but);
uint32_t bw_viewers(const bw_room *room);                 /* for bw_update_begin: who is there */
void bw_tell_you(bw_hall *hall, bw_room *room, int seat); /* game_update with what the seat has prepared */

/* An update: what is before is taken down, something is played, the rest is told. */
typedef struct bw_before {
    bw_state state;
    uint32_t viewers; /* bit set of seats; bit BW_SEATS_MAX: the watchers */
} bw_before;
void bw_update_begin(bw_hall *hall, bw_room *room, const bw_match *match, uint32_t viewers, bw_before *before);
/* Encodes the update for one viewer. */
bw_bytes *bw_update_for(bw_hall *hall, bw_room *room, const bw_match *match, const bw_before *before, int viewer,
                        const bw_events *events, int64_t seq, bool live);
void bw_update_tell(bw_hall *hall, bw_room *room, const bw_before *before, const bw_events *events);
bw_bytes *bw_game_over_for(bw_hall *hall, bw_room *room);
bw_events bw_scratch_events(bw_hall *hall, const bw_game *game);

/* ---- answers.c ---- */

/* Walks over all: acknowledgements that stand, then the others. `position` is {0} at first; false: no more. */
typedef struct bw_answers_position {
    size_t index, offset;
    int64_t id, seq;
} bw_answers_position;
bool bw_answers_next(const bw_answers *answers, bw_answers_position *position, bw_answer *answer);
bool bw_answers_find(const bw_answers *answers, int64_t id, bw_answer *found);
void bw_answers_add(bw_hall *hall, bw_answers *answers, bw_answer answer);
/* The last answer is that of the entry that has just been given to the journal. */
void bw_answers_under_way(bw_answers *answers, uint64_t ticket);
void bw_answers_rollback(bw_hall *hall, bw_answers *answers, uint64_t last_good);
void bw_answers_clear(bw_hall *hall, bw_answers *answers);
bw_answers *bw_answers_of(bw_conn *conn);
/* true: the id was answered before, and has been again. */
bool bw_answer_again(bw_hall *hall, bw_conn *conn, int64_t id);
/* The fate of the message under way. id 0: an acknowledgement is not sent. */
void bw_acknowledge(bw_hall *hall, bw_conn *conn, int64_t id);
void bw_refuse(bw_hall *hall, bw_conn *conn, int64_t id, bw_error_code code, const char *sentence);
/* The same, but not remembered: the same id may be tried again. */
void bw_refuse_for_now(bw_hall *hall, bw_conn *conn, int64_t id, bw_error_code code, const char *sentence);

/* ---- clients.c ---- */

bw_conn *bw_conn_find(const bw_hall *hall, uint64_t number);
void bw_conn_attach(bw_hall *hall, bw_conn *conn); /* takes part from now on: told the state */
void bw_conn_gone(bw_hall *hall, bw_conn *conn);   /* closed, however: frees it */
void bw_conn_close(bw_hall *hall, bw_conn *conn, int code, const char *reason); /* closes it from this side */
void bw_conn_leave_seat(bw_hall *hall, bw_conn *conn); /* becomes a spectator; nothing is told */
void bw_conn_take_seat(bw_hall *hall, bw_conn *conn, int seat);
void bw_conns_init(bw_hall *hall);
void bw_conns_tick(bw_hall *hall);
int64_t bw_conns_deadline(const bw_hall *hall);
void bw_spectators_changed(bw_hall *hall, bw_room *room, const bw_conn *but);
void bw_seat_is_away(bw_hall *hall, bw_room *room, int seat); /* seats.c */

/* ---- dispatch.c ---- */

void bw_dispatch(bw_hall *hall, bw_conn *conn, const char *bytes, size_t length);
void bw_dispatch_too_large(bw_hall *hall, bw_conn *conn);
int64_t bw_id_of(bw_hall *hall, const char *bytes, size_t length); /* a message's id; 0: it has none */

/* A message under way, for its handler. */
typedef struct bw_asked {
    bw_conn *conn;
    int64_t id;
    const bw_doc *doc;
    const bw_client_message *message;
} bw_asked;

/* ---- the handlers; what is well formed is found out before anything else ---- */

bool bw_find_role(bw_hall *hall, const bw_asked *asked, const char *role, int *index);
bool bw_find_level(bw_hall *hall, const bw_asked *asked, const char *level);
bool bw_valid_select_role(bw_hall *hall, const bw_asked *asked);
bool bw_valid_add_bot(bw_hall *hall, const bw_asked *asked);
bool bw_valid_stand_in(bw_hall *hall, const bw_asked *asked);
bool bw_valid_remove_bot(bw_hall *hall, const bw_asked *asked);
bool bw_valid_configure(bw_hall *hall, const bw_asked *asked);
bool bw_valid_opening(bw_hall *hall, const bw_asked *asked);

void bw_on_resume(bw_hall *hall, const bw_asked *asked);
void bw_on_select_role(bw_hall *hall, const bw_asked *asked);
void bw_on_leave_role(bw_hall *hall, const bw_asked *asked);
void bw_on_configure(bw_hall *hall, const bw_asked *asked);
void bw_on_opening(bw_hall *hall, const bw_asked *asked);
void bw_on_start(bw_hall *hall, const bw_asked *asked);
void bw_on_add_bot(bw_hall *hall, const bw_asked *asked);
void bw_on_remove_bot(bw_hall *hall, const bw_asked *asked);
void bw_on_resign(bw_hall *hall, const bw_asked *asked);
void bw_on_rematch(bw_hall *hall, const bw_asked *asked);
void bw_on_stand_in(bw_hall *hall, const bw_asked *asked);
void bw_on_claim(bw_hall *hall, const bw_asked *asked);
void bw_on_react(bw_hall *hall, const bw_asked *asked);
void bw_on_rename(bw_hall *hall, const bw_asked *asked);
void bw_on_ready(bw_hall *hall, const bw_asked *asked);
void bw_on_ping(bw_hall *hall, const bw_asked *asked);
void bw_on_action(bw_hall *hall, const bw_asked *asked, void *action);
void bw_on_words(bw_hall *hall, const bw_asked *asked, const void *action);

/* ---- settings.c ---- */

/* Fills in what only the hall knows (today's date). */
void bw_config_complete(const bw_hall *hall, const bw_game *game, void *config);
void bw_action_complete(const bw_hall *hall, const bw_game *game, void *action);
bool bw_may_configure(const bw_room *room, int seat);

/* ---- play.c ---- */

/* Writes down what the match has just played. */
void bw_record_play(bw_hall *hall, bw_room *room, int seat, const void *action, bw_cause cause); /* NULL: resigned */
/* The note of what the match has just played. */
void bw_note_play_for(bw_hall *hall, const bw_room *room, bw_note *note, int seat, const void *action);
/* Plays (not: prepares) and tells everybody. Returns 0 or a refusal. */
int bw_play_now(bw_hall *hall, bw_room *room, int seat, const void *action, bw_cause cause); /* NULL: resigns */
void bw_round_now(bw_hall *hall, bw_room *room);
/* The end, or the end of the end; bots. */
void bw_after_play(bw_hall *hall, bw_room *room, bool was_over);
/* May the seat act now? Refuses where not. `flags` of the action. */
bool bw_may_act(bw_hall *hall, const bw_asked *asked, uint32_t flags);
bool bw_room_is_full(const bw_room *room); /* of plays: it takes no more */
/* Submits a wire action of a seat: prepares or plays. Returns bw_outcome or a refusal. */
int bw_submit(bw_hall *hall, bw_room *room, int seat, const void *action, bw_cause cause);

/* ---- missed.c ---- */

/* Sends what came after `since`; false: that is not known in full, or nothing is missing. */
bool bw_send_missed(bw_hall *hall, bw_conn *conn, int64_t since);

/* ---- rounds.c ---- */

void bw_clock_start(bw_hall *hall, bw_room *room); /* a full interval from now */
void bw_clock_stop(bw_room *room);
void bw_clock_tick(bw_hall *hall, bw_room *room);
int64_t bw_next_round_at(const bw_hall *hall, const bw_room *room); /* ms since the epoch; 0: it rests */

/* ---- away.c ---- */

/* The seat's holder is back: a bot that played on in it leaves. */
void bw_stand_in_leaves(bw_hall *hall, bw_room *room, int seat);

/* ---- ready.c ---- */

/* The game has begun, and its clock has not. */
bool bw_getting_ready(const bw_room *room);
uint32_t bw_ready_seats(const bw_room *room); /* who need not be waited for: said so, or a bot */
int64_t bw_ready_until(const bw_room *room);  /* ms since the epoch; 0: nobody is waited for */
/* Somebody is there: a clock that rests goes on, or waits for those who are not ready (and no shorter than
 * `at_least_us`). */
void bw_clock_wake(bw_hall *hall, bw_room *room, int64_t at_least_us);
void bw_ready_tick(bw_hall *hall, bw_room *room);
/* Who gives an order is ready. */
void bw_ready_by_order(bw_hall *hall, bw_room *room, int seat);

/* ---- bots.c ---- */

void bw_bots_think(bw_hall *hall, bw_room *room);
void bw_bots_forget(bw_hall *hall, bw_room *room); /* answers under way are no longer wanted */
typedef struct bw_work {
    bw_room *room;
    int seat; /* BW_WATCHER: a solver was asked */
} bw_work;
/* Sends the position, as the seat sees it, to who is named in `think`. Returns the number of the work. */
uint64_t bw_work_send(bw_hall *hall, bw_room *room, int seat, bw_think think);
void bw_work_forget(bw_hall *hall, uint64_t *work); /* sets it to 0 */

/* ---- known.c ---- */

/* Asks a solver about the puzzle that lies there, unless its answer is known. */
void bw_known_ask(bw_hall *hall, bw_room *room);
void bw_known_answer(bw_room *room, const bw_known *found); /* NULL: none */
void bw_known_forget(bw_hall *hall, bw_room *room);         /* an answer under way is no longer wanted */
/* What the solver has found since the last play, to be noted with the next; NULL: nothing. */
const bw_known *bw_known_news(const bw_room *room);
/* To and from a note. Writing: whether there is anything. Reading: false where it is no such note. */
bool bw_known_write(const bw_known *known, bw_note_known *note);
bool bw_known_read(const bw_note_known *note, bw_known *known);
/* What is known of the puzzle that lies on `match`; NULL: nothing. */
const bw_known *bw_known_of(const bw_room *room, const bw_match *match);

/* ---- rematch.c ---- */

void bw_rematch_check(bw_hall *hall, bw_room *room); /* all agreed: makes the room */
int bw_rematch_seat(const bw_room *room, int seat);  /* which seat becomes that one's */
void bw_rematch_failed(bw_hall *hall, const char *origin);
void bw_rematch_create(bw_hall *hall, bw_room *room, const char *origin); /* its id is free */
void bw_rematch_remind(bw_hall *hall, bw_conn *conn); /* offers and the next room, for who arrives */
void bw_next_token(const uint8_t token[BW_TOKEN_BYTES], uint8_t next[BW_TOKEN_BYTES]);

/* ---- files.c ---- */

bw_bytes *bw_file_so_far(bw_hall *hall, bw_room *room);

/* ---- http.c ---- */

void bw_http_created(bw_hall *hall, bw_room *room, const bw_input *input);
void bw_http_tell_created(bw_hall *hall, bw_room *room, uint64_t conn);
/* Looks for an id that is free; the input waits for it. */
void bw_room_for_new(bw_hall *hall, bw_input input);
void bw_http_state_now(bw_hall *hall, bw_room *room, const bw_input *input);
void bw_http_log_now(bw_hall *hall, bw_room *room, const bw_input *input);

/* ---- fork.c ---- */

/* The file of the old game is there. */
void bw_fork_loaded(bw_hall *hall, uint64_t conn, const bw_wanted *wanted, const uint8_t *bytes, size_t length);
void bw_fork_create(bw_hall *hall, bw_room *room, const bw_input *input);
bool bw_fork_slice(bw_hall *hall, bw_room *room); /* true: it is done */
void bw_fork_end(bw_hall *hall, bw_room *room);

/* ---- shared.c ---- */

/* One line of the file. 1: all of it holds; 0: there is more; negative: a bw_file_error, with the reader's complaint. */
int bw_share_step(bw_hall *hall, bw_forking *of);
/* Takes `file` over; the answer waits until it is durable. */
void bw_share_store(bw_hall *hall, bw_room *room, bw_bytes *file, uint64_t conn);
void bw_share_refuse(bw_hall *hall, uint64_t conn, int error, const char *why);

/* ---- orders.c ---- */

void bw_questions_forget(bw_hall *hall, bw_room *room);
void bw_question_forget(bw_hall *hall, bw_seat *seat); /* its answer is no longer wanted */

/* ---- limits.c ---- */

void bw_limit_init(bw_hall *hall, bw_conn *conn);
bool bw_limit_message(bw_hall *hall, bw_conn *conn); /* false: too many */
bool bw_limit_room(bw_hall *hall, bw_key address);   /* false: too many rooms from there */
/* Counts a room that is about to be made. NULL: it may be; else why not. */
const char *bw_no_new_room(bw_hall *hall, bw_key address, bw_error_code *code);
/* false: too many questions to the language model, from there or in all */
bool bw_limit_question(bw_hall *hall, bw_key address);
bool bw_limit_look(bw_hall *hall, bw_key address);   /* false: guesses on and on, and is told nothing any more */
bool bw_limit_missed(bw_hall *hall, bw_key address); /* counts a look-up that found nothing; false: too many */
void bw_limit_store(bw_hall *hall, bw_key address, size_t bytes); /* counts what is given to the journal */
bool bw_limit_stored(bw_hall *hall, bw_key address);              /* false: too much of it */
bw_key bw_address_key(const char *address);
void bw_limits_clear(bw_hall *hall);

/* ---- idle.c ---- */

void bw_idle_begin(bw_hall *hall, bw_room *room); /* nobody is connected */
void bw_idle_tick(bw_hall *hall, bw_room *room);
void bw_idle_leave(bw_hall *hall, bw_room *room); /* out of memory, once all is durable */
void bw_close_tick(bw_hall *hall, bw_room *room); /* an ended room's time is up */
void bw_left(bw_hall *hall, bw_room *room);       /* LEAVING, and all is durable */
void bw_drain_check(bw_hall *hall);

/* The seat of a seated connection. */
static inline bw_seat *bw_seat_of(const bw_conn *conn) { return &conn->room->seats[conn->seat]; }

#endif
