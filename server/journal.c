#include "server/journal_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "server/postgres.h"

int64_t bw_journal_wall_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t bw_journal_elapsed_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

double bw_journal_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- queues ---- */

static void queue_add(bw_waiting_queue *q, bw_waiting *n) {
    n->next = NULL;
    *q->last = n;
    q->last = &n->next;
}

static void queue_move(bw_waiting_queue *to, bw_waiting_queue *from) {
    if (!from->first) return;
    *to->last = from->first;
    to->last = from->last;
    from->first = NULL;
    from->last = &from->first;
}

static void release_all(bw_journal *j, bw_waiting_queue *q) {
    for (bw_waiting *n = q->first, *next; n; n = next) {
        next = n->next;
        if (j->options.release && n->owner) j->options.release(n->owner);
        free(n);
    }
    q->first = NULL;
    q->last = &q->first;
}

static void free_readings(bw_reading *r) {
    for (bw_reading *next; r; r = next) {
        next = r->next;
        free(r->loaded.memory);
        free(r->bytes);
        free(r->rooms);
        free(r);
    }
}

/* ---- the threads' side ---- */

/* While moves overlap, so much time is between two commits that about ENTRIES gather, within bounds. A loop that rests
 * sleeps meanwhile, then handles all that has come in, and its turn's end begins the commit: at the latest after TURN_US. */
enum { PACE_LEAST_US = 3000, PACE_MOST_US = 6000, ENTRIES = 24, TURN_US = 2000 };
enum { OVERLAP = 128 }; /* more of 1,024 entries: moves overlap */

static void set_pace(bw_journal *j, double now, uint64_t count) {
    const double least = PACE_LEAST_US * 1e-6, most = PACE_MOST_US * 1e-6;
    double each = (now - j->taken_at) / (double)count;
    j->each += ((each < most ? each : most) - j->each) / 8;
    double pace = j->each * ENTRIES;
    pace = pace < least ? least : pace < most ? pace : most;
    j->taken_at = now;
    j->rest_until = j->options.rests ? (j->rested_at > 0 ? j->rested_at : now) + pace : 0;
    j->rested_at = 0;
    j->pace_at = j->options.rests ? j->rest_until + TURN_US * 1e-6 : now + pace;
}

/* If moves come faster than they can be committed one by one, a commit waits a little and takes more of them: each
 * costs less, and none waits much longer. A single move, or the moves of one room, never wait. */
bool bw_journal_may_commit(const bw_journal *j, double now, double *wait_until) {
    *wait_until = j->pace_at;
    return now >= j->pace_at || j->overlap <= OVERLAP || j->stopping;
}

bw_waiting_queue bw_journal_take(bw_journal *j, size_t bytes, double now, uint64_t *count, uint64_t *last_ticket) {
    bw_waiting_queue batch = {.first = j->waiting.first};
    bw_waiting *last = batch.first;
    size_t length = last->entry.length;
    for (*count = 1; *count < BW_JOURNAL_BATCH_MAX && last->next; ++*count) {
        length += last->next->entry.length;
        if (length > bytes) break;
        last = last->next;
    }
    *last_ticket = last->entry.ticket;
    j->waiting.first = last->next;
    if (!last->next) j->waiting.last = &j->waiting.first;
    last->next = NULL;
    batch.last = &last->next;
    j->writing = true;
    set_pace(j, now, *count);
    return batch;
}

/* There is something to do: for a thread of the journal, or in dispatch. */
static void rouse(bw_journal *j, pthread_cond_t *thread) {
    if (j->engine->work) j->options.wake(j->options.user);
    else pthread_cond_signal(thread);
}

/* There is something to dispatch. */
static void tell_loop(bw_journal *j) {
    if (j->engine->work) return;
    if (j->resting) pthread_cond_signal(&j->to_dispatch);
    else if (!j->news) j->options.wake(j->options.user);
    j->news = true;
}

/* Released by the loop; after a failure together with the dropped ones. */
static void settle(bw_journal *j, bw_waiting_queue *batch) {
    j->writing = false;
    if (batch->first) {
        *j->settled.last = batch->first;
        j->settled.last = batch->last;
    }
    tell_loop(j);
}

void bw_journal_committed(bw_journal *j, bw_waiting_queue *batch, uint64_t count, uint64_t last_ticket,
                          double seconds) {
    j->committed = j->settled_ticket = last_ticket;
    if (j->failing) {
        bw_log_write(j->options.log, BW_LOG_INFO, "journal_recovered", "ticket=%llu", (unsigned long long)last_ticket);
    }
    j->failing = false;
    j->figures.entries_total += count;
    j->figures.waiting -= count;
    bw_histogram_add(&j->figures.commits, seconds);
    if (bw_journal_may_read(j)) rouse(j, &j->to_read);
    settle(j, batch);
}

void bw_journal_refused(bw_journal *j, bw_waiting_queue *batch, const char *reason, bool in_doubt) {
    j->failure = reason;
    j->failure_in_doubt = in_doubt;
    j->failing = true;
    settle(j, batch);
}

/* A read waits until all entries appended before it are settled. */
bool bw_journal_may_read(const bw_journal *j) { return j->reads && j->reads->after <= j->settled_ticket; }

bw_reading *bw_journal_next_read(bw_journal *j) {
    bw_reading *r = j->reads;
    if (!bw_journal_may_read(j)) return NULL;
    j->reads = r->next;
    if (!j->reads) j->reads_last = &j->reads;
    return r;
}

void bw_journal_answered(bw_journal *j, bw_reading *r) {
    r->next = NULL;
    *j->answers_last = r;
    j->answers_last = &r->next;
    j->figures.reads_waiting--;
    tell_loop(j);
}

int64_t bw_journal_believed_now(bw_journal *j, int64_t wall) {
    bool doubted = j->age.doubted;
    int64_t now = bw_age_now(&j->age, wall, bw_journal_elapsed_ms());
    if (j->age.doubted && !doubted) {
        bw_log_write(
            j->options.log, BW_LOG_WARN, "clock_doubted",
            "ahead_hours=%lld hint=\"the clock is ahead of the newest record; less is deleted by age for a day\"",
            (long long)((wall - now) / 3600000));
    }
    return now;
}

static struct timespec time_of(double when) {
    return (struct timespec){.tv_sec = (time_t)when, .tv_nsec = (long)((when - (double)(time_t)when) * 1e9)};
}

void bw_journal_wait_until(bw_journal *j, double when) {
    struct timespec at = time_of(when);
    pthread_cond_timedwait(&j->to_write, &j->mutex, &at);
}

bool bw_journal_doze(bw_journal *j, double now) {
    double until;
    if (bw_journal_may_commit(j, now, &until)) return false;
    j->dozing = true;
    bw_journal_wait_until(j, until);
    j->dozing = false;
    return true;
}

/* ---- opening and closing ---- */

bw_journal *bw_journal_new(const bw_journal_engine *engine, const bw_journal_options *options) {
    bw_journal *j = calloc(1, engine->size);
    if (!j) return NULL;
    j->engine = engine;
    j->options = *options;
    j->waiting.last = &j->waiting.first;
    j->settled.last = &j->settled.first;
    j->reads_last = &j->reads;
    j->answers_last = &j->answers;
    j->tell_until = INT64_MAX;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&j->mutex, NULL);
    pthread_cond_init(&j->to_write, &monotonic);
    pthread_cond_init(&j->to_dispatch, &monotonic);
    pthread_cond_init(&j->to_read, NULL);
    pthread_condattr_destroy(&monotonic);
    return j;
}

void bw_journal_free(bw_journal *j) {
    release_all(j, &j->waiting);
    release_all(j, &j->settled);
    free_readings(j->reads);
    free_readings(j->answers);
    pthread_cond_destroy(&j->to_write);
    pthread_cond_destroy(&j->to_read);
    pthread_cond_destroy(&j->to_dispatch);
    pthread_mutex_destroy(&j->mutex);
    free(j);
}

bw_journal *bw_journal_open(const bw_journal_options *options, bw_store_problem *problem) {
    const bw_journal_engine *engine = strcmp(options->path, ":memory:") == 0  ? &bw_journal_in_memory
                                      : bw_postgres_is_address(options->path) ? &bw_journal_postgres
                                                                              : &bw_journal_sqlite;
    snprintf(problem->text, sizeof problem->text, "There is not enough memory for the journal or its threads.");
    bw_journal *j = bw_journal_new(engine, options);
    if (!j || engine->open(j, problem)) return j;
    bw_journal_free(j);
    return NULL;
}

void bw_journal_close(bw_journal *j) {
    if (!j) return;
    pthread_mutex_lock(&j->mutex);
    j->stopping = true;
    pthread_cond_signal(&j->to_write);
    pthread_cond_signal(&j->to_read);
    pthread_mutex_unlock(&j->mutex);
    j->engine->close(j);
    bw_journal_free(j);
}

/* ---- the loop's side ---- */

void bw_journal_append(bw_journal *j, const bw_entry *entry, void *owner) {
    bw_waiting *n = malloc(sizeof *n);
    pthread_mutex_lock(&j->mutex);
    j->appended = entry->ticket;
    if (!n) { /* like a failing disk: what was appended before it may or may not be stored */
        if (!j->failure) j->failure = "The server is out of memory.";
        if (owner && j->options.release) j->options.release(owner);
        j->options.wake(j->options.user);
    } else {
        bool first = !j->waiting.first; /* else the writer already knows */
        bool overlaps = (!first || j->writing) && strcmp(j->last_room, entry->room) != 0;
        j->overlap += ((overlaps ? 1024 : 0) - j->overlap) / 16;
        memcpy(j->last_room, entry->room, sizeof j->last_room);
        *n = (bw_waiting){.entry = *entry, .owner = owner};
        queue_add(&j->waiting, n);
        j->figures.waiting++;
        if (first && j->options.rests && !j->engine->work) j->unroused = true;
        else if (first && !j->dozing) rouse(j, &j->to_write);
    }
    pthread_mutex_unlock(&j->mutex);
}

bool bw_journal_rest(bw_journal *j, double until) {
    if (j->engine->work) return false;
    pthread_mutex_lock(&j->mutex);
    double now = bw_journal_seconds();
    bool rested = j->rest_until > 0 && now >= j->rest_until;
    if (rested) {
        if (j->rested_at == 0) j->rested_at = now;
        j->pace_at = j->rest_until = 0; /* what the rest was for has been appended */
    }
    if (j->waiting.first && (rested || (j->unroused && !j->dozing))) pthread_cond_signal(&j->to_write);
    j->unroused = false;
    if (until > j->rest_until) until = j->rest_until;
    if (j->overlap > OVERLAP && now < until) {
        struct timespec at = time_of(until);
        j->resting = true;
        while (!j->news && pthread_cond_timedwait(&j->to_dispatch, &j->mutex, &at) == 0) {
        }
        j->resting = false;
        if (!j->news) j->rested_at = bw_journal_seconds();
    }
    bool ready = j->news;
    pthread_mutex_unlock(&j->mutex);
    return ready;
}

bool bw_journal_ask(bw_journal *j, const bw_reading *what) {
    bw_reading *r = malloc(sizeof *r);
    if (!r) return false;
    *r = *what;
    r->next = NULL;
    pthread_mutex_lock(&j->mutex);
    r->after = r->kind == BW_READ_HAND && BW_PLANTED(HAND_OVER_EARLY) ? 0 : j->appended;
    *j->reads_last = r;
    j->reads_last = &r->next;
    j->figures.reads_waiting++;
    rouse(j, j->engine->one_thread ? &j->to_write : &j->to_read);
    pthread_mutex_unlock(&j->mutex);
    return true;
}

bool bw_journal_load(bw_journal *j, const char *room) {
    bw_reading r = {.kind = BW_READ_ROOM};
    snprintf(r.id, sizeof r.id, "%s", room);
    return bw_journal_ask(j, &r);
}

bool bw_journal_read_replay(bw_journal *j, const char *replay_id, uint64_t conn) {
    bw_reading r = {.kind = BW_READ_REPLAY, .conn = conn};
    snprintf(r.id, sizeof r.id, "%s", replay_id);
    return bw_journal_ask(j, &r);
}

bool bw_journal_sweep(bw_journal *j, int64_t ended_before, int64_t unstarted_before) {
    pthread_mutex_lock(&j->mutex);
    int64_t wall = bw_journal_wall_ms(),
            ahead = wall - bw_journal_believed_now(j, wall); /* times as the hall measured them */
    int64_t abandoned_before = j->figures.full ? wall - ahead - j->options.abandoned_ms : 0;
    pthread_mutex_unlock(&j->mutex);
    return bw_journal_ask(j, &(bw_reading){.kind = BW_READ_SWEEP,
                                           .abandoned_before = abandoned_before,
                                           .ended_before = ended_before - ahead,
                                           .unstarted_before = unstarted_before - ahead});
}

bool bw_journal_claim(bw_journal *j, const char *room, bool creates, bool passed, uint64_t conn) {
    bw_reading r = {.kind = BW_READ_CLAIM, .conn = conn, .creates = creates, .passed = passed};
    snprintf(r.id, sizeof r.id, "%s", room);
    return bw_journal_ask(j, &r);
}

bool bw_journal_hand_over(bw_journal *j, const char *room, int64_t round_us) {
    bw_reading r = {.kind = BW_READ_HAND, .round_us = round_us};
    snprintf(r.id, sizeof r.id, "%s", room);
    return bw_journal_ask(j, &r);
}

static void answer(const bw_reading *r, const bw_journal_answers *answers, void *user) {
    switch (r->kind) {
    case BW_READ_ROOM: answers->loaded(user, r->id, r->found == 1 ? &r->loaded.room : NULL, r->reason); break;
    case BW_READ_REPLAY: answers->replay(user, r->conn, r->found == 1 ? r->bytes : NULL, r->length); break;
    case BW_READ_CLAIM: answers->claimed(user, r->conn, r->owner[0] ? r->owner : NULL, r->passed, r->reason); break;
    case BW_READ_HAND: answers->handed(user, r->id); break;
    case BW_READ_SWEEP:
        answers->swept(user, (const char(*)[BW_ROOM_ID_MAX + 1]) r->rooms, r->found > 0 ? (size_t)r->found : 0);
        break;
    }
}

void bw_journal_dispatch(bw_journal *j, const bw_journal_answers *answers, void *user) {
    bw_waiting_queue done = {.last = &done.first}, dropped = {.last = &dropped.first};
    pthread_mutex_lock(&j->mutex);
    j->news = false;
    if (j->engine->work) j->engine->work(j);
    queue_move(&done, &j->settled);
    bw_reading *readings = j->answers;
    j->answers = NULL;
    j->answers_last = &j->answers;
    uint64_t committed = j->committed;
    const char *failure = j->writing ? NULL : j->failure;
    bool in_doubt = j->failure_in_doubt;
    if (failure) { /* the writer waits until this is done */
        queue_move(&dropped, &j->waiting);
        j->figures.waiting = 0;
        j->failure = NULL;
        j->failure_in_doubt = false;
        j->settled_ticket = j->appended;
        pthread_cond_signal(&j->to_write);
        pthread_cond_signal(&j->to_read);
    }
    const char *lost = j->lost && !j->lost_told ? j->lost : NULL;
    j->lost_told |= lost != NULL;
    bw_peers peers = {.count = 0};
    bool peers_new = j->peers_new, drains = j->drains && !j->drains_told;
    if (peers_new) peers = j->peers;
    j->peers_new = false;
    j->untold_since = 0;
    j->drains_told |= drains;
    bool news = committed > j->told;
    j->told = committed;
    pthread_mutex_unlock(&j->mutex);

    if (news) answers->committed(user, committed);
    if (failure) answers->failed(user, committed, failure, in_doubt);
    if (lost && answers->lost) answers->lost(user, lost);
    if (peers_new && answers->peers) answers->peers(user, &peers);
    if (drains && answers->drain) answers->drain(user);
    for (const bw_reading *r = readings; r; r = r->next) answer(r, answers, user);
    release_all(j, &done);
    release_all(j, &dropped);
    free_readings(readings);
}

bool bw_journal_may_tell(bw_journal *j) {
    pthread_mutex_lock(&j->mutex);
    int64_t until = j->tell_until;
    pthread_mutex_unlock(&j->mutex);
    return until == INT64_MAX || bw_journal_elapsed_ms() < until;
}

uint64_t bw_journal_lapses(bw_journal *j) {
    pthread_mutex_lock(&j->mutex);
    bool lapsed = j->tell_until != INT64_MAX && bw_journal_elapsed_ms() >= j->tell_until;
    uint64_t lapses = j->lapses + lapsed;
    pthread_mutex_unlock(&j->mutex);
    return lapses;
}

void bw_journal_figures_of(bw_journal *j, bw_journal_figures *figures) {
    pthread_mutex_lock(&j->mutex);
    *figures = j->figures;
    figures->failing = j->failing;
    figures->lost = j->lost != NULL;
    pthread_mutex_unlock(&j->mutex);
}
