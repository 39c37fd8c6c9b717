/* The database file: one SQLite connection with its statements. No threads; journal_sqlite.c has those. */
#ifndef BW_STORE_H
#define BW_STORE_H

#include <sqlite3.h>

#include "server/stored.h"

/* The records of room ?1 with numbers above ?3, from ?2 (its last one) back. A damaged chain ends early: it never leaves
 * its room, and never turns forward. */
#define BW_STORE_CHAIN                                                                           \
    "WITH RECURSIVE chain AS (SELECT * FROM record WHERE seq = ?2 AND room = ?1 AND number > ?3" \
    " UNION ALL SELECT record.* FROM chain JOIN record ON record.seq = chain.previous"           \
    " WHERE record.room = ?1 AND record.seq < chain.seq AND record.number > ?3) "

typedef struct bw_store bw_store;

/* Opens (creates, upgrades, and checks that it can be written). NULL with a problem. `max_pages`: 0, or the largest
 * file size in pages of 4 KiB, for tests. */
bw_store *bw_store_open(const char *path, int max_pages, bw_store_problem *problem);
/* A second connection for reading. */
bw_store *bw_store_open_reader(const char *path, bw_store_problem *problem);
void bw_store_close(bw_store *store);

/* When the newest room or replay was written (age.h), in ms since the epoch; 0: none. */
int64_t bw_store_newest(bw_store *store);
/* The path of the write-ahead log and its index: beside the database, links followed. */
const char *bw_store_wal_path(bw_store *store);
/* Copies the content of the write-ahead log into the database file and flushes it, through the open descriptors,
 * whatever has happened to the files' names. 0, or an SQLite code. */
int bw_store_rescue(bw_store *store);
/* true: closing touches no file by its name, since another server may own the names by now. */
void bw_store_abandon(bw_store *store, bool abandon);

/* Batches: begin, entries, commit. On an error (an SQLite code) call rollback; nothing of it is stored. */
int bw_store_begin(bw_store *store);
int bw_store_put(bw_store *store, const bw_entry *entry);
int bw_store_commit(bw_store *store);
void bw_store_rollback(bw_store *store);
/* A sentence for players about the last error: "The server's disk is full." A string constant. */
const char *bw_store_reason(bw_store *store, int code);
/* SQLite's own words, for the log. */
const char *bw_store_error(bw_store *store);
/* Writes and commits something meaningless: does the database work again? */
int bw_store_probe(bw_store *store);
/* Deletes up to `limit` replays older than that; returns how many, or -1. */
int bw_store_drop_replays(bw_store *store, int64_t before, int limit);

/* Bytes of the database in use: freed pages do not count, though the file keeps its size. -1: unknown. */
int64_t bw_store_bytes(bw_store *store);
/* The file does not grow further: writing fails as on a full disk. */
int bw_store_bound(bw_store *store, int64_t bytes);

/* 1: found; 0: no such room; -1: see bw_store_reason. */
int bw_store_load(bw_store *store, const char *room, bw_loaded *loaded, int *code);
/* 1: found, the caller frees *bytes; 0: none; -1. */
int bw_store_replay(bw_store *store, const char *id, uint8_t **bytes, size_t *length, int *code);
/* Rooms to delete, up to `cap`; returns how many, or -1. */
int bw_store_sweep(bw_store *store, int64_t ended_before, int64_t unstarted_before, char (*rooms)[BW_ROOM_ID_MAX + 1],
                   int cap);
/* Unfinished games that nobody has visited since, oldest visit first. */
int bw_store_abandoned(bw_store *store, int64_t before, char (*rooms)[BW_ROOM_ID_MAX + 1], int cap);

#endif
