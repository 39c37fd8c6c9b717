/* Several nodes that act as one server: each runs its hall and the machine of server/node.h behind the real queues
 * of its journal. What server/journal_postgres.c and server/shell.c do with threads and sockets happens here as
 * events; what passes between a machine and its hall is in node_hall.c. */
#include "nodes.h"

enum { MS = 1000, SECOND = 1000000, LEASE_MS = 5000, PATIENCE_MS = 4000, CONNECT_US = 2 * SECOND };

/* The node's own clock, a little fast or slow. */
static int64_t boot_ms(const sim_world *world, const sim_node *node) {
    return (world->now_us + node->skew_us) / MS + world->now_us / MS * node->member->drift_ppm / 1000000;
}

static int64_t when_us(const sim_world *world, const sim_node *node, int64_t ms) {
    int64_t left = ms - boot_ms(world, node);
    return world->now_us + (left > 0 ? left : 0) * MS;
}

sim_node *sim_any_node(sim_world *world) {
    if (world->node_count == 1) return world->nodes[0].hall ? &world->nodes[0] : NULL;
    sim_node *node = &world->nodes[sim_below(world, (uint32_t)world->node_count)];
    return node->hall && !node->draining && node->paused_until <= world->now_us ? node : NULL;
}

bool sim_is_deluded(const sim_node *node) { return node->member && node->member->deluded; }

void sim_note_loss(sim_world *world, int number, const sim_row *before) {
    sim_member *m = world->nodes[number].member;
    const sim_row *now = &world->database->rows[number];
    bool lost = now->holder != before->holder || now->batch < before->batch;
    if (m->queues && before->holder == m->holder && lost) m->deluded = true;
}

bool sim_keeps_promises(const sim_world *world) { return !sim_is_cluster(world) || world->database->synchronous; }

bool sim_has_room(const sim_world *world, const sim_node *node, const char *room) {
    if (!sim_is_cluster(world)) return true;
    const sim_stored *stored = sim_stored_room(world->database, room, false);
    return stored && stored->row && stored->owner == sim_index_of(world, node);
}

bool sim_may_store(const sim_world *world, const sim_node *node, const char *room) {
    if (!sim_is_cluster(world)) return true;
    const sim_stored *stored = sim_stored_room(world->database, room, false);
    int self = sim_index_of(world, node);
    return stored && stored->row && stored->owner == self &&
           world->database->rows[self].holder == node->member->holder && !node->member->deluded;
}

/* ---- questions to the database ---- */

static void forget_question(sim_member *m) {
    m->asking = false;
    m->serial++;
}

/* The kernel still sends what was written before the close. */
static void hang_up(sim_world *world, sim_node *node) {
    sim_member *m = node->member;
    int64_t at = sim_passes(world, sim_index_of(world, node), SIM_DATABASE);
    at = at >= 0 ? at : world->now_us + 10 * SECOND;
    if (m->conn >= 0) sim_conn_close(world, m->conn, (at > m->sent_until ? at : m->sent_until) + 1);
    m->conn = -1;
}

static void copy_batch(sim_world *world, sim_member *m, sim_txn *txn) {
    (void)world;
    for (const bw_waiting *n = m->queues->batch.first; n; n = n->next) txn->put_count++;
    txn->puts = calloc((size_t)txn->put_count, sizeof *txn->puts);
    sim_put *put = txn->puts;
    for (const bw_waiting *n = m->queues->batch.first; n; n = n->next, put++) {
        put->entry = n->entry;
        put->bytes = sim_bytes(n->entry.bytes, n->entry.length);
        put->noted = m->noted[n->entry.ticket % NOTED];
    }
}

static void fill(sim_world *world, sim_node *node, sim_txn *txn) {
    sim_member *m = node->member;
    txn->holder = m->holder;
    txn->lease_us = LEASE_MS * MS;
    if (!m->queues) return;
    const bw_node *machine = &m->queues->node;
    const bw_reading *r = m->queues->reading;
    txn->epoch = machine->row.epoch;
    txn->number = machine->number;
    txn->owner = machine->owner;
    txn->asked_us = world->now_us;
    for (const bw_reading *h = r; h && h->kind == BW_READ_HAND; h = h->next) {
        sim_hand *hand = &txn->hands[txn->hand_count++];
        memcpy(hand->room, h->id, sizeof hand->room);
        hand->has_round = h->round_us != 0;
        hand->round_left_us = h->round_us - (world->now_us + node->skew_us);
    }
    txn->awaited_count = txn->want == BW_WANT_TAKE ? m->queues->awaited_count : 0;
    memcpy(txn->awaited, m->queues->awaited, sizeof txn->awaited);
    if (r) {
        memcpy(txn->room, r->id, sizeof txn->room);
        txn->reads = r->kind;
        txn->ended_before = r->ended_before;
        txn->unstarted_before = r->unstarted_before;
    }
    if (txn->want == BW_WANT_STORE) copy_batch(world, m, txn);
}

static bool hangs(const sim_world *world, const sim_node *node) {
    return node->threads_go_on && node->paused_until > world->now_us;
}

void sim_loop_hangs(sim_node *node) {
    node->threads_go_on = true;
    node->member->hung_renewed_us = 0;
}

static void check_question(sim_world *world, const sim_node *node, int want) {
    const sim_member *m = node->member;
    enum { LEASE_US = LEASE_MS * MS, CLOCK_US = 100 * MS };
    if (want == BW_WANT_RENEW && hangs(world, node) && m->hung_renewed_us &&
        world->now_us > m->hung_renewed_us + LEASE_US + CLOCK_US) {
        sim_fail(world, "hang", "node %d has hung for a lease, and renews its lease", sim_index_of(world, node));
    }
    if (want == BW_WANT_ADOPT && !m->saw_ended && m->lapsed_us && world->now_us + CLOCK_US < m->lapsed_us + LEASE_US) {
        sim_fail(world, "spare", "node %d has just come back, and takes another for dead", sim_index_of(world, node));
    }
}

static void ask(sim_world *world, sim_node *node, int want) {
    sim_member *m = node->member;
    int self = sim_index_of(world, node);
    int64_t at = sim_passes(world, self, SIM_DATABASE), patience = want == BW_WANT_CONNECT ? CONNECT_US : 3 * SECOND;
    if (want == BW_WANT_CONNECT) {
        hang_up(world, node);
        at = at >= 0 && world->database->up ? at : -1;
    }
    check_question(world, node, want);
    m->asking = true;
    m->want = want;
    m->txn = -1;
    m->serial++;
    if (want != BW_WANT_CONNECT) {
        m->txn = sim_txn_new(world, want, self, m->conn);
        fill(world, node, world->database->txns[m->txn]);
        if (!world->calm && sim_chance(world, 15))
            at += at >= 0 ? sim_below(world, 8 * SECOND) : 0; /* slow to arrive */
        m->sent_until = at;
        if (at >= 0) sim_txn_send(world, m->txn, at);
    } else if (at >= 0) {
        sim_push(world, SIM_ANSWER, at + 500, node, -1)->code = (int)m->serial;
    } else if (!world->database->up) {
        patience = 2 * MS; /* refused at once */
    }
    sim_push(world, SIM_OVERDUE, world->now_us + patience, node, 0)->code = (int)m->serial;
    if (node->pause_us && node->hall && want != BW_WANT_CONNECT) sim_pause(world, node, node->pause_us);
}

static bool connect_now(sim_world *world, sim_node *node) {
    sim_database *db = world->database;
    if (!db->up || db->hang_until > world->now_us) return false;
    if (db->conn_count == db->conn_cap) {
        db->conn_cap = db->conn_cap ? 2 * db->conn_cap : 64;
        db->conns = realloc(db->conns, (size_t)db->conn_cap * sizeof *db->conns);
    }
    db->conns[db->conn_count] =
        (sim_conn){.node = sim_index_of(world, node), .incarnation = db->incarnation, .open = true, .txn = -1};
    node->member->conn = db->conn_count++;
    return true;
}

/* ---- the lease ---- */

static void hang_up_on_all(sim_world *world, sim_node *node) {
    int self = sim_index_of(world, node);
    for (int i = 1; i <= world->link_count; i++) {
        sim_link *link = &world->links[i];
        if (!link->server_open || link->node != self) continue;
        link->server_open = false;
        link->answers_due = 0;
        bw_hall_closed(node->hall, sim_now(world, node), (uint64_t)i);
        sim_check_work(world, node);
        if (link->relay) sim_relay_down(world, i, NULL, 1012);
        else sim_close_link(world, i, 1012);
    }
    for (size_t i = 0; i < SIM_REQUESTS; i++) {
        if (world->http[i].node == self) world->http[i].waiting = false;
    }
}

bool sim_member_may_tell(sim_world *world, sim_node *node) {
    sim_member *m = node->member;
    if (!node->hall || !m->queues) return false;
    bool silent = boot_ms(world, node) >= bw_node_may_tell_until(&m->queues->node);
    world->silences += silent && !m->silent;
    m->silent = silent;
    if (silent) hang_up_on_all(world, node);
    return true;
}

/* ---- the machine ---- */

static void wake(void *user) { ((sim_member *)user)->dispatching = true; }
static void release(void *owner) { bw_bytes_release(owner); }

static void wait_until(sim_world *world, sim_node *node, int64_t at) {
    sim_member *m = node->member;
    if (m->wake_at > world->now_us && m->wake_at <= at) return;
    m->wake_at = at > world->now_us ? at : world->now_us + 1;
    sim_push(world, SIM_WAKE, m->wake_at, node, 0);
}

static void end_process(sim_world *world, sim_node *node) {
    sim_member *m = node->member;
    hang_up(world, node);
    if (node->hall) sim_end_process(world, node);
    else node->generation++;
    if (m->queues) {
        m->queues->base.stopping = true;
        bw_waiting *next;
        for (bw_waiting *n = m->queues->batch.first; m->queues->node.work == BW_WORK_BATCH && n; n = next) {
            next = n->next;
            bw_bytes_release(n->owner);
            free(n);
        }
        free(m->queues->reading);
        bw_journal_free(&m->queues->base);
    }
    m->queues = NULL;
    forget_question(m);
    m->dispatching = m->silent = m->deluded = m->leaving = m->left = false;
    m->lapsed_us = 0;
    m->wake_at = 0;
    node->draining = false;
}

void sim_member_end(sim_world *world, sim_node *node) {
    end_process(world, node);
    sim_push(world, SIM_BOOT, world->now_us + 50 * MS + sim_below(world, sim_chance(world, 200) ? 8 * SECOND : SECOND),
             node, 0);
}

void sim_member_boot(sim_world *world, sim_node *node) {
    sim_member *m = node->member;
    bw_fast secrets = {world->seed * 31 + node->generation * 1009 + (uint64_t)sim_index_of(world, node)};
    m->holder = (int64_t)(bw_fast_next(&secrets) >> 1 | 1);
    m->join_until = world->now_us + (LEASE_MS + 1000) * MS;
    ask(world, node, BW_WANT_CONNECT);
}

static void joined(sim_world *world, sim_node *node, const sim_txn *txn) {
    static const bw_log quiet = {.fd = -1};
    static const bw_journal_engine engine = {.size = sizeof(bw_node_journal), .one_thread = true};
    sim_member *m = node->member;
    bw_journal_options options = {.log = &quiet, .wake = wake, .release = release, .user = m};
    bw_node_row row = {.address = m->address,
                       .holder = m->holder,
                       .id = sim_index_of(world, node),
                       .epoch = txn->row_epoch,
                       .lease_ms = LEASE_MS};
    m->queues = (bw_node_journal *)(void *)bw_journal_new(&engine, &options);
    sim_new_hall(world, node);
    int64_t since = (world->now_us - m->join_begun) / MS + 1;
    bw_node_start(&m->queues->node, &row, PATIENCE_MS, boot_ms(world, node) - since);
    m->queues->node.weigh_at = m->queues->node.clean_at = INT64_MAX;
}

static void go_on_joining(sim_world *world, sim_node *node, bool good, const sim_txn *txn) {
    sim_member *m = node->member;
    if (m->want == SIM_WANT_JOIN && good) {
        joined(world, node, txn);
    } else if (world->now_us > m->join_until) {
        sim_member_end(world, node); /* it is refused and retries */
    } else if (m->want == BW_WANT_CONNECT && good) {
        m->join_begun = world->now_us;
        ask(world, node, SIM_WANT_JOIN);
    } else {
        wait_until(world, node, world->now_us + 100 * MS);
    }
}

static void take_reading(sim_world *world, sim_node *node, sim_txn *txn) {
    sim_member *m = node->member;
    bw_reading *r = m->queues->reading;
    r->found = txn->found;
    if (r->kind == BW_READ_ROOM && txn->found) {
        r->loaded = txn->loaded;
        txn->loaded.memory = NULL;
        if (txn->has_round) r->loaded.room.round_us = world->now_us + node->skew_us + txn->round_left_us;
        if (txn->has_round && world->now_us - txn->asked_us > 20 * MS) sim_unclock(world, r->id); /* less exact */
    } else if (r->kind == BW_READ_REPLAY && txn->found) {
        r->length = txn->replay->length;
        r->bytes = malloc(r->length + 1);
        if (r->length > 0) memcpy(r->bytes, txn->replay->at, r->length);
    } else if (r->kind == BW_READ_SWEEP) {
        r->rooms = calloc(32, sizeof *r->rooms);
        for (int i = 0; i < txn->swept_count; i++) memcpy(r->rooms[i], txn->swept[i], sizeof txn->swept[i]);
    }
}

/* `txn` NULL: no answer; for CONNECT see `good`. */
static void answered(sim_world *world, sim_node *node, bool good, sim_txn *txn) {
    sim_member *m = node->member;
    bw_answer answer = {.outcome = good ? BW_OUTCOME_DONE : BW_OUTCOME_UNKNOWN};
    forget_question(m);
    if (m->left) {
        sim_member_end(world, node);
        return;
    }
    if (!m->queues) {
        go_on_joining(world, node, good && (!txn || txn->answer.outcome == BW_OUTCOME_DONE), txn);
        return;
    }
    if (txn) {
        answer = txn->answer;
        bw_node_row *row = &m->queues->node.row;
        if (m->want == BW_WANT_REJOIN && answer.outcome == BW_OUTCOME_DONE) {
            row->epoch = txn->row_epoch;
            row->stored = txn->row_stored;
        }
        if (m->want == BW_WANT_READ && answer.outcome == BW_OUTCOME_DONE) take_reading(world, node, txn);
        bool renewed = m->want == BW_WANT_RENEW && answer.outcome == BW_OUTCOME_DONE;
        if (renewed && !hangs(world, node)) sim_relay_peers(world, node, txn->living);
        if (renewed && !m->hung_renewed_us) m->hung_renewed_us = world->now_us;
        if (m->want == BW_WANT_LOOK) m->saw_ended = answer.ended;
        if (m->want == BW_WANT_REJOIN && answer.outcome == BW_OUTCOME_DONE &&
            m->queues->node.begun >= m->queues->node.told_until) {
            m->lapsed_us = world->now_us;
        }
    }
    bw_node_journal_answered(m->queues, boot_ms(world, node), &answer);
    if (m->queues->node.link == BW_LINK_AWAY) hang_up(world, node);
}

static void leave(sim_world *world, sim_node *node) {
    sim_member *m = node->member;
    m->left = true;
    if (m->conn >= 0) ask(world, node, SIM_WANT_LEAVE);
    else sim_member_end(world, node);
}

void sim_member_run(sim_world *world, sim_node *node) {
    sim_member *m = node->member;
    if ((node->paused_until > world->now_us && !hangs(world, node)) || !m->queues) return;
    if (!m->asking && !m->left) {
        bw_want want = bw_node_journal_next(m->queues, boot_ms(world, node), (double)world->now_us * 1e-6);
        if (want == BW_WANT_END) leave(world, node);
        else if (want == BW_WANT_WAIT) wait_until(world, node, when_us(world, node, m->queues->node.until));
        else ask(world, node, (int)want);
    }
    if (m->queues && m->dispatching) {
        m->dispatching = false;
        sim_push(world, SIM_DISPATCH, world->now_us + 10 + sim_below(world, sim_chance(world, 10) ? 300 * MS : 300),
                 node, 0);
    }
}

bool sim_member_drained(sim_world *world, sim_node *node) {
    sim_member *m = node->member;
    if (!m->leaving) m->queues->base.stopping = true; /* then it wants END */
    m->leaving = true;
    (void)world;
    return true;
}

/* ---- events ---- */

static void on_answer(sim_world *world, sim_node *node, const sim_event *event) {
    sim_member *m = node->member;
    if (!m->asking) return;
    if (m->want == BW_WANT_CONNECT) {
        if (event->who == -1 && (uint32_t)event->code == m->serial) {
            bool good = connect_now(world, node);
            answered(world, node, good, NULL);
        }
    } else if (event->who == m->txn && m->conn >= 0) {
        answered(world, node, true, world->database->txns[m->txn]);
    }
}

/* A connection, or a request, that another node passes on. */
static void routed(sim_world *world, sim_node *node, uint64_t conn) {
    bool socket = conn < SIM_LINKS;
    sim_http_slot *slot = socket ? NULL : sim_request_of(world, conn);
    if (!socket && !slot) return;
    if (!node->hall) {
        if (slot) slot->waiting = false;
        return;
    }
    if (slot) slot->node = sim_index_of(world, node);
    sim_member_claim(world, node, slot ? slot->room : world->links[conn].room, socket, true, conn);
}

void sim_member_event(sim_world *world, sim_event *event) {
    sim_node *node = event->node >= 0 ? &world->nodes[event->node] : NULL;
    switch (event->kind) {
    case SIM_ROUTE: routed(world, node, (uint64_t)event->who); break;
    case SIM_WAKE:
        if (!node->member->queues && !node->member->asking) {
            if (node->member->conn >= 0) {
                node->member->join_begun = world->now_us;
                ask(world, node, SIM_WANT_JOIN);
            } else {
                ask(world, node, BW_WANT_CONNECT);
            }
        }
        break; /* otherwise the pump runs it */
    case SIM_DISPATCH:
        if (node->member->queues) sim_member_dispatch(world, node);
        break;
    case SIM_BOOT: sim_member_boot(world, node); break;
    case SIM_ANSWER: on_answer(world, node, event); break;
    case SIM_OVERDUE:
        if (node->member->asking && (uint32_t)event->code == node->member->serial) answered(world, node, false, NULL);
        break;
    default: sim_postgres_event(world, event);
    }
}

/* ---- all nodes ---- */

void sim_cluster_new(sim_world *world, int nodes) {
    sim_database *db = calloc(1, sizeof *db);
    world->database = db;
    world->node_count = nodes;
    db->up = true;
    db->synchronous = !sim_has(world, SIM_ASYNC) || world->seed % 5 != 0;
    for (int i = 0; i < nodes; i++) {
        sim_node *node = &world->nodes[i];
        node->member = calloc(1, sizeof *node->member);
        node->member->conn = -1;
        node->member->drift_ppm = (int)sim_below(world, 10000) - 5000;
        snprintf(node->member->address, sizeof node->member->address, "%d", i);
        node->wall_skew_ms = (int64_t)sim_below(world, 120000) - 60000;
        sim_member_boot(world, node);
    }
}

void sim_cluster_free(sim_world *world) {
    for (int i = 0; i < world->node_count; i++) {
        end_process(world, &world->nodes[i]);
        free(world->nodes[i].member);
    }
    for (int i = 1; i <= world->link_count; i++) sim_relay_free(&world->links[i]);
    sim_tables_free(world->database);
    free(world->database);
}

const uint8_t *sim_stored_replay(sim_world *world, const char *id, size_t *length) {
    if (!sim_is_cluster(world)) return bw_memory_journal_replay(world->journal, id, length);
    const sim_kept *kept = sim_kept_replay(world->database, id);
    *length = kept ? kept->bytes->length : 0;
    return kept ? (const uint8_t *)kept->bytes->at : NULL;
}

bool sim_is_stored(sim_world *world, const char *room) {
    if (!sim_is_cluster(world)) return bw_memory_journal_load(world->journal, room) != NULL;
    const sim_stored *stored = sim_stored_room(world->database, room, false);
    return stored && (stored->snapshot || stored->count > 0);
}
