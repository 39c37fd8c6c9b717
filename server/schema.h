/* The tables of the database file, and the steps that bring an older file up to date.
 *
 * Tables (version 2): room (name, status, changed_at, its last record), record (the append-only list, in order of
 * arrival; each names the previous one of its room), snapshot (one a room at most), replay (finished games).
 *
 * Why records are one list, chained backwards by room, and neither clustered by room nor found by an index: moves arrive
 * from many rooms at once. A commit then writes the list's last page and the rows of the rooms, a hundred to a page, where
 * an index takes a page for nearly each room. */
#ifndef BW_SCHEMA_H
#define BW_SCHEMA_H

#include <sqlite3.h>

#include "server/stored.h"

enum { BW_SCHEMA = 2, BW_SCHEMA_APPLICATION_ID = 0x42577761 };

/* SQL: a step from version i to i + 1. */
extern const char *const bw_schema_steps[BW_SCHEMA];

/* Upgrades a database to version `count`, one transaction per step. 0, or an SQLite code; the database of another
 * program or of a newer version is refused. */
int bw_schema_migrate(sqlite3 *db, const char *const *steps, int count, const char *path, bw_store_problem *problem);
/* A sentence for the operator: why the file at `path` cannot be used. `db` may be NULL. */
void bw_schema_explain(sqlite3 *db, int code, const char *path, bw_store_problem *problem);
/* The number in the first row of a query. 0, or an SQLite code. */
int bw_schema_number(sqlite3 *db, const char *sql, int64_t *value);

#endif
