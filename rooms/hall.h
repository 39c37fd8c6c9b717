/* The hall: all rooms of a server, as a deterministic machine without sockets, files, threads or clock.
 *
 * Inputs go in by the functions below, each with the time; outputs are taken out by bw_hall_next until
 * it returns false. The hall never blocks and never reads a clock; it owns rooms, seats, tokens,
 * spectators, pausing, rounds, rematch, limits and cleanup, and the words of PROTOCOL.
 *
 *   hall = bw_hall_new(&settings, key);
 *   for each event of the world: bw_hall_...(hall, now, ...);
 *                                while (bw_hall_next(hall, &out)) carry it out;
 *   sleep until bw_hall_deadline(hall), then bw_hall_tick(hall, now).
 *
 * Output commit: what an entry causes to be sent leaves only after bw_hall_journalled has reported that entry as
 * durable. If the journal fails, the room is rebuilt from durable entries, and pending requests get an error with the
 * reason. Nothing that a client has seen is lost.
 *
 * Loading a room is asynchronous: LOAD goes out, bw_hall_loaded comes in, and visitors wait until then. Limits: 2^20
 * rooms in memory; 10,000 connections to a room; a message at most 4 KiB. */
#ifndef BW_HALL_H
#define BW_HALL_H

#include "bots/bots.h"
#include "engine/json.h"
#include "rooms/bytes.h"
#include "rooms/errors.h"
#include "rooms/journal.h"

typedef struct bw_now {
    int64_t mono_us; /* monotonic: deadlines, rounds */
    int64_t wall_ms; /* since the epoch: stamps */
} bw_now;

typedef struct bw_hall_settings {
    int64_t room_cleanup_ms; /* ROOM_CLEANUP_MINUTES */
    int64_t seat_grace_ms;   /* SEAT_GRACE_SECONDS */
    int64_t away_ms;         /* AWAY_SECONDS */
    int64_t hibernate_ms;    /* HIBERNATE_SECONDS: a room with nobody connected leaves memory after this */
    int64_t forget_ms;       /* a room without visitors in which no game has started: an hour */
    uint32_t rooms_per_address_per_minute; /* 0: no limit; the same for the next three */
    uint32_t misses_per_address_per_minute;
    uint32_t stored_mb_per_address_per_hour;
    uint32_t work_seconds_per_address_per_minute;
    bool own_device;     /* The hall of one person, in their own browser. Its log has the seed while a game runs, and no
                      * limit on messages holds. */
    bool unlisted_games; /* for tests: also allows games that are not offered */
    bool language_model; /* ORDERS_LLM_URL is set: orders are sent out as WORK first */
    uint32_t questions_per_address_per_minute, questions_per_minute; /* questions to the model; 0: no limit */
} bw_hall_settings;

typedef struct bw_hall bw_hall;

enum {
    BW_SHARED_FILE_MAX = 2 * 1024 * 1024,
    BW_SHARED_LINE_MAX = 64 * 1024
}; /* the largest game file that the server accepts */
typedef enum bw_out_kind {
    BW_OUT_SEND,      /* text frame `bytes` to conn */
    BW_OUT_CLOSE,     /* close conn with `code`, `reason` */
    BW_OUT_PING,      /* a WebSocket ping to conn */
    BW_OUT_REPLY,     /* HTTP answer to conn: `code` is the status, `bytes` the body */
    BW_OUT_APPEND,    /* `entry` to the journal; its bytes live as long as `bytes` */
    BW_OUT_LOAD,      /* read room `room`, answer with bw_hall_loaded */
    BW_OUT_REPLAY,    /* read replay `room` (a replay id); answer conn's request with bw_hall_replay_loaded */
    BW_OUT_SWEEP,     /* list rooms to delete; answer with bw_hall_swept */
    BW_OUT_BOT_JOB,   /* for a bot or a solver: run `job`; answer with bw_hall_bot_answer */
    BW_OUT_ASK_MODEL, /* orders for a language model; answer with bw_hall_model_answered */
    BW_OUT_HAND_OVER, /* room `room` to another node, behind all entries so far; answer with bw_hall_handed_over */
} bw_out_kind;

typedef struct bw_bot_job {
    uint64_t work; /* repeated in the answer */
    const bw_game *game;
    const bw_bot *bot; /* NULL: for a solver */
    const bw_solver *solver;
    int seat;
    uint64_t seed;
    int64_t budget_ms;  /* later answers are useless: keep_going returns false then */
    const void *view;   /* game->view->size bytes, in `bytes` */
    const void *config; /* game->config->size bytes, in `bytes` */
} bw_bot_job;

/* For the thread that runs it: the arena it needs, the size of an answer (with any alignment), and the function that
 * computes the answer; it returns the count for bw_hall_bot_answer. */
size_t bw_bot_job_arena_bytes(const bw_bot_job *job);
size_t bw_bot_job_answer_bytes(const bw_bot_job *job);
uint32_t bw_bot_job_run(const bw_bot_job *job, bw_thinking *thinking, void *answer);

typedef struct bw_output {
    bw_out_kind kind;
    uint64_t conn;
    int code;
    const char *reason;
    bw_bytes *bytes; /* release it when done; NULL for kinds without bytes */
    bw_entry entry;
    char room[BW_REPLAY_ID_MAX + 1];
    int64_t ended_before, unstarted_before; /* SWEEP: ms since the epoch */
    bw_bot_job job;
    uint64_t work;    /* ASK_MODEL: `bytes` holds the prompt, a NUL, and the player's text */
    int64_t round_us; /* HAND_OVER: when the room's next round is due, on the monotonic clock; 0: none is */
} bw_output;

/* `key`: 32 bytes from the system's random source; room ids, tokens and seeds are drawn from it.
 * NULL: out of memory. */
bw_hall *bw_hall_new(const bw_hall_settings *settings, const uint8_t key[32]);
void bw_hall_free(bw_hall *hall);

/* ---- inputs ---- */

/* A WebSocket was opened on /ws/{room}?game={game}. `conn` is the shell's id for it, never reused. `address` is the
 * peer's, for the limits; may be "". game NULL: the default. */
void bw_hall_opened(bw_hall *hall, bw_now now, uint64_t conn, const char *room, const char *game, const char *address);
/* Would that make a room, if there is none of that name? Counts nothing. */
bool bw_hall_may_make(bw_hall *hall, bw_now now, const char *game, const char *address);
void bw_hall_message(bw_hall *hall, bw_now now, uint64_t conn, const char *bytes, size_t length);
/* The other side of `conn` is gone already; what it said before follows as messages. They count, but a `resume` among
 * them takes no seat from a connection that is there: it may be older than that one, where nodes pass connections on. */
void bw_hall_leaving(bw_hall *hall, uint64_t conn);
/* A message over 4 KiB, which the shell has thrown away. */
void bw_hall_message_too_large(bw_hall *hall, bw_now now, uint64_t conn);
void bw_hall_pong(bw_hall *hall, bw_now now, uint64_t conn);
void bw_hall_closed(bw_hall *hall, bw_now now, uint64_t conn);

/* HTTP: answered by REPLY on `conn` (an id of the same kind as for sockets). */
void bw_hall_http_create(bw_hall *hall, bw_now now, uint64_t conn, const char *body, size_t length,
                         const char *address); /* POST /api/rooms */
void bw_hall_http_state(bw_hall *hall, bw_now now, uint64_t conn, const char *room,
                        const char *address); /* GET /api/rooms/{id} */
void bw_hall_http_log(bw_hall *hall, bw_now now, uint64_t conn, const char *room,
                      const char *address); /* GET .../log */
void bw_hall_http_replay(bw_hall *hall, bw_now now, uint64_t conn, const char *replay_id, const char *address);
void bw_hall_http_share(bw_hall *hall, bw_now now, uint64_t conn, const char *body, size_t length,
                        const char *address); /* POST /api/replays */
void bw_hall_http_bring(bw_hall *hall, bw_now now, uint64_t conn, const char *body, size_t length,
                        const char *address); /* POST /api/games/running */
/* GET /api/games: needs no hall. */
void bw_games_json(bw_out *out);

/* Every entry up to and including `ticket` is durable. */
void bw_hall_journalled(bw_hall *hall, bw_now now, uint64_t ticket);
/* No entry after `last_good` was stored or will be; queued entries are dropped too. `reason` is a sentence for
 * people: "The server's disk is full." `in_doubt`: the entries may still turn up after a crash, unless something
 * else has been stored by then. Pending requests are told so, and may be sent again with the same id. */
void bw_hall_journal_failed(bw_hall *hall, bw_now now, uint64_t last_good, const char *reason, bool in_doubt);
/* NULL: there is no such room. `failed`: a sentence that says why it could not be read; stored is NULL then. */
void bw_hall_loaded(bw_hall *hall, bw_now now, const char *room, const bw_stored_room *stored, const char *failed);
void bw_hall_replay_loaded(bw_hall *hall, bw_now now, uint64_t conn, const uint8_t *bytes, size_t length);
/* Rooms that the sweep found (concatenated ids, each BW_ROOM_ID_MAX + 1 bytes); those not in memory are deleted. */
void bw_hall_swept(bw_hall *hall, bw_now now, const char (*rooms)[BW_ROOM_ID_MAX + 1], size_t count);
/* Whether storage is full for new rooms, until the next call. */
void bw_hall_storage_full(bw_hall *hall, bool full);
/* The answer of bw_bot_job_run; count 0: no answer. */
void bw_hall_bot_answer(bw_hall *hall, bw_now now, uint64_t work, const void *answer, uint32_t count);
/* `content`: the model's message, untrusted; NULL: the request failed or was late. */
void bw_hall_model_answered(bw_hall *hall, bw_now now, uint64_t work, const char *content, size_t length);

/* Serves deadlines up to now, those of a few rooms at a time: rounds, grace, pings, hibernation, sweeps. If more are
 * due, bw_hall_deadline is still in the past, and the next call serves them with its own time. So every round is
 * measured at the moment it is really played, and messages get their turn in between. */
void bw_hall_tick(bw_hall *hall, bw_now now);
/* A long job is in progress (a long game is loaded or forked); each tick does a slice of it. */
bool bw_hall_busy(const bw_hall *hall);
/* When to call tick next, in mono_us; INT64_MAX: never. */
int64_t bw_hall_deadline(const bw_hall *hall);
/* Refuses new work (`draining`), and closes everything with 1012 once all entries in flight are durable. */
void bw_hall_drain(bw_hall *hall, bw_now now);
bool bw_hall_drained(const bw_hall *hall);
/* With other nodes, instead of bw_hall_drain: each room is played on until it is handed over (HAND_OVER). Then its
 * connections are closed with 1012 "room_moved". No new rooms are made. A room that a client visits moves at once. */
void bw_hall_move_out(bw_hall *hall, bw_now now);
/* The answer to HAND_OVER: another node owns the room, or it is unknown which node does. */
void bw_hall_handed_over(bw_hall *hall, bw_now now, const char *room);

/* ---- outputs ---- */

bool bw_hall_next(bw_hall *hall, bw_output *out);

/* ---- statistics ---- */

/* The most units of work that one input may cost, as tests/sim asserts: a slice of a long job, the step that goes
 * over its end, and what waited for it. Only a game's file is written in one piece, however long the game (at most
 * 5,000 moves). */
enum { BW_INPUT_WORK_MAX = 12000 };

enum { BW_LATENESS_BUCKETS = 16, BW_REFUSAL_CODES = 24 };
/* Upper bounds of all lateness buckets except the last. */
extern const int64_t bw_lateness_bounds_us[BW_LATENESS_BUCKETS - 1];

typedef struct bw_hall_figures {
    uint64_t connections;
    uint64_t rooms[4]; /* in memory, by status: waiting, configuring, active, ended */
    uint64_t rooms_in_memory;
    uint64_t moves_total;
    uint64_t refusals_total[BW_REFUSAL_CODES]; /* by bw_error_code */
    uint64_t lateness[BW_LATENESS_BUCKETS];    /* rounds by lateness; not cumulative */
    double lateness_sum_seconds;
    int64_t lateness_max_us;
    uint64_t journal_waiting; /* entries handed out and not yet durable */
    uint64_t bytes;           /* memory used by the hall, for leak checks */
    uint64_t work_total;      /* cost of inputs, in units of about a microsecond; counted, not measured */
} bw_hall_figures;
void bw_hall_figures_of(const bw_hall *hall, bw_hall_figures *figures);

#endif
