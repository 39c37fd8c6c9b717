#include "server/journal_sqlite.h"

#include "server/age.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    BATCH_MAX = 8192,      /* entries of a commit */
    PACE_US = 3000,        /* between the starts of two commits, while moves overlap */
    PROBE_SECONDS = 1,     /* while it fails */
    WATCHES_A_SECOND = 4,  /* of the files' names: for as long a kill -9 may lose what a removed log held */
    CLEANUP_SECONDS = 600, /* of old replays */
    ROOMY_REPLAYS = 4,     /* dropped at once where the database is too large: some may be large themselves */
    ABANDONED_ROOMS = 256, /* forgotten in a sweep, of which there is one a minute */
    CLEANUP_REPLAYS = 200, /* of them at once, so that moves never wait long */
    LOCK_ATTEMPTS = 20,    /* 50 ms apart: a server that is just ending lets go of its file */
};

typedef struct node {
    struct node *next;
    bw_entry entry;
    void *owner;
} node;

typedef struct queue {
    node *first, **last;
} queue;

typedef enum read_kind { READ_ROOM, READ_REPLAY_FILE, READ_SWEEP } read_kind;

typedef struct reading {
    struct reading *next;
    read_kind kind;
    uint64_t after; /* waits until this ticket is settled */
    char id[BW_REPLAY_ID_MAX + 1];
    uint64_t conn;
    int64_t ended_before, unstarted_before, abandoned_before;
    /* the answer */
    int found; /* as bw_store_load; of a sweep the number of rooms */
    const char *reason;
    bw_loaded loaded;
    uint8_t *bytes;
    size_t length;
    char (*rooms)[BW_ROOM_ID_MAX + 1];
} reading;

/* Which file it is, whatever its name. */
typedef struct identity {
    dev_t device;
    ino_t inode;
} identity;

struct bw_journal {
    bw_journal_options options;
    bool in_memory;
    int lock_fd;
    bw_store *writer_store, *reader_store; /* the same one in memory; NULL: could not be opened again */
    pthread_mutex_t store_mutex;           /* held by who uses the reader's, and in memory by who uses either */
    pthread_t writer, reader;
    identity database, log_file, index_file; /* the writer's: as they were opened */
    const char *broken;                      /* the writer's: why nothing may be stored, or NULL */
    bool doubt;                              /* the writer's: what was refused may still be in the log */

    pthread_mutex_t mutex; /* guards all that follows */
    pthread_cond_t to_write, to_read;
    queue waiting, settled; /* settled: committed or refused, to be released by the loop */
    reading *reads, **reads_last, *answers, **answers_last;
    uint64_t appended, committed, told, settled_ticket;
    const char *failure; /* the writer stands still until the loop has been told */
    bool failure_in_doubt;
    bool writing;   /* a batch is under way: whether it fails is not yet known */
    int overlap;    /* of 1024: the share of the last entries that came while another was on its way */
    double pace_at; /* the writer's: no commit before it while moves overlap */
    bool failing, stopping;
    int64_t grown; /* the writer's: bytes since the database was last measured */
    bool filling;  /* nearly full, and the log says so */
    bw_age age;
    bw_journal_figures figures;
};

static int64_t wall_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int64_t elapsed_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static double mono_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void queue_add(queue *q, node *n) {
    n->next = NULL;
    *q->last = n;
    q->last = &n->next;
}

static void queue_move(queue *to, queue *from) {
    if (!from->first) return;
    *to->last = from->first;
    to->last = from->last;
    from->first = NULL;
    from->last = &from->first;
}

/* ---- the writer's thread ---- */

static int write_batch(bw_store *store, const node *batch, bool *committing) {
    int code = bw_store_begin(store);
    for (const node *n = batch; n && code == SQLITE_OK; n = n->next) {
        code = bw_store_put(store, &n->entry);
    }
    *committing = code == SQLITE_OK;
    return *committing ? bw_store_commit(store) : code;
}

/* Can what a COMMIT refused be whole in the log? Its mark is the last thing that is written: not where a lock
 * forbade it or writing failed, but where flushing did, or whatever comes after that. */
static bool may_be_whole(int code) {
    return (code & 0xff) != SQLITE_BUSY && (code & 0xff) != SQLITE_FULL && code != SQLITE_IOERR_WRITE;
}

/* Detaches the front of the queue, so that nobody writes to what is read without the mutex. */
static queue take_batch(bw_journal *j, uint64_t *count, uint64_t *last_ticket) {
    queue batch = {.first = j->waiting.first};
    node *last = batch.first;
    for (*count = 1; *count < BATCH_MAX && last->next; ++*count) last = last->next;
    *last_ticket = last->entry.ticket;
    j->waiting.first = last->next;
    if (!last->next) j->waiting.last = &j->waiting.first;
    last->next = NULL;
    batch.last = &last->next;
    return batch;
}

/* For the writer: under store_mutex where the connection is shared. */
static void store_lock(bw_journal *j) {
    if (j->in_memory) pthread_mutex_lock(&j->store_mutex);
}
static void store_unlock(bw_journal *j) {
    if (j->in_memory) pthread_mutex_unlock(&j->store_mutex);
}

static void log_failure(bw_journal *j, const char *what, int code) {
    char shown[300];
    bw_log_write(j->options.log, BW_LOG_ERROR, "journal_failed", "doing=%s code=%d reason=%s", what, code,
                 bw_log_quoted(shown, sizeof shown, bw_store_error(j->writer_store)));
}

/* ---- the files' names: the next start opens what has them ---- */

static bool identify(const char *path, identity *found) {
    struct stat about;
    if (stat(path, &about) != 0) return false;
    *found = (identity){about.st_dev, about.st_ino};
    return true;
}

static bool still_there(const char *path, const identity *opened) {
    identity now;
    return identify(path, &now) && now.device == opened->device && now.inode == opened->inode;
}

/* The write-ahead log ("-wal") and its index ("-shm") as they are now. */
static bool identify_logs(bw_journal *j) {
    char index[PATH_MAX];
    const char *log = bw_store_wal_path(j->writer_store);
    size_t length = strlen(log);
    if (length < 4 || length >= sizeof index) return false;
    memcpy(index, log, length + 1);
    memcpy(index + length - 4, "-shm", 4);
    return identify(log, &j->log_file) && identify(index, &j->index_file);
}

static bool logs_are_there(bw_journal *j) {
    identity log = j->log_file, index = j->index_file;
    bool same = identify_logs(j) && log.device == j->log_file.device && log.inode == j->log_file.inode &&
                index.device == j->index_file.device && index.inode == j->index_file.inode;
    j->log_file = log;
    j->index_file = index;
    return same;
}

static bw_store *open_writer(bw_journal *j, bw_store_problem *problem) {
    bw_store *store = bw_store_open(j->options.path, j->options.max_pages, problem);
    int64_t max = j->options.max_bytes;
    if (store && max > 0 && j->options.max_pages == 0) bw_store_bound(store, max + max / 8);
    return store;
}

/* Closes both connections (which removes whatever has the log's name) and opens them again. */
static const char *reopen(bw_journal *j) {
    bw_store_problem problem;
    bw_store_close(j->reader_store);
    bw_store_close(j->writer_store);
    j->writer_store = open_writer(j, &problem);
    j->reader_store = j->writer_store ? bw_store_open_reader(j->options.path, &problem) : NULL;
    if (j->reader_store && identify_logs(j)) return NULL;
    bw_store_close(j->writer_store);
    bw_store_close(j->reader_store);
    j->writer_store = j->reader_store = NULL;
    return "The server's database cannot be opened again.";
}

static const char *repair_logs(bw_journal *j) {
    pthread_mutex_lock(&j->store_mutex); /* the reader waits */
    int code = j->writer_store ? bw_store_rescue(j->writer_store) : SQLITE_OK;
    const char *broken =
        code != SQLITE_OK ? "A part of the server's database was removed while it ran, and could not be written again."
                          : reopen(j);
    pthread_mutex_unlock(&j->store_mutex);
    bw_log_write(j->options.log, BW_LOG_ERROR, broken ? "database_log_lost" : "database_log_rewritten",
                 "code=%d hint=\"do not touch the -wal and -shm files while the server runs\"", code);
    return broken;
}

/* Closing must not remove files that have our files' names: they may be another server's by now. */
static void abandon(bw_journal *j, bool abandoned) {
    if (j->writer_store) bw_store_abandon(j->writer_store, abandoned);
    pthread_mutex_lock(&j->store_mutex);
    if (j->reader_store) bw_store_abandon(j->reader_store, abandoned);
    pthread_mutex_unlock(&j->store_mutex);
}

static void detach(bw_journal *j) {
    char shown[300];
    int code = j->writer_store ? bw_store_rescue(j->writer_store) : SQLITE_MISUSE;
    abandon(j, true);
    bw_log_write(j->options.log, BW_LOG_ERROR, "database_gone",
                 "path=%s copied=%s hint=\"moves are refused; before the server ends, save what it holds: cp "
                 "/proc/%d/fd/%d FILE\"",
                 bw_log_quoted(shown, sizeof shown, j->options.path), code == SQLITE_OK ? "yes" : "no", (int)getpid(),
                 j->lock_fd);
}

/* Looks whether the next start would find what is stored now. NULL, or why nothing may be stored. Costs a few
 * microseconds, beside the milliseconds of a commit. */
static const char *check_files(bw_journal *j) {
    static const char gone[] =
        "The server's database was removed or replaced while it ran: nothing can be saved. Please tell its operator.";
    char shown[300];
    if (j->in_memory) return NULL;
    bool there = still_there(j->options.path, &j->database);
    if (!there && j->broken != gone) detach(j);
    if (there && j->broken == gone) {
        /* Back, perhaps with a log of somebody else's beside it. */
        bw_log_write(j->options.log, BW_LOG_INFO, "database_back", "path=%s",
                     bw_log_quoted(shown, sizeof shown, j->options.path));
        abandon(j, false);
        j->broken = repair_logs(j);
    } else if (!there) {
        j->broken = gone;
    } else {
        j->broken = j->writer_store && logs_are_there(j) ? NULL : repair_logs(j);
    }
    return j->broken;
}

/* Called with the mutex, which is let go of while the files are looked at. */
static void watch_files(bw_journal *j) {
    bool was_broken = j->broken != NULL;
    pthread_mutex_unlock(&j->mutex);
    const char *broken = check_files(j);
    pthread_mutex_lock(&j->mutex);
    j->figures.detached = broken != NULL;
    if (broken) j->failing = true;
    else if (was_broken) j->failing = false;
}

/* A read waits until what was appended before it is settled. */
static bool may_read(const bw_journal *j) { return j->reads && j->reads->after <= j->settled_ticket; }

/* Called with the mutex, which is let go of while the disk works. */
static void commit_waiting(bw_journal *j) {
    uint64_t count, last;
    queue batch = take_batch(j, &count, &last);
    for (const node *n = batch.first; n; n = n->next) j->grown += (int64_t)n->entry.length;
    j->writing = true;
    pthread_mutex_unlock(&j->mutex);

    double start = mono_seconds();
    bool committing = false;
    const char *reason = check_files(j), *broken = reason;
    store_lock(j);
    int code = reason ? SQLITE_OK : write_batch(j->writer_store, batch.first, &committing);
    if (reason) {
        /* Nothing was tried, so what went before is in as much doubt as it was. */
    } else if (code != SQLITE_OK) {
        reason = bw_store_reason(j->writer_store, code);
        log_failure(j, "commit", code);
        bw_store_rollback(j->writer_store);
        if (committing && may_be_whole(code)) {
            j->doubt = bw_store_probe(j->writer_store) != SQLITE_OK;
        }
    } else {
        j->doubt = false;
    }
    store_unlock(j);
    double seconds = mono_seconds() - start;

    pthread_mutex_lock(&j->mutex);
    j->writing = false;
    j->figures.detached = broken != NULL;
    queue_move(&j->settled, &batch); /* to be released by the loop; after a failure as dropped ones */
    if (reason) {
        j->failure = reason;
        j->failure_in_doubt = j->doubt;
        j->failing = true;
    } else {
        j->committed = j->settled_ticket = last;
        if (j->failing) {
            bw_log_write(j->options.log, BW_LOG_INFO, "journal_recovered", "ticket=%llu", (unsigned long long)last);
        }
        j->failing = false;
        j->figures.entries_total += count;
        j->figures.waiting -= count;
        bw_histogram_add(&j->figures.commits, seconds);
        if (may_read(j)) pthread_cond_signal(&j->to_read);
    }
    j->options.wake(j->options.user);
}

static void probe(bw_journal *j) {
    if (j->broken) return; /* watch_files tries */
    pthread_mutex_unlock(&j->mutex);
    store_lock(j);
    int code = bw_store_probe(j->writer_store);
    store_unlock(j);
    pthread_mutex_lock(&j->mutex);
    if (code == SQLITE_OK) {
        j->doubt = false;
        j->failing = false;
        bw_log_write(j->options.log, BW_LOG_INFO, "journal_recovered", "by=probe");
    }
}

/* The time that what is old is measured by. Called with the mutex. */
static int64_t believed_now(bw_journal *j, int64_t wall) {
    bool doubted = j->age.doubted;
    int64_t now = bw_age_now(&j->age, wall, elapsed_ms());
    if (j->age.doubted && !doubted) {
        bw_log_write(
            j->options.log, BW_LOG_WARN, "clock_doubted",
            "ahead_hours=%lld hint=\"the clock is ahead of the newest record; for a day less is deleted by age\"",
            (long long)((wall - now) / 3600000));
    }
    return now;
}

/* Returns how many replays were dropped. */
static int drop_old_replays(bw_journal *j) {
    if (j->options.replay_days <= 0) return 0;
    int64_t before = believed_now(j, wall_ms()) - j->options.replay_days * 86400000;
    pthread_mutex_unlock(&j->mutex);
    store_lock(j);
    int dropped = bw_store_drop_replays(j->writer_store, before, CLEANUP_REPLAYS);
    if (dropped < 0) log_failure(j, "cleanup", 0);
    store_unlock(j);
    if (dropped > 0) {
        bw_log_write(j->options.log, BW_LOG_INFO, "replays_dropped", "count=%d", dropped);
    }
    pthread_mutex_lock(&j->mutex);
    return dropped;
}

/* Too large: the oldest replays go; then the sweep may take rooms. Called with the mutex. true: there is more to do. */
static bool keep_within_bounds(bw_journal *j) {
    const bw_log *log = j->options.log;
    int64_t max = j->options.max_bytes;
    int dropped = 0;
    pthread_mutex_unlock(&j->mutex);
    store_lock(j);
    int64_t bytes = j->writer_store ? bw_store_bytes(j->writer_store) : -1;
    bool over = max > 0 && bytes > max;
    if (over) dropped = bw_store_drop_replays(j->writer_store, INT64_MAX, ROOMY_REPLAYS);
    if (dropped > 0) bytes = bw_store_bytes(j->writer_store);
    store_unlock(j);
    pthread_mutex_lock(&j->mutex);
    if (bytes < 0) return false;
    bool full = over && dropped <= 0, filling = max > 0 && bytes > max / 10 * 9;
    if (dropped > 0) {
        bw_log_write(log, BW_LOG_WARN, "database_too_large", "dropped_replays=%d bytes=%lld max_bytes=%lld", dropped,
                     (long long)bytes, (long long)max);
    }
    if ((filling && !j->filling) || (full && !j->figures.full)) {
        bw_log_write(log, full ? BW_LOG_ERROR : BW_LOG_WARN, full ? "database_full" : "database_filling",
                     "bytes=%lld max_bytes=%lld hint=\"%s; MAX_DATABASE_MB sets the limit\"", (long long)bytes,
                     (long long)max,
                     full ? "no new rooms are made until games that nobody visits have gone"
                          : "beyond the limit the oldest replays go first");
    }
    j->filling = filling;
    j->figures.full = full;
    j->figures.bytes = bytes;
    return dropped > 0 && bytes > max;
}

static void wait_until(bw_journal *j, double when) {
    struct timespec at = {.tv_sec = (time_t)when, .tv_nsec = (long)((when - (double)(time_t)when) * 1e9)};
    pthread_cond_timedwait(&j->to_write, &j->mutex, &at);
}

static double sooner(double a, double b) { return a < b ? a : b; }

/* Do moves come faster than they are committed one by one? Then a commit waits a little and takes more of them: each
 * costs less, and none waits much longer. A move that comes alone, or one after another of one player, never waits. */
static bool overlaps(const bw_journal *j) { return j->overlap > 128 && !j->in_memory; }

static void *write_thread(void *argument) {
    bw_journal *j = argument;
    double cleanup_at = mono_seconds(), weigh_at = 0, probe_at = 0, watch_at = j->in_memory ? HUGE_VAL : cleanup_at;
    pthread_mutex_lock(&j->mutex);
    for (;;) {
        double now = mono_seconds();
        if (!j->failing && (now >= weigh_at || (j->options.max_bytes > 0 && j->grown > j->options.max_bytes / 32))) {
            if (keep_within_bounds(j)) continue;
            weigh_at = now + 1;
            j->grown = 0;
        } else if (j->waiting.first && !j->failure && now < j->pace_at && overlaps(j) && !j->stopping) {
            wait_until(j, j->pace_at);
        } else if (j->waiting.first && !j->failure) {
            j->pace_at = now + PACE_US * 1e-6;
            commit_waiting(j);
            probe_at = mono_seconds() + PROBE_SECONDS;
        } else if (now >= watch_at || j->stopping) {
            watch_files(j);
            if (j->stopping && (!j->waiting.first || j->failure)) break;
            if (!j->in_memory) watch_at = now + 1. / WATCHES_A_SECOND;
        } else if (j->failing && now >= probe_at) {
            probe(j);
            probe_at = mono_seconds() + PROBE_SECONDS;
        } else if (!j->failing && now >= cleanup_at) {
            cleanup_at = drop_old_replays(j) == CLEANUP_REPLAYS ? now : now + CLEANUP_SECONDS;
        } else {
            wait_until(j, sooner(watch_at, j->failing ? probe_at : sooner(weigh_at, cleanup_at)));
        }
    }
    pthread_mutex_unlock(&j->mutex);
    return NULL;
}

/* ---- the reader's thread ---- */

static int read_from(bw_store *store, reading *r) {
    int code = SQLITE_OK;
    switch (r->kind) {
    case READ_ROOM: r->found = bw_store_load(store, r->id, &r->loaded, &code); break;
    case READ_REPLAY_FILE: r->found = bw_store_replay(store, r->id, &r->bytes, &r->length, &code); break;
    case READ_SWEEP:
        r->rooms = calloc(BW_STORE_SWEEP_MAX, sizeof *r->rooms);
        r->found =
            r->rooms ? bw_store_sweep(store, r->ended_before, r->unstarted_before, r->rooms, BW_STORE_SWEEP_MAX) : -1;
        if (r->found >= 0 && r->found + ABANDONED_ROOMS <= BW_STORE_SWEEP_MAX && r->abandoned_before) {
            int more = bw_store_abandoned(store, r->abandoned_before, r->rooms + r->found, ABANDONED_ROOMS);
            r->found = more < 0 ? -1 : r->found + more;
        }
        break;
    }
    return code;
}

static void carry_out(bw_journal *j, reading *r) {
    pthread_mutex_lock(&j->store_mutex);
    bw_store *store = j->reader_store; /* NULL: it could not be opened again */
    r->found = -1;
    int code = store ? read_from(store, r) : SQLITE_OK;
    if (r->found < 0) {
        r->reason = code == SQLITE_OK ? "The server's database cannot be read." : bw_store_reason(store, code);
        char shown[300];
        bw_log_write(j->options.log, BW_LOG_ERROR, "journal_read_failed", "code=%d reason=%s", code,
                     bw_log_quoted(shown, sizeof shown, store ? bw_store_error(store) : "not open"));
    }
    pthread_mutex_unlock(&j->store_mutex);
}

static void *read_thread(void *argument) {
    bw_journal *j = argument;
    pthread_mutex_lock(&j->mutex);
    while (!j->stopping) {
        if (!may_read(j)) {
            pthread_cond_wait(&j->to_read, &j->mutex);
            continue;
        }
        reading *r = j->reads;
        j->reads = r->next;
        if (!j->reads) j->reads_last = &j->reads;
        pthread_mutex_unlock(&j->mutex);
        carry_out(j, r);
        pthread_mutex_lock(&j->mutex);
        r->next = NULL;
        *j->answers_last = r;
        j->answers_last = &r->next;
        j->figures.reads_waiting--;
        j->options.wake(j->options.user);
    }
    pthread_mutex_unlock(&j->mutex);
    return NULL;
}

/* ---- opening and closing ---- */

/* A lock of our own on the file: SQLite's would be held only during a write, and a second server on the
 * same rooms must not start at all. Backups with sqlite3 are not hindered by it. */
static int lock_file(const char *path, bw_store_problem *problem) {
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600); /* not to wait at a FIFO */
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

static bool open_stores(bw_journal *j, bw_store_problem *problem) {
    const char *path = j->options.path;
    j->in_memory = strcmp(path, ":memory:") == 0;
    if (!j->in_memory && (j->lock_fd = lock_file(path, problem)) < 0) return false;
    j->writer_store = open_writer(j, problem);
    if (!j->writer_store) return false;
    bw_age_start(&j->age, bw_store_newest(j->writer_store), wall_ms(), elapsed_ms());
    j->reader_store = j->in_memory ? j->writer_store : bw_store_open_reader(path, problem);
    if (!j->reader_store || j->in_memory) return j->reader_store != NULL;
    struct stat about;
    if (fstat(j->lock_fd, &about) == 0) j->database = (identity){about.st_dev, about.st_ino};
    return identify_logs(j) || (snprintf(problem->text, sizeof problem->text, "%s has no log beside it.", path), false);
}

static void close_stores(bw_journal *j) {
    if (j->reader_store != j->writer_store) bw_store_close(j->reader_store);
    bw_store_close(j->writer_store);
    if (j->lock_fd >= 0) close(j->lock_fd); /* last: closing any descriptor of a file drops SQLite's own locks on it */
}

static bool start_threads(bw_journal *j) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&j->mutex, NULL);
    pthread_mutex_init(&j->store_mutex, NULL);
    pthread_cond_init(&j->to_write, &monotonic);
    pthread_cond_init(&j->to_read, NULL);
    pthread_condattr_destroy(&monotonic);
    if (pthread_create(&j->writer, NULL, write_thread, j) != 0) return false;
    if (pthread_create(&j->reader, NULL, read_thread, j) == 0) return true;
    pthread_mutex_lock(&j->mutex);
    j->stopping = true;
    pthread_cond_signal(&j->to_write);
    pthread_mutex_unlock(&j->mutex);
    pthread_join(j->writer, NULL);
    return false;
}

bw_journal *bw_journal_open(const bw_journal_options *options, bw_store_problem *problem) {
    bw_journal *j = calloc(1, sizeof *j);
    snprintf(problem->text, sizeof problem->text, "There is no memory for the journal or its threads.");
    if (!j) return NULL;
    j->options = *options;
    j->lock_fd = -1;
    j->waiting.last = &j->waiting.first;
    j->settled.last = &j->settled.first;
    j->reads_last = &j->reads;
    j->answers_last = &j->answers;
    if (open_stores(j, problem) && start_threads(j)) return j;
    close_stores(j);
    free(j);
    return NULL;
}

static void release_all(bw_journal *j, queue *q) {
    for (node *n = q->first, *next; n; n = next) {
        next = n->next;
        if (j->options.release && n->owner) j->options.release(n->owner);
        free(n);
    }
    q->first = NULL;
    q->last = &q->first;
}

static void free_readings(reading *r) {
    for (reading *next; r; r = next) {
        next = r->next;
        free(r->loaded.memory);
        free(r->bytes);
        free(r->rooms);
        free(r);
    }
}

void bw_journal_close(bw_journal *j) {
    if (!j) return;
    pthread_mutex_lock(&j->mutex);
    j->stopping = true;
    pthread_cond_signal(&j->to_write);
    pthread_cond_signal(&j->to_read);
    pthread_mutex_unlock(&j->mutex);
    pthread_join(j->writer, NULL);
    pthread_join(j->reader, NULL);
    close_stores(j);
    release_all(j, &j->waiting);
    release_all(j, &j->settled);
    free_readings(j->reads);
    free_readings(j->answers);
    pthread_cond_destroy(&j->to_write);
    pthread_cond_destroy(&j->to_read);
    pthread_mutex_destroy(&j->mutex);
    pthread_mutex_destroy(&j->store_mutex);
    free(j);
}

/* ---- the loop's side ---- */

void bw_journal_append(bw_journal *j, const bw_entry *entry, void *owner) {
    node *n = malloc(sizeof *n);
    pthread_mutex_lock(&j->mutex);
    j->appended = entry->ticket;
    if (!n) { /* as a disk that fails: what was appended before it may still be stored or not */
        if (!j->failure) j->failure = "The server is out of memory.";
        if (owner && j->options.release) j->options.release(owner);
        j->options.wake(j->options.user);
    } else {
        bool first = !j->waiting.first; /* else the writer knows already */
        j->overlap += ((!first || j->writing ? 1024 : 0) - j->overlap) / 16;
        *n = (node){.entry = *entry, .owner = owner};
        queue_add(&j->waiting, n);
        j->figures.waiting++;
        if (first) pthread_cond_signal(&j->to_write);
    }
    pthread_mutex_unlock(&j->mutex);
}

static bool ask(bw_journal *j, const reading *what) {
    reading *r = malloc(sizeof *r);
    if (!r) return false;
    *r = *what;
    r->next = NULL;
    pthread_mutex_lock(&j->mutex);
    r->after = j->appended;
    *j->reads_last = r;
    j->reads_last = &r->next;
    j->figures.reads_waiting++;
    pthread_cond_signal(&j->to_read);
    pthread_mutex_unlock(&j->mutex);
    return true;
}

bool bw_journal_load(bw_journal *j, const char *room) {
    reading r = {.kind = READ_ROOM};
    snprintf(r.id, sizeof r.id, "%s", room);
    return ask(j, &r);
}

bool bw_journal_read_replay(bw_journal *j, const char *replay_id, uint64_t conn) {
    reading r = {.kind = READ_REPLAY_FILE, .conn = conn};
    snprintf(r.id, sizeof r.id, "%s", replay_id);
    return ask(j, &r);
}

bool bw_journal_sweep(bw_journal *j, int64_t ended_before, int64_t unstarted_before) {
    pthread_mutex_lock(&j->mutex);
    int64_t wall = wall_ms(), ahead = wall - believed_now(j, wall); /* of what the hall has measured by */
    int64_t abandoned_before = j->figures.full ? wall - ahead - j->options.abandoned_ms : 0;
    pthread_mutex_unlock(&j->mutex);
    return ask(j, &(reading){.kind = READ_SWEEP,
                             .abandoned_before = abandoned_before,
                             .ended_before = ended_before - ahead,
                             .unstarted_before = unstarted_before - ahead});
}

static void answer(const reading *r, const bw_journal_answers *answers, void *user) {
    switch (r->kind) {
    case READ_ROOM: answers->loaded(user, r->id, r->found == 1 ? &r->loaded.room : NULL, r->reason); break;
    case READ_REPLAY_FILE: answers->replay(user, r->conn, r->found == 1 ? r->bytes : NULL, r->length); break;
    case READ_SWEEP:
        answers->swept(user, (const char(*)[BW_ROOM_ID_MAX + 1]) r->rooms, r->found > 0 ? (size_t)r->found : 0);
        break;
    }
}

void bw_journal_dispatch(bw_journal *j, const bw_journal_answers *answers, void *user) {
    queue done = {.last = &done.first}, dropped = {.last = &dropped.first};
    pthread_mutex_lock(&j->mutex);
    queue_move(&done, &j->settled);
    reading *readings = j->answers;
    j->answers = NULL;
    j->answers_last = &j->answers;
    uint64_t committed = j->committed;
    const char *failure = j->writing ? NULL : j->failure;
    bool in_doubt = j->failure_in_doubt;
    if (failure) { /* the writer stands still until this is done */
        queue_move(&dropped, &j->waiting);
        j->figures.waiting = 0;
        j->failure = NULL;
        j->failure_in_doubt = false;
        j->settled_ticket = j->appended;
        pthread_cond_signal(&j->to_write);
        pthread_cond_signal(&j->to_read);
    }
    bool news = committed > j->told;
    j->told = committed;
    pthread_mutex_unlock(&j->mutex);

    if (news) answers->committed(user, committed);
    if (failure) answers->failed(user, committed, failure, in_doubt);
    for (const reading *r = readings; r; r = r->next) answer(r, answers, user);
    release_all(j, &done);
    release_all(j, &dropped);
    free_readings(readings);
}

void bw_journal_figures_of(bw_journal *j, bw_journal_figures *figures) {
    pthread_mutex_lock(&j->mutex);
    *figures = j->figures;
    figures->failing = j->failing;
    pthread_mutex_unlock(&j->mutex);
}
