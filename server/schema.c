#include "server/schema.h"

#include <stdio.h>

const char *const bw_schema_steps[BW_SCHEMA] = {
    "CREATE TABLE room (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, status INTEGER NOT NULL,"
    " changed_at INTEGER NOT NULL);"
    /* Sweeps never take a running game (97 is 'a'), so its moves need not update this index. */
    "CREATE INDEX room_to_sweep ON room (status, changed_at) WHERE status <> 97;"
    "CREATE TABLE record (seq INTEGER PRIMARY KEY, room INTEGER NOT NULL, number INTEGER NOT NULL,"
    " bytes BLOB NOT NULL);"
    "CREATE UNIQUE INDEX record_of_room ON record (room, number);"
    "CREATE TABLE snapshot (room INTEGER PRIMARY KEY, number INTEGER NOT NULL, bytes BLOB NOT NULL);"
    "CREATE TABLE replay (id TEXT PRIMARY KEY, made_at INTEGER NOT NULL, bytes BLOB NOT NULL);"
    "CREATE INDEX replay_by_age ON replay (made_at);"
    "CREATE TABLE probe (id INTEGER PRIMARY KEY, count INTEGER NOT NULL);"
    "INSERT INTO probe VALUES (1, 0);",
    "ALTER TABLE room ADD COLUMN last INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE record ADD COLUMN previous INTEGER NOT NULL DEFAULT 0;"
    "UPDATE record SET previous = chain.previous"
    " FROM (SELECT seq, lag(seq, 1, 0) OVER (PARTITION BY room ORDER BY number) AS previous FROM record) AS chain"
    " WHERE record.seq = chain.seq;"
    "UPDATE room SET last = coalesce("
    "(SELECT seq FROM record WHERE record.room = room.id ORDER BY number DESC LIMIT 1), 0);"
    "DROP INDEX record_of_room;",
};

void bw_schema_explain(sqlite3 *db, int code, const char *path, bw_store_problem *problem) {
    char *text = problem->text;
    size_t cap = sizeof problem->text;
    switch (code & 0xff) {
    case SQLITE_FULL:
        snprintf(text, cap, "%s cannot grow: the disk is full. Free some space and start again.", path);
        break;
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
        snprintf(text, cap,
                 "%s cannot be written: the file and its folder must belong to the server and not be read-only.", path);
        break;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        snprintf(text, cap, "%s is locked by another program. End that program and start again.", path);
        break;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        snprintf(text, cap, "%s is damaged, or not a database. Restore a backup, or move it away to start afresh.",
                 path);
        break;
    default: snprintf(text, cap, "%s cannot be opened: %s.", path, db ? sqlite3_errmsg(db) : sqlite3_errstr(code));
    }
}

int bw_schema_number(sqlite3 *db, const char *sql, int64_t *value) {
    sqlite3_stmt *query;
    int code = sqlite3_prepare_v2(db, sql, -1, &query, NULL);
    if (code == SQLITE_OK && (code = sqlite3_step(query)) == SQLITE_ROW) {
        *value = sqlite3_column_int64(query, 0);
        code = SQLITE_OK;
    }
    int end = sqlite3_finalize(query);
    return code != SQLITE_OK ? code : end;
}

static int run_step(sqlite3 *db, const char *step, int version, const char *path, bw_store_problem *problem) {
    char mark[96];
    snprintf(mark, sizeof mark, "PRAGMA user_version = %d; PRAGMA application_id = %d; COMMIT", version,
             BW_SCHEMA_APPLICATION_ID);
    int code = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (code == SQLITE_OK) code = sqlite3_exec(db, step, NULL, NULL, NULL);
    if (code == SQLITE_OK) code = sqlite3_exec(db, mark, NULL, NULL, NULL);
    if (code != SQLITE_OK) {
        bw_schema_explain(db, code, path, problem); /* before the rollback, which succeeds */
        sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    }
    return code;
}

int bw_schema_migrate(sqlite3 *db, const char *const *steps, int count, const char *path, bw_store_problem *problem) {
    int64_t application = 0, version = 0, tables = 0;
    int code = bw_schema_number(db, "PRAGMA application_id", &application);
    if (code == SQLITE_OK) code = bw_schema_number(db, "PRAGMA user_version", &version);
    if (code == SQLITE_OK) code = bw_schema_number(db, "SELECT count(*) FROM sqlite_schema", &tables);
    if (code != SQLITE_OK) {
        bw_schema_explain(db, code, path, problem);
        return code;
    }
    if (application != BW_SCHEMA_APPLICATION_ID && (application != 0 || tables != 0)) {
        snprintf(problem->text, sizeof problem->text,
                 "%s is the database of another program. Give this server another DATABASE.", path);
        return SQLITE_MISMATCH;
    }
    if (version > count) {
        snprintf(problem->text, sizeof problem->text,
                 "%s was written by a newer Boardwalk (schema %lld; this one supports up to %d). Use that version.",
                 path, (long long)version, count);
        return SQLITE_MISMATCH;
    }
    if (version < 0) {
        bw_schema_explain(db, SQLITE_CORRUPT, path, problem);
        return SQLITE_MISMATCH;
    }
    for (; version < count; version++) {
        if ((code = run_step(db, steps[version], (int)version + 1, path, problem)) != SQLITE_OK) return code;
    }
    return SQLITE_OK;
}
