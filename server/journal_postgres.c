/* The journal on PostgreSQL: one thread, one connection, for writing and reading alike, so that both see the same server.
 *
 * A batch that was not answered may be stored. The thread keeps it, connects again (the address may name several
 * servers), and is told then whether it is stored (postgres.h); if not, it is sent again. So a server that is restarted,
 * or a standby that is promoted, costs the players the time that this takes, and nothing else. Where it takes longer
 * than `patience_ms`, what waits is refused, in doubt where it may be stored, and the rooms read themselves again as soon as
 * the database is back.
 *
 * The lease is renewed once a second and with each batch. Safety does not rest on it but on the fence: who finds its epoch
 * gone stores nothing any more and tells `lost`. So does who finds a batch gone that had been answered: a failover to
 * a standby that did not have it, or a backup that was put back. */
#include "server/journal_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "server/postgres.h"

enum {
    LEASE_MS = 5000,
    RENEWALS = 5, /* in the time of a lease */
    PATIENCE_MS = 4000,
    OPENING_MS = 15000, /* for each answer at the start, when tables are made: nobody plays yet */
    BATCH_BYTES = 4 << 20,
    READS_A_TURN = 32,     /* then a batch has its turn */
    CLEANUP_SECONDS = 600, /* of old replays */
    CLEANUP_REPLAYS = 200,
    ROOMY_REPLAYS = 20, /* dropped at once where the database is too large */
    WEIGH_SECONDS = 20,
    RETRY_NS = 50000000, /* between two attempts to connect, while somebody waits */
};

static const char taken_over[] = "Another server has taken over what this one had in the database.";
static const char gone_back[] =
    "The database has lost what it had confirmed: it was put back, or a standby took over too early.";

typedef struct postgres_journal {
    bw_journal base;
    pthread_t thread;
    bw_postgres *pg; /* the thread's; NULL: not connected */
    bw_postgres_node node;
    int64_t batch, answered; /* numbers: the last one sent, the last one known to be stored */
    double patience, away_since /* 0: connected */, connect_at, renew_at, cleanup_at, weigh_at;
    const char *why; /* it is away */
    int64_t grown;
    bool filling;
} postgres_journal;

static postgres_journal *own(bw_journal *journal) { return (postgres_journal *)(void *)journal; }

static void lock(postgres_journal *j) { pthread_mutex_lock(&j->base.mutex); }
static void unlock(postgres_journal *j) { pthread_mutex_unlock(&j->base.mutex); }

/* ---- the connection: without the mutex ---- */

static void log_error(postgres_journal *j, const char *event, const char *doing, const char *words) {
    char shown[400];
    bw_log_write(j->base.options.log, BW_LOG_ERROR, event, "doing=%s reason=%s", doing,
                 bw_log_quoted(shown, sizeof shown, words));
}

static void warn_of_copies(postgres_journal *j, bool replicated) {
    if (!replicated) {
        bw_log_write(j->base.options.log, BW_LOG_WARN, "database_not_replicated",
                     "hint=\"synchronous_standby_names is empty: what is stored is on one machine alone\"");
    }
}

/* `since`: when what failed was begun; players have waited from then on. */
static void disconnect(postgres_journal *j, const char *doing, double since) {
    log_error(j, "database_away", doing, bw_postgres_error(j->pg));
    bw_postgres_close(j->pg);
    j->pg = NULL;
    j->why = "The server's database does not answer.";
    j->away_since = since;
    j->connect_at = 0;
}

static void lose(postgres_journal *j, const char *why) {
    bw_log_write(j->base.options.log, BW_LOG_ERROR, "database_lost", "reason=\"%s\"", why);
    bw_postgres_close(j->pg);
    j->pg = NULL;
    lock(j);
    j->base.lost = why;
    j->base.failing = true;
    j->base.options.wake(j->base.options.user);
    unlock(j);
}

/* Tries once. */
static bool reconnect(postgres_journal *j) {
    bw_store_problem problem;
    bool away;
    bw_postgres *pg = bw_postgres_open(j->base.options.path, (int)(j->patience * 750), &away, &problem);
    if (!pg) {
        if (!away) log_error(j, "database_refused", "connecting", problem.text);
        return false;
    }
    bw_postgres_outcome outcome = bw_postgres_prepare(pg);
    if (outcome == BW_POSTGRES_DONE) outcome = bw_postgres_rejoin(pg, &j->node);
    if (outcome == BW_POSTGRES_FENCED || outcome == BW_POSTGRES_DONE) {
        j->pg = pg;
        if (outcome == BW_POSTGRES_FENCED) lose(j, taken_over);
        else if (j->node.stored < j->answered) lose(j, gone_back);
        if (!j->pg) return false;
        bw_log_write(j->base.options.log, BW_LOG_INFO, "database_back", "away_ms=%d",
                     (int)((bw_journal_seconds() - j->away_since) * 1e3));
        warn_of_copies(j, bw_postgres_replicated(pg));
        j->away_since = 0;
        return true;
    }
    bw_postgres_close(pg);
    return false;
}

static bool is_lost(const postgres_journal *j) { return j->base.lost != NULL; }
static bool is_patient(const postgres_journal *j) { return bw_journal_seconds() < j->away_since + j->patience; }

static void renew_later(postgres_journal *j, double renewed_at) {
    j->renew_at = renewed_at + j->node.lease_seconds / RENEWALS;
}

/* ---- writing ---- */

static bw_postgres_outcome send_batch(postgres_journal *j, const bw_waiting *first) {
    bw_postgres_begin(j->pg, &j->node, j->batch);
    for (const bw_waiting *n = first; n; n = n->next) bw_postgres_put(j->pg, &n->entry);
    return bw_postgres_send(j->pg);
}

/* NULL: it is stored. Else why it is refused; `in_doubt`: it may be stored all the same. */
static const char *store_batch(postgres_journal *j, const bw_waiting *first, bool failing, bool *in_doubt) {
    *in_doubt = false;
    for (j->batch++;;) {
        if (is_lost(j)) return j->base.lost;
        if (!j->pg) {
            bool tries = !failing && is_patient(j);
            if (!tries) return j->why;
            if (!reconnect(j)) {
                nanosleep(&(struct timespec){.tv_nsec = RETRY_NS}, NULL);
                continue;
            }
            if (*in_doubt && j->node.stored == j->batch) break;
            *in_doubt = false; /* it is not there, and what was sent can come no more */
        }
        double begun = bw_journal_seconds();
        bw_postgres_outcome outcome = send_batch(j, first);
        if (outcome == BW_POSTGRES_DONE) break;
        if (outcome == BW_POSTGRES_REFUSED) {
            log_error(j, "journal_failed", "commit", bw_postgres_error(j->pg));
            return bw_postgres_reason(j->pg);
        }
        if (outcome == BW_POSTGRES_FENCED) {
            lose(j, taken_over);
            return taken_over;
        }
        *in_doubt = true;
        disconnect(j, "commit", begun);
    }
    j->answered = j->batch;
    renew_later(j, bw_journal_seconds());
    return NULL;
}

/* Called with the mutex. */
static void commit_waiting(postgres_journal *j) {
    uint64_t count, last;
    bw_waiting_queue batch = bw_journal_take(&j->base, BATCH_BYTES, &count, &last);
    bool failing = j->base.failing, in_doubt;
    for (const bw_waiting *n = batch.first; n; n = n->next) j->grown += (int64_t)n->entry.length;
    unlock(j);
    double start = bw_journal_seconds();
    const char *reason = store_batch(j, batch.first, failing, &in_doubt);
    double seconds = bw_journal_seconds() - start;
    lock(j);
    if (reason) bw_journal_refused(&j->base, &batch, reason, in_doubt);
    else bw_journal_committed(&j->base, &batch, count, last, seconds);
}

/* ---- reading ---- */

static bw_postgres_outcome claim(postgres_journal *j, bw_reading *r) {
    bool adopted = false;
    bw_postgres_outcome outcome =
        bw_postgres_claim(j->pg, &j->node, r->id, r->creates, r->owner, sizeof r->owner, &adopted);
    if (!adopted) return outcome;
    lock(j);
    j->base.figures.adopted_total++;
    unlock(j);
    return outcome;
}

static bw_postgres_outcome read_from(postgres_journal *j, bw_reading *r) {
    switch (r->kind) {
    case BW_READ_ROOM: return bw_postgres_load(j->pg, r->id, &r->loaded, &r->found);
    case BW_READ_REPLAY: return bw_postgres_replay(j->pg, r->id, &r->bytes, &r->length, &r->found);
    case BW_READ_CLAIM: return claim(j, r);
    case BW_READ_SWEEP:
        if (!r->rooms) r->rooms = calloc(BW_STORE_SWEEP_MAX, sizeof *r->rooms);
        if (!r->rooms) return BW_POSTGRES_REFUSED;
        return bw_postgres_sweep(j->pg, &j->node, r->ended_before, r->unstarted_before, r->abandoned_before,
                                 BW_JOURNAL_ABANDONED, r->rooms, BW_STORE_SWEEP_MAX, &r->found);
    }
    return BW_POSTGRES_REFUSED;
}

/* Without the mutex. Waits for a database that is away as long as a batch does. */
static void carry_out(postgres_journal *j, bw_reading *r, bool failing) {
    for (;;) {
        if (is_lost(j)) r->reason = j->base.lost;
        else if (!j->pg && (failing || !is_patient(j))) r->reason = j->why;
        if (r->reason) break;
        if (!j->pg && !reconnect(j)) {
            nanosleep(&(struct timespec){.tv_nsec = RETRY_NS}, NULL);
            continue;
        }
        double begun = bw_journal_seconds();
        bw_postgres_outcome outcome = read_from(j, r);
        if (outcome == BW_POSTGRES_DONE) return;
        if (outcome == BW_POSTGRES_REFUSED) {
            r->reason = "The server's database cannot be read.";
            log_error(j, "journal_read_failed", "read", bw_postgres_error(j->pg));
        } else {
            disconnect(j, "read", begun);
        }
    }
    r->found = -1;
}

/* Called with the mutex. false: there was nothing to read. */
static bool read_some(postgres_journal *j) {
    bw_reading *r;
    int count = 0;
    for (; count < READS_A_TURN && (r = bw_journal_next_read(&j->base)); count++) {
        bool failing = j->base.failing;
        unlock(j);
        carry_out(j, r, failing);
        lock(j);
        bw_journal_answered(&j->base, r);
    }
    return count > 0;
}

/* ---- what is done by itself: called with the mutex ---- */

static void fail_if_away(postgres_journal *j) {
    if (j->pg || is_patient(j) || j->base.failing) return;
    j->base.failing = true;
    bw_log_write(j->base.options.log, BW_LOG_ERROR, "journal_failed", "doing=waiting reason=\"%s\"", j->why);
}

static void works_again(postgres_journal *j) {
    if (!j->base.failing) return;
    j->base.failing = false;
    bw_log_write(j->base.options.log, BW_LOG_INFO, "journal_recovered", "by=probe");
}

static void connect_again(postgres_journal *j) {
    unlock(j);
    bool connected = reconnect(j);
    lock(j);
    if (connected) works_again(j);
    else fail_if_away(j);
    j->connect_at = bw_journal_seconds() + (j->base.failing ? 1 : (double)RETRY_NS * 1e-9);
}

/* false: the connection is gone. Takes over the outcome of whatever was asked. */
static bool worked(postgres_journal *j, bw_postgres_outcome outcome, const char *doing, double begun) {
    if (outcome == BW_POSTGRES_FENCED) lose(j, taken_over);
    else if (outcome == BW_POSTGRES_UNKNOWN) disconnect(j, doing, begun);
    else if (outcome == BW_POSTGRES_REFUSED) log_error(j, "journal_failed", doing, bw_postgres_error(j->pg));
    return outcome == BW_POSTGRES_DONE;
}

static void renew(postgres_journal *j) {
    double begun = bw_journal_seconds();
    unlock(j);
    bool good = worked(j, bw_postgres_renew(j->pg, &j->node), "renew", begun);
    lock(j);
    if (good) works_again(j);
    renew_later(j, begun);
}

/* true: there is more to do. */
static bool drop_old_replays(postgres_journal *j) {
    double begun = bw_journal_seconds();
    int dropped = 0;
    if (j->base.options.replay_days <= 0) return false;
    int64_t before = bw_journal_believed_now(&j->base, bw_journal_wall_ms()) - j->base.options.replay_days * 86400000;
    unlock(j);
    worked(j, bw_postgres_drop_replays(j->pg, before, CLEANUP_REPLAYS, &dropped), "cleanup", begun);
    if (dropped > 0) bw_log_write(j->base.options.log, BW_LOG_INFO, "replays_dropped", "count=%d", dropped);
    lock(j);
    return dropped == CLEANUP_REPLAYS;
}

/* Too large: the oldest replays go; then the sweep may take rooms. true: there is more to do. */
static bool keep_within_bounds(postgres_journal *j) {
    const bw_log *log = j->base.options.log;
    int64_t max = j->base.options.max_bytes, bytes = 0, nodes = 0, owned = 0;
    double begun = bw_journal_seconds();
    int dropped = 0;
    unlock(j);
    bool good = worked(j, bw_postgres_weigh(j->pg, &bytes), "weigh", begun);
    if (good) good = worked(j, bw_postgres_count(j->pg, &j->node, &nodes, &owned), "count", begun);
    bool over = good && max > 0 && bytes > max, replicated = good && bw_postgres_replicated(j->pg);
    if (over) good = worked(j, bw_postgres_drop_replays(j->pg, INT64_MAX, ROOMY_REPLAYS, &dropped), "cleanup", begun);
    lock(j);
    if (!good) return false;
    j->base.figures.nodes = (uint64_t)nodes;
    j->base.figures.owned = (uint64_t)owned;
    bool full = over && dropped == 0, filling = max > 0 && bytes > max / 10 * 9;
    if (dropped > 0) {
        bw_log_write(log, BW_LOG_WARN, "database_too_large", "dropped_replays=%d bytes=%lld max_bytes=%lld", dropped,
                     (long long)bytes, (long long)max);
    }
    if ((filling && !j->filling) || (full && !j->base.figures.full)) {
        bw_log_write(log, full ? BW_LOG_ERROR : BW_LOG_WARN, full ? "database_full" : "database_filling",
                     "bytes=%lld max_bytes=%lld hint=\"MAX_DATABASE_MB sets the limit\"", (long long)bytes,
                     (long long)max);
    }
    j->filling = filling;
    j->base.figures.full = full;
    j->base.figures.bytes = bytes;
    j->base.figures.replicated = replicated;
    return dropped > 0;
}

static double soonest(const postgres_journal *j) {
    if (!j->pg) return j->connect_at;
    double when = j->renew_at < j->cleanup_at ? j->renew_at : j->cleanup_at;
    return when < j->weigh_at ? when : j->weigh_at;
}

/* Another server has it: what comes is refused, until this one ends. */
static void refuse_all(postgres_journal *j) {
    if (j->base.waiting.first && !j->base.failure) commit_waiting(j);
    else if (!read_some(j)) bw_journal_wait_until(&j->base, bw_journal_seconds() + 1);
}

static void *journal_thread(void *argument) {
    postgres_journal *j = argument;
    bool may_write;
    double paced = 0;
    lock(j);
    while ((may_write = j->base.waiting.first && !j->base.failure) || !j->base.stopping) {
        double now = bw_journal_seconds();
        bool heavy = j->base.options.max_bytes > 0 && j->grown > j->base.options.max_bytes / 32;
        if (is_lost(j)) {
            refuse_all(j);
        } else if (j->pg && now >= j->renew_at) {
            renew(j);
        } else if (may_write && (!j->pg || bw_journal_may_commit(&j->base, now, &paced))) {
            commit_waiting(j);
            if (j->base.stopping && j->base.failing) break; /* nobody will be told any more */
            read_some(j);
        } else if (read_some(j)) {
            /* and again */
        } else if (!j->pg && now >= j->connect_at) {
            connect_again(j);
        } else if (j->pg && !j->base.failing && (now >= j->weigh_at || heavy)) {
            j->grown = 0;
            j->weigh_at = keep_within_bounds(j) ? now : now + WEIGH_SECONDS;
        } else if (j->pg && !j->base.failing && now >= j->cleanup_at) {
            j->cleanup_at = drop_old_replays(j) ? now : now + CLEANUP_SECONDS;
        } else {
            double when = j->base.failing && j->pg ? j->renew_at : soonest(j);
            bw_journal_wait_until(&j->base, may_write && j->pg && paced < when ? paced : when);
        }
    }
    unlock(j);
    return NULL;
}

/* ---- opening and closing ---- */

/* A server that is just ending, or was killed and is not missed by the database yet, is waited for. */
static bool join(postgres_journal *j, bw_store_problem *problem) {
    double until = bw_journal_seconds() + j->node.lease_seconds + 1;
    bool in_use = true;
    for (;;) {
        bw_postgres_outcome outcome = bw_postgres_join(j->pg, &j->node, &in_use);
        if (outcome == BW_POSTGRES_DONE) return true;
        if (!in_use) {
            snprintf(problem->text, sizeof problem->text, "The database does not take this server in: %s.",
                     bw_postgres_error(j->pg));
            return false;
        }
        if (bw_journal_seconds() > until) {
            snprintf(problem->text, sizeof problem->text,
                     "This database is in use by another Boardwalk server. Stop that one, or give this one another "
                     "DATABASE.");
            return false;
        }
        nanosleep(&(struct timespec){.tv_nsec = 2 * RETRY_NS}, NULL);
    }
}

static bool open_database(postgres_journal *j, bw_store_problem *problem) {
    bool away;
    int64_t newest = 0;
    j->pg = bw_postgres_open(j->base.options.path, OPENING_MS, &away, problem);
    if (!j->pg || !bw_postgres_migrate(j->pg, problem)) return false;
    if (bw_postgres_prepare(j->pg) != BW_POSTGRES_DONE || bw_postgres_newest(j->pg, &newest) != BW_POSTGRES_DONE) {
        snprintf(problem->text, sizeof problem->text, "The tables of the database are not as they should be: %s.",
                 bw_postgres_error(j->pg));
        return false;
    }
    bw_age_start(&j->base.age, newest, bw_journal_wall_ms(), bw_journal_elapsed_ms());
    if (!join(j, problem)) return false;
    j->base.figures.replicated = bw_postgres_replicated(j->pg);
    bw_postgres_set_deadline(j->pg, (int)(j->patience * 750));
    warn_of_copies(j, j->base.figures.replicated);
    return true;
}

static bool open_postgres(bw_journal *journal, bw_store_problem *problem) {
    postgres_journal *j = own(journal);
    uint64_t holder;
    j->node = (bw_postgres_node){
        .address = journal->options.node ? journal->options.node : "",
        .lease_seconds = (double)(journal->options.lease_ms > 0 ? journal->options.lease_ms : LEASE_MS) * 1e-3};
    j->patience = (double)(journal->options.patience_ms > 0 ? journal->options.patience_ms : PATIENCE_MS) * 1e-3;
    if (getrandom(&holder, sizeof holder, 0) != sizeof holder) return false;
    j->node.holder = (int64_t)(holder >> 1 | 1);
    if (open_database(j, problem)) {
        renew_later(j, bw_journal_seconds());
        if (pthread_create(&j->thread, NULL, journal_thread, j) == 0) return true;
        snprintf(problem->text, sizeof problem->text, "No thread could be started.");
    }
    bw_postgres_close(j->pg);
    return false;
}

static void close_postgres(bw_journal *journal) {
    postgres_journal *j = own(journal);
    pthread_join(j->thread, NULL);
    if (j->pg) bw_postgres_leave(j->pg, &j->node);
    bw_postgres_close(j->pg);
}

const bw_journal_engine bw_journal_postgres = {sizeof(postgres_journal), true, open_postgres, close_postgres};
