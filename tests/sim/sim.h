/* The simulated universe: the hall of rooms/ under a virtual clock, network and disk, driven by one seed.
 *
 * Only the code under test is real. Messages are delayed, duplicated and lost, sockets are half open, readers are slow,
 * disks fail, fill up and tear writes, tabs sleep, clocks stall, and the process is killed between any two steps.
 * check.c checks the invariants of docs/ARCHITECTURE.md after each step. The same seed gives the same universe, byte
 * for byte. With `twin`, players stage other secrets in it, and no other client may notice.
 *
 * With `nodes`, several halls act as one server, as in server/node.h. The real code of server/node.h keeps them apart,
 * on a virtual PostgreSQL. The nodes pause, die, are cut off from it and from each other, and hand their rooms over.
 *
 *   events.c   time: a heap of events; chance and digests
 *   world.c    the network and the process: everything around the hall
 *   disk.c     the storage of a single server, on its own disk
 *   nodes.c    several nodes on a database; which of them owns a room
 *   relay.c    connections that one node passes on to another
 *   trouble.c  what goes wrong with several nodes
 *   postgres.c the virtual database; tables.c: its contents
 *   client.c   the clients and what they do
 *   check.c    the invariants of entries and at rest; check_texts.c: of every message that leaves
 *   dungeon.c  how clients play Monadungeon
 *   claim.c    the evening: the player who stays claims the game
 *   mirror.c   what is stored makes the room that is in memory
 *   fork.c     old games watched again and continued from any move
 *   sim.c      a whole universe, calm moments in it, and its end
 *   main.c     the command line; shrinking
 *   planted.c  deliberate faults: each must be caught */
#ifndef BW_SIM_H
#define BW_SIM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/json.h"
#include "engine/rng.h"
#include "mirror.h"
#include "rooms/hall.h"
#include "rooms/journal_memory.h"
#include "server/journal_node.h"

enum {
    SIM_CLIENTS = 14,
    SIM_GAMES = 5,
    SIM_ROOMS = 4,    /* ids that clients know from the start */
    SIM_MODELS = 400, /* rooms that ever existed, rematches included */
    SIM_LINKS = 4096, /* connections in a universe; numbers start at 1 */
    SIM_SEQS = 4096,  /* of one room */
    SIM_TOKENS = 4096,
    SIM_ASKED = 32,
    SIM_UNANSWERED = 8, /* a client waits for at most this many answers */
    SIM_REFUSED = 64,
    SIM_REQUESTS = 64, /* requests in flight */
    SIM_NODES = 5,
    SIM_HELD = 48,
};

/* What a universe may do to the hall: bits of `features`; shrinking removes them one by one. */
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
    F(FORK, "fork")               \
    F(PAUSE, "pause")             \
    F(PARTITION, "partition")     \
    F(HANG, "hang")               \
    F(CRASH, "crash")             \
    F(FAILOVER, "failover")       \
    F(CANCEL, "cancel")           \
    F(ASYNC, "async")
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
    /* with several nodes */
    SIM_ROUTE,       /* a connection that was passed on reaches the owner */
    SIM_RELAY,       /* bytes between nodes */
    SIM_RELAY_CLOSE, /* one of the two nodes hangs up */
    SIM_WAKE,        /* of a journal's machine */
    SIM_DISPATCH,    /* its answers, for the loop */
    SIM_BOOT,        /* the next process starts */
    SIM_QUESTION,    /* reaches the database */
    SIM_ANSWER,      /* ... and its answer reaches the node */
    SIM_OVERDUE,     /* ... or its time ran out first */
    SIM_LOGGED,      /* a transaction is on the database's disk */
    SIM_COPIED,      /* ... and on the standby's */
    SIM_CLOSED,      /* the database notices that a connection is gone */
    SIM_ACT,         /* a client does something */
    SIM_FAULT,       /* the universe causes a fault */
} sim_event_kind;

typedef struct sim_event {
    int64_t at, since; /* since: when it reached a node that was asleep; later events stay in order behind it */
    uint64_t order;
    sim_event_kind kind;
    uint32_t generation; /* of the process; events of other generations are void */
    int node;            /* that it happens to; -1: none */
    int who;             /* client or link */
    char room[BW_REPLAY_ID_MAX + 1];
    bw_bytes *bytes;
    bw_bot_job job;
    int64_t ended_before, unstarted_before;
    int code;
} sim_event;

/* A connection, with both its ends. */
typedef struct sim_link {
    int client;
    char room[BW_ROOM_ID_MAX + 1], game[32];
    int entry, node; /* the node that it came to; the node that owns its room */
    bool server_open, client_open;
    bw_bytes *held[SIM_HELD]; /* messages that wait until the room's owner is known; then perhaps NULL: the end */
    int held_count;
    struct sim_relay *relay;           /* from entry to node; NULL: they are the same, or the owner is not known yet */
    bool mute;                         /* half open: nothing passes, and neither end has noticed */
    int64_t up_at, down_at;            /* messages of one direction stay in order */
    int in_flight;                     /* towards the client */
    bool told;                         /* it was sent a room_state */
    int sent_role;                     /* in the last room_state; -1: none */
    char you[512];                     /* the last `you` */
    int answers_due;                   /* messages with an id that reached the hall, minus its answers */
    bool resumed_since;                /* old updates may arrive now */
    int64_t missed_next;               /* the next of them */
    int64_t without_effect[SIM_ASKED]; /* ids of messages that may change nothing */
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
    int role; /* in the last `you`; -1 */
    int64_t since, next_id, round;
    uint64_t last_status; /* 'w', 'c', 'a', 'e' */
    int64_t day;
    bool my_turn, common_staged; /* common_staged: it was acknowledged */
    int64_t common_id;
    int secret_step; /* secrets being staged */
    sim_unanswered unanswered[SIM_UNANSWERED];
    int unanswered_count;
    int64_t x, y; /* in Monadungeon */
    char awaiting[16];
    char winner[16]; /* in the last game_over */
    int64_t claim_id;
    char claim_answer[32]; /* "ack", or the error's code */
    uint64_t received;     /* digest of all that it was sent, except `you` */
    uint64_t heard_count;
} sim_client;

/* What must hold for a room, according to the entries that became durable and the messages that were sent. */
typedef struct sim_seat {
    char holder[65];
    int64_t applied[512]; /* ids */
    int applied_count;
    int64_t old_ids;              /* up to this no longer recorded */
    int64_t refused[SIM_REFUSED]; /* ids that must not take effect any more; the last ones */
    int refused_count;
} sim_seat;

/* The moves of a room, and the position after each. */
typedef struct sim_moves {
    char replay_id[BW_REPLAY_ID_MAX + 1]; /* empty: not started */
    int count;
    bool seated; /* somebody has held a seat */
    bool over[SIM_SEQS];
    int end;                     /* moves at the last end; -1: never over yet */
    uint64_t position[SIM_SEQS]; /* digests; 0: not seen */
    uint16_t at_seq[SIM_SEQS];   /* moves + 1; 0: not started */
    /* of a room that continues after a move of another */
    char source[BW_ROOM_ID_MAX + 1];
    int taken;
    uint64_t expected; /* 0: unknown */
    int copied;        /* moves copied at once from an old game */
} sim_moves;

typedef struct sim_model {
    char room[BW_ROOM_ID_MAX + 1];
    bool exists;
    uint32_t incarnation;
    int64_t seq, seen_seq; /* durable; the highest that any client was sent */
    int64_t last_seq;      /* of the previous incarnation */
    bool started, replay_stored;
    char game[32];
    sim_seat seats[BW_SEATS_MAX];
    uint64_t *state_digest, *events_digest; /* by seq; 0: not seen */
    /* rounds */
    bool clock_known;
    int64_t phase_ms;
    int64_t last_round_us;
    int handed;           /* the room is handed over: 1 given away, 2 read; then the clock must be roughly in phase */
    int64_t unclocked_us; /* what was written until then may refer to another clock */
    int quick_rounds;     /* in a row */
    char expected_you[BW_SEATS_MAX][512]; /* set at a calm moment before a kill */
    char expected_token[BW_SEATS_MAX][40];
    sim_moves *moves;
} sim_model;

typedef enum sim_http_kind { SIM_HTTP_STATE, SIM_HTTP_LOG, SIM_HTTP_FORK, SIM_HTTP_REPLAY } sim_http_kind;

typedef struct sim_http_slot {
    bool waiting;
    uint64_t conn; /* a number of its own: a node may still answer a request that was cut */
    int node;      /* the node that is asked */
    sim_http_kind kind;
    char room[BW_REPLAY_ID_MAX + 1]; /* or a replay's id */
    int64_t seq;                     /* FORK: after that move */
    int file_moves; /* FORK: moves in the file when it was read; -1: of an end that was not stored after it */
} sim_http_slot;

/* A room made from an old game, for clients to visit. */
typedef struct sim_fork {
    char room[BW_ROOM_ID_MAX + 1];
    int game;
} sim_fork;

/* An entry that waits for the disk, as the checks understand it. */
typedef struct sim_entry {
    bw_entry_kind kind;
    uint64_t ticket;
    uint32_t index;
    char room[BW_ROOM_ID_MAX + 1];
    char type[16], game[32], holder[65], replay_id[BW_REPLAY_ID_MAX + 1];
    bool is_public;
    uint8_t status;
    int seat;
    int64_t id;
    int taken;   /* SNAPSHOT of a room that continues an old game: its moves */
    int64_t seq; /* ... and its seq; 0: not such a room */
} sim_entry;

typedef struct sim_token {
    char text[40];
    int client;
} sim_token;

/* A process with its hall, and the machine that it runs on. */
typedef struct sim_node {
    bw_hall *hall; /* NULL: none runs */
    uint32_t generation;
    int64_t skew_us, wall_skew_ms; /* of its clocks; the first changes at each boot */
    bool draining;
    uint64_t work;                  /* units, up to the last input */
    int64_t paused_until, pause_us; /* pause_us: how long to pause at its next question; 0: none */
    bool threads_go_on;             /* only its loop is paused */
    struct sim_member *member;      /* of several nodes; NULL: a single node */
} sim_node;

typedef struct sim_world {
    uint64_t seed;
    int twin;
    uint32_t features;
    bw_fast fast;
    int64_t now_us, wall_base_ms;
    uint64_t steps, order;
    sim_node nodes[SIM_NODES];
    int node_count;
    uint64_t work_max;             /* units, of the costliest input */
    bw_memory_journal *journal;    /* the disk of a single node */
    struct sim_database *database; /* of several nodes; NULL: a single node */
    sim_event *events;
    size_t event_count, event_cap;
    sim_link links[SIM_LINKS];
    int link_count;
    sim_client clients[SIM_CLIENTS];
    sim_model models[SIM_MODELS];
    int model_count;
    sim_entry waiting[4096];
    size_t waiting_first, waiting_count;
    sim_entry doubtful[4096]; /* refused by the disk, but perhaps on it */
    size_t doubtful_count;
    sim_token tokens[SIM_TOKENS];
    int token_count;
    bool commit_scheduled, full, unreadable, calm;
    bool rewinding, keep_digests; /* in sim_check_rewound */
    int64_t full_until, unreadable_until;
    int64_t stalled_us; /* when time last jumped; 0: never */
    uint64_t base_bytes;
    uint64_t adopted, passed, lost, pauses, failovers, rewound, silences, moved, handed, let_go;
    uint64_t sent, kills, failures, came_back, forks, moves, rounds, resumes, acks, refusals, claims, mirrored;
    sim_http_slot http[SIM_REQUESTS];
    uint64_t asked; /* requests so far */
    sim_fork fork_rooms[32];
    int fork_count;
    uint64_t http_received;
    bool trace;
    sim_mirror *mirror;
    char failure[600]; /* empty: none */
} sim_world;

/* Only the first failure is kept. */
void sim_fail(sim_world *world, const char *invariant, const char *format, ...) __attribute__((format(printf, 3, 4)));

uint32_t sim_below(sim_world *world, uint32_t bound);
bool sim_chance(sim_world *world, uint32_t per_thousand);
static inline bool sim_has(const sim_world *world, uint32_t feature) { return (world->features & feature) != 0; }
static inline bool sim_is_cluster(const sim_world *world) { return world->database != NULL; }
bw_now sim_now_at(const sim_world *world, const sim_node *node, int64_t at_us);
static inline bw_now sim_now(const sim_world *world, const sim_node *node) {
    return sim_now_at(world, node, world->now_us);
}
uint64_t sim_digest(uint64_t digest, const char *bytes, size_t length);

/* events.c */
/* `node`: that it happens to; NULL: none. */
sim_event *sim_push(sim_world *world, sim_event_kind kind, int64_t at, sim_node *node, int who);
sim_event *sim_add_event(sim_world *world, const sim_event *added);
sim_event sim_pop(sim_world *world);                  /* the earliest; there must be one */
void sim_go_on_now(sim_world *world, sim_node *node); /* after a pause */
void sim_clear_events(sim_world *world);

/* world.c */
int64_t sim_delay(sim_world *world);
int64_t sim_in_order(sim_world *world, int64_t *last); /* after what was sent the same way before */
bw_bytes *sim_bytes(const void *at, size_t length);
void sim_new_hall(sim_world *world, sim_node *node);
/* The process is gone, with everything it had open. */
void sim_end_process(sim_world *world, sim_node *node);
void sim_kill(sim_world *world, sim_node *node, bool torn);
void sim_drain(sim_world *world, sim_node *node);
void sim_pump(sim_world *world);
void sim_check_work(sim_world *world, sim_node *node); /* after an input: was it within its budget? */
void sim_open(sim_world *world, sim_node *node, int link, const char *game);
/* A free place for a request to that node; NULL: none. */
sim_http_slot *sim_new_request(sim_world *world, const sim_node *node, sim_http_kind kind, const char *room);
sim_http_slot *sim_request_of(sim_world *world, uint64_t conn); /* NULL: it was cut */
void sim_ask_http(sim_world *world, sim_node *node, sim_http_slot *slot);
void sim_close_link(sim_world *world, int link, int code);       /* towards the client */
void sim_send_down(sim_world *world, int link, bw_bytes *bytes); /* the same; takes ownership of the bytes */
void sim_hear_up(sim_world *world, int link, const char *text, size_t length); /* input for the hall; NULL: closed */
bool sim_step(sim_world *world);                                               /* false: over, or failed */
int sim_connect(sim_world *world, int client, const char *room, const char *game);
void sim_send_up(sim_world *world, int link, const char *text, size_t length);
void sim_hang_up(sim_world *world, int link);
void sim_http(sim_world *world, const char *room, sim_http_kind kind);

/* disk.c */
void sim_disk_append(sim_world *world, const bw_entry *entry);
void sim_disk_schedule(sim_world *world);
void sim_disk_commit(sim_world *world);
void sim_disk_loaded(sim_world *world, const char *room);
void sim_disk_swept(sim_world *world, const sim_event *event);
void sim_disk_replayed(sim_world *world, const sim_event *event);
void sim_disk_crash(sim_world *world, bool torn);
/* What is stored, on whichever storage. */
const uint8_t *sim_stored_replay(sim_world *world, const char *id, size_t *length);
bool sim_is_stored(sim_world *world, const char *room);

/* nodes.c */
void sim_cluster_new(sim_world *world, int nodes);
void sim_cluster_free(sim_world *world);
void sim_member_boot(sim_world *world, sim_node *node);
void sim_member_end(sim_world *world, sim_node *node); /* with the process */
void sim_member_append(sim_world *world, sim_node *node, bw_output *out);
void sim_member_load(sim_world *world, sim_node *node, const char *room);
void sim_member_replay(sim_world *world, sim_node *node, const char *id, uint64_t conn);
void sim_member_sweep(sim_world *world, sim_node *node, int64_t ended_before, int64_t unstarted_before);
void sim_member_claim(sim_world *world, sim_node *node, const char *room, bool creates, bool passed, uint64_t conn);
void sim_member_hand_over(sim_world *world, sim_node *node, const char *room, int64_t round_us);
void sim_member_run(sim_world *world, sim_node *node); /* what its machine wants */
void sim_member_event(sim_world *world, sim_event *event);
bool sim_member_is_behind(const sim_node *node);         /* entries wait for the answer to another question */
void sim_ask_to_drain(sim_world *world, sim_node *node); /* in the database */
bool sim_member_drained(sim_world *world, sim_node *node);
bool sim_is_deluded(const sim_node *node); /* it has state that the database lost, and does not know that yet */
/* Hangs up if the lease is over; returns false if there is no process. */
bool sim_member_may_tell(sim_world *world, sim_node *node);
sim_node *sim_any_node(sim_world *world);
bool sim_keeps_promises(const sim_world *world); /* the standby has all that was confirmed, leases too */
/* According to the database: does the node own the room? */
bool sim_has_room(const sim_world *world, const sim_node *node, const char *room);
/* According to the database: whatever that node appends to that room is stored, sooner or later. */
bool sim_may_store(const sim_world *world, const sim_node *node, const char *room);

/* relay.c */
void sim_relay_start(sim_world *world, int link, int owner);
void sim_relay_up(sim_world *world, int link, const bw_bytes *bytes); /* a message of the client's; NULL: it hung up */
void sim_relay_down(sim_world *world, int link, const bw_bytes *bytes, int code); /* without bytes: a close */
void sim_relay_event(sim_world *world, sim_event *event);
void sim_relay_free(sim_link *link);
/* The entry knows which nodes are down, and drops the connections that it passes on to them. */
void sim_relay_peers(sim_world *world, sim_node *entry, const bool living[SIM_NODES]);
void sim_hold(sim_link *link, const bw_bytes *bytes);
void sim_let_go(sim_world *world, int link); /* delivers what was held to the owner */

/* trouble.c */
void sim_trouble(sim_world *world);
bool sim_may_undo(const sim_world *world); /* would a failover undo that a room was handed over? */
void sim_heal(sim_world *world);
void sim_pause(sim_world *world, sim_node *node, int64_t length_us);
void sim_loop_hangs(sim_node *node); /* after it: its other threads go on */
void sim_go_on(sim_world *world);    /* ends what was to last for a time, if it is over */
/* When something sent now from one to the other (SIM_NODES: the database) arrives; -1: never. */
int64_t sim_passes(sim_world *world, int from, int to);

/* client.c */
void sim_clients_init(sim_world *world);
void sim_act(sim_world *world, int client);
void sim_hear(sim_world *world, int link, const char *text, size_t length);
void sim_lost(sim_world *world, int link);
extern const char *const sim_game_ids[SIM_GAMES];
/* "" for a game that is played alone here, because in a race each player sees their own board. */
extern const char *const sim_roles[SIM_GAMES][2];
bool sim_has_evening(const sim_world *world); /* its evening continues beyond what others reach */

/* dungeon.c, claim.c */
void sim_dungeon_hear(sim_client *client, const bw_doc *doc, int at);
void sim_dungeon_act(sim_world *world, const sim_client *client, char *text, size_t cap);
void sim_evening(sim_world *world);

/* check.c, check_texts.c */
bool sim_parse(bw_doc *doc, const char *bytes, size_t length); /* an object */
int64_t sim_number(const bw_doc *doc, int object, const char *key, int64_t otherwise);
sim_model *sim_model_of(sim_world *world, const char *room);
bool sim_check_append(sim_world *world, sim_node *node, const bw_entry *entry, sim_entry *noted);
void sim_check_stored(sim_world *world, const sim_entry *entry); /* as of now the database shows it */
/* The database shows only the first of the entries that it has shown; `confirmed`: it had promised more. */
void sim_check_rewound(sim_world *world, const sim_entry *entries, size_t count, bool confirmed);
void sim_check_wait(sim_world *world, const sim_entry *entry);
void sim_check_durable(sim_world *world, size_t count);
void sim_check_lost(sim_world *world);
void sim_check_doubt(sim_world *world); /* lost or not: sim_check_come_back decides */
void sim_check_come_back(sim_world *world, size_t count);
void sim_check_send(sim_world *world, int link, const bw_bytes *bytes);
void sim_check_reply(sim_world *world, const sim_http_slot *asked, int status, const bw_bytes *bytes);
void sim_check_reached(sim_world *world, int link, const char *text, size_t length);
void sim_check_calm(sim_world *world);
void sim_expect_you(sim_world *world);
void sim_check_end(sim_world *world);
void sim_check_closed(sim_world *world); /* after each step: clocks of empty rooms rest */
void sim_unclock(sim_world *world, const char *room);
void sim_handed(sim_world *world, const char *room); /* another node owns the room, and knows when its round is due */
void sim_handed_read(sim_world *world, const char *room);
void sim_clock_moved(sim_world *world); /* the database has another clock: due times of rounds are less exact */
void sim_unclock_all(sim_world *world);

void sim_check_mirror(sim_world *world); /* after each step: now and then one of the rooms */

/* fork.c */
void sim_look_back(sim_world *world); /* requests a replay, or to play on from a move of it */
void sim_replay_read(sim_world *world, sim_node *node, uint64_t conn, const uint8_t *bytes, size_t length);
void sim_note_taken(sim_model *model, const sim_entry *entry);
void sim_record_move(sim_model *model, const sim_entry *entry);
void sim_note_position(sim_world *world, sim_model *model, int64_t seq, uint64_t digest, const char *text);
void sim_check_untouched(sim_world *world, const sim_model *model, uint64_t digest, const char *text);
void sim_check_look_back(sim_world *world, const sim_http_slot *asked, int status, const bw_bytes *bytes);

/* sim.c */
typedef struct sim_result {
    char failure[600];
    uint64_t steps, sent, kills, failures, came_back, forks, moves, rounds, resumes, acks, refusals, claims, mirrored;
    uint64_t work_max; /* units of the costliest input */
    uint64_t adopted, passed, lost, pauses, failovers, rewound, silences, moved, handed, let_go;
    uint64_t received[SIM_CLIENTS + 1];
} sim_result;
typedef struct sim_settings {
    uint64_t seed, steps;
    uint32_t features;
    int nodes; /* 0: one, on a disk */
    bool trace;
} sim_settings;
void sim_run(const sim_settings *settings, int twin, sim_result *result);
/* Runs both twins; returns the failure of either, or that they differ. */
bool sim_universe(const sim_settings *settings, sim_result *result);

#endif
