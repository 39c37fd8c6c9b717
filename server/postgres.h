/* A server of PostgreSQL as the journal's database: one connection with its statements, and a deadline on every wait.
 * No threads; journal_postgres.c has those.
 *
 * Tables (in the schema `boardwalk`, version 2): node (who may write), room (name, status, changed_at, owner), record
 * (the append-only list, by room and number), snapshot (one a room at most), replay (finished games), version.
 *
 * **The fence.** A server that writes is a row of `node` with an epoch. A batch is one message of several statements, and
 * so one transaction that needs no further word of this program: the first statement updates the row where it has this
 * epoch, and fails where it has not; the row stays locked until the batch is committed. Whoever takes over raises the
 * epoch of that row. So either the batch is there before the new one reads, or it fails.
 *
 * **After each connect** (bw_postgres_rejoin) this server raises its own epoch, which does three things at once: what it
 * sent on an older connection and was not executed yet fails from now on; what is being executed is waited for, since it
 * holds the row's lock; and with a synchronous standby its commit proves that all that lies before it is on both. The row
 * also holds the number of the last batch stored: what became of one that was not answered is known then, exactly.
 *
 * **A wait that was cancelled** answers success with a WARNING, though the standby may not have it. So a batch with a
 * warning counts as not answered. Nothing here ever cancels: a wait that is too long ends with the connection.
 *
 * Limits: PostgreSQL 14 or later; direct connections, or a pooler in session mode; names of 1 to 16 letters and digits. */
#ifndef BW_POSTGRES_H
#define BW_POSTGRES_H

#include "server/journal.h"
#include "server/node.h"
#include "server/stored.h"

enum { BW_POSTGRES_SCHEMA = 2, BW_POSTGRES_SHOWN_MAX = 160 };

/* postgresql:// or postgres:// */
bool bw_postgres_is_address(const char *text);
/* Can it be read? If not, `why` says what is wrong, without anything that may be a password. */
bool bw_postgres_address_is_right(const char *address, char *why, size_t cap);
/* The address without its password, for people. */
const char *bw_postgres_shown(const char *address, char *text, size_t cap);

typedef struct bw_postgres bw_postgres;

/* Connects, and looks whether it is a database to be used. NULL with a problem; then `away` says whether trying again
 * may help. `turn`: with which of the address's servers it begins (0: the first); who tries again, counts on. Every wait
 * on the connection ends after so many milliseconds. */
bw_postgres *bw_postgres_open(const char *address, unsigned turn, int deadline_ms, bool *away,
                              bw_store_problem *problem);
void bw_postgres_set_deadline(bw_postgres *pg, int deadline_ms);
void bw_postgres_close(bw_postgres *pg);
/* Makes the tables, or brings them up to date, a step a transaction. */
bool bw_postgres_migrate(bw_postgres *pg, bw_store_problem *problem);
/* Prepares the statements: after migrating, on every connection. */
bw_outcome bw_postgres_prepare(bw_postgres *pg);

/* Takes this server's row, if nobody has it: DONE, or REFUSED while another holds it (in_use), or UNKNOWN. */
bw_outcome bw_postgres_join(bw_postgres *pg, bw_node_row *node, bool *in_use);
/* On a new connection: see above. DONE sets epoch and stored. */
bw_outcome bw_postgres_rejoin(bw_postgres *pg, bw_node_row *node);
/* `drains`: somebody wants this node to end. */
bw_outcome bw_postgres_renew(bw_postgres *pg, const bw_node_row *node, bool *drains, bw_peers *living);
/* Gives the row back: the next server need not wait for the lease to end. */
void bw_postgres_leave(bw_postgres *pg, const bw_node_row *node);

/* Whose that room is (node.h). */
bw_outcome bw_postgres_look(bw_postgres *pg, const bw_node_row *node, const char *room, bw_answer *answer);
/* Takes a room from a dead owner, which is fenced first: what it sends later fails. Not `adopted`: it lives, or the room
 * has changed hands. Numbered as a batch is, and fenced as one. */
bw_outcome bw_postgres_adopt(bw_postgres *pg, const bw_node_row *node, int64_t number, const char *room, int owner,
                             bool *adopted);
/* Takes the name of a room that is not there, or has been unused; or what was handed over to this node, and of the `awaited`
 * rooms what was; so, too. At most BW_ROOMS_AT_ONCE. */
bw_outcome bw_postgres_take(bw_postgres *pg, const bw_node_row *node, int64_t number, const char *room,
                            char (*awaited)[BW_ROOM_ID_MAX + 1], int awaited_count);
typedef struct bw_moving_room {
    const char *room;
    int64_t round_us; /* see hall.h; the next owner is told */
} bw_moving_room;
/* Gives this node's rooms to living ones that are not about to end, if there are any, and notes that this one is. So, too. At
 * most BW_ROOMS_AT_ONCE. */
bw_outcome bw_postgres_hand_over(bw_postgres *pg, const bw_node_row *node, int64_t number, const bw_moving_room *rooms,
                                 int count);
/* Nodes that live, and rooms of this one. */
bw_outcome bw_postgres_count(bw_postgres *pg, const bw_node_row *node, int64_t *nodes, int64_t *owned);

/* A batch: begin, entries in order, send. */
void bw_postgres_begin(bw_postgres *pg, const bw_node_row *node, int64_t number);
void bw_postgres_put(bw_postgres *pg, const bw_entry *entry);
bw_outcome bw_postgres_send(bw_postgres *pg);

/* A sentence for players about the last error: "The server's disk is full." Static text. */
const char *bw_postgres_reason(const bw_postgres *pg);
/* PostgreSQL's own words, for the log. */
const char *bw_postgres_error(const bw_postgres *pg);
/* Is a commit on two machines when it is answered (synchronous_standby_names)? As of the last connect or weighing. */
bool bw_postgres_replicated(const bw_postgres *pg);

/* Reading: `found` is 1, or 0: there is none, or the number of rooms. */
bw_outcome bw_postgres_load(bw_postgres *pg, const bw_node_row *node, const char *room, bw_loaded *loaded, int *found);
bw_outcome bw_postgres_replay(bw_postgres *pg, const char *id, uint8_t **bytes, size_t *length, int *found);
/* Rooms to forget, of this node and of those that are gone, which are its own from then on; and, before `abandoned_before`, games under way that nobody has visited since (0: none). */
bw_outcome bw_postgres_sweep(bw_postgres *pg, const bw_node_row *node, int64_t ended_before, int64_t unstarted_before,
                             int64_t abandoned_before, int abandoned_max, char (*rooms)[BW_ROOM_ID_MAX + 1], int cap,
                             int *found);
bw_outcome bw_postgres_drop_replays(bw_postgres *pg, int64_t before, int limit, int *dropped);
/* When the newest room or replay was written (age.h), in ms since the epoch; 0: there is none. */
bw_outcome bw_postgres_newest(bw_postgres *pg, int64_t *newest);
/* Bytes in use, about: what was deleted counts no longer, though the files keep their size. */
bw_outcome bw_postgres_weigh(bw_postgres *pg, int64_t *bytes);

#endif
