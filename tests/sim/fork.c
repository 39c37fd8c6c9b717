/* "Play on from here" and old games watched again: clients ask for both at any moment, of games that are over and of
 * games that are not.
 *
 *   fork    the new room has the moves of the old game up to that move, one for one, and shows the position that the
 *           old room showed there; nobody holds a seat in it
 *   secret  nothing is sent of a game whose replay is not stored, and a replay is not stored before the end */
#include "sim.h"

enum { FORKS = 30 };

/* ---- the moves of a room ---- */

void sim_record_move(sim_model *model, const sim_entry *entry) {
    sim_moves *moves = model->moves;
    if (strcmp(entry->type, "start") == 0) {
        memcpy(moves->replay_id, entry->replay_id, sizeof moves->replay_id);
        moves->over[0] = entry->status == 'e';
    } else if (strcmp(entry->type, "play") == 0 && moves->count + 1 < SIM_SEQS) {
        moves->over[++moves->count] = entry->status == 'e';
    } else if (strcmp(entry->type, "seat") == 0) {
        moves->seated = true;
    }
    if (model->started && entry->is_public && entry->status == 'e' && moves->over[moves->count]) {
        moves->end = moves->count;
    }
    if (model->started && entry->is_public && model->seq < SIM_SEQS) {
        moves->at_seq[model->seq] = (uint16_t)(moves->count + 1);
    }
}

void sim_note_taken(sim_model *model, const sim_entry *entry) {
    sim_moves *moves = model->moves;
    memcpy(moves->replay_id, entry->replay_id, sizeof moves->replay_id);
    moves->count = entry->taken < SIM_SEQS - 1 ? entry->taken : SIM_SEQS - 2;
    moves->copied = moves->count;
    if (model->seq < SIM_SEQS) moves->at_seq[model->seq] = (uint16_t)(moves->count + 1);
}

static void compare_position(sim_world *world, const sim_model *model, int count, uint64_t digest, const char *text) {
    const sim_moves *moves = model->moves;
    if (moves->expected && moves->taken == count && moves->expected != digest) {
        sim_fail(world, "fork", "%s continues after move %d of %s, but its position differs: %.200s", model->room,
                 count, moves->source, text);
    }
}

void sim_note_position(sim_world *world, sim_model *model, int64_t seq, uint64_t digest, const char *text) {
    sim_moves *moves = model->moves;
    int count = seq >= 0 && seq < SIM_SEQS ? moves->at_seq[seq] - 1 : -1;
    if (count >= 0) {
        moves->position[count] = digest;
        compare_position(world, model, count, digest, text);
    }
}

/* The state of a room that nobody has joined yet. */
void sim_check_untouched(sim_world *world, const sim_model *model, uint64_t digest, const char *text) {
    if (model->moves->taken == model->moves->count && !model->moves->seated) {
        compare_position(world, model, model->moves->count, digest, text);
    }
}

/* ---- requests ---- */

/* A room that has started, preferably one whose end was sent to a client. */
static sim_model *any_started(sim_world *world) {
    sim_model *found = NULL;
    for (int tries = 0; tries < 12; tries++) {
        sim_model *model = &world->models[sim_below(world, (uint32_t)world->model_count)];
        if (model->moves->replay_id[0] && (!found || model->replay_stored)) found = model;
    }
    return found;
}

void sim_look_back(sim_world *world) {
    sim_model *model = world->model_count ? any_started(world) : NULL;
    sim_node *node = sim_any_node(world);
    char body[160];
    if (!model || !node) return;
    bool forks = world->fork_count < FORKS && sim_chance(world, 700);
    sim_http_slot *slot =
        sim_new_request(world, node, forks ? SIM_HTTP_FORK : SIM_HTTP_REPLAY, model->moves->replay_id);
    if (!slot) return;
    slot->seq = sim_below(world, (uint32_t)model->moves->count + 2);
    if (forks) {
        int length = snprintf(body, sizeof body, "{\"game\":\"%s\",\"replay_id\":\"%s\",\"seq\":%lld}", model->game,
                              slot->room, (long long)slot->seq);
        bw_hall_http_create(node->hall, sim_now(world, node), slot->conn, body, (size_t)length, "");
    } else {
        bw_hall_http_replay(node->hall, sim_now(world, node), slot->conn, slot->room, "");
    }
    sim_check_work(world, node);
}

static sim_model *model_of_replay(sim_world *world, const char *id) {
    for (int i = 0; i < world->model_count; i++) {
        if (strcmp(world->models[i].moves->replay_id, id) == 0) return &world->models[i];
    }
    return NULL;
}

/* A replay is stored before the move that ends its game. If that move was lost, the file describes a game that
 * continued differently, under an id that no client was sent; the file is replaced at the real end. */
void sim_replay_read(sim_world *world, sim_node *node, uint64_t conn, const uint8_t *bytes, size_t length) {
    sim_http_slot *slot = sim_request_of(world, conn);
    if (slot) {
        const sim_model *source = model_of_replay(world, slot->room);
        slot->file_moves = -2; /* the first and the last line are not moves */
        for (size_t i = 0; i < length; i++) slot->file_moves += bytes[i] == '\n';
        if (!source || source->moves->end != slot->file_moves) slot->file_moves = -1;
    }
    bw_hall_replay_loaded(node->hall, sim_now(world, node), conn, bytes, length);
    sim_check_work(world, node);
}

/* ---- answers ---- */

/* The last move, up to the requested one, after which the game was not over; -1 if unknown. */
static int moves_taken(const sim_model *source, const sim_http_slot *asked) {
    int count = asked->seq < asked->file_moves ? (int)asked->seq : asked->file_moves;
    if (!source || asked->file_moves < 0 || count > source->moves->count) return -1;
    /* No message says which of the moves it copied from yet another game were followed by an end. */
    if (count < source->moves->copied && strcmp(source->game, "flood_it") == 0) return -1;
    while (count > 0 && source->moves->over[count]) count--;
    return count;
}

static void check_fork(sim_world *world, const sim_http_slot *asked, const bw_bytes *bytes) {
    char room[BW_ROOM_ID_MAX + 1] = "";
    bw_doc doc;
    if (sim_parse(&doc, bytes->at, bytes->length)) {
        bw_doc_text(&doc, bw_doc_member(&doc, 0, "room_id"), room, sizeof room);
    }
    sim_model *model = sim_model_of(world, room), *source = model_of_replay(world, asked->room);
    if (!model) return;
    int taken = moves_taken(source, asked);
    sim_moves *moves = model->moves;
    if (!model->exists || !model->started) {
        sim_fail(world, "commit", "the promised fork %s is not stored", room);
    } else if (taken >= 0 && moves->count != taken) {
        sim_fail(world, "fork", "%s has %d moves, but should continue after move %d of %s", room, moves->count, taken,
                 source->room);
    } else if (moves->seated) {
        sim_fail(world, "fork", "a seat of %s is taken from the start", room);
    }
    if (taken >= 0) {
        moves->taken = taken;
        moves->expected = source->moves->position[taken];
        snprintf(moves->source, sizeof moves->source, "%s", source->room);
        world->forks += moves->expected != 0;
    }
    if (world->fork_count < FORKS) {
        sim_fork *fork = &world->fork_rooms[world->fork_count++];
        memcpy(fork->room, room, sizeof fork->room);
        for (int i = 0; i < SIM_GAMES; i++) {
            fork->game = strcmp(model->game, sim_game_ids[i]) == 0 ? i : fork->game;
        }
    }
    sim_http(world, room, SIM_HTTP_STATE);
}

void sim_check_look_back(sim_world *world, const sim_http_slot *asked, int status, const bw_bytes *bytes) {
    size_t length = 0;
    const uint8_t *stored = sim_stored_replay(world, asked->room, &length);
    if ((status == 200 || status == 201) && !stored) {
        sim_fail(world, "secret", "the replay of a game that is not over was sent: %.200s", bytes->at);
    } else if (status == 200 && (bytes->length != length || memcmp(bytes->at, stored, length) != 0)) {
        /* The game may have ended again since the replay was read; then the stored one begins the same way. */
        const sim_model *source = model_of_replay(world, asked->room);
        if (source && strcmp(source->game, "flood_it") != 0) {
            sim_fail(world, "function", "the replay of %s differs from the stored one", source->room);
        }
    } else if (status == 201) {
        check_fork(world, asked, bytes);
    } else if (status == 409) {
        sim_fail(world, "fork", "a stored replay was refused: %.200s", bytes->at);
    }
}
