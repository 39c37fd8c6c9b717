/* The contents of the virtual database, and how a transaction changes them. It also checks every append:
 *
 *   owner    it comes from the one node that owns the room
 *   barrier  it comes on the connection that this node began last
 *   lease    no node is declared dead while its lease runs
 *   journal  entries fit what is stored (index by index) */
#include "postgres.h"

sim_stored *sim_stored_room(sim_database *db, const char *name, bool make) {
    int free_place = -1;
    for (int i = 0; i < db->room_count; i++) {
        if (strcmp(db->rooms[i].name, name) == 0) return &db->rooms[i];
        if (!db->rooms[i].name[0] && !db->rooms[i].lock) free_place = i;
    }
    if (!make || (free_place < 0 && db->room_count == SIM_STORED)) return NULL;
    sim_stored *room = &db->rooms[free_place >= 0 ? free_place : db->room_count++];
    *room = (sim_stored){.owner = -1};
    snprintf(room->name, sizeof room->name, "%.*s", BW_ROOM_ID_MAX, name);
    return room;
}

const sim_kept *sim_kept_replay(const sim_database *db, const char *id) {
    for (size_t i = 0; i < db->replay_count; i++) {
        if (strcmp(db->replays[i].id, id) == 0) return &db->replays[i];
    }
    return NULL;
}

void sim_load_stored(const sim_stored *room, bw_loaded *loaded) {
    bw_loading loading = {0};
    if (room->snapshot) {
        bw_loading_snapshot(&loading, room->snapshot_index, room->snapshot->at, room->snapshot->length);
    }
    for (size_t i = 0; i < room->count; i++) {
        bw_loading_record(&loading, room->records[i].index, room->records[i].bytes->at, room->records[i].bytes->length);
    }
    bw_loading_done(&loading, room->name, loaded);
    bw_loading_drop(&loading);
}

static bool has_record(const sim_stored *room, uint32_t index) {
    for (size_t i = room ? room->count : 0; i > 0; i--) {
        if (room->records[i - 1].index == index) return true;
    }
    return false;
}

bool sim_fits(sim_database *db, const sim_txn *txn) {
    for (int i = 0; i < txn->put_count; i++) {
        const bw_entry *entry = &txn->puts[i].entry;
        if (entry->kind == BW_ENTRY_FORGET || entry->kind == BW_ENTRY_SNAPSHOT) break; /* what follows may be new */
        if (entry->kind == BW_ENTRY_RECORD && has_record(sim_stored_room(db, entry->room, false), entry->index)) {
            return false;
        }
    }
    return true;
}

static void drop_records(sim_stored *room) {
    for (size_t i = 0; i < room->count; i++) bw_bytes_release(room->records[i].bytes);
    room->count = 0;
}

static void clear(sim_stored *room) {
    drop_records(room);
    free(room->records);
    bw_bytes_release(room->snapshot);
    sim_txn *lock = room->lock;
    *room = (sim_stored){.owner = -1, .lock = lock};
}

static bw_bytes *share(bw_bytes *bytes) {
    bytes->references++;
    return bytes;
}

static void keep_replay(sim_database *db, const sim_put *put) {
    for (size_t i = 0; i < db->replay_count; i++) {
        if (strcmp(db->replays[i].id, put->entry.replay_id) == 0) {
            bw_bytes_release(db->replays[i].bytes);
            db->replays[i].bytes = share(put->bytes);
            return;
        }
    }
    if (db->replay_count == db->replay_cap) {
        db->replay_cap = db->replay_cap ? 2 * db->replay_cap : 16;
        db->replays = realloc(db->replays, db->replay_cap * sizeof *db->replays);
    }
    sim_kept *kept = &db->replays[db->replay_count++];
    memcpy(kept->id, put->entry.replay_id, sizeof kept->id);
    kept->bytes = share(put->bytes);
}

static void add_record(sim_stored *room, const sim_put *put) {
    if (room->count == room->cap) {
        room->cap = room->cap ? 2 * room->cap : 16;
        room->records = realloc(room->records, room->cap * sizeof *room->records);
    }
    room->records[room->count++] = (sim_record){put->entry.index, share(put->bytes)};
    room->last_index = put->entry.index;
}

static void check_owner(sim_world *world, const sim_txn *txn, const sim_stored *room) {
    if (room->row && room->owner != txn->node) {
        sim_fail(world, "owner", "an append of node %d to %s was accepted, but node %d owns it", txn->node, room->name,
                 room->owner);
    }
}

static void put_entry(sim_world *world, const sim_txn *txn, const sim_put *put) {
    sim_database *db = world->database;
    const bw_entry *entry = &put->entry;
    if (entry->kind == BW_ENTRY_REPLAY) {
        keep_replay(db, put);
        return;
    }
    bool makes = entry->kind == BW_ENTRY_RECORD || entry->kind == BW_ENTRY_SNAPSHOT;
    sim_stored *room = sim_stored_room(db, entry->room, makes);
    if (!room) return;
    check_owner(world, txn, room);
    if (entry->kind == BW_ENTRY_FORGET) { /* the name is kept for a time */
        sim_stored kept = *room;
        clear(room);
        memcpy(room->name, kept.name, sizeof kept.name);
        room->row = kept.row;
        room->owner = kept.owner;
        room->status = 'w';
        room->changed_at = world->wall_base_ms + txn->begun_us / 1000;
        return;
    }
    bool fits = entry->kind == BW_ENTRY_RECORD     ? entry->index == room->last_index + 1
                : entry->kind == BW_ENTRY_SNAPSHOT ? entry->index == room->last_index || room->last_index == 0
                                                   : true;
    if (!fits) {
        sim_fail(world, "journal", "entry %u of %s by node %d does not fit what is stored up to %u", entry->index,
                 room->name, txn->node, room->last_index);
    }
    if (entry->kind == BW_ENTRY_RECORD) {
        add_record(room, put);
    } else if (entry->kind == BW_ENTRY_SNAPSHOT) {
        drop_records(room);
        bw_bytes_release(room->snapshot);
        room->snapshot = share(put->bytes);
        room->snapshot_index = room->last_index = entry->index;
    }
    if (!room->row && !makes) return;
    if (!room->row) room->owner = txn->node;
    room->row = true;
    room->status = entry->status;
    room->changed_at = entry->changed_at;
}

static void show(sim_world *world, const sim_entry *entry, bool again) {
    sim_database *db = world->database;
    if (db->shown_count == db->shown_cap) {
        db->shown_cap = db->shown_cap ? 2 * db->shown_cap : 1024;
        db->shown = realloc(db->shown, db->shown_cap * sizeof *db->shown);
    }
    db->shown[db->shown_count++] = *entry;
    if (!again) sim_check_stored(world, entry);
}

static void change_rows(sim_world *world, const sim_txn *txn, bool again) {
    sim_database *db = world->database;
    sim_row *mine = &db->rows[txn->node];
    switch (txn->want) {
    case SIM_WANT_JOIN:
        *mine = (sim_row){.exists = true, .holder = txn->holder, .epoch = txn->new_epoch, .lock = mine->lock};
        mine->lease_us = txn->new_lease_us;
        mine->conn = txn->conn;
        break;
    case BW_WANT_REJOIN:
        mine->epoch = txn->new_epoch;
        mine->lease_us = txn->new_lease_us;
        mine->conn = txn->conn;
        break;
    case SIM_WANT_LEAVE:
        mine->holder = 0;
        mine->lease_us = txn->begun_us;
        break;
    case BW_WANT_RENEW: mine->lease_us = txn->new_lease_us; break;
    case BW_WANT_STORE:
    case BW_WANT_ADOPT:
    case BW_WANT_TAKE:
    case BW_WANT_HAND:
        mine->draining = mine->draining || txn->want == BW_WANT_HAND;
        if (!again && mine->conn != txn->conn) {
            sim_fail(world, "barrier",
                     "node %d has begun a new connection, and what it sent before was accepted after it", txn->node);
        }
        if (!again && txn->want == BW_WANT_STORE && (mine->epoch != txn->epoch || mine->holder != txn->holder)) {
            sim_fail(world, "owner", "node %d was fenced, but its append was accepted", txn->node);
        }
        mine->batch = txn->number;
        mine->lease_us = txn->new_lease_us;
        break;
    default: break;
    }
}

static bool is_unused_name(const sim_stored *room, const sim_txn *txn) {
    return room->row && room->owner == txn->node && room->status == 'w' && room->changed_at < txn->drops_before &&
           !room->snapshot && room->count == 0;
}

static void drop_names(sim_database *db, const sim_txn *txn) {
    for (int i = 0; i < db->room_count; i++) {
        if (is_unused_name(&db->rooms[i], txn)) clear(&db->rooms[i]);
    }
}

sim_stored *sim_given_room(sim_database *db, const sim_txn *txn, const char *name) {
    sim_stored *room = sim_stored_room(db, name, false);
    return room && room->row && room->owner == txn->node && room->given ? room : NULL;
}

static void give(sim_world *world, const sim_txn *txn, const sim_hand *hand, bool again) {
    sim_database *db = world->database;
    sim_stored *given = hand->heir >= 0 ? sim_stored_room(db, hand->room, false) : NULL;
    if (!given) return;
    given->owner = hand->heir;
    given->given = true;
    given->round_us = hand->has_round ? hand->round_left_us : 0;
    if (again) return;
    world->moved++;
    db->given = db->seen;
    db->given_us = world->now_us;
    if (hand->has_round && txn->asked_us >= 0) sim_handed(world, hand->room);
    else sim_unclock(world, hand->room);
}

static void change_owner(sim_world *world, const sim_txn *txn, bool again) {
    sim_database *db = world->database;
    if (txn->want == BW_WANT_ADOPT && txn->adopts) {
        sim_row *dead = &db->rows[txn->owner];
        if (dead->holder != 0) { /* it is fenced */
            if (!again && dead->lease_us >= txn->begun_us) {
                sim_fail(world, "lease", "node %d declared node %d dead while its lease runs", txn->node, txn->owner);
            }
            if (!BW_PLANTED(ADOPT_UNFENCED)) dead->epoch++;
            dead->holder = 0;
        }
        sim_stored *room = sim_stored_room(db, txn->room, false);
        if (room) room->owner = txn->node;
        if (!again) world->adopted++;
    }
    for (int i = 0; i < txn->hand_count; i++) give(world, txn, &txn->hands[i], again);
    for (int i = 0; i < txn->awaited_count; i++) {
        sim_stored *awaited = sim_given_room(db, txn, txn->awaited[i]);
        if (awaited) awaited->given = false;
    }
    if (txn->want == BW_WANT_TAKE && txn->takes) {
        sim_stored *room = sim_stored_room(db, txn->room, true);
        if (room && room->owner == txn->node) room->given = false;
        if (room && (!room->row || (room->owner == txn->node && room->status == 'w'))) {
            room->row = true;
            room->owner = txn->node;
            room->status = 'w';
            room->changed_at = world->wall_base_ms + txn->begun_us / 1000;
        }
    }
    if (txn->drops_before) drop_names(db, txn);
    for (int i = 0; i < txn->swept_count; i++) {
        sim_stored *room = sim_stored_room(db, txn->swept[i], false);
        if (room) room->owner = txn->node;
    }
}

void sim_apply(sim_world *world, const sim_txn *txn, bool again) {
    change_rows(world, txn, again);
    change_owner(world, txn, again);
    for (int i = 0; i < txn->put_count; i++) {
        put_entry(world, txn, &txn->puts[i]);
        show(world, &txn->puts[i].noted, again);
    }
}

static void clear_tables(sim_database *db) {
    for (int i = 0; i < db->room_count; i++) {
        db->rooms[i].lock = NULL;
        clear(&db->rooms[i]);
    }
    for (size_t i = 0; i < db->replay_count; i++) bw_bytes_release(db->replays[i].bytes);
    db->room_count = 0;
    db->replay_count = db->shown_count = 0;
    memset(db->rows, 0, sizeof db->rows);
}

void sim_rebuild(sim_world *world, size_t count) {
    sim_database *db = world->database;
    clear_tables(db);
    for (size_t i = 0; i < count; i++) sim_apply(world, db->txns[db->log[i]], true);
    db->logged = db->seen = db->copied = count;
}

void sim_tables_free(sim_database *db) {
    clear_tables(db);
    for (int i = 0; i < db->txn_count; i++) {
        sim_txn *txn = db->txns[i];
        for (int k = 0; k < txn->put_count; k++) bw_bytes_release(txn->puts[k].bytes);
        free(txn->puts);
        free(txn->loaded.memory);
        free(txn);
    }
    free(db->replays);
    free(db->txns);
    free(db->log);
    free(db->shown);
    free(db->conns);
}
