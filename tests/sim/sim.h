/* The simulated universe: the hall of rooms/ under a virtual clock, network and disk, driven by one seed.
 *
 * Nothing here is real but the code under test: messages are delayed, doubled and cut, sockets are half open,
 * readers are slow, disks fail, fill and tear, tabs sleep, clocks stall, and the process is killed between any two
 * steps. After each step the invariants of docs/ARCHITECTURE.md are checked (check.c). The same seed is the same
 * universe, byte for byte; with `twin`, players prepare other secrets in it, and nobody else may notice.
 *
 *   world.c    time, network, disk, the process: whatever surrounds the hall
 *   client.c   who is out there, and what they do
 *   check.c    what must hold: of entries and at rest; check_texts.c: of every text that leaves
 *   dungeon.c  how one of the games is played
 *   claim.c    the evening: who is left claims the game
 *   fork.c     old games watched again, and played on from any move
 *   sim.c      a whole universe, calm moments in it, and its end
 *   main.c     the command line; shrinking
 *   planted.c  faults on purpose: each must be caught */
#ifndef BW_SIM_H
#define BW_SIM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/json.h"
#include "engine/rng.h"
#include "rooms/hall.h"
#include "rooms/test/journal_memory.h"

enum {
    SIM_CLIENTS = 14,
    SIM_GAMES = 5,
    SIM_ROOMS = 4,    /* ids that clients know from the start */
    SIM_MODELS = 400, /* rooms ever seen, rematches included */
    SIM_LINKS = 4096, /* connections in a universe; numbers start at 1 */
    SIM_SEQS = 4096,  /* of one room */
    SIM_TOKENS = 4096,
    SIM_ASKED = 32,
    SIM_UNANSWERED = 8, /* a client waits for that many answers at most */
    SIM_REFUSED = 64,
    SIM_REQUESTS = 64, /* requests under way */
};

/* What a universe may do to the hall: bits of `features`; shrinking takes them away one by one. */
#define SIM_FEATURES(F)           \
    F(KILL, "kill")               \
    F(DRAIN, "drain")             \
    F(CUT, "cut")                 \
    F(HALF_OPEN, "half_open")     \
    F(SLOW_READER, "slow")        \
    F(DISK_FAIL, "disk_fail")     \
    F(DISK_FULL, "disk_full")     \
    F(READ_FAIL, "read_fail")     \
    F(STALL, "stall")             \
    F(LATE, "late")               \
    F(DOUBLE, "double")           \
    F(LIAR, "liar")               \
    F(FLOOD, "flood")             \
    F(TABS, "tabs")               \
    F(SEED_CLIENT, "seed_client") \
    F(BOTS, "bots")               \
    F(REMATCH, "rematch")         \
    F(SLEEP, "sleep")             \
    F(SECRETS, "secrets")         \
    F(HTTP, "http")               \
    F(DOUBT, "doubt")             \
    F(FORK, "fork")
#define SIM_FEATURE_BIT(name, text) SIM_BIT_##name,
#define SIM_FEATURE_FLAG(name, text) SIM_##name = 1 << SIM_BIT_##name,
enum { SIM_FEATURES(SIM_FEATURE_BIT) SIM_FEATURE_COUNT };
enum { SIM_FEATURES(SIM_FEATURE_FLAG) SIM_ALL = (1 << SIM_FEATURE_COUNT) - 1 };
extern const char *const sim_feature_names[SIM_FEATURE_COUNT];

typedef enum sim_event_kind {
    SIM_UP_OPEN,
    SIM_UP_MESSAGE,
    SIM_UP_CLOSE,
    SIM_UP_PONG,
    SIM_DOWN_MESSAGE,
    SIM_DOWN_CLOSE,
    SIM_COMMIT,
    SIM_LOADED,
    SIM_THOUGHT,
    SIM_SWEPT,
    SIM_REPLAYED,
    SIM_ACT,   /* a client does something */
    SIM_FAULT, /* the universe does */
} sim_event_kind;

typedef struct sim_event {
    int64_t at;
    uint64_t order;
    sim_event_kind kind;
    uint32_t generation; /* of the process; others' events are void */
    int who;             /* client or link */
    char room[BW_REPLAY_ID_MAX + 1];
    bw_bytes *bytes;
    bw_think think;
    int64_t ended_before, unstarted_before;
    int code;
} sim_event;

/* A connection, with both its ends. */
typedef struct sim_link {
    int client;
    char room[BW_ROOM_ID_MAX + 1];
    bool server_open, client_open;
    bool mute;                         /* half open: nothing passes, nobody has noticed */
    int64_t up_at, down_at;            /* messages of one direction stay in order */
    int in_flight;                     /* towards the client */
    int told_role;                     /* by the last room_state: -1 none */
    char you[512];                     /* the last `you` */
    int answers_due;                   /* messages with an id that reached the hall, less the answers that it gave */
    bool resumed_since;                /* old updates may come now */
    int64_t missed_next;               /* the next of them */
    int64_t without_effect[SIM_ASKED]; /* ids of messages that need not change anything */
} sim_link;

typedef enum sim_kind {
    SIM_IS_PLAYER,
    SIM_IS_DOUBLE,
    SIM_IS_TABS,
    SIM_IS_SEED,
    SIM_IS_SPECTATOR,
    SIM_IS_LIAR,
    SIM_IS_SLEEPER,
    SIM_IS_FLOOD,
    SIM_KINDS
} sim_kind;

typedef struct sim_unanswered {
    int64_t id;
    char text[200];
} sim_unanswered;

typedef struct sim_client {
    sim_kind kind;
    char room[BW_ROOM_ID_MAX + 1];
    int game;      /* of sim_game_ids */
    int link;      /* 0: none */
    int other_tab; /* 0: none */
    int wanted_role;
    char token[40];
    int role; /* by the last `you`; -1 */
    int64_t since, next_id, round;
    uint64_t last_status; /* 'w', 'c', 'a', 'e' */
    int64_t day;
    bool my_turn, common_staged; /* the latter: it was acknowledged */
    int64_t common_id;
    int secret_step; /* staging of secrets under way */
    sim_unanswered unanswered[SIM_UNANSWERED];
    int unanswered_count;
    int64_t x, y; /* in Monadungeon */
    char awaiting[16];
    char winner[16]; /* by the last game_over */
    int64_t claim_id;
    char claim_answer[32]; /* "ack", or the error's code */
    uint64_t heard;        /* digest of all that it was sent, but for `you` */
    uint64_t heard_count;
} sim_client;

/* What must be so of a room, from the entries that became durable and the texts that were sent. */
typedef struct sim_seat {
    char holder[65];
    int64_t applied[512]; /* ids */
    int applied_count;
    int64_t old_ids;              /* up to this no longer noted */
    int64_t refused[SIM_REFUSED]; /* ids of which nothing may come any more; the last ones */
    int refused_count;
} sim_seat;

/* What was played in a room, and where it stood after each move. */
typedef struct sim_plays {
    char replay_id[BW_REPLAY_ID_MAX + 1]; /* empty: not started */
    int count;
    bool seated; /* somebody ever held a seat */
    bool over[SIM_SEQS];
    int end;                     /* moves at the last end; -1: none so far */
    uint64_t position[SIM_SEQS]; /* digests; 0: not seen */
    uint16_t at_seq[SIM_SEQS];   /* moves + 1; 0: not started */
    /* of a room that goes on after a move of another */
    char source[BW_ROOM_ID_MAX + 1];
    int taken;
    uint64_t expected; /* 0: not known */
    int copied;        /* of them from an old game, at once */
} sim_plays;

typedef struct sim_model {
    char room[BW_ROOM_ID_MAX + 1];
    bool exists;
    uint32_t incarnation;
    int64_t seq, seen_seq; /* durable; the highest that anybody was sent */
    int64_t last_seq;      /* of the incarnation before */
    bool started, replay_stored;
    char game[32];
    sim_seat seats[BW_SEATS_MAX];
    uint64_t *state_digest, *events_digest; /* by seq; 0: not seen */
    /* rounds */
    bool clock_known;
    int64_t phase_ms;
    int64_t last_round_us;
    int64_t unclocked_ms;                 /* what was written until then tells of another clock */
    int quick_rounds;                     /* in a row */
    char expected_you[BW_SEATS_MAX][512]; /* set at a calm moment before a kill */
    char expected_token[BW_SEATS_MAX][40];
    sim_plays *plays;
} sim_model;

typedef enum sim_http_kind { SIM_HTTP_STATE, SIM_HTTP_LOG, SIM_HTTP_FORK, SIM_HTTP_REPLAY } sim_http_kind;

typedef struct sim_http_slot {
    bool waiting;
    sim_http_kind kind;
    char room[BW_REPLAY_ID_MAX + 1]; /* or a replay's id */
    int64_t seq;                     /* FORK: after that move */
    int file_plays; /* FORK: moves in the file as it was read; -1: of an end that was not stored after it */
} sim_http_slot;

/* A room that was made from an old game, for clients to visit. */
typedef struct sim_fork {
    char room[BW_ROOM_ID_MAX + 1];
    int game;
} sim_fork;

/* An entry that waits for the disk, as the checks understand it. */
typedef struct sim_entry {
    bw_entry_kind kind;
    uint64_t ticket;
    char room[BW_ROOM_ID_MAX + 1];
    char type[16], game[32], holder[65], replay_id[BW_REPLAY_ID_MAX + 1];
    bool is_public;
    uint8_t status;
    int seat;
    int64_t id;
    int taken;   /* SNAPSHOT of a room that plays on from an old game: its plays */
    int64_t seq; /* ... and where it stands; 0: it is no such room */
} sim_entry;

typedef struct sim_token {
    char text[40];
    int client;
} sim_token;

typedef struct sim_world {
    uint64_t seed;
    int twin;
    uint32_t features;
    bw_fast fast;
    int64_t now_us, wall_base_ms, skew_us; /* monotonic differs from boot to boot */
    uint64_t steps, order;
    uint32_t generation;
    bw_hall *hall;
    uint64_t work, work_max; /* units, until the last input; of the costliest one */
    bw_memory_journal *journal;
    sim_event *events;
    size_t event_count, event_cap;
    sim_link links[SIM_LINKS];
    int link_count;
    sim_client clients[SIM_CLIENTS];
    sim_model models[SIM_MODELS];
    int model_count;
    sim_entry waiting[4096];
    size_t waiting_first, waiting_count;
    sim_entry doubtful[4096]; /* refused by the disk, and perhaps on it */
    size_t doubtful_count;
    sim_token tokens[SIM_TOKENS];
    int token_count;
    bool commit_scheduled, full, unreadable, calm;
    int64_t full_until, unreadable_until;
    bool draining;
    int64_t stalled_us; /* when time last jumped; 0: never */
    uint64_t base_bytes;
    uint64_t sent, kills, failures, came_back, forks, plays, rounds, resumes, acks, refusals, claims;
    sim_http_slot http[SIM_REQUESTS];
    sim_fork fork_rooms[32];
    int fork_count;
    uint64_t http_heard;
    bool trace;
    char failure[600]; /* empty: all is well */
} sim_world;

/* The first failure stands. */
void sim_fail(sim_world *world, const char *invariant, const char *format, ...) __attribute__((format(printf, 3, 4)));

uint32_t sim_below(sim_world *world, uint32_t bound);
bool sim_chance(sim_world *world, uint32_t per_thousand);
static inline bool sim_has(const sim_world *world, uint32_t feature) { return (world->features & feature) != 0; }
bw_now sim_now(const sim_world *world);
uint64_t sim_digest(uint64_t digest, const char *bytes, size_t length);

/* world.c */
sim_event *sim_push(sim_world *world, sim_event_kind kind, int64_t at, int who);
void sim_boot(sim_world *world);
void sim_kill(sim_world *world, bool torn);
void sim_pump(sim_world *world);
void sim_check_work(sim_world *world); /* an input was given: is it within its budget? */
bool sim_step(sim_world *world);       /* false: over, or failed */
int sim_connect(sim_world *world, int client, const char *room, const char *game);
void sim_send_up(sim_world *world, int link, const char *text, size_t length);
void sim_hang_up(sim_world *world, int link);
void sim_http(sim_world *world, const char *room, sim_http_kind kind);
void sim_clear_events(sim_world *world);

/* client.c */
void sim_clients_init(sim_world *world);
void sim_act(sim_world *world, int client);
void sim_hear(sim_world *world, int link, const char *text, size_t length);
void sim_lost(sim_world *world, int link);
extern const char *const sim_game_ids[SIM_GAMES];
/* "": the game is played alone here, for in a race each sees a board of its own. */
extern const char *const sim_roles[SIM_GAMES][2];
bool sim_has_evening(const sim_world *world); /* it goes on beyond what others reach */

/* dungeon.c, claim.c */
void sim_dungeon_hear(sim_client *client, const bw_doc *doc, int at);
void sim_dungeon_act(sim_world *world, const sim_client *client, char *text, size_t cap);
void sim_evening(sim_world *world);

/* check.c, check_texts.c */
bool sim_parse(bw_doc *doc, const char *bytes, size_t length); /* an object */
int64_t sim_number(const bw_doc *doc, int object, const char *key, int64_t otherwise);
sim_model *sim_model_of(sim_world *world, const char *room);
void sim_check_append(sim_world *world, const bw_entry *entry);
void sim_check_durable(sim_world *world, size_t count);
void sim_check_lost(sim_world *world);
void sim_check_doubt(sim_world *world); /* lost, or not: sim_check_come_back tells */
void sim_check_come_back(sim_world *world, size_t count);
void sim_check_send(sim_world *world, int link, const bw_bytes *bytes);
void sim_check_reply(sim_world *world, const sim_http_slot *asked, int status, const bw_bytes *bytes);
void sim_check_reached(sim_world *world, int link, const char *text, size_t length);
void sim_check_calm(sim_world *world);
void sim_expect_you(sim_world *world);
void sim_check_end(sim_world *world);
void sim_check_closed(sim_world *world); /* after each step: clocks of rooms without anybody rest */
void sim_unclock(sim_world *world, const char *room);
void sim_unclock_all(sim_world *world);

/* fork.c */
void sim_look_back(sim_world *world); /* asks for a replay, or to play on from a move of it */
void sim_replay_read(sim_world *world, uint64_t conn, const char *id);
void sim_note_taken(sim_model *model, const sim_entry *entry);
void sim_note_play(sim_model *model, const sim_entry *entry);
void sim_note_position(sim_world *world, sim_model *model, int64_t seq, uint64_t digest, const char *text);
void sim_check_untouched(sim_world *world, const sim_model *model, uint64_t digest, const char *text);
void sim_check_look_back(sim_world *world, const sim_http_slot *asked, int status, const bw_bytes *bytes);

/* sim.c */
typedef struct sim_result {
    char failure[600];
    uint64_t steps, sent, kills, failures, came_back, forks, plays, rounds, resumes, acks, refusals, claims;
    uint64_t work_max; /* units of the costliest input */
    uint64_t heard[SIM_CLIENTS + 1];
} sim_result;
void sim_run(uint64_t seed, int twin, uint64_t steps, uint32_t features, bool trace, sim_result *result);
/* Both twins; the failure of either, or that they differ. */
bool sim_universe(uint64_t seed, uint64_t steps, uint32_t features, sim_result *result);

#endif
