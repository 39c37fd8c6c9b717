/* The virtual database server: see postgres.h. */
#include "postgres.h"

enum { MS = 1000, SECOND = 1000000 };

static int64_t clock_of(const sim_world *world) { return world->now_us + world->database->clock_us; }

/* ---- messages ---- */

int sim_txn_new(sim_world *world, int want, int node, int conn) {
    sim_database *db = world->database;
    if (db->txn_count == db->txn_cap) {
        db->txn_cap = db->txn_cap ? 2 * db->txn_cap : 1024;
        db->txns = realloc(db->txns, (size_t)db->txn_cap * sizeof *db->txns);
    }
    sim_txn *txn = calloc(1, sizeof *txn);
    txn->id = db->txn_count;
    txn->want = want;
    txn->node = node;
    txn->conn = conn;
    db->txns[db->txn_count] = txn;
    return db->txn_count++;
}

void sim_txn_send(sim_world *world, int number, int64_t arrives) {
    sim_push(world, SIM_QUESTION, arrives, NULL, number)->code = (int)world->database->incarnation;
}

void sim_conn_close(sim_world *world, int conn, int64_t arrives) { sim_push(world, SIM_CLOSED, arrives, NULL, conn); }

static void answer(sim_world *world, sim_txn *txn) {
    sim_database *db = world->database;
    sim_conn *conn = txn->conn >= 0 ? &db->conns[txn->conn] : NULL;
    txn->stage = SIM_OVER;
    if (conn) conn->txn = -1;
    if (conn && !conn->open) { /* the node is gone, and the backend was only waiting for this */
        conn->advisory = false;
        return;
    }
    int64_t at = sim_passes(world, SIM_DATABASE, txn->node);
    if (at >= 0) sim_push(world, SIM_ANSWER, at, &world->nodes[txn->node], txn->id);
}

static void refuse(sim_world *world, sim_txn *txn, bw_outcome outcome, const char *reason) {
    txn->answer.outcome = outcome;
    txn->answer.reason = reason;
    answer(world, txn);
}

/* ---- locks ---- */

static void advance(sim_world *world, sim_txn *txn);

static void let_go(sim_world *world, sim_txn *txn) {
    sim_database *db = world->database;
    for (int i = 0; i < txn->lock_count; i++) {
        if (*txn->locks[i] == txn) *txn->locks[i] = NULL;
    }
    txn->lock_count = 0;
    for (int i = 0; i < db->conn_count; i++) { /* those that wait for the lock, in the order of connections */
        sim_txn *other = db->conns[i].txn >= 0 ? db->txns[db->conns[i].txn] : NULL;
        if (other && other != txn && other->stage == SIM_WAITING) advance(world, other);
    }
}

static bool holds(const sim_txn *txn, sim_txn **lock) { return *lock == txn; }

/* Does the holder of the lock wait, directly or indirectly, for this one? */
static bool is_deadlock(const sim_database *db, const sim_txn *txn, const sim_txn *holder) {
    for (int hops = 0; hops < SIM_NODES && holder && holder->stage == SIM_WAITING; hops++) {
        const sim_txn *next = holder->lock_count < (int)(sizeof holder->locks / sizeof holder->locks[0])
                                  ? *holder->locks[holder->lock_count]
                                  : NULL;
        if (next == txn) return true;
        holder = next;
    }
    (void)db;
    return false;
}

/* Returns false if it waits or was refused. */
static bool take_lock(sim_world *world, sim_txn *txn, sim_txn **lock) {
    if (holds(txn, lock)) return true;
    txn->locks[txn->lock_count] = lock; /* also while it waits */
    if (!*lock) {
        *lock = txn;
        txn->lock_count++;
        return true;
    }
    if (!is_deadlock(world->database, txn, *lock)) return false;
    txn->stage = SIM_OVER;
    let_go(world, txn);
    refuse(world, txn, BW_OUTCOME_REFUSED, "deadlock detected");
    return false;
}

static bool sim_is_fenced(const sim_txn *txn) {
    return txn->want == BW_WANT_STORE || txn->want == BW_WANT_ADOPT || txn->want == BW_WANT_TAKE ||
           txn->want == BW_WANT_HAND;
}

/* The rows that its statements lock, one after another. */
static bool take_locks(sim_world *world, sim_txn *txn) {
    sim_database *db = world->database;
    bool fences = sim_is_fenced(txn);
    bool writes = fences || txn->want == SIM_WANT_JOIN || txn->want == BW_WANT_REJOIN || txn->want == BW_WANT_RENEW ||
                  txn->want == SIM_WANT_LEAVE;
    if (writes && !(fences && BW_PLANTED(FENCE_WITHOUT_LOCK)) && !take_lock(world, txn, &db->rows[txn->node].lock)) {
        return false;
    }
    if (txn->want == BW_WANT_ADOPT) {
        bool gone = db->rows[txn->owner].holder == 0;
        if (!(gone && BW_PLANTED(ADOPT_WITHOUT_LOCK)) && !take_lock(world, txn, &db->rows[txn->owner].lock)) {
            return false;
        }
    }
    if (txn->want == BW_WANT_ADOPT || txn->want == BW_WANT_TAKE) {
        sim_stored *room = sim_stored_room(db, txn->room, txn->want == BW_WANT_TAKE);
        if (room && !take_lock(world, txn, &room->lock)) return false;
    }
    for (int i = 0; i < txn->hand_count; i++) {
        sim_stored *room = sim_stored_room(db, txn->hands[i].room, false);
        if (room && !take_lock(world, txn, &room->lock)) return false;
    }
    for (int i = 0; i < txn->awaited_count; i++) {
        sim_stored *room = sim_given_room(db, txn, txn->awaited[i]);
        if (room && !take_lock(world, txn, &room->lock)) return false;
    }
    return true;
}

/* ---- what statements find once they have their locks ---- */

static bool is_fenced(const sim_database *db, const sim_txn *txn) {
    const sim_row *row = &db->rows[txn->node];
    return !BW_PLANTED(FENCE_FORGOTTEN) && (!row->exists || row->epoch != txn->epoch);
}

static bool lease_is_over(const sim_row *row, const sim_txn *txn) {
    return row->lease_us < txn->begun_us + (BW_PLANTED(ADOPT_EARLY) ? 4 * SECOND : 0);
}

static void load(const sim_world *world, sim_txn *txn) {
    sim_database *db = world->database;
    const sim_stored *room = sim_stored_room(db, txn->room, false);
    txn->found = room && room->row && room->owner == txn->node && (room->snapshot || room->count > 0);
    if (!txn->found) return;
    txn->round_left_us = room->round_us - clock_of(world);
    txn->has_round = room->round_us && txn->round_left_us > -10 * SECOND && txn->round_left_us < 60 * SECOND;
    txn->asked_us = world->now_us;
    sim_load_stored(room, &txn->loaded);
}

/* Rows that another transaction has locked are skipped. */
static void sweep(sim_database *db, sim_txn *txn) {
    for (int i = 0; i < db->room_count && txn->swept_count < 32; i++) {
        const sim_stored *room = &db->rooms[i];
        bool due =
            room->row && ((room->status == 'e' && room->changed_at < txn->ended_before) ||
                          ((room->status == 'w' || room->status == 'c') && room->changed_at < txn->unstarted_before));
        if (!due || room->lock) continue;
        bool mine = room->owner == txn->node;
        const sim_row *owner = &db->rows[room->owner];
        if (!mine && (owner->holder != 0 || owner->lock)) continue;
        memcpy(txn->swept[txn->swept_count++], room->name, sizeof room->name);
    }
    txn->found = txn->swept_count;
}

static void read(const sim_world *world, sim_txn *txn) {
    sim_database *db = world->database;
    if (txn->reads == BW_READ_ROOM) {
        load(world, txn);
    } else if (txn->reads == BW_READ_SWEEP) {
        sweep(db, txn);
        for (int i = 0; i < txn->swept_count; i++) {
            sim_stored *room = sim_stored_room(db, txn->swept[i], false);
            if (txn->lock_count + 2 > (int)(sizeof txn->locks / sizeof txn->locks[0]) || room->owner == txn->node)
                continue;
            sim_txn **lock = &db->rows[room->owner].lock;
            if (!*lock) {
                *lock = txn;
                txn->locks[txn->lock_count++] = lock;
            }
        }
        txn->drops_before = txn->unstarted_before;
        txn->writes = true;
    } else {
        const sim_kept *kept = sim_kept_replay(db, txn->room);
        txn->found = kept != NULL;
        txn->replay = kept ? kept->bytes : NULL;
    }
}

static void look(const sim_world *world, sim_txn *txn) {
    sim_database *db = world->database;
    const sim_stored *room = sim_stored_room(db, txn->room, false);
    bw_answer *found = &txn->answer;
    found->found = room && room->row;
    if (!found->found) return;
    const sim_row *owner = &db->rows[room->owner];
    found->owner = room->owner;
    snprintf(found->address, sizeof found->address, "%d", room->owner);
    found->mine = room->owner == txn->node;
    found->unused = room->status == 'w' && room->changed_at < world->wall_base_ms + txn->begun_us / MS - 50000;
    found->given = room->given;
    found->ended = owner->holder == 0;
    found->dead = found->ended || lease_is_over(owner, txn);
}

static void adopt(sim_database *db, sim_txn *txn) {
    const sim_row *owner = &db->rows[txn->owner];
    const sim_stored *room = sim_stored_room(db, txn->room, false);
    bool dead = owner->holder == 0 || lease_is_over(owner, txn);
    txn->adopts = dead && room && room->row && room->owner == txn->owner;
    txn->answer.adopted = txn->adopts;
}

static bool lives(const sim_row *row, const sim_txn *txn) {
    return row->exists && row->holder != 0 && row->lease_us >= txn->begun_us;
}

static void hand_over(sim_world *world, sim_txn *txn, sim_hand *hand) {
    sim_database *db = world->database;
    const sim_stored *room = sim_stored_room(db, hand->room, false);
    uint64_t hash = sim_digest(1, hand->room, strlen(hand->room));
    hand->heir = -1;
    for (int i = 0; i < world->node_count; i++) {
        int heir = (int)((hash + (uint64_t)i) % (uint64_t)world->node_count);
        const sim_row *row = &db->rows[heir];
        if (heir == txn->node || !lives(row, txn) || (row->draining && !BW_PLANTED(HAND_TO_DRAINING))) continue;
        if (row->draining) {
            sim_fail(world, "heir", "node %d gave %s to node %d, which is about to end", txn->node, hand->room, heir);
        }
        hand->heir = heir;
        break;
    }
    if (!room || !room->row || room->owner != txn->node) hand->heir = -1;
    hand->has_round = hand->has_round && hand->heir >= 0;
    hand->round_left_us += clock_of(world);                          /* the time itself, as stored */
    if (world->now_us - txn->asked_us > 20 * MS) txn->asked_us = -1; /* then the clock is less exact */
}

static void evaluate(sim_world *world, sim_txn *txn) {
    sim_database *db = world->database;
    sim_row *row = &db->rows[txn->node];
    bool fences = sim_is_fenced(txn);
    txn->new_lease_us = txn->begun_us + txn->lease_us;
    txn->writes = true;
    if (fences && is_fenced(db, txn)) txn->answer.outcome = BW_OUTCOME_FENCED;
    switch (txn->want) {
    case SIM_WANT_JOIN: {
        bool free = true;
        for (int i = 0; i < db->conn_count; i++) {
            free = free && !(db->conns[i].advisory && db->conns[i].node == txn->node && i != txn->conn);
        }
        txn->in_use = row->exists && !free && row->lease_us >= txn->begun_us;
        txn->new_epoch = txn->row_epoch = row->epoch + 1;
        if (txn->in_use) txn->answer.outcome = BW_OUTCOME_REFUSED;
        else if (free) db->conns[txn->conn].advisory = true;
        break;
    }
    case BW_WANT_REJOIN:
        if (row->holder != txn->holder) txn->answer.outcome = BW_OUTCOME_FENCED;
        else db->conns[txn->conn].advisory = true;
        txn->new_epoch = txn->row_epoch = row->epoch + (BW_PLANTED(REJOIN_KEEPS_EPOCH) ? 0 : 1);
        txn->row_stored = row->batch;
        break;
    case BW_WANT_RENEW:
        if (row->epoch != txn->epoch) txn->answer.outcome = BW_OUTCOME_FENCED;
        txn->answer.drains = row->draining;
        for (int i = 0; i < SIM_NODES; i++) txn->living[i] = i == txn->node || lives(&db->rows[i], txn);
        break;
    case SIM_WANT_LEAVE: txn->writes = row->holder == txn->holder; break;
    case BW_WANT_STORE:
        if (txn->answer.outcome == BW_OUTCOME_DONE && !sim_fits(db, txn)) {
            txn->answer.outcome = BW_OUTCOME_REFUSED;
            txn->answer.reason = "Another server has written to this room.";
        }
        break;
    case BW_WANT_ADOPT: adopt(db, txn); break;
    case BW_WANT_HAND:
        for (int i = 0; i < txn->hand_count; i++) hand_over(world, txn, &txn->hands[i]);
        break;
    case BW_WANT_TAKE: {
        const sim_stored *room = sim_stored_room(db, txn->room, false);
        txn->takes = !room || !room->row || (room->owner == txn->node && (room->status == 'w' || room->given));
        break;
    }
    case BW_WANT_LOOK:
        txn->writes = false;
        look(world, txn);
        break;
    case BW_WANT_READ:
        txn->writes = false;
        read(world, txn);
        break;
    default: txn->writes = false;
    }
    if (txn->answer.outcome != BW_OUTCOME_DONE) txn->writes = false;
}

static void advance(sim_world *world, sim_txn *txn) {
    if (!take_locks(world, txn)) {
        if (txn->stage != SIM_OVER) txn->stage = SIM_WAITING;
        return;
    }
    evaluate(world, txn);
    if (!txn->writes) {
        txn->stage = SIM_OVER; /* it waits no longer: those that get its locks must not wake it again */
        let_go(world, txn);
        answer(world, txn);
        return;
    }
    txn->stage = SIM_RUNNING;
    bool stalls = !world->calm && sim_chance(world, 3);
    int64_t takes = stalls                  ? sim_below(world, 8 * SECOND) /* a backend that is not scheduled */
                    : sim_chance(world, 30) ? sim_below(world, 400 * MS)
                                            : 100 + sim_below(world, 3 * MS);
    sim_push(world, SIM_LOGGED, world->now_us + takes, NULL, txn->id)->code = (int)world->database->incarnation;
}

/* ---- on disk, and on the standby's disk ---- */

/* Others see it from now on. */
static void show_next(sim_world *world, bool answers, bool warned) {
    sim_database *db = world->database;
    sim_txn *txn = db->txns[db->log[db->seen++]];
    sim_apply(world, txn, false);
    let_go(world, txn);
    txn->answer.outcome = bw_outcome_of(true, false, false, warned);
    if (answers) answer(world, txn);
}

static void copy_later(sim_world *world) {
    sim_database *db = world->database;
    int64_t at = world->now_us + 300 + sim_below(world, sim_chance(world, 30) ? 300 * MS : 4 * MS);
    if (!db->synchronous) at += sim_below(world, 2 * SECOND);
    if (db->standby_until > at) at = db->standby_until + sim_below(world, 20 * MS);
    sim_event *event = sim_push(world, SIM_COPIED, at, NULL, (int)db->logged);
    event->code = (int)db->incarnation;
}

static void logged(sim_world *world, sim_txn *txn) {
    sim_database *db = world->database;
    if (txn->want == BW_WANT_STORE && !sim_fits(db, txn)) {
        let_go(world, txn);
        refuse(world, txn, BW_OUTCOME_REFUSED, "Another server has written to this room.");
        return;
    }
    if (db->logged == db->log_cap) {
        db->log_cap = db->log_cap ? 2 * db->log_cap : 1024;
        db->log = realloc(db->log, db->log_cap * sizeof *db->log);
    }
    db->log[db->logged++] = txn->id;
    txn->stage = SIM_IN_LOG;
    copy_later(world);
    while (!db->synchronous && db->seen < db->logged) show_next(world, true, false);
}

static void copied(sim_world *world, size_t count) {
    sim_database *db = world->database;
    if (db->standby_until > world->now_us) { /* disconnected again */
        copy_later(world);
        return;
    }
    db->copied = count > db->copied ? count : db->copied;
    while (db->synchronous && db->seen < db->copied) show_next(world, true, false);
    if (db->copied >= db->seen) db->unproven = false;
}

void sim_postgres_cancel(sim_world *world) {
    sim_database *db = world->database;
    if (!db->synchronous || db->seen == db->logged) return;
    db->unproven = true;
    while (db->seen < db->logged) show_next(world, true, true);
}

/* ---- failover and recovery ---- */

void sim_postgres_crash(sim_world *world, bool promote) {
    sim_database *db = world->database;
    size_t kept = promote ? db->copied : db->logged;
    db->incarnation++;
    db->up = false;
    db->down_until = world->now_us + 100 * MS + sim_below(world, sim_chance(world, 200) ? 12 * SECOND : 2 * SECOND);
    for (int i = 0; i < db->conn_count; i++) {
        db->conns[i].open = db->conns[i].advisory = false;
        if (db->conns[i].txn >= 0) db->txns[db->conns[i].txn]->lock_count = 0;
        db->conns[i].txn = -1;
    }
    for (int i = 0; i < SIM_NODES; i++) db->rows[i].lock = NULL;
    for (int i = 0; i < db->room_count; i++) db->rooms[i].lock = NULL;
    /* Everybody now sees what was on disk and waiting for the standby. */
    while (db->seen < kept) {
        db->unproven = true;
        show_next(world, false, false);
    }
    if (!promote) return;
    db->unproven = false;
    db->clock_us += (int64_t)sim_below(world, 600 * MS) - 300 * MS;
    sim_clock_moved(world);
    world->failovers++;
    if (kept < db->seen) {
        world->rewound++;
        sim_row before[SIM_NODES];
        memcpy(before, db->rows, sizeof before);
        sim_rebuild(world, kept);
        sim_check_rewound(world, db->shown, db->shown_count, db->synchronous);
        for (int i = 0; i < world->node_count && !db->synchronous; i++) sim_note_loss(world, i, &before[i]);
    }
    db->logged = db->seen = db->copied = kept;
    /* First the remaining one is copied to another machine. */
    db->standby_until = db->down_until + sim_below(world, 3 * SECOND);
}

void sim_postgres_start(sim_world *world) {
    world->database->up = true;
    if (world->database->copied < world->database->logged) copy_later(world);
}

/* ---- events ---- */

static void arrived(sim_world *world, sim_txn *txn) {
    sim_database *db = world->database;
    sim_conn *conn = &db->conns[txn->conn];
    if (!conn->open || conn->incarnation != db->incarnation || conn->txn >= 0) return;
    conn->txn = txn->id;
    txn->incarnation = db->incarnation;
    txn->begun_us = clock_of(world);
    txn->stage = SIM_WAITING;
    advance(world, txn);
}

/* A backend that waits for a lock sees that its client is gone; one that waits for the standby does not. */
static void closed(sim_world *world, int number) {
    sim_database *db = world->database;
    sim_conn *conn = &db->conns[number];
    conn->open = false;
    sim_txn *txn = conn->txn >= 0 ? db->txns[conn->txn] : NULL;
    if (txn && txn->stage == SIM_WAITING) {
        txn->stage = SIM_OVER;
        conn->txn = -1;
        let_go(world, txn);
    }
    if (conn->txn < 0) conn->advisory = false;
}

void sim_postgres_event(sim_world *world, sim_event *event) {
    sim_database *db = world->database;
    bool old = event->kind != SIM_CLOSED && (uint32_t)event->code != db->incarnation;
    if (db->hang_until > world->now_us && !old) {
        sim_event *again = sim_push(world, event->kind, db->hang_until, NULL, event->who);
        again->code = event->code;
        return;
    }
    if (old || !db->up) return;
    switch (event->kind) {
    case SIM_QUESTION: arrived(world, db->txns[event->who]); break;
    case SIM_LOGGED: logged(world, db->txns[event->who]); break;
    case SIM_COPIED: copied(world, (size_t)event->who); break;
    case SIM_CLOSED: closed(world, event->who); break;
    default: break;
    }
}
