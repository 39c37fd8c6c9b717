/* A session: a room in memory, and who is connected to it.
 *
 * A player's message is handled here, in this order: dispatch.c parses it and checks who sent it; the handler (seats.c,
 * settings.c, moves.c, away.c, rematch.c, orders.c) makes a change; bw_commit (outputs.c) applies the change to the room and
 * hands its record to the journal; then everybody is sent their new view. All output waits in the room's queue until the
 * records before it are durable, so nobody sees what a crash could undo.
 *
 * Rooms are created, loaded and unloaded by the layer above, in hall/. Functions take the hall and a room; the room's
 * `session` leads to everything declared here. */
#ifndef BW_SESSION_H
#define BW_SESSION_H

#include "rooms/hall.h"
#include "rooms/view/view.h"

enum {
    BW_ROOMS_MAX = 1 << 20,      /* connections in memory */
    BW_ROOM_CONNECTIONS = 10000, /* connections to one room */
    BW_INPUTS_MAX = 100000,      /* bytes that a connection may send to a room that is being read */
    BW_WORDS_ACTIONS_MAX = 64,   /* orders in one text */
    BW_REPLAYS_MAX = 16 << 20,   /* bytes of its replay, rewritten at each end of a game that is resumed after it */
    BW_LOOSE_RECORDS = 512,      /* settings, seats, drafts: this many are compacted to a snapshot */
    BW_RECORD_BYTES = 100,       /* database overhead of a record: a row and its index entry */
    BW_RETRY_US = 1000000,
    BW_PACE_US = 2000, /* pause between slices of jobs */
};

/* ---- connections ---- */

typedef struct bw_conn {
    uint64_t id;
    bw_room *room;
    int8_t seat;              /* BW_WATCHER: a spectator */
    bool attached;            /* has received the state and takes part in broadcasts */
    bool leaving;             /* the other side is gone; its last messages follow */
    int64_t bucket_us;        /* limits.c */
    int64_t reacted_us;       /* time of the last reaction */
    int64_t pong_us, ping_us; /* deadlines: for the pong, for the next ping */
    uint32_t waiting_bytes;   /* in the waiting inputs of a room that is being read */
    bw_key address;
    bw_answers *answers;             /* of messages sent without a seat; NULL: none */
    struct bw_conn *next, *previous; /* connections of the room */
    struct bw_conn *ping_next, *ping_previous, *pong_next, *pong_previous;
} bw_conn;

/* ---- sessions ---- */

typedef enum bw_phase {
    BW_PHASE_LOADING, /* LOAD is out; inputs wait */
    BW_PHASE_LIVE,
    BW_PHASE_LEAVING, /* its last entries are in flight; then it leaves memory */
} bw_phase;

/* An output that waits for the journal. */
typedef struct bw_pending {
    uint64_t ticket;
    uint64_t conn;
    int64_t id;       /* id of the answered message; 0: none */
    bw_out_kind kind; /* SEND, CLOSE, REPLY */
    int code;
    const char *reason;
    bw_bytes *bytes;
    bool answer; /* tells the result of a message: replaced by an error if the journal fails */
} bw_pending;

typedef enum bw_input_kind {
    BW_INPUT_OPEN,
    BW_INPUT_MESSAGE,
    BW_INPUT_TOO_LARGE,
    BW_INPUT_STATE,
    BW_INPUT_LOG,
    BW_INPUT_CREATE,  /* HTTP: `bytes` is the config, as the record has it */
    BW_INPUT_FORK,    /* HTTP: `bytes` is the file of an old game, `seq` the last move to copy */
    BW_INPUT_SHARE,   /* HTTP: `bytes` is the file of a game that was played elsewhere */
    BW_INPUT_BRING,   /* HTTP: `bytes` is the file of a running game, to be continued here */
    BW_INPUT_REMATCH, /* requested by the room `origin` */
} bw_input_kind;

typedef struct bw_input {
    bw_input_kind kind;
    uint64_t conn;
    const bw_game *game;
    bw_bytes *bytes;
    int64_t seq;
    char origin[BW_ROOM_ID_MAX + 1];
    bw_key address; /* the HTTP request that asks */
} bw_input;

/* An entry for the journal. */
typedef struct bw_held {
    bw_entry entry; /* without a ticket yet */
    bw_bytes *bytes;
    uint64_t conn; /* told if it fails */
    int64_t id;
} bw_held;
#define BW_TICKET_HELD UINT64_MAX /* later than all, until the entries are given to the journal */

/* Older moves are being read (recall.c). */
struct bw_recalling {
    bw_queue readers; /* bw_input: logs */
    bw_queue held;    /* bw_held: the end of the game, its file first; empty: it has not ended */
    uint64_t before;  /* the room's last ticket before those */
};

/* A session's data about a seat. */
typedef struct bw_chair {
    bw_conn *conn; /* NULL: away */
    int64_t gone_us;
    uint64_t taken;   /* the ticket of the seat's record: the token is sent to its holder once that is durable */
    bool untold;      /* its holder left before the token was sent, so it is not reserved */
    uint8_t failures; /* consecutive answers of the bot that the rules refused */
    uint64_t work;    /* number of the bot's work; 0: none */
    int64_t asked_us; /* orders.c: time of the last question to the model */
    uint64_t question;
    bw_bytes *outcome; /* result of the last orders as text; NULL: surely received, or there were none */
    int64_t outcome_us;
} bw_chair;

typedef struct bw_session {
    uint8_t phase;
    uint8_t counted;  /* statistics: status + 1 */
    bw_chair *chairs; /* game->role_count; NULL: no game yet */
    int chair_count;
    bw_conn *conns; /* newest first */
    uint32_t conn_count;
    uint32_t spectators_told;
    bw_key waker;           /* LOADING: the address that pays for it */
    bw_key payer;           /* the address that last did something here and pays for storage */
    bw_solver_result found; /* the solver's last result, to be recorded with the next move */
    uint64_t solving;       /* number of the solver's work; 0: none */
    bool rematch_under_way;
    bool forgetting;        /* LEAVING: to be deleted */
    bool moving;            /* LEAVING: to another node */
    bool snapshot_wanted;   /* a job; its first slice may still wait */
    bool hibernating;       /* after the snapshot it leaves memory */
    bool has_turn;          /* to be put away, at idle_us or close_us */
    uint8_t loads;          /* LOADs without an answer */
    uint32_t loose_records; /* records since the last snapshot, except moves */
    bw_seat *old_seats;     /* while rebuilding after a failure: tokens and answers */
    int old_count;
    struct bw_forking *forking; /* LOADING: progress of the fork */
    struct bw_recalling *recalling;
    uint64_t last_ticket; /* the last entry that is not yet durable; 0: all are */
    bw_queue pending;     /* bw_pending */
    bw_queue inputs;      /* bw_input, while LOADING */
    /* deadlines on the monotonic clock; INT64_MAX: none */
    int64_t round_us, ready_us, idle_us, close_us, spectators_us, retry_us;
    int64_t round_wall_ms; /* round_us as announced to clients, ms since the epoch */
    int64_t phase_us;      /* a clock that starts before phase_until_us keeps this phase; 0: none */
    int64_t phase_until_us;
    int64_t deadline_us;
    size_t heap_at; /* 0: not in the heap */
} bw_session;

/* A journal entry in flight. */
typedef struct bw_in_flight {
    uint64_t ticket;
    bw_room *room;
    char name[BW_ROOM_ID_MAX + 1]; /* of the room */
    bw_entry_kind kind;
    uint64_t conn; /* told if it fails */
    int64_t id;
} bw_in_flight;

struct bw_hall {
    bw_scratch scratch;
    bw_hall_settings settings;
    bw_now now; /* of the current input */
    uint32_t key[8];
    uint64_t drawn;
    bw_map rooms, conns;
    bw_map works, questions;      /* with bots, and with a language model */
    bw_map wanted;                /* hall/http.c: by the id of the requesting connection */
    struct bw_address *addresses; /* limits.c; NULL: not allocated yet */
    uint64_t addresses_secret;
    int64_t questions_us; /* of all addresses */
    bw_room **heap;       /* heap[1..heap_count], earliest deadline first */
    size_t heap_count, heap_cap;
    bw_queue outputs;   /* bw_output */
    bw_queue in_flight; /* bw_in_flight */
    bw_queue jobs;      /* bw_key of a room: jobs, done in slices, one after another */
    int64_t jobs_us;    /* time of the next slice */
    uint64_t tickets;   /* tickets given out */
    uint64_t durable;
    uint64_t last_work;
    bw_conn ping_list, pong_list; /* rings: `next` of the head is the earliest */
    int64_t sweep_us, move_us, next_move_us;
    int64_t put_away_us; /* no other room with many records is put away before */
    uint32_t ending;     /* rooms whose end is held */
    bool draining, closed_all;
    bool moving; /* draining room by room */
    uint32_t moving_count;
    bool storage_full;
    bw_hall_figures figures;
};

/* ---- sessions.c: rooms in memory, their deadlines and their connections ---- */

bw_room *bw_room_find(const bw_hall *hall, const char *id);
bool bw_is_ending(const bw_room *room); /* it waits for its older moves: what the end of its game causes is held */
bool bw_is_open(const bw_room *room);   /* inputs need not wait */
bw_room *bw_room_new(bw_hall *hall, const char *id); /* LOADING, without emitting LOAD */
/* Drops all durable data (to be read again); connections stay. */
void bw_room_forget_durable(bw_hall *hall, bw_room *room);
void bw_room_free(bw_hall *hall, bw_room *room);
void bw_room_schedule(bw_hall *hall, bw_room *room); /* recomputes the room's deadline */
void bw_room_count(bw_hall *hall, bw_room *room);    /* statistics: its status may have changed */
void bw_room_idle(bw_hall *hall, bw_room *room);     /* nobody is connected */
void bw_room_id_draw(bw_hall *hall, char id[BW_ROOM_ID_MAX + 1]);
void bw_replay_id_draw(bw_hall *hall, char id[BW_REPLAY_ID_MAX + 1]);
void bw_draw(bw_hall *hall, uint8_t *bytes, size_t count); /* secret random bytes, at most 64 */
void bw_load(bw_hall *hall, bw_room *room);                /* its data is wanted from the journal */
void bw_job_add(bw_hall *hall, bw_room *room);             /* queues a job */
void bw_snapshot_soon(bw_hall *hall, bw_room *room);       /* queues a snapshot, written in slices */

bw_conn *bw_conn_find(const bw_hall *hall, uint64_t id);
bw_conn *bw_conn_new(bw_hall *hall, uint64_t id, bw_room *room, bw_key address);
void bw_conn_attach(bw_hall *hall, bw_conn *conn); /* joins broadcasts and is sent the state */
void bw_conn_gone(bw_hall *hall, bw_conn *conn);   /* disconnected, for whatever reason: frees it */
void bw_conn_close(bw_hall *hall, bw_conn *conn, int code, const char *reason); /* closes it from our side */
void bw_conn_leave_seat(bw_hall *hall, bw_conn *conn);                          /* becomes a spectator; sends nothing */
void bw_conn_take_seat(bw_hall *hall, bw_conn *conn, int seat);
void bw_chairs_set(bw_hall *hall, bw_room *room); /* as many as the game has roles */
void bw_conns_init(bw_hall *hall);
void bw_conns_tick(bw_hall *hall);
int64_t bw_conns_deadline(const bw_hall *hall);
void bw_conn_pong(bw_hall *hall, bw_conn *conn);

/* ---- outputs.c: what leaves, and what goes to the journal ---- */

/* The cause of a change. */
typedef struct bw_cause {
    bw_conn *conn; /* NULL: nobody */
    int64_t id;    /* 0: none */
} bw_cause;

/* Applies a change and gives its record to the journal. 0, or a refusal of the rules. */
int bw_commit(bw_hall *hall, bw_room *room, bw_change *change, bw_cause cause, bw_events *events);
void bw_append(bw_hall *hall, bw_room *room, bw_entry_kind kind, bw_bytes *bytes, bw_cause cause);
bw_held bw_held_of(const bw_hall *hall, const bw_room *room, bw_entry_kind kind, bw_bytes *bytes, bw_cause cause);
void bw_give(bw_hall *hall, bw_room *room, bw_held *held);
bw_bytes *bw_change_bytes(bw_hall *hall, const bw_room *room, const bw_change *change);

/* Sends to a client of a room, after what the room has in flight. Takes ownership of `bytes`. */
void bw_send(bw_hall *hall, bw_room *room, uint64_t conn, bw_bytes *bytes);
void bw_send_answer(bw_hall *hall, bw_room *room, uint64_t conn, int64_t id, bw_bytes *bytes);
void bw_send_close(bw_hall *hall, bw_room *room, uint64_t conn, int code, const char *reason);
void bw_reply(bw_hall *hall, bw_room *room, uint64_t conn, int status, bw_bytes *bytes); /* room may be NULL */
void bw_reply_error(bw_hall *hall, bw_room *room, uint64_t conn, int status, bw_error_code code, const char *message);
/* To everybody attached, except one (NULL: none); shared. Takes ownership of `bytes`. */
void bw_broadcast(bw_hall *hall, bw_room *room, bw_bytes *bytes, const bw_conn *but);
bw_output *bw_emit(bw_hall *hall, bw_out_kind kind);   /* an output that need not wait */
void bw_release_pending(bw_hall *hall, bw_room *room); /* sends what is durable now */
/* Drops what waits; pending requests get `reason`. */
void bw_drop_pending(bw_hall *hall, bw_room *room, const char *reason);
bw_bytes *bw_error_message(bw_hall *hall, bw_error_code code, const char *sentence, int64_t id);

bw_moment bw_moment_of(const bw_hall *hall, const bw_room *room);
/* room_state to everybody, except one (NULL: none). */
void bw_tell_state(bw_hall *hall, bw_room *room, const bw_conn *but);
void bw_tell_you(bw_hall *hall, bw_room *room, int seat);                  /* sends the seat its own drafts */
void bw_tell_spectators(bw_hall *hall, bw_room *room, const bw_conn *but); /* if their number has changed */
void bw_tell_role(bw_hall *hall, bw_room *room, bw_server_message_type type, int seat, const bw_conn *but);
void bw_seat_is_away(bw_hall *hall, bw_room *room, int seat);

bw_answers *bw_answers_of(bw_hall *hall, bw_conn *conn);
bool bw_answer_again(bw_hall *hall, bw_conn *conn, int64_t id); /* true: it was answered before, and is again */
/* The result of the current message. id 0: no acknowledgement is sent. */
void bw_acknowledge(bw_hall *hall, bw_conn *conn, int64_t id);
void bw_refuse(bw_hall *hall, bw_conn *conn, int64_t id, bw_error_code code, const char *sentence);
/* The same, but not remembered: the same id may be sent again. */
void bw_refuse_for_now(bw_hall *hall, bw_conn *conn, int64_t id, bw_error_code code, const char *sentence);

/* ---- recall.c: a long game as a whole ---- */

/* true: all moves are in memory. Else they are being read, and `payer` pays for it. */
bool bw_recall(bw_hall *hall, bw_room *room, bw_key payer);
void bw_recall_done(bw_hall *hall, bw_room *room); /* keeps the last moves only, unless something still needs all */
void bw_end_later(bw_hall *hall, bw_room *room);   /* holds the game's file and all entries from now on */
void bw_end_now(bw_hall *hall, bw_room *room, bw_bytes *file); /* gives them to the journal */
void bw_recall_forget(bw_hall *hall, bw_room *room);           /* who waits for a log asks again */

/* ---- dispatch.c: dispatches messages to handlers ---- */

void bw_dispatch(bw_hall *hall, bw_conn *conn, const char *bytes, size_t length);
void bw_dispatch_too_large(bw_hall *hall, bw_conn *conn);
int64_t bw_id_of(bw_hall *hall, const char *bytes, size_t length); /* a message's id; 0: it has none */

/* ---- limits.c: rate limits ---- */

bool bw_within_limits(bw_hall *hall, bw_conn *conn); /* false: too many messages, and it was closed */
bw_key bw_address_key(const char *address);
/* Counts a new room. NULL: allowed; else the reason. */
const char *bw_no_new_room(bw_hall *hall, bw_key address, bw_error_code *code);
bool bw_limit_room(bw_hall *hall, bw_key address);     /* false: too many rooms from that address */
bool bw_limit_has_room(bw_hall *hall, bw_key address); /* the same, and counts nothing */
bool bw_limit_question(bw_hall *hall, bw_key address); /* false: too many, of that address or in all */
bool bw_limit_look(bw_hall *hall, bw_key address);     /* false: too many guesses; nothing is looked up for it */
bool bw_limit_missed(bw_hall *hall, bw_key address);   /* counts a failed look-up; false: too many */
void bw_limit_store(bw_hall *hall, bw_key address, size_t bytes); /* counts bytes given to the journal */
bool bw_limit_stored(bw_hall *hall, bw_key address);              /* false: the limit is reached */
/* Work, in units (room.h). Long jobs (reading a file, waking a room) always count; messages and requests count only
 * if they are expensive. */
void bw_limit_work(bw_hall *hall, bw_key address, uint64_t units);
void bw_limit_dear(bw_hall *hall, bw_key address, uint64_t units);
bool bw_may_begin_work(bw_hall *hall, bw_key address); /* false: it may not start a long job now */
bool bw_overworked(bw_hall *hall, bw_key address);     /* true: nothing is done for it now, and its jobs stop */
extern const char bw_too_much_work[];                  /* the error's sentence */
void bw_limits_clear(bw_hall *hall);

/* ---- the handlers: is a message well-formed, and what does it do ---- */

/* The current message, for its handler. */
typedef struct bw_asked {
    bw_conn *conn;
    int64_t id;
    const bw_doc *doc;
    const bw_client_message *message;
} bw_asked;

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

/* seats.c */
void bw_send_missed(bw_hall *hall, bw_conn *conn, int64_t since); /* sends the updates after `since`, if known */
void bw_stand_in_leaves(bw_hall *hall, bw_room *room, int seat);  /* its holder is back */

/* rematch.c */
bool bw_rematch_agreed(const bw_room *room);          /* by everybody who played */
int bw_rematch_seat(const bw_room *room, int seat);   /* the seat in the next room */
void bw_rematch_tell(bw_hall *hall, bw_conn *conn);   /* the next room */
void bw_rematch_remind(bw_hall *hall, bw_conn *conn); /* offers and the next room, for a newcomer */

/* ---- moves.c: moves, rounds, and the clock ---- */

/* May the seat act now? If not, refuses. `flags` are the action's. */
bool bw_may_act(bw_hall *hall, const bw_asked *asked, uint32_t flags);
/* Applies a wire action of a seat: prepares or plays. Returns bw_outcome or a refusal. */
int bw_submit(bw_hall *hall, bw_room *room, int seat, const void *action, bw_cause cause);
/* Plays and tells everybody; action NULL: resigns. 0, or a refusal. */
int bw_make_move(bw_hall *hall, bw_room *room, int seat, const void *action, bw_cause cause);
/* After a move or the start: handles game over (or its undo), then starts the bots. */
void bw_after_move(bw_hall *hall, bw_room *room, bool was_over);

/* Somebody has come: a stopped clock goes on, or waits for those who are not ready (at least `at_least_us`). */
void bw_clock_wake(bw_hall *hall, bw_room *room, int64_t at_least_us);
void bw_clock_stop(bw_room *room);
/* Nobody is connected. If somebody returns within an interval, the clock keeps its phase: they were only cut off. */
void bw_clock_rest(bw_hall *hall, bw_room *room);
void bw_clock_tick(bw_hall *hall, bw_room *room); /* a round, or the deadline to get ready, may be due */

/* ---- bots.c: work for bots and solvers ---- */

void bw_bots_think(bw_hall *hall, bw_room *room);
void bw_bots_forget(bw_hall *hall, bw_room *room);  /* cancels work in progress */
void bw_work_forget(bw_hall *hall, uint64_t *work); /* cancels one, and sets it to 0 */
/* A puzzle: the solver's result since the last move, to be recorded with the next. false: none. */
bool bw_solver_result_news(const bw_room *room, bw_record_solver_result *news);

/* ---- orders.c ---- */

void bw_question_forget(bw_hall *hall, bw_chair *chair); /* its answer is no longer wanted */
void bw_outcome_tell(bw_hall *hall, bw_conn *conn);      /* sends the last result again if it may not have arrived */

#endif
