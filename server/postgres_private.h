/* What the parts of postgres.h share.
 *
 *   postgres.c         addresses, a connection, a word to the server and its answer
 *   postgres_tables.c  the tables, how they came to be, and the statements
 *   postgres_batch.c   a batch as one message
 *   postgres_rows.c    who writes, whose a room is, and what is read
 *   nodes.c            what an operator sees of it (nodes.h) */
#ifndef BW_POSTGRES_PRIVATE_H
#define BW_POSTGRES_PRIVATE_H

#include <inttypes.h>
#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>

#include "server/postgres.h"

/* Division by zero: how a batch ends whose epoch is gone. */
#define BW_POSTGRES_FENCED_STATE "22012"

/* Numbers of advisory locks: one for whoever changes tables or joins, one for each node that lives. */
#define BW_LOCK_CHANGES "pg_advisory_xact_lock(1113683041)"
#define BW_LOCK_NODE "pg_try_advisory_lock(1113683042, "

enum { BW_POSTGRES_ACTIVE_CACHE = 8192, BW_POSTGRES_DIRTY_MAX = 8192 };

typedef struct bw_dirty_room {
    const bw_entry *entry;
    int order;
} bw_dirty_room;

struct bw_postgres {
    PGconn *conn;
    int deadline_ms;
    bool warned, replicated;
    char error[300], state[6];
    bw_block sql;
    /* The batch that is being written: a run of records is one statement, rooms' rows come last. */
    bw_block names, numbers, bytes;
    int owner;
    bool unusual; /* something in it can't be written */
    bw_dirty_room dirty[BW_POSTGRES_DIRTY_MAX];
    int dirty_count;
    /* Rooms whose row says that a game is under way, by a hash of their names: their moves leave it alone. */
    char active[BW_POSTGRES_ACTIVE_CACHE][BW_ROOM_ID_MAX + 1];
};

/* One or more statements in one message: one transaction. `rows`: to be cleared by the caller, where it is DONE. */
bw_outcome bw_postgres_run(bw_postgres *pg, const char *sql, PGresult **rows);
/* A prepared statement whose rows come in binary. */
bw_outcome bw_postgres_ask(bw_postgres *pg, const char *statement, int count, const char *const *arguments,
                           PGresult **rows);
void bw_postgres_set_error(bw_postgres *pg, const char *words);
/* The statement that begins whatever this server writes: it fails where the epoch is gone, renews the lease, and stores
 * the number. */
enum { BW_POSTGRES_FENCE_MAX = 120 };
void bw_postgres_fence(char text[BW_POSTGRES_FENCE_MAX], const bw_node_row *node, int64_t number);
/* Where a room of that name is remembered in `active`. */
char *bw_postgres_place_of(bw_postgres *pg, const char *name);

/* Letters, digits and underscores alone: such a name stands in SQL as it is. */
static inline bool bw_postgres_is_name(const char *name) {
    static const char plain[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
    return *name && !name[strspn(name, plain)];
}

static inline int64_t bw_postgres_number_at(const PGresult *rows, int row, int column) {
    return strtoll(PQgetvalue(rows, row, column), NULL, 10);
}

static inline int64_t bw_postgres_binary_at(const PGresult *rows, int row, int column) {
    const uint8_t *at = (const uint8_t *)PQgetvalue(rows, row, column);
    uint64_t value = 0;
    for (int i = 0; i < PQgetlength(rows, row, column); i++) value = value << 8 | at[i];
    return (int64_t)value;
}

#endif
