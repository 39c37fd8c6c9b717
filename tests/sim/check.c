/* The invariants. The checks keep their own model of the rooms, built from the entries that the disk really stored and
 * the bytes that really left; they know nothing of the hall's internals.
 *
 *   commit    a message that carries a seq leaves only when that seq is durable; an ack only when its effect is
 *   function  the same room at the same seq shows the same state and the same events to every client, before and after
 *             crashes: nothing that was seen is lost or changed
 *   falling   seq never falls below the highest that any client was sent
 *   once      no id of a seat's holder takes effect twice
 *   refused   no id takes effect after it was refused, unless the refusal said that the outcome is not known, or the
 *             client sent it again
 *   answer    every message with an id that reaches the hall is answered
 *   told      a connection is sent the room's state before anything else but a refusal
 *   seat      a role shows as held if and only if a connection was told that it holds it; one connection to a seat
 *   secret    `you` and tokens go to their owner only; the seed goes to nobody before the end
 *   clock     rounds keep their phase
 *   claim     a game can be claimed once the others have been away long enough, and not before: see claim.c
 *   mirror    what is stored of a room makes the room that is in memory: see mirror.h
 *   journal   entries fit what is stored (index by index)
 *   teller    of several nodes, only the owner of a room sends its state
 *   leak      at the end no memory is left allocated */
#include <stdarg.h>

#include "postgres.h"

enum { TOKENS = 16384 };
static _Thread_local bw_token tokens[TOKENS];

void sim_fail(sim_world *world, const char *invariant, const char *format, ...) {
    va_list list;
    if (world->failure[0]) return;
    int length = snprintf(world->failure, sizeof world->failure, "%s: ", invariant);
    va_start(list, format);
    vsnprintf(world->failure + length, sizeof world->failure - (size_t)length, format, list);
    va_end(list);
}

sim_model *sim_model_of(sim_world *world, const char *room) {
    for (int i = 0; i < world->model_count; i++) {
        if (strcmp(world->models[i].room, room) == 0) return &world->models[i];
    }
    if (world->model_count == SIM_MODELS) {
        sim_fail(world, "harness", "more rooms than the checks can hold");
        return NULL;
    }
    sim_model *model = &world->models[world->model_count++];
    memset(model, 0, sizeof *model);
    snprintf(model->room, sizeof model->room, "%s", room);
    model->state_digest = calloc(SIM_SEQS, sizeof(uint64_t));
    model->events_digest = calloc(SIM_SEQS, sizeof(uint64_t));
    model->moves = calloc(1, sizeof *model->moves);
    model->moves->end = -1;
    return model;
}

static void forget(const sim_world *world, sim_model *model) {
    uint64_t *state = model->state_digest, *events = model->events_digest;
    sim_moves *moves = model->moves;
    uint32_t incarnation = model->incarnation + 1;
    int64_t last_seq = model->seq;
    char room[sizeof model->room];
    memcpy(room, model->room, sizeof room);
    memset(model, 0, sizeof *model);
    if (!world->keep_digests) {
        memset(state, 0, SIM_SEQS * sizeof *state);
        memset(events, 0, SIM_SEQS * sizeof *events);
    }
    memset(moves, 0, sizeof *moves);
    moves->end = -1;
    memcpy(model->room, room, sizeof room);
    model->state_digest = state;
    model->events_digest = events;
    model->moves = moves;
    model->incarnation = incarnation;
    model->last_seq = last_seq;
}

int64_t sim_number(const bw_doc *doc, int object, const char *key, int64_t otherwise) {
    int64_t value;
    return bw_doc_int(doc, bw_doc_member(doc, object, key), &value) ? value : otherwise;
}

bool sim_parse(bw_doc *doc, const char *bytes, size_t length) {
    bw_error_text why;
    return bw_doc_parse(doc, bytes, length, tokens, TOKENS, 16, &why) > 0 && bw_doc_is_object(doc, 0);
}

/* ---- entries ---- */

static bool moves_seq(const char *type) {
    static const char *const types[] = {"config", "seat",    "left",  "bot",  "start", "play",
                                        "offer",  "rematch", "known", "name", "ready", "stand_in"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(types[i], type) == 0) return true;
    }
    return false;
}

static void check_round(sim_world *world, const sim_node *node, sim_model *model) {
    enum { INTERVAL = 3000000, LATE = 750000 };
    int64_t since = world->now_us - model->last_round_us;
    world->rounds++;
    /* After a stall shorter than one interval the next round is still due at its own time, which is soon. */
    int64_t stall = node->paused_until > world->stalled_us ? node->paused_until : world->stalled_us;
    bool stalled = stall && world->now_us - stall < 2 * INTERVAL;
    bool quick = model->last_round_us && since < INTERVAL - LATE;
    model->quick_rounds = quick ? model->quick_rounds + 1 : 0;
    if (quick && ((model->clock_known && !stalled) || model->quick_rounds > 1)) {
        sim_fail(world, "clock", "two rounds of %s within %lld us", model->room, (long long)since);
    }
    model->last_round_us = world->now_us;
}

/* A room that continues an old game is stored as one record and a snapshot of all the rest. */
static void note_fork(sim_entry *noted, const bw_entry *entry) {
    const char *at = (const char *)entry->bytes, *end = at + entry->length;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        char type[16] = "";
        bw_doc doc;
        stop = stop ? stop : end;
        if (sim_parse(&doc, at, (size_t)(stop - at))) {
            bw_doc_text(&doc, bw_doc_member(&doc, 0, "type"), type, sizeof type);
            noted->taken += strcmp(type, "play") == 0;
            if (strcmp(type, "start") == 0) {
                bw_doc_text(&doc, bw_doc_member(&doc, 0, "replay_id"), noted->replay_id, sizeof noted->replay_id);
            }
            if (strcmp(type, "here") == 0) noted->seq = sim_number(&doc, 0, "seq", 0);
        }
        at = stop + 1;
    }
    if (!noted->replay_id[0]) noted->seq = 0;
}

/* Updates the model when a record is appended. */
static void check_move(sim_world *world, const sim_node *node, sim_model *model, const bw_doc *doc) {
    world->moves++;
    /* The clock appends claims too, and at no predictable time. */
    if (sim_number(doc, 0, "seat", -1) == BW_CLOCK && sim_number(doc, 0, "by", -1) < 0 &&
        model->exists) { /* else they are moves of an old game that the room continues */
        check_round(world, node, model);
    }
}

static void compare(sim_world *world, const sim_node *node, const char *room, const bw_stored_room *stored,
                    bool is_new) {
    const char *found = sim_mirror_compare(world->mirror, node->hall, room, stored, is_new);
    world->mirrored++;
    if (found) {
        sim_fail(world, "mirror", "%s of %s makes another room: %s", is_new ? "a snapshot" : "what is stored", room,
                 found);
    }
}

static void mirror_at(sim_world *world, const sim_node *node, const char *room) {
    bool there = node->hall && sim_mirror_may_compare(node->hall, room);
    if (!there || sim_is_deluded(node) || !sim_has_room(world, node, room)) return;
    if (sim_is_cluster(world)) {
        bw_loaded loaded = {0};
        sim_load_stored(sim_stored_room(world->database, room, false), &loaded);
        compare(world, node, room, &loaded.room, false);
        free(loaded.memory);
        return;
    }
    const bw_stored_room *stored = bw_memory_journal_load(world->journal, room);
    if (stored) compare(world, node, room, stored, false);
    else sim_fail(world, "mirror", "%s is in memory, but not stored", room);
}

void sim_check_mirror(sim_world *world) {
    enum { EVERY = 32 };
    if (world->twin || world->steps % EVERY != 0 || world->model_count == 0) return;
    const sim_model *model = &world->models[world->steps / EVERY % (uint64_t)world->model_count];
    for (int i = 0; i < world->node_count; i++) mirror_at(world, &world->nodes[i], model->room);
}

bool sim_check_append(sim_world *world, sim_node *node, const bw_entry *entry, sim_entry *into) {
    sim_entry noted = {
        .kind = entry->kind, .ticket = entry->ticket, .index = entry->index, .seat = -1, .status = entry->status};
    bw_doc doc;
    memcpy(noted.room, entry->room, sizeof noted.room);
    if (entry->kind == BW_ENTRY_RECORD) {
        if (!sim_parse(&doc, (const char *)entry->bytes, entry->length)) {
            sim_fail(world, "journal", "a record is not JSON: %.*s", (int)entry->length, (const char *)entry->bytes);
            return false;
        }
        bw_doc_text(&doc, bw_doc_member(&doc, 0, "type"), noted.type, sizeof noted.type);
        bw_doc_text(&doc, bw_doc_member(&doc, 0, "game"), noted.game, sizeof noted.game);
        bw_doc_text(&doc, bw_doc_member(&doc, 0, "token_hash"), noted.holder, sizeof noted.holder);
        bw_doc_text(&doc, bw_doc_member(&doc, 0, "replay_id"), noted.replay_id, sizeof noted.replay_id);
        noted.is_public = moves_seq(noted.type);
        noted.seat = (int)sim_number(&doc, 0, "by", sim_number(&doc, 0, "seat", -1));
        noted.id = sim_number(&doc, 0, "id", 0);
        sim_model *model = sim_model_of(world, entry->room);
        if (model && noted.seat >= -2 && strcmp(noted.type, "created") != 0) {
            for (int i = 0; i < BW_SEATS_MAX; i++) {
                model->expected_you[i][0] = 0; /* a record was appended: what is staged may change */
            }
        }
        if (model && strcmp(noted.type, "play") == 0 && sim_may_store(world, node, entry->room))
            check_move(world, node, model, &doc);
    }
    if (entry->kind == BW_ENTRY_SNAPSHOT && entry->index == 1) note_fork(&noted, entry);
    if (entry->kind == BW_ENTRY_SNAPSHOT) {
        bw_stored_room stored = {
            .snapshot = entry->bytes, .snapshot_length = entry->length, .snapshot_index = entry->index};
        compare(world, node, entry->room, &stored, true);
    }
    *into = noted;
    return true;
}

void sim_check_wait(sim_world *world, const sim_entry *noted) {
    if (world->waiting_count == sizeof world->waiting / sizeof world->waiting[0]) {
        sim_fail(world, "harness", "too many entries are pending");
        return;
    }
    size_t slot = (world->waiting_first + world->waiting_count++) % (sizeof world->waiting / sizeof world->waiting[0]);
    world->waiting[slot] = *noted;
}

static void applied_once(sim_world *world, sim_model *model, const sim_entry *entry) {
    sim_seat *seat = &model->seats[entry->seat];
    for (int i = 0; i < seat->applied_count; i++) {
        if (seat->applied[i] == entry->id) {
            sim_fail(world, "once", "%s: id %lld of seat %d took effect twice (%s)", model->room, (long long)entry->id,
                     entry->seat, entry->type);
        }
    }
    if (seat->applied_count == 512) {
        memmove(seat->applied, seat->applied + 256, 256 * sizeof seat->applied[0]);
        seat->applied_count = 256;
        seat->old_ids = seat->applied[0];
    }
    seat->applied[seat->applied_count++] = entry->id;
}

static void not_refused(sim_world *world, const sim_model *model, const sim_entry *entry) {
    const sim_seat *seat = &model->seats[entry->seat];
    for (int i = 0; i < SIM_REFUSED && i < seat->refused_count; i++) {
        if (seat->refused[i] == entry->id) {
            sim_fail(world, "refused", "%s: id %lld of seat %d was refused, and took effect after that (%s)",
                     model->room, (long long)entry->id, entry->seat, entry->type);
        }
    }
}

static void became_durable(sim_world *world, const sim_entry *entry) {
    sim_model *model = sim_model_of(world, entry->room);
    if (!model) return;
    if (entry->kind == BW_ENTRY_FORGET) {
        forget(world, model);
        return;
    }
    if (entry->kind == BW_ENTRY_SNAPSHOT && entry->seq > 0 && !model->started) {
        model->started = true;
        model->seq = entry->seq;
        sim_note_taken(model, entry);
    }
    if (entry->kind == BW_ENTRY_REPLAY) model->replay_stored = true;
    if (entry->kind != BW_ENTRY_RECORD) return;
    if (entry->status == 'e' && !model->replay_stored) {
        sim_fail(world, "commit", "%s is over, but its replay is not stored", model->room);
    }
    if (strcmp(entry->type, "created") == 0) {
        model->exists = true;
        snprintf(model->game, sizeof model->game, "%s", entry->game);
    } else if (strcmp(entry->type, "start") == 0) {
        model->started = true;
    }
    model->seq += entry->is_public;
    sim_record_move(model, entry);
    if (strcmp(entry->type, "seat") == 0 && entry->seat >= 0) {
        model->seats[entry->seat].old_ids = 0;
        model->seats[entry->seat].applied_count = 0; /* a new holder may start at 1 */
        model->seats[entry->seat].refused_count = 0;
        snprintf(model->seats[entry->seat].holder, sizeof model->seats[entry->seat].holder, "%s", entry->holder);
    }
    if (entry->id > 0 && entry->seat >= 0) {
        applied_once(world, model, entry);
        if (!world->rewinding) not_refused(world, model, entry);
    }
}

void sim_check_stored(sim_world *world, const sim_entry *entry) { became_durable(world, entry); }

/* Checks what clients were sent of updates that are gone. */
static void forget_behind(sim_world *world, sim_model *model, const sim_model *old, bool confirmed) {
    bool same = model->incarnation == old->incarnation;
    int64_t seen = old->seen_seq;
    if (confirmed && seen > (same ? model->seq : 0) && old->incarnation >= model->incarnation) {
        sim_fail(world, "kept", "%s: seq %lld was sent, but the database has kept %lld", model->room, (long long)seen,
                 (long long)model->seq);
    }
    model->seen_seq = same ? (seen < model->seq ? seen : model->seq) : 0;
    for (int64_t seq = same && model->exists ? model->seq + 1 : 0; seq >= 0 && seq < SIM_SEQS; seq++) {
        model->state_digest[seq] = model->events_digest[seq] = 0;
        model->moves->position[seq] = 0;
    }
}

void sim_check_rewound(sim_world *world, const sim_entry *entries, size_t count, bool confirmed) {
    sim_model *old = malloc(sizeof world->models);
    memcpy(old, world->models, sizeof world->models);
    world->rewinding = true;
    for (int i = 0; i < world->model_count; i++) {
        sim_model *model = &world->models[i];
        sim_moves *moves = model->moves;
        *model =
            (sim_model){.state_digest = old[i].state_digest, .events_digest = old[i].events_digest, .moves = moves};
        memcpy(model->room, old[i].room, sizeof model->room);
        moves->count = 0;
        moves->seated = false;
        moves->end = -1;
        moves->replay_id[0] = '\0';
        memset(moves->at_seq, 0, sizeof moves->at_seq);
    }
    world->keep_digests = true;
    for (size_t i = 0; i < count; i++) became_durable(world, &entries[i]);
    world->rewinding = world->keep_digests = false;
    for (int i = 0; i < world->model_count; i++) {
        bool same = world->models[i].incarnation == old[i].incarnation;
        for (int seat = 0; seat < BW_SEATS_MAX && same; seat++) {
            memcpy(world->models[i].seats[seat].refused, old[i].seats[seat].refused, sizeof old[i].seats[seat].refused);
            world->models[i].seats[seat].refused_count = old[i].seats[seat].refused_count;
        }
        forget_behind(world, &world->models[i], &old[i], confirmed);
    }
    free(old);
    sim_unclock_all(world);
}

void sim_check_durable(sim_world *world, size_t count) {
    enum { CAP = sizeof world->waiting / sizeof world->waiting[0] };
    world->doubtful_count = count > 0 ? 0 : world->doubtful_count; /* overwritten */
    for (; count > 0 && world->waiting_count > 0; count--) {
        sim_entry entry = world->waiting[world->waiting_first];
        world->waiting_first = (world->waiting_first + 1) % CAP;
        world->waiting_count--;
        became_durable(world, &entry);
    }
    if (bw_memory_journal_faults(world->journal) > 0) {
        sim_fail(world, "journal", "an entry does not fit what is stored");
    }
}

void sim_check_lost(sim_world *world) { world->waiting_first = world->waiting_count = 0; }

void sim_check_doubt(sim_world *world) {
    enum { CAP = sizeof world->waiting / sizeof world->waiting[0] };
    for (size_t i = 0; i < world->waiting_count; i++) {
        world->doubtful[i] = world->waiting[(world->waiting_first + i) % CAP];
    }
    world->doubtful_count = world->waiting_count;
    sim_check_lost(world);
}

void sim_check_come_back(sim_world *world, size_t count) {
    for (size_t i = 0; i < count; i++) became_durable(world, &world->doubtful[i]);
    world->doubtful_count = 0;
    world->came_back += count;
}

/* ---- calm moments ---- */

void sim_check_calm(sim_world *world) {
    for (int i = 1; i <= world->link_count; i++) {
        const sim_link *link = &world->links[i];
        if (link->server_open && link->answers_due != 0) {
            sim_fail(world, "answer", "connection %d of %s: %d answers are missing", i, link->room, link->answers_due);
        }
    }
}

void sim_expect_you(sim_world *world) {
    for (int i = 1; i <= world->link_count; i++) {
        const sim_link *link = &world->links[i];
        sim_model *model = sim_model_of(world, link->room);
        const sim_client *client = &world->clients[link->client];
        if (model && link->server_open && link->client_open && !link->mute && link->sent_role >= 0 &&
            client->link == i) {
            memcpy(model->expected_you[link->sent_role], link->you, sizeof link->you);
            memcpy(model->expected_token[link->sent_role], client->token, sizeof client->token);
        }
    }
}

static void check_left(sim_world *world, const sim_node *node) {
    bw_hall_figures figures;
    bw_hall_figures_of(node->hall, &figures);
    if (figures.connections != 0 || figures.rooms_in_memory != 0 || figures.journal_waiting != 0) {
        sim_fail(world, "leak", "%llu connections, %llu rooms and %llu entries are left",
                 (unsigned long long)figures.connections, (unsigned long long)figures.rooms_in_memory,
                 (unsigned long long)figures.journal_waiting);
    }
    for (int i = 0; i < 4; i++) {
        if (figures.rooms[i] != 0) {
            sim_fail(world, "leak", "%llu rooms are still counted", (unsigned long long)figures.rooms[i]);
        }
    }
    if (figures.bytes > world->base_bytes + 400000) {
        sim_fail(world, "leak", "%llu bytes at first, %llu at the end", (unsigned long long)world->base_bytes,
                 (unsigned long long)figures.bytes);
    }
}

void sim_check_end(sim_world *world) {
    for (int i = 0; i < world->node_count; i++) {
        if (world->nodes[i].hall) check_left(world, &world->nodes[i]);
        else sim_fail(world, "leak", "node %d is not running at the end", i);
    }
}
