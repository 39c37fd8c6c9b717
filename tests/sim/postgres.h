/* The virtual PostgreSQL: a primary, a standby, and the network to them. It knows the statements of
 * server/postgres.h as transactions: each takes the same locks, reads, is logged, is copied to the standby, and only
 * then becomes visible and is answered. So a transaction may be stored and never answered; be answered with a
 * warning because its wait was cancelled; or be lost in a failover if the standby was not synchronous. */
#ifndef BW_SIM_POSTGRES_H
#define BW_SIM_POSTGRES_H

#include "sim.h"

enum { SIM_DATABASE = SIM_NODES, SIM_STORED = 1000, SIM_WANT_JOIN = 100, SIM_WANT_LEAVE };

/* An entry of a batch. */
typedef struct sim_put {
    bw_entry entry;
    bw_bytes *bytes;
    sim_entry noted;
} sim_put;

typedef enum sim_stage { SIM_SENT, SIM_WAITING, SIM_RUNNING, SIM_IN_LOG, SIM_OVER } sim_stage;

/* A room that is handed over. */
typedef struct sim_hand {
    char room[BW_ROOM_ID_MAX + 1];
    int heir; /* -1: none */
    bool has_round;
    int64_t round_left_us; /* first by the node's clock, then by the world's */
} sim_hand;

/* A message, which is one transaction. */
typedef struct sim_txn {
    int want; /* bw_want, or SIM_WANT_... */
    bw_read_kind reads;
    int id, node, conn, owner;
    int64_t holder, epoch, number, lease_us;
    char room[BW_REPLAY_ID_MAX + 1];
    int64_t ended_before, unstarted_before;
    sim_put *puts;
    int put_count;
    /* in the database */
    sim_stage stage;
    uint32_t incarnation; /* of the database */
    int64_t begun_us;     /* by its clock */
    struct sim_txn **locks[SIM_NODES + 3 + BW_ROOMS_AT_ONCE];
    int lock_count;
    bool writes, adopts, takes;
    sim_hand hands[BW_ROOMS_AT_ONCE];
    int hand_count;
    char awaited[BW_ROOMS_AT_ONCE][BW_ROOM_ID_MAX + 1]; /* TAKE */
    int awaited_count;
    bool has_round;                  /* READ: of the room read */
    int64_t round_left_us, asked_us; /* by the world's clock */
    bool living[SIM_NODES];          /* RENEW */
    int64_t drops_before;            /* names not used since then; 0: none */
    int64_t new_epoch, new_lease_us;
    char swept[32][BW_ROOM_ID_MAX + 1];
    int swept_count;
    /* the answer */
    bw_answer answer;
    int64_t row_epoch, row_stored;
    bool in_use;
    bw_loaded loaded;
    bw_bytes *replay;
    int found;
} sim_txn;

typedef struct sim_row {
    bool exists, draining;
    int64_t epoch, holder, batch, lease_us;
    int conn; /* of the latest (re)join */
    sim_txn *lock;
} sim_row;

typedef struct sim_record {
    uint32_t index;
    bw_bytes *bytes;
} sim_record;

typedef struct sim_stored {
    char name[BW_ROOM_ID_MAX + 1]; /* empty: no more */
    bool given;
    bool row; /* `room` has a row, not only records */
    int owner;
    uint8_t status;
    int64_t changed_at, round_us; /* by its clock; 0: not known */
    sim_txn *lock;
    bw_bytes *snapshot;
    uint32_t snapshot_index, last_index;
    sim_record *records;
    size_t count, cap;
} sim_stored;

typedef struct sim_kept {
    char id[BW_REPLAY_ID_MAX + 1];
    bw_bytes *bytes;
} sim_kept;

typedef struct sim_conn {
    int node;
    uint32_t incarnation;
    bool open;     /* the database's end */
    bool advisory; /* it holds its node's advisory lock */
    int txn;       /* in flight; -1: none */
} sim_conn;

typedef struct sim_database {
    sim_row rows[SIM_NODES];
    sim_stored rooms[SIM_STORED];
    int room_count;
    sim_kept *replays;
    size_t replay_count, replay_cap;
    sim_txn **txns; /* all that ever existed */
    int txn_count, txn_cap;
    int *log;                             /* those on the primary's disk */
    size_t logged, log_cap, seen, copied; /* visible to others; on the standby's disk */
    sim_entry *shown;                     /* entries that were visible, in order */
    size_t shown_count, shown_cap;
    sim_conn *conns;
    int conn_count, conn_cap;
    bool up, synchronous;
    uint32_t incarnation;
    int64_t clock_us;                              /* ahead of the world's */
    int64_t down_until, hang_until, standby_until; /* down until then */
    int64_t cancel_at;                             /* 0: not */
    size_t given;                                  /* in the log: just after the last handover of a room */
    int64_t given_us;
    bool unproven; /* something is visible that the standby may not have */
    int64_t cut_until[SIM_NODES + 1][SIM_NODES + 1];
} sim_database;

/* postgres.c */
int sim_txn_new(sim_world *world, int want, int node, int conn);
void sim_txn_send(sim_world *world, int txn, int64_t arrives);
void sim_conn_close(sim_world *world, int conn, int64_t arrives); /* the node's end is closed */
void sim_postgres_event(sim_world *world, sim_event *event);
void sim_postgres_crash(sim_world *world, bool promote);
void sim_postgres_cancel(sim_world *world); /* answers everything that waits for the standby, with a warning */
void sim_postgres_start(sim_world *world);

/* nodes.c: the database has lost what it had confirmed; this was that node's row. */
void sim_note_loss(sim_world *world, int node, const sim_row *before);

/* tables.c */
sim_stored *sim_stored_room(sim_database *db, const char *name, bool make);
void sim_load_stored(const sim_stored *room, bw_loaded *loaded);
/* A room that was given to the transaction's node, and not taken yet; NULL: it is not. */
sim_stored *sim_given_room(sim_database *db, const sim_txn *txn, const char *name);
bool sim_fits(sim_database *db, const sim_txn *txn); /* no record twice */
void sim_apply(sim_world *world, const sim_txn *txn, bool again);
void sim_rebuild(sim_world *world, size_t count); /* from the first `count` of the log */
void sim_tables_free(sim_database *db);
const sim_kept *sim_kept_replay(const sim_database *db, const char *id);

#endif
