#include "server/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/age.h"
#include "server/schema.h"

#define STATEMENTS(S)                                                                                               \
    S(BEGIN, "BEGIN IMMEDIATE")                                                                                     \
    S(COMMIT, "COMMIT")                                                                                             \
    S(ROLLBACK, "ROLLBACK")                                                                                         \
    S(READ, "BEGIN")                                                                                                \
    S(FIND_ROOM, "SELECT id, status, changed_at, last FROM room WHERE name = ?1")                                   \
    S(ADD_ROOM, "INSERT INTO room (name, status, changed_at) VALUES (?1, ?2, ?3)")                                  \
    S(SET_ROOM, "UPDATE room SET status = ?2, changed_at = ?3, last = ?4 WHERE id = ?1")                            \
    S(ADD_RECORD, "INSERT INTO record (room, number, bytes, previous) VALUES (?1, ?2, ?3, ?4)")                     \
    S(SET_SNAPSHOT, "INSERT INTO snapshot (room, number, bytes) VALUES (?1, ?2, ?3)"                                \
                    " ON CONFLICT (room) DO UPDATE SET number = ?2, bytes = ?3")                                    \
    S(DROP_RECORDS, "DELETE FROM record WHERE seq IN (" BW_STORE_CHAIN "SELECT seq FROM chain WHERE number <= ?4)") \
    S(DROP_SNAPSHOT, "DELETE FROM snapshot WHERE room = ?1")                                                        \
    S(DROP_ROOM, "DELETE FROM room WHERE id = ?1")                                                                  \
    S(SET_REPLAY, "INSERT INTO replay (id, made_at, bytes) VALUES (?1, ?2, ?3)"                                     \
                  " ON CONFLICT (id) DO UPDATE SET made_at = ?2, bytes = ?3")                                       \
    S(DROP_REPLAYS, "DELETE FROM replay WHERE rowid IN"                                                             \
                    " (SELECT rowid FROM replay WHERE made_at < ?1 ORDER BY made_at LIMIT ?2)")                     \
    S(PROBE, "UPDATE probe SET count = count + 1")                                                                  \
    S(GET_SNAPSHOT, "SELECT number, bytes FROM snapshot WHERE room = ?1")                                           \
    S(GET_RECORDS, BW_STORE_CHAIN "SELECT number, bytes FROM chain ORDER BY seq")                                   \
    S(GET_REPLAY, "SELECT bytes FROM replay WHERE id = ?1")                                                         \
    S(SWEEP, "SELECT name FROM room WHERE status <> 97 AND status = 101 AND changed_at < ?1"                        \
             " UNION ALL SELECT name FROM room WHERE status <> 97 AND status IN (119, 99)"                          \
             " AND changed_at < ?2 LIMIT ?3")                                                                       \
    S(ABANDONED, "SELECT name FROM room WHERE status = 97 AND changed_at < ?1 ORDER BY changed_at LIMIT ?2")

#define STATEMENT_NAME(name, sql) name,
#define STATEMENT_SQL(name, sql) sql,
typedef enum statement { STATEMENTS(STATEMENT_NAME) STATEMENT_COUNT } statement;
static const char *const statement_sql[] = {STATEMENTS(STATEMENT_SQL)};

/* Recently written rooms, by a hash of their names: a move then needs no look-up, and a room's row is written once
 * per batch. */
enum { ROOM_CACHE = 4096 };
typedef struct cached_room {
    char name[BW_ROOM_ID_MAX + 1];
    uint8_t status;
    bool dirty;  /* its row must be written before the commit */
    bool listed; /* it is in the store's `dirty` */
    int64_t id;  /* 0: an empty place */
    int64_t changed_at;
    int64_t last; /* its newest record, or 0 */
} cached_room;

struct bw_store {
    sqlite3 *db;
    int64_t log_ready; /* bytes: the log's file is as long, if that was possible */
    sqlite3_stmt *statements[STATEMENT_COUNT];
    cached_room rooms[ROOM_CACHE];
    uint16_t dirty[ROOM_CACHE]; /* places whose row may have to be written */
    int dirty_count;
};

/* ---- errors ---- */

const char *bw_store_reason(bw_store *store, int code) {
    /* SQLite 3.40 loses the system's error of a write to the WAL; errno, cleared by begin, still has it. */
    int system = sqlite3_system_errno(store->db) ? sqlite3_system_errno(store->db) : errno;
    switch (code & 0xff) {
    case SQLITE_FULL: return "The server's disk is full.";
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM: return "The server's database cannot be written.";
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return "The server's database is locked by another program.";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return "The server's database is damaged.";
    case SQLITE_NOMEM: return "The server is out of memory.";
    case SQLITE_IOERR:
        return system == ENOSPC || system == EDQUOT || system == EFBIG ? "The server's disk is full."
                                                                       : "The server's disk is failing.";
    default: return "The server's database refused it.";
    }
}

const char *bw_store_error(bw_store *store) { return sqlite3_errmsg(store->db); }

/* ---- the log ---- */

enum {
    LOG_PAGES = 4000,          /* then its content goes into the database, and it is written from its start again */
    LOG_FRAME = 24 + 4096,     /* a page with its head */
    LOG_STEP = 31 * LOG_FRAME, /* its file is made longer by this much at once; SQLite writes no more than 128 KiB */
    LOG_SHORT = 16,            /* pages: before that its file grows as it is written */
};

/* Makes the log's file longer before it is needed, by zeros, at which whoever reads the log stops. To flush a page that
 * lies within the file takes half the time of one that makes it longer, for then the file system writes a journal of its
 * own. If that fails, the file grows as the log is written. */
static void lengthen_log(bw_store *store, int64_t used) {
    sqlite3_file *log = NULL;
    sqlite3_int64 size;
    sqlite3_file_control(store->db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    store->log_ready = used + LOG_STEP;
    if (!log || !log->pMethods || log->pMethods->xFileSize(log, &size) != SQLITE_OK) return;
    if (size >= store->log_ready) return; /* as it was before the log began anew */
    int more = (int)(store->log_ready - size < LOG_STEP ? store->log_ready - size : LOG_STEP);
    void *zeros = calloc(1, (size_t)more);
    if (zeros) log->pMethods->xWrite(log, zeros, more, size);
    free(zeros);
}

/* After each commit; `pages` are in the log. */
static int on_commit(void *user, sqlite3 *db, const char *name, int pages) {
    bw_store *store = user;
    int64_t used = (int64_t)pages * LOG_FRAME;
    if (pages >= LOG_PAGES) sqlite3_wal_checkpoint_v2(db, name, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    else if (pages >= LOG_SHORT && used > store->log_ready - LOG_STEP / 4) lengthen_log(store, used);
    return SQLITE_OK;
}

/* ---- opening ---- */

static int prepare(bw_store *store) {
    int code = SQLITE_OK;
    for (int i = 0; i < STATEMENT_COUNT && code == SQLITE_OK; i++) {
        code =
            sqlite3_prepare_v3(store->db, statement_sql[i], -1, SQLITE_PREPARE_PERSISTENT, &store->statements[i], NULL);
    }
    return code;
}

static int set_up_writer(bw_store *store, const char *path, int max_pages, bw_store_problem *problem) {
    sqlite3 *db = store->db;
    /* The page size must be set before anything is written; the page limit after the schema exists. */
    int code = sqlite3_exec(db,
                            "PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                            "PRAGMA cache_size = -16384",
                            NULL, NULL, NULL);
    sqlite3_wal_hook(db, on_commit, store);
    if (code == SQLITE_OK) {
        if (bw_schema_migrate(db, bw_schema_steps, BW_SCHEMA, path, problem) != SQLITE_OK) {
            return SQLITE_MISMATCH;
        }
        code = prepare(store);
    }
    if (code == SQLITE_OK) code = bw_store_probe(store);
    if (code == SQLITE_OK && max_pages > 0) code = bw_store_bound(store, (int64_t)max_pages * 4096);
    if (code != SQLITE_OK) bw_schema_explain(db, code, path, problem);
    return code;
}

static bw_store *open_connection(const char *path, int flags, bw_store_problem *problem) {
    bw_store *store = calloc(1, sizeof *store);
    if (!store) {
        snprintf(problem->text, sizeof problem->text, "There is not enough memory to open the database.");
        return NULL;
    }
    int code = sqlite3_open_v2(path, &store->db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
    if (code == SQLITE_OK) code = sqlite3_busy_timeout(store->db, 2000);
    if (code != SQLITE_OK) {
        bw_schema_explain(store->db, code, path, problem);
        bw_store_close(store);
        return NULL;
    }
    return store;
}

bw_store *bw_store_open(const char *path, int max_pages, bw_store_problem *problem) {
    bw_store *store = open_connection(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, problem);
    if (store && set_up_writer(store, path, max_pages, problem) != SQLITE_OK) {
        bw_store_close(store);
        return NULL;
    }
    return store;
}

bw_store *bw_store_open_reader(const char *path, bw_store_problem *problem) {
    bw_store *store = open_connection(path, SQLITE_OPEN_READWRITE, problem);
    int code = store ? sqlite3_exec(store->db, "PRAGMA query_only = 1; PRAGMA cache_size = -8192", NULL, NULL, NULL)
                     : SQLITE_OK;
    if (store && code == SQLITE_OK) code = prepare(store);
    if (store && code != SQLITE_OK) {
        bw_schema_explain(store->db, code, path, problem);
        bw_store_close(store);
        return NULL;
    }
    return store;
}

void bw_store_close(bw_store *store) {
    if (!store) return;
    for (int i = 0; i < STATEMENT_COUNT; i++) sqlite3_finalize(store->statements[i]);
    sqlite3_close(store->db);
    free(store);
}

int64_t bw_store_newest(bw_store *store) {
    int64_t newest = 0;
    int code = bw_schema_number(store->db, BW_AGE_NEWEST_SQL(""), &newest);
    return code == SQLITE_OK ? newest : 0;
}

int64_t bw_store_bytes(bw_store *store) {
    int64_t bytes = 0;
    int code = bw_schema_number(store->db,
                                "SELECT (page_count - freelist_count) * page_size"
                                " FROM pragma_page_count, pragma_freelist_count, pragma_page_size",
                                &bytes);
    return code == SQLITE_OK ? bytes : -1;
}

int bw_store_bound(bw_store *store, int64_t bytes) {
    char limit[64];
    snprintf(limit, sizeof limit, "PRAGMA max_page_count = %lld", (long long)(bytes / 4096));
    return sqlite3_exec(store->db, limit, NULL, NULL, NULL);
}

const char *bw_store_wal_path(bw_store *store) {
    const char *database = sqlite3_db_filename(store->db, "main");
    return database && *database ? sqlite3_filename_wal(database) : "";
}

int bw_store_rescue(bw_store *store) {
    int left = 0, copied = 0;
    for (int i = 0; i < STATEMENT_COUNT; i++) sqlite3_reset(store->statements[i]);
    int code = sqlite3_wal_checkpoint_v2(store->db, "main", SQLITE_CHECKPOINT_TRUNCATE, &left, &copied);
    return code == SQLITE_OK && left != copied ? SQLITE_BUSY : code;
}

void bw_store_abandon(bw_store *store, bool abandon) {
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, abandon ? 1 : 0, NULL);
}

/* ---- statements ---- */

static sqlite3_stmt *ready(bw_store *store, statement which) {
    sqlite3_stmt *s = store->statements[which];
    sqlite3_reset(s);
    return s;
}

static void bind_name(sqlite3_stmt *s, int at, const char *name) { sqlite3_bind_text(s, at, name, -1, SQLITE_STATIC); }

/* An empty blob is not NULL. */
static void bind_bytes(sqlite3_stmt *s, int at, const uint8_t *bytes, size_t length) {
    if (length) sqlite3_bind_blob64(s, at, bytes, length, SQLITE_STATIC);
    else sqlite3_bind_zeroblob(s, at, 0);
}

static void bind_chain(sqlite3_stmt *s, const cached_room *room, int64_t above) {
    sqlite3_bind_int64(s, 1, room->id);
    sqlite3_bind_int64(s, 2, room->last);
    sqlite3_bind_int64(s, 3, above);
}

/* Runs a statement without result rows. Resetting it releases what was bound. */
static int run(sqlite3_stmt *s) {
    int code = sqlite3_step(s);
    sqlite3_reset(s);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int run_simple(bw_store *store, statement which) { return run(ready(store, which)); }

/* ---- writing ---- */

int bw_store_begin(bw_store *store) {
    errno = 0;
    return run_simple(store, BEGIN);
}

static int flush_room(bw_store *store, cached_room *room) {
    if (!room->dirty) return SQLITE_OK;
    sqlite3_stmt *s = ready(store, SET_ROOM);
    sqlite3_bind_int64(s, 1, room->id);
    sqlite3_bind_int(s, 2, room->status);
    sqlite3_bind_int64(s, 3, room->changed_at);
    sqlite3_bind_int64(s, 4, room->last);
    int code = run(s);
    if (code == SQLITE_OK) room->dirty = false;
    return code;
}

static cached_room *place_of(bw_store *store, const char *name) {
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (const char *at = name; *at; at++) hash = (hash ^ (uint8_t)*at) * 16777619u;
    return &store->rooms[hash % ROOM_CACHE];
}

static void empty(cached_room *room) { *room = (cached_room){.listed = room->listed}; }

static int find_room(bw_store *store, const char *name, cached_room *room) {
    sqlite3_stmt *s = ready(store, FIND_ROOM);
    bind_name(s, 1, name);
    int code = sqlite3_step(s);
    if (code == SQLITE_ROW) {
        room->id = sqlite3_column_int64(s, 0);
        room->status = (uint8_t)sqlite3_column_int(s, 1);
        room->changed_at = sqlite3_column_int64(s, 2);
        room->last = sqlite3_column_int64(s, 3);
    }
    sqlite3_reset(s);
    return code;
}

/* Finds the room of an entry in the cache; `make` adds it if missing (otherwise id stays 0). */
static int room_of(bw_store *store, const bw_entry *entry, bool make, cached_room **found) {
    cached_room *room = *found = place_of(store, entry->room);
    if (room->id && strcmp(room->name, entry->room) == 0) return SQLITE_OK;
    int code = flush_room(store, room);
    if (code != SQLITE_OK) return code;
    empty(room);
    code = find_room(store, entry->room, room);
    if (code == SQLITE_DONE && make) {
        sqlite3_stmt *s = ready(store, ADD_ROOM);
        bind_name(s, 1, entry->room);
        sqlite3_bind_int(s, 2, entry->status);
        sqlite3_bind_int64(s, 3, entry->changed_at);
        if ((code = run(s)) != SQLITE_OK) return code;
        room->id = sqlite3_last_insert_rowid(store->db);
        room->status = entry->status;
        room->changed_at = entry->changed_at;
        code = SQLITE_ROW;
    }
    if (room->id) memcpy(room->name, entry->room, sizeof room->name);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

static void touch(bw_store *store, cached_room *room, const bw_entry *entry) {
    room->status = entry->status;
    room->changed_at = entry->changed_at;
    room->dirty = true;
    if (room->listed) return;
    room->listed = true;
    store->dirty[store->dirty_count++] = (uint16_t)(room - store->rooms);
}

static int put_record(bw_store *store, cached_room *room, const bw_entry *entry) {
    sqlite3_stmt *s = ready(store, ADD_RECORD);
    sqlite3_bind_int64(s, 1, room->id);
    sqlite3_bind_int64(s, 2, entry->index);
    bind_bytes(s, 3, entry->bytes, entry->length);
    sqlite3_bind_int64(s, 4, room->last);
    int code = run(s);
    if (code == SQLITE_OK) room->last = sqlite3_last_insert_rowid(store->db);
    return code;
}

static int drop_records(bw_store *store, const cached_room *room, int64_t up_to) {
    sqlite3_stmt *s = ready(store, DROP_RECORDS);
    bind_chain(s, room, -1);
    sqlite3_bind_int64(s, 4, up_to);
    return run(s);
}

static int put_snapshot(bw_store *store, const cached_room *room, const bw_entry *entry) {
    sqlite3_stmt *s = ready(store, SET_SNAPSHOT);
    sqlite3_bind_int64(s, 1, room->id);
    sqlite3_bind_int64(s, 2, entry->index);
    bind_bytes(s, 3, entry->bytes, entry->length);
    int code = run(s);
    return code == SQLITE_OK ? drop_records(store, room, entry->index) : code;
}

static int forget(bw_store *store, cached_room *room) {
    int code = drop_records(store, room, UINT32_MAX);
    const statement rest[] = {DROP_SNAPSHOT, DROP_ROOM};
    for (int i = 0; i < 2 && code == SQLITE_OK; i++) {
        sqlite3_stmt *s = ready(store, rest[i]);
        sqlite3_bind_int64(s, 1, room->id);
        code = run(s);
    }
    empty(room);
    return code;
}

static int put_replay(bw_store *store, const bw_entry *entry) {
    sqlite3_stmt *s = ready(store, SET_REPLAY);
    bind_name(s, 1, entry->replay_id);
    sqlite3_bind_int64(s, 2, entry->changed_at);
    bind_bytes(s, 3, entry->bytes, entry->length);
    return run(s);
}

int bw_store_put(bw_store *store, const bw_entry *entry) {
    if (entry->kind == BW_ENTRY_REPLAY) return put_replay(store, entry);
    cached_room *room;
    bool makes = entry->kind == BW_ENTRY_RECORD || entry->kind == BW_ENTRY_SNAPSHOT;
    int code = room_of(store, entry, makes, &room);
    if (code != SQLITE_OK || !room->id) return code;
    switch (entry->kind) {
    case BW_ENTRY_RECORD: code = put_record(store, room, entry); break;
    case BW_ENTRY_SNAPSHOT: code = put_snapshot(store, room, entry); break;
    case BW_ENTRY_FORGET: return forget(store, room);
    case BW_ENTRY_TOUCH:
    case BW_ENTRY_REPLAY: break;
    }
    if (code == SQLITE_OK) touch(store, room, entry);
    return code;
}

int bw_store_commit(bw_store *store) {
    for (; store->dirty_count > 0; store->dirty_count--) {
        cached_room *room = &store->rooms[store->dirty[store->dirty_count - 1]];
        int code = flush_room(store, room);
        if (code != SQLITE_OK) return code;
        room->listed = false;
    }
    return run_simple(store, COMMIT);
}

void bw_store_rollback(bw_store *store) {
    if (!sqlite3_get_autocommit(store->db)) run_simple(store, ROLLBACK);
    store->dirty_count = 0;
    memset(store->rooms, 0, sizeof store->rooms); /* the cache may have data that was never stored */
}

int bw_store_probe(bw_store *store) {
    int code = bw_store_begin(store);
    if (code == SQLITE_OK) code = run_simple(store, PROBE);
    if (code == SQLITE_OK) code = run_simple(store, COMMIT);
    if (code != SQLITE_OK) bw_store_rollback(store);
    return code;
}

int bw_store_drop_replays(bw_store *store, int64_t before, int limit) {
    sqlite3_stmt *s = ready(store, DROP_REPLAYS);
    sqlite3_bind_int64(s, 1, before);
    sqlite3_bind_int(s, 2, limit);
    return run(s) == SQLITE_OK ? sqlite3_changes(store->db) : -1;
}

/* ---- reading ---- */

static int read_snapshot(bw_store *store, int64_t room, bw_loading *loading) {
    sqlite3_stmt *s = ready(store, GET_SNAPSHOT);
    sqlite3_bind_int64(s, 1, room);
    int code = sqlite3_step(s);
    if (code == SQLITE_ROW) {
        const void *bytes = sqlite3_column_blob(s, 1);
        bw_loading_snapshot(loading, (uint32_t)sqlite3_column_int64(s, 0), bytes, (size_t)sqlite3_column_bytes(s, 1));
    }
    sqlite3_reset(s);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

static int read_records(bw_store *store, const cached_room *room, bw_loading *loading) {
    int code = read_snapshot(store, room->id, loading);
    if (code != SQLITE_OK) return code;
    sqlite3_stmt *s = ready(store, GET_RECORDS);
    bind_chain(s, room, loading->room.snapshot ? (int64_t)loading->room.snapshot_index : -1);
    while (!loading->failed && (code = sqlite3_step(s)) == SQLITE_ROW) {
        const void *bytes = sqlite3_column_blob(s, 1);
        bw_loading_record(loading, (uint32_t)sqlite3_column_int64(s, 0), bytes, (size_t)sqlite3_column_bytes(s, 1));
    }
    sqlite3_reset(s);
    return loading->failed ? SQLITE_NOMEM : code == SQLITE_DONE ? SQLITE_OK : code;
}

int bw_store_load(bw_store *store, const char *room, bw_loaded *loaded, int *code) {
    bw_loading loading = {0};
    cached_room found = {0};
    loaded->memory = NULL;
    *code = run_simple(store, READ); /* one transaction, so that snapshot and records match */
    if (*code == SQLITE_OK) *code = find_room(store, room, &found);
    bool exists = *code == SQLITE_ROW;
    if (exists) *code = read_records(store, &found, &loading);
    else if (*code == SQLITE_DONE) *code = SQLITE_OK;
    if (!sqlite3_get_autocommit(store->db)) run_simple(store, COMMIT);
    if (exists && *code == SQLITE_OK && !bw_loading_done(&loading, room, loaded)) *code = SQLITE_NOMEM;
    bw_loading_drop(&loading);
    return *code != SQLITE_OK ? -1 : exists ? 1 : 0;
}

int bw_store_replay(bw_store *store, const char *id, uint8_t **bytes, size_t *length, int *code) {
    sqlite3_stmt *s = ready(store, GET_REPLAY);
    bind_name(s, 1, id);
    *code = sqlite3_step(s);
    int found = *code == SQLITE_ROW ? 1 : *code == SQLITE_DONE ? 0 : -1;
    if (found == 1) {
        const void *blob = sqlite3_column_blob(s, 0);
        *length = (size_t)sqlite3_column_bytes(s, 0);
        *bytes = malloc(*length + 1);
        if (*bytes && *length) memcpy(*bytes, blob, *length);
        if (!*bytes) {
            *code = SQLITE_NOMEM;
            found = -1;
        }
    }
    sqlite3_reset(s);
    return found;
}

static int list_rooms(sqlite3_stmt *s, char (*rooms)[BW_ROOM_ID_MAX + 1], int cap) {
    int count = 0, code = SQLITE_DONE;
    while (count < cap && (code = sqlite3_step(s)) == SQLITE_ROW) {
        snprintf(rooms[count++], BW_ROOM_ID_MAX + 1, "%s", (const char *)sqlite3_column_text(s, 0));
    }
    sqlite3_reset(s);
    return code == SQLITE_ROW || code == SQLITE_DONE ? count : -1;
}

int bw_store_sweep(bw_store *store, int64_t ended_before, int64_t unstarted_before, char (*rooms)[BW_ROOM_ID_MAX + 1],
                   int cap) {
    sqlite3_stmt *s = ready(store, SWEEP);
    sqlite3_bind_int64(s, 1, ended_before);
    sqlite3_bind_int64(s, 2, unstarted_before);
    sqlite3_bind_int(s, 3, cap);
    return list_rooms(s, rooms, cap);
}

int bw_store_abandoned(bw_store *store, int64_t before, char (*rooms)[BW_ROOM_ID_MAX + 1], int cap) {
    sqlite3_stmt *s = ready(store, ABANDONED);
    sqlite3_bind_int64(s, 1, before);
    sqlite3_bind_int(s, 2, cap);
    return list_rooms(s, rooms, cap);
}
