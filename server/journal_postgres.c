/* The journal on PostgreSQL: one thread, one connection, for writing and reading alike, so that both see the same server.
 * What is to be done, and what an answer means, says the machine of node.h; here it is carried out.
 *
 * A batch that was not answered may be stored. The thread keeps it, connects again (the address may name several
 * servers), and is told then whether it is stored (postgres.h); if not, it is sent again. So a server that is restarted,
 * or a standby that is promoted, costs the players the time that this takes, and nothing else. Where it takes longer
 * than `patience_ms`, what waits is refused, in doubt where it may be stored, and the rooms read themselves again as soon as
 * the database is back.
 *
 * Who finds its epoch gone stores nothing any more and tells `lost`. So does who finds a batch gone that had been answered: a
 * failover to a standby that did not have it, or a backup that was put back. */
#include "server/journal_node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "server/postgres.h"

enum {
    LEASE_MS = 5000,
    PATIENCE_MS = 4000,
    OPENING_MS = 15000, /* for each answer at the start, when tables are made: nobody plays yet */
    CLEANUP_REPLAYS = 200,
    ROOMY_REPLAYS = 20,   /* dropped at once where the database is too large */
    RETRY_NS = 100000000, /* between two attempts to join */
};

typedef struct postgres_journal {
    bw_node_journal queues;
    pthread_t thread;
    bw_postgres *pg; /* the thread's; NULL: not connected */
    bool filling;
    unsigned turn; /* at connecting: see postgres.h */
} postgres_journal;

static postgres_journal *own(bw_journal *journal) { return (postgres_journal *)(void *)journal; }

static const bw_journal_options *options_of(const postgres_journal *j) { return &j->queues.base.options; }
static int deadline_of(const postgres_journal *j) { return (int)(j->queues.node.patience_ms * 3 / 4); }

static void log_error(postgres_journal *j, const char *event, const char *doing, const char *words) {
    char shown[400];
    bw_log_write(options_of(j)->log, BW_LOG_ERROR, event, "doing=%s reason=%s", doing,
                 bw_log_quoted(shown, sizeof shown, words));
}

static void warn_of_copies(postgres_journal *j, bool replicated) {
    if (!replicated) {
        bw_log_write(options_of(j)->log, BW_LOG_WARN, "database_not_replicated",
                     "hint=\"synchronous_standby_names is empty: what is stored is on one machine alone\"");
    }
}

static void close_connection(postgres_journal *j) {
    bw_postgres_close(j->pg);
    j->pg = NULL;
}

/* ---- what the machine wants: without the mutex ---- */

static bw_outcome open_connection(postgres_journal *j) {
    bw_store_problem problem;
    bool away;
    close_connection(j);
    j->pg = bw_postgres_open(options_of(j)->path, ++j->turn, deadline_of(j), &away, &problem);
    if (!j->pg && !away) log_error(j, "database_refused", "connecting", problem.text);
    return j->pg ? bw_postgres_prepare(j->pg) : BW_OUTCOME_REFUSED;
}

static bw_outcome rejoin(postgres_journal *j) {
    bw_node *node = &j->queues.node;
    bw_outcome outcome = bw_postgres_rejoin(j->pg, &node->row);
    if (outcome == BW_OUTCOME_DONE) {
        bw_log_write(options_of(j)->log, BW_LOG_INFO, "database_back", "away_ms=%lld",
                     (long long)(bw_journal_elapsed_ms() - node->away_since));
        warn_of_copies(j, bw_postgres_replicated(j->pg));
    }
    return outcome;
}

static bw_outcome store(postgres_journal *j, bw_answer *answer) {
    bw_postgres_begin(j->pg, &j->queues.node.row, j->queues.node.number);
    for (const bw_waiting *n = j->queues.batch.first; n; n = n->next) bw_postgres_put(j->pg, &n->entry);
    bw_outcome outcome = bw_postgres_send(j->pg);
    answer->reason = bw_postgres_reason(j->pg);
    return outcome;
}

static bw_outcome read_from(postgres_journal *j) {
    bw_reading *r = j->queues.reading;
    switch (r->kind) {
    case BW_READ_ROOM: return bw_postgres_load(j->pg, &j->queues.node.row, r->id, &r->loaded, &r->found);
    case BW_READ_REPLAY: return bw_postgres_replay(j->pg, r->id, &r->bytes, &r->length, &r->found);
    case BW_READ_SWEEP:
        if (!r->rooms) r->rooms = calloc(BW_STORE_SWEEP_MAX, sizeof *r->rooms);
        if (!r->rooms) return BW_OUTCOME_REFUSED;
        return bw_postgres_sweep(j->pg, &j->queues.node.row, r->ended_before, r->unstarted_before, r->abandoned_before,
                                 BW_JOURNAL_ABANDONED, r->rooms, BW_STORE_SWEEP_MAX, &r->found);
    case BW_READ_CLAIM:
    case BW_READ_HAND: break; /* LOOK and what follows; HAND */
    }
    return BW_OUTCOME_REFUSED;
}

static bw_outcome drop_old_replays(postgres_journal *j, bool *more) {
    const bw_journal_options *options = options_of(j);
    int dropped = 0;
    if (options->replay_days <= 0) return BW_OUTCOME_DONE;
    pthread_mutex_lock(&j->queues.base.mutex);
    int64_t before = bw_journal_believed_now(&j->queues.base, bw_journal_wall_ms()) - options->replay_days * 86400000;
    pthread_mutex_unlock(&j->queues.base.mutex);
    bw_outcome outcome = bw_postgres_drop_replays(j->pg, before, CLEANUP_REPLAYS, &dropped);
    if (dropped > 0) bw_log_write(options->log, BW_LOG_INFO, "replays_dropped", "count=%d", dropped);
    *more = dropped == CLEANUP_REPLAYS;
    return outcome;
}

static void tell_of_size(postgres_journal *j, int64_t bytes, bool full) {
    const bw_log *log = options_of(j)->log;
    int64_t max = options_of(j)->max_bytes;
    bool filling = max > 0 && bytes > max / 10 * 9;
    if ((filling && !j->filling) || (full && !j->queues.base.figures.full)) {
        bw_log_write(log, full ? BW_LOG_ERROR : BW_LOG_WARN, full ? "database_full" : "database_filling",
                     "bytes=%lld max_bytes=%lld hint=\"MAX_DATABASE_MB sets the limit\"", (long long)bytes,
                     (long long)max);
    }
    j->filling = filling;
}

/* Too large: the oldest replays go; then the sweep may take rooms. */
static bw_outcome keep_within_bounds(postgres_journal *j, bool *more) {
    int64_t max = options_of(j)->max_bytes, bytes = 0, nodes = 0, owned = 0;
    int dropped = 0;
    j->queues.grown = 0;
    bw_outcome outcome = bw_postgres_weigh(j->pg, &bytes);
    if (outcome == BW_OUTCOME_DONE) outcome = bw_postgres_count(j->pg, &j->queues.node.row, &nodes, &owned);
    bool over = outcome == BW_OUTCOME_DONE && max > 0 && bytes > max;
    if (over) outcome = bw_postgres_drop_replays(j->pg, INT64_MAX, ROOMY_REPLAYS, &dropped);
    if (outcome != BW_OUTCOME_DONE) return outcome;
    bool full = over && dropped == 0;
    if (dropped > 0) {
        bw_log_write(options_of(j)->log, BW_LOG_WARN, "database_too_large",
                     "dropped_replays=%d bytes=%lld max_bytes=%lld", dropped, (long long)bytes, (long long)max);
    }
    pthread_mutex_lock(&j->queues.base.mutex);
    bw_journal_figures *figures = &j->queues.base.figures;
    tell_of_size(j, bytes, full);
    figures->nodes = (uint64_t)nodes;
    figures->owned = (uint64_t)owned;
    figures->full = full;
    figures->bytes = bytes;
    figures->replicated = bw_postgres_replicated(j->pg);
    pthread_mutex_unlock(&j->queues.base.mutex);
    *more = dropped > 0;
    return outcome;
}

static bw_outcome renew(postgres_journal *j, bw_answer *answer) {
    bw_journal *base = &j->queues.base;
    bw_peers peers;
    bw_outcome outcome = bw_postgres_renew(j->pg, &j->queues.node.row, &answer->drains, &peers);
    if (outcome != BW_OUTCOME_DONE || !options_of(j)->node) return outcome;
    pthread_mutex_lock(&base->mutex);
    base->peers = peers;
    base->peers_new = true; /* journal_node.c wakes the loop */
    pthread_mutex_unlock(&base->mutex);
    return outcome;
}

static bw_outcome hand_over(postgres_journal *j) {
    bw_moving_room rooms[BW_ROOMS_AT_ONCE];
    int count = 0;
    for (const bw_reading *r = j->queues.reading; r; r = r->next) {
        rooms[count++] = (bw_moving_room){.room = r->id, .round_us = r->round_us};
    }
    return bw_postgres_hand_over(j->pg, &j->queues.node.row, j->queues.node.number, rooms, count);
}

static const char *doing(bw_want want) {
    switch (want) {
    case BW_WANT_STORE: return "commit";
    case BW_WANT_RENEW: return "renew";
    case BW_WANT_WEIGH: return "weigh";
    case BW_WANT_CLEAN: return "cleanup";
    case BW_WANT_HAND: return "hand_over";
    default: return "read";
    }
}

static void carry_out(postgres_journal *j, bw_want want, bw_answer *answer) {
    const bw_node *node = &j->queues.node;
    const char *room = j->queues.reading ? j->queues.reading->id : "";
    bw_outcome outcome = BW_OUTCOME_REFUSED;
    switch (want) {
    case BW_WANT_CONNECT: outcome = open_connection(j); break;
    case BW_WANT_REJOIN: outcome = rejoin(j); break;
    case BW_WANT_RENEW: outcome = renew(j, answer); break;
    case BW_WANT_STORE: outcome = store(j, answer); break;
    case BW_WANT_READ: outcome = read_from(j); break;
    case BW_WANT_LOOK: outcome = bw_postgres_look(j->pg, &node->row, room, answer); break;
    case BW_WANT_ADOPT:
        outcome = bw_postgres_adopt(j->pg, &node->row, node->number, room, node->owner, &answer->adopted);
        break;
    case BW_WANT_TAKE:
        outcome = bw_postgres_take(j->pg, &node->row, node->number, room, j->queues.awaited, j->queues.awaited_count);
        break;
    case BW_WANT_HAND: outcome = hand_over(j); break;
    case BW_WANT_WEIGH: outcome = keep_within_bounds(j, &answer->more); break;
    case BW_WANT_CLEAN: outcome = drop_old_replays(j, &answer->more); break;
    default: break;
    }
    answer->outcome = outcome;
    if (!j->pg || want == BW_WANT_CONNECT || want == BW_WANT_REJOIN) return;
    bool reads = strcmp(doing(want), "read") == 0;
    if (outcome == BW_OUTCOME_UNKNOWN) log_error(j, "database_away", doing(want), bw_postgres_error(j->pg));
    if (outcome == BW_OUTCOME_REFUSED) {
        log_error(j, reads ? "journal_read_failed" : "journal_failed", doing(want), bw_postgres_error(j->pg));
    }
}

static void *journal_thread(void *argument) {
    postgres_journal *j = argument;
    bw_journal *base = &j->queues.base;
    bw_want want;
    pthread_mutex_lock(&base->mutex);
    for (;;) {
        int64_t now = bw_journal_elapsed_ms();
        double seconds = bw_journal_seconds();
        want = bw_node_journal_next(&j->queues, now, seconds);
        if (want == BW_WANT_END) break;
        if (want == BW_WANT_WAIT) {
            bw_journal_wait_until(base, seconds + (double)(j->queues.node.until - now) * 1e-3);
            continue;
        }
        bw_answer answer = {0};
        pthread_mutex_unlock(&base->mutex);
        carry_out(j, want, &answer);
        pthread_mutex_lock(&base->mutex);
        bw_node_journal_answered(&j->queues, bw_journal_elapsed_ms(), &answer);
        if (j->queues.node.link == BW_LINK_AWAY) close_connection(j);
    }
    pthread_mutex_unlock(&base->mutex);
    return NULL;
}

/* ---- opening and closing ---- */

/* A server that is just ending, or was killed and is not missed by the database yet, is waited for. */
static bool join(postgres_journal *j, bw_node_row *row, int64_t *begun, bw_store_problem *problem) {
    int64_t until = bw_journal_elapsed_ms() + row->lease_ms + 1000;
    bool in_use = true;
    for (;;) {
        *begun = bw_journal_elapsed_ms();
        bw_outcome outcome = bw_postgres_join(j->pg, row, &in_use);
        if (outcome == BW_OUTCOME_DONE) return true;
        if (!in_use) {
            snprintf(problem->text, sizeof problem->text, "The database does not take this server in: %s.",
                     bw_postgres_error(j->pg));
            return false;
        }
        if (bw_journal_elapsed_ms() > until) {
            snprintf(problem->text, sizeof problem->text,
                     "This database is in use by another Boardwalk server. Stop that one, or give this one another "
                     "DATABASE.");
            return false;
        }
        nanosleep(&(struct timespec){.tv_nsec = RETRY_NS}, NULL);
    }
}

static bool open_database(postgres_journal *j, bw_node_row *row, bw_store_problem *problem) {
    bw_journal *base = &j->queues.base;
    const bw_journal_options *options = options_of(j);
    bool away;
    int64_t newest = 0, begun = 0;
    j->pg = bw_postgres_open(options->path, 0, OPENING_MS, &away, problem);
    if (!j->pg || !bw_postgres_migrate(j->pg, problem)) return false;
    if (bw_postgres_prepare(j->pg) != BW_OUTCOME_DONE || bw_postgres_newest(j->pg, &newest) != BW_OUTCOME_DONE) {
        snprintf(problem->text, sizeof problem->text, "The tables of the database are not as they should be: %s.",
                 bw_postgres_error(j->pg));
        return false;
    }
    bw_age_start(&base->age, newest, bw_journal_wall_ms(), bw_journal_elapsed_ms());
    if (!join(j, row, &begun, problem)) return false;
    bw_node_start(&j->queues.node, row, options->patience_ms > 0 ? options->patience_ms : PATIENCE_MS, begun);
    base->tell_until = bw_node_may_tell_until(&j->queues.node);
    base->figures.replicated = bw_postgres_replicated(j->pg);
    bw_postgres_set_deadline(j->pg, deadline_of(j));
    warn_of_copies(j, base->figures.replicated);
    return true;
}

static bool open_postgres(bw_journal *journal, bw_store_problem *problem) {
    postgres_journal *j = own(journal);
    uint64_t holder;
    bw_node_row row = {.address = journal->options.node ? journal->options.node : "",
                       .lease_ms = journal->options.lease_ms > 0 ? journal->options.lease_ms : LEASE_MS};
    if (getrandom(&holder, sizeof holder, 0) != sizeof holder) return false;
    row.holder = (int64_t)(holder >> 1 | 1);
    if (open_database(j, &row, problem)) {
        if (pthread_create(&j->thread, NULL, journal_thread, j) == 0) return true;
        snprintf(problem->text, sizeof problem->text, "No thread could be started.");
    }
    close_connection(j);
    return false;
}

static void close_postgres(bw_journal *journal) {
    postgres_journal *j = own(journal);
    pthread_join(j->thread, NULL);
    if (j->pg) bw_postgres_leave(j->pg, &j->queues.node.row);
    close_connection(j);
}

const bw_journal_engine bw_journal_postgres = {
    .size = sizeof(postgres_journal), .one_thread = true, .open = open_postgres, .close = close_postgres};
