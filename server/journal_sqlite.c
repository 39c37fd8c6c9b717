/* The journal on SQLite: one writer thread and one reader thread.
 *
 * A COMMIT that could not be flushed may be complete in the write-ahead log: this process no longer sees it, but it
 * would be read after a crash. The next commit overwrites it. So after such a failure the writer immediately commits
 * something meaningless. If that works, the failed commit is gone for good. If not, `failed` is reported in doubt,
 * and so is every later failure until a commit works.
 *
 * The names of the files are watched (before each commit, and a few times a second), because the next start opens
 * the file with that name, not the one that this process has open.
 * - The log or its index was removed or replaced: its content is copied into the database, and both connections open
 *   it anew. Nothing is lost, and nobody notices.
 * - The database was removed, moved or replaced: the content of the log is copied into the file that is still open,
 *   so that an operator can copy it from /proc; entries are refused (`detached`) until the file is back.
 *
 * `max_bytes` limits the database. Above it, the oldest replays are deleted first; then unfinished games that nobody
 * has visited for `abandoned_ms` (the sweep lists them, and the hall deletes those that are not in memory). If there
 * are none left, the database is `full`: the hall makes no new rooms, and running games may use another eighth,
 * after which writing fails as on a full disk.
 *
 * A database is used by one server at a time, because of a lock on the file. */
#include "server/journal_private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "server/store.h"

enum {
    PROBE_SECONDS = 1,     /* while it fails */
    WATCHES_A_SECOND = 4,  /* checks of the files' names; a kill -9 in between may lose a removed log */
    CLEANUP_SECONDS = 600, /* between deletions of old replays */
    ROOMY_REPLAYS = 4,     /* replays deleted at once if the database is too large; some are large */
    CLEANUP_REPLAYS = 200, /* old replays deleted at once, so that moves never wait long */
    REOPENINGS = 5,        /* attempts if files are swapped meanwhile */
    LOCK_ATTEMPTS = 20,    /* attempts, 50 ms apart, because a server that is just ending releases its file */
};

/* The identity of a file, whatever its name. */
typedef struct identity {
    dev_t device;
    ino_t inode;
} identity;

typedef struct sqlite_journal {
    bw_journal base;
    int lock_fd;
    bw_store *writer_store, *reader_store; /* NULL: could not be reopened */
    pthread_mutex_t store_mutex;           /* held while using the reader's store */
    pthread_t writer, reader;
    identity database, log_file, index_file; /* the writer's: the files as opened */
    int64_t log_bytes;                       /* the writer's: size of the log at the last check */
    const char *broken;                      /* the writer's: why nothing may be stored, or NULL */
    bool doubt;                              /* the writer's: refused entries may still be in the log */
    int64_t grown;                           /* the writer's: bytes written since the database was last measured */
    bool filling;                            /* nearly full, and logged */
} sqlite_journal;

/* ---- the writer's thread ---- */

static int write_batch(bw_store *store, const bw_waiting *batch, bool *committing) {
    int code = bw_store_begin(store);
    for (const bw_waiting *n = batch; n && code == SQLITE_OK; n = n->next) {
        code = bw_store_put(store, &n->entry);
    }
    *committing = code == SQLITE_OK;
    return *committing ? bw_store_commit(store) : code;
}

/* Could a failed COMMIT still be complete in the WAL? The commit mark is written last: not if a lock forbade the
 * commit or writing failed, but if flushing failed, or anything after that. */
static bool may_be_whole(int code) {
    return (code & 0xff) != SQLITE_BUSY && (code & 0xff) != SQLITE_FULL && code != SQLITE_IOERR_WRITE;
}

static void log_failure(sqlite_journal *j, const char *what, int code) {
    char shown[300];
    bw_log_write(j->base.options.log, BW_LOG_ERROR, "journal_failed", "doing=%s code=%d reason=%s", what, code,
                 bw_log_quoted(shown, sizeof shown, bw_store_error(j->writer_store)));
}

/* ---- the files' names: the next start opens the files with these names ---- */

static bool identify(const char *path, identity *found) {
    struct stat about;
    if (stat(path, &about) != 0) return false;
    *found = (identity){about.st_dev, about.st_ino};
    return true;
}

/* Only repair_logs shortens the log. If somebody else empties it in place, content that is in no other file is lost;
 * anything written after that would not be found, or would be copied into the database with a hole before it. */
static bool log_was_cut(sqlite_journal *j) {
    struct stat about;
    if (!j->writer_store || stat(bw_store_wal_path(j->writer_store), &about) != 0) return false;
    if (about.st_dev != j->log_file.device || about.st_ino != j->log_file.inode) return false;
    if (about.st_size < j->log_bytes) return true;
    j->log_bytes = about.st_size;
    return false;
}

static bool still_there(const char *path, const identity *opened) {
    identity now;
    return identify(path, &now) && now.device == opened->device && now.inode == opened->inode;
}

/* The current write-ahead log ("-wal") and its index ("-shm"). */
static bool identify_logs(sqlite_journal *j) {
    char index[PATH_MAX];
    const char *log = bw_store_wal_path(j->writer_store);
    size_t length = strlen(log);
    if (length < 4 || length >= sizeof index) return false;
    memcpy(index, log, length + 1);
    memcpy(index + length - 4, "-shm", 4);
    return identify(log, &j->log_file) && identify(index, &j->index_file);
}

static bool logs_are_there(sqlite_journal *j) {
    identity log = j->log_file, index = j->index_file;
    bool same = identify_logs(j) && log.device == j->log_file.device && log.inode == j->log_file.inode &&
                index.device == j->index_file.device && index.inode == j->index_file.inode;
    j->log_file = log;
    j->index_file = index;
    return same;
}

static bw_store *open_writer(sqlite_journal *j, bw_store_problem *problem) {
    bw_store *store = bw_store_open(j->base.options.path, j->base.options.max_pages, problem);
    int64_t max = j->base.options.max_bytes;
    if (store && max > 0 && j->base.options.max_pages == 0) bw_store_bound(store, max + max / 8);
    return store;
}

/* Does a write now arrive in the file with the log's name? Somebody may have swapped the files between our opening
 * and our check of the names; then the name leads to another file. The log has just been started, so a write makes
 * it grow. */
static bool names_lead_here(sqlite_journal *j) {
    struct stat before, after;
    const char *log = bw_store_wal_path(j->writer_store);
    return identify_logs(j) && stat(log, &before) == 0 && bw_store_probe(j->writer_store) == SQLITE_OK &&
           stat(log, &after) == 0 && after.st_ino == j->log_file.inode && after.st_size > before.st_size;
}

static void close_both(sqlite_journal *j) {
    bw_store_close(j->reader_store);
    bw_store_close(j->writer_store);
    j->writer_store = j->reader_store = NULL;
}

/* Closes both connections (which removes the file with the log's name) and opens them again. */
static const char *reopen(sqlite_journal *j) {
    bw_store_problem problem;
    j->log_bytes = 0;
    for (int tries = 0; tries < REOPENINGS; tries++) {
        close_both(j);
        j->writer_store = open_writer(j, &problem);
        j->reader_store = j->writer_store ? bw_store_open_reader(j->base.options.path, &problem) : NULL;
        if (j->reader_store && names_lead_here(j)) return NULL;
    }
    close_both(j);
    return "The server's database cannot be opened again.";
}

static const char *repair_logs(sqlite_journal *j) {
    pthread_mutex_lock(&j->store_mutex); /* the reader waits */
    int code = j->writer_store ? bw_store_rescue(j->writer_store) : SQLITE_OK;
    const char *broken =
        code != SQLITE_OK
            ? "A part of the server's database was removed while the server ran, and could not be written again."
            : reopen(j);
    pthread_mutex_unlock(&j->store_mutex);
    bw_log_write(j->base.options.log, BW_LOG_ERROR, broken ? "database_log_lost" : "database_log_rewritten",
                 "code=%d hint=\"do not touch the -wal and -shm files while the server runs\"", code);
    return broken;
}

/* Closing must not remove files with our names: they may already be another server's. */
static void abandon(sqlite_journal *j, bool abandoned) {
    if (j->writer_store) bw_store_abandon(j->writer_store, abandoned);
    pthread_mutex_lock(&j->store_mutex);
    if (j->reader_store) bw_store_abandon(j->reader_store, abandoned);
    pthread_mutex_unlock(&j->store_mutex);
}

static void detach(sqlite_journal *j) {
    char shown[300];
    int code = j->writer_store ? bw_store_rescue(j->writer_store) : SQLITE_MISUSE;
    abandon(j, true);
    j->log_bytes = 0;
    bw_log_write(j->base.options.log, BW_LOG_ERROR, "database_gone",
                 "path=%s copied=%s hint=\"moves are refused; before the server ends, save what it holds: cp "
                 "/proc/%d/fd/%d FILE\"",
                 bw_log_quoted(shown, sizeof shown, j->base.options.path), code == SQLITE_OK ? "yes" : "no",
                 (int)getpid(), j->lock_fd);
}

/* Checks whether the next start would find what is stored now. NULL, or why nothing may be stored. Takes a few
 * microseconds; a commit takes milliseconds. */
static const char *check_files(sqlite_journal *j) {
    static const char gone[] =
        "The server's database was removed or replaced while the server ran: nothing can be saved. Please tell its operator.";
    static const char cut[] =
        "The log of the server's database was emptied while the server ran: nothing can be saved. Please tell its operator.";
    char shown[300];
    if (j->broken == cut) return j->broken;
    bool there = still_there(j->base.options.path, &j->database);
    if (there && !j->broken && log_was_cut(j)) {
        abandon(j, true); /* copying from such a log would corrupt the database */
        bw_log_write(j->base.options.log, BW_LOG_ERROR, "database_log_cut",
                     "hint=\"moves are refused; restart the server: it finds the database as it was before that log\"");
        return j->broken = cut;
    }
    if (!there && j->broken != gone) detach(j);
    if (there && j->broken == gone) {
        /* It is back, perhaps with a foreign log beside it. */
        bw_log_write(j->base.options.log, BW_LOG_INFO, "database_back", "path=%s",
                     bw_log_quoted(shown, sizeof shown, j->base.options.path));
        abandon(j, false);
        j->broken = repair_logs(j);
    } else if (!there) {
        j->broken = gone;
    } else {
        j->broken = j->writer_store && logs_are_there(j) ? NULL : repair_logs(j);
    }
    return j->broken;
}

/* Called with the mutex, which is released while the files are checked. */
static void watch_files(sqlite_journal *j) {
    bool was_broken = j->broken != NULL;
    pthread_mutex_unlock(&j->base.mutex);
    const char *broken = check_files(j);
    pthread_mutex_lock(&j->base.mutex);
    j->base.figures.detached = broken != NULL;
    if (broken) j->base.failing = true;
    else if (was_broken) j->base.failing = false;
}

/* Called with the mutex, which is released during disk access. */
static void commit_waiting(sqlite_journal *j) {
    uint64_t count, last;
    bw_waiting_queue batch = bw_journal_take(&j->base, SIZE_MAX, bw_journal_seconds(), &count, &last);
    for (const bw_waiting *n = batch.first; n; n = n->next) j->grown += (int64_t)n->entry.length;
    pthread_mutex_unlock(&j->base.mutex);

    double start = bw_journal_seconds();
    bool committing = false;
    const char *reason = check_files(j), *broken = reason;
    int code = reason ? SQLITE_OK : write_batch(j->writer_store, batch.first, &committing);
    if (reason) {
        /* Nothing was tried, so earlier doubts are unchanged. */
    } else if (code != SQLITE_OK) {
        reason = bw_store_reason(j->writer_store, code);
        log_failure(j, "commit", code);
        bw_store_rollback(j->writer_store);
        if (committing && may_be_whole(code)) {
            j->doubt = bw_store_probe(j->writer_store) != SQLITE_OK;
        }
    } else {
        j->doubt = false;
        log_was_cut(j); /* it has grown; if it was cut meanwhile, the next check finds out */
    }
    double seconds = bw_journal_seconds() - start;

    pthread_mutex_lock(&j->base.mutex);
    j->base.figures.detached = broken != NULL;
    if (reason) bw_journal_refused(&j->base, &batch, reason, j->doubt);
    else bw_journal_committed(&j->base, &batch, count, last, seconds);
}

static void probe(sqlite_journal *j) {
    if (j->broken) return; /* watch_files will try */
    pthread_mutex_unlock(&j->base.mutex);
    int code = bw_store_probe(j->writer_store);
    pthread_mutex_lock(&j->base.mutex);
    if (code == SQLITE_OK) {
        j->doubt = false;
        j->base.failing = false;
        bw_log_write(j->base.options.log, BW_LOG_INFO, "journal_recovered", "by=probe");
    }
}

/* Returns how many replays were deleted. */
static int drop_old_replays(sqlite_journal *j) {
    if (j->base.options.replay_days <= 0) return 0;
    int64_t before = bw_journal_believed_now(&j->base, bw_journal_wall_ms()) - j->base.options.replay_days * 86400000;
    pthread_mutex_unlock(&j->base.mutex);
    int dropped = bw_store_drop_replays(j->writer_store, before, CLEANUP_REPLAYS);
    if (dropped < 0) log_failure(j, "cleanup", 0);
    if (dropped > 0) {
        bw_log_write(j->base.options.log, BW_LOG_INFO, "replays_dropped", "count=%d", dropped);
    }
    pthread_mutex_lock(&j->base.mutex);
    return dropped;
}

/* Too large: deletes the oldest replays; then the sweep may take rooms. Called with the mutex. true: there is more
 * to do. */
static bool keep_within_bounds(sqlite_journal *j) {
    const bw_log *log = j->base.options.log;
    int64_t max = j->base.options.max_bytes;
    int dropped = 0;
    pthread_mutex_unlock(&j->base.mutex);
    int64_t bytes = j->writer_store ? bw_store_bytes(j->writer_store) : -1;
    bool over = max > 0 && bytes > max;
    if (over) dropped = bw_store_drop_replays(j->writer_store, INT64_MAX, ROOMY_REPLAYS);
    if (dropped > 0) bytes = bw_store_bytes(j->writer_store);
    pthread_mutex_lock(&j->base.mutex);
    if (bytes < 0) return false;
    bool full = over && dropped <= 0, filling = max > 0 && bytes > max / 10 * 9;
    if (dropped > 0) {
        bw_log_write(log, BW_LOG_WARN, "database_too_large", "dropped_replays=%d bytes=%lld max_bytes=%lld", dropped,
                     (long long)bytes, (long long)max);
    }
    if ((filling && !j->filling) || (full && !j->base.figures.full)) {
        bw_log_write(log, full ? BW_LOG_ERROR : BW_LOG_WARN, full ? "database_full" : "database_filling",
                     "bytes=%lld max_bytes=%lld hint=\"%s; MAX_DATABASE_MB sets the limit\"", (long long)bytes,
                     (long long)max,
                     full ? "no new rooms are made until games that nobody visits have been deleted"
                          : "above the limit the oldest replays are deleted first");
    }
    j->filling = filling;
    j->base.figures.full = full;
    j->base.figures.bytes = bytes;
    return dropped > 0 && bytes > max;
}

static double sooner(double a, double b) { return a < b ? a : b; }

static void *write_thread(void *argument) {
    sqlite_journal *j = argument;
    double cleanup_at = bw_journal_seconds(), weigh_at = 0, probe_at = 0, watch_at = cleanup_at;
    pthread_mutex_lock(&j->base.mutex);
    for (;;) {
        double now = bw_journal_seconds();
        if (!j->base.failing &&
            (now >= weigh_at || (j->base.options.max_bytes > 0 && j->grown > j->base.options.max_bytes / 32))) {
            if (keep_within_bounds(j)) continue;
            weigh_at = now + 1;
            j->grown = 0;
        } else if (!j->base.failure && bw_journal_doze(&j->base, now)) {
            continue;
        } else if (j->base.waiting.first && !j->base.failure) {
            commit_waiting(j);
            probe_at = bw_journal_seconds() + PROBE_SECONDS;
        } else if (now >= watch_at || j->base.stopping) {
            watch_files(j);
            if (j->base.stopping && (!j->base.waiting.first || j->base.failure)) break;
            watch_at = now + 1. / WATCHES_A_SECOND;
        } else if (j->base.failing && now >= probe_at) {
            probe(j);
            probe_at = bw_journal_seconds() + PROBE_SECONDS;
        } else if (!j->base.failing && now >= cleanup_at) {
            cleanup_at = drop_old_replays(j) == CLEANUP_REPLAYS ? now : now + CLEANUP_SECONDS;
        } else {
            bw_journal_wait_until(&j->base,
                                  sooner(watch_at, j->base.failing ? probe_at : sooner(weigh_at, cleanup_at)));
        }
    }
    pthread_mutex_unlock(&j->base.mutex);
    return NULL;
}

/* ---- the reader's thread ---- */

static int read_from(bw_store *store, bw_reading *r) {
    int code = SQLITE_OK;
    switch (r->kind) {
    case BW_READ_ROOM: r->found = bw_store_load(store, r->id, &r->loaded, &code); break;
    case BW_READ_CLAIM:
    case BW_READ_HAND: r->found = 0; break; /* it is alone */
    case BW_READ_REPLAY: r->found = bw_store_replay(store, r->id, &r->bytes, &r->length, &code); break;
    case BW_READ_SWEEP:
        r->rooms = calloc(BW_STORE_SWEEP_MAX, sizeof *r->rooms);
        r->found =
            r->rooms ? bw_store_sweep(store, r->ended_before, r->unstarted_before, r->rooms, BW_STORE_SWEEP_MAX) : -1;
        if (r->found >= 0 && r->found + BW_JOURNAL_ABANDONED <= BW_STORE_SWEEP_MAX && r->abandoned_before) {
            int more = bw_store_abandoned(store, r->abandoned_before, r->rooms + r->found, BW_JOURNAL_ABANDONED);
            r->found = more < 0 ? -1 : r->found + more;
        }
        break;
    }
    return code;
}

static void carry_out(sqlite_journal *j, bw_reading *r) {
    pthread_mutex_lock(&j->store_mutex);
    bw_store *store = j->reader_store; /* NULL: it could not be reopened */
    r->found = -1;
    int code = store ? read_from(store, r) : SQLITE_OK;
    if (r->found < 0) {
        r->reason = code == SQLITE_OK ? "The server's database cannot be read." : bw_store_reason(store, code);
        char shown[300];
        bw_log_write(j->base.options.log, BW_LOG_ERROR, "journal_read_failed", "code=%d reason=%s", code,
                     bw_log_quoted(shown, sizeof shown, store ? bw_store_error(store) : "not open"));
    }
    pthread_mutex_unlock(&j->store_mutex);
}

static void *read_thread(void *argument) {
    sqlite_journal *j = argument;
    pthread_mutex_lock(&j->base.mutex);
    while (!j->base.stopping) {
        bw_reading *r = bw_journal_next_read(&j->base);
        if (!r) {
            pthread_cond_wait(&j->base.to_read, &j->base.mutex);
            continue;
        }
        pthread_mutex_unlock(&j->base.mutex);
        carry_out(j, r);
        pthread_mutex_lock(&j->base.mutex);
        bw_journal_answered(&j->base, r);
    }
    pthread_mutex_unlock(&j->base.mutex);
    return NULL;
}

/* ---- opening and closing ---- */

/* Our own lock on the file. SQLite holds its lock only during a write, but a second server on the same rooms must
 * not start at all. It does not hinder backups with sqlite3. */
static int lock_file(const char *path, bw_store_problem *problem) {
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600); /* do not block on a FIFO */
    if (fd < 0) {
        const char *hint = errno == ENOENT   ? "its folder does not exist; make it first"
                           : errno == EISDIR ? "it is a folder; name a file"
                           : errno == EROFS || errno == EACCES || errno == EPERM
                               ? "it is read-only; the file and its folder must belong to the server"
                               : strerror(errno);
        snprintf(problem->text, sizeof problem->text, "%s cannot be opened for writing: %s.", path, hint);
        return -1;
    }
    struct stat about;
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) {
        snprintf(problem->text, sizeof problem->text, "%s is not a regular file. Name a file, or :memory:.", path);
        close(fd);
        return -1;
    }
    int tries = LOCK_ATTEMPTS;
    while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (--tries == 0) {
            snprintf(problem->text, sizeof problem->text,
                     "%s is in use by another Boardwalk server. Stop that one, or give this one another DATABASE.",
                     path);
            close(fd);
            return -1;
        }
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    return fd;
}

static bool open_stores(sqlite_journal *j, bw_store_problem *problem) {
    const char *path = j->base.options.path;
    if ((j->lock_fd = lock_file(path, problem)) < 0) return false;
    j->writer_store = open_writer(j, problem);
    if (!j->writer_store) return false;
    bw_age_start(&j->base.age, bw_store_newest(j->writer_store), bw_journal_wall_ms(), bw_journal_elapsed_ms());
    j->reader_store = bw_store_open_reader(path, problem);
    if (!j->reader_store) return false;
    struct stat about;
    if (fstat(j->lock_fd, &about) == 0) j->database = (identity){about.st_dev, about.st_ino};
    return identify_logs(j) || (snprintf(problem->text, sizeof problem->text, "%s has no log beside it.", path), false);
}

static void close_stores(sqlite_journal *j) {
    close_both(j);
    if (j->lock_fd >= 0) close(j->lock_fd); /* last: closing any descriptor of a file drops SQLite's locks */
}

static bool start_threads(sqlite_journal *j) {
    if (pthread_create(&j->writer, NULL, write_thread, j) != 0) return false;
    if (pthread_create(&j->reader, NULL, read_thread, j) == 0) return true;
    pthread_mutex_lock(&j->base.mutex);
    j->base.stopping = true;
    pthread_cond_signal(&j->base.to_write);
    pthread_mutex_unlock(&j->base.mutex);
    pthread_join(j->writer, NULL);
    return false;
}

/* `base` is the first member, so pointers can be converted both ways. */
static sqlite_journal *own(bw_journal *journal) { return (sqlite_journal *)(void *)journal; }

static bool open_sqlite(bw_journal *journal, bw_store_problem *problem) {
    sqlite_journal *j = own(journal);
    j->lock_fd = -1;
    pthread_mutex_init(&j->store_mutex, NULL);
    if (open_stores(j, problem) && start_threads(j)) return true;
    close_stores(j);
    pthread_mutex_destroy(&j->store_mutex);
    return false;
}

static void close_sqlite(bw_journal *journal) {
    sqlite_journal *j = own(journal);
    pthread_join(j->writer, NULL);
    pthread_join(j->reader, NULL);
    close_stores(j);
    pthread_mutex_destroy(&j->store_mutex);
}

const bw_journal_engine bw_journal_sqlite = {
    .size = sizeof(sqlite_journal), .open = open_sqlite, .close = close_sqlite};
