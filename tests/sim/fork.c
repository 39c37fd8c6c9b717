/* "Play on from here", and old games watched again: asked for at any moment, of games that are over and of those that
 * are not.
 *
 *   fork    the new room has the plays of the old game up to that move, one for one, and shows the position that the
 *           old room showed there; nobody holds a seat in it
 *   secret  nothing is told of a game whose replay is not stored, and it is not stored before the end */
#include "sim.h"

enum { FORKS = 30 };

/* ---- what a room has played ---- */

void sim_note_play(sim_model *model, const sim_entry *entry) {
    sim_plays *plays = model->plays;
    if (strcmp(entry->type, "start") == 0) {
        memcpy(plays->replay_id, entry->replay_id, sizeof plays->replay_id);
        plays->over[0] = entry->status == 'e';
    } else if (strcmp(entry->type, "play") == 0 && plays->count + 1 < SIM_SEQS) {
        plays->over[++plays->count] = entry->status == 'e';
    } else if (strcmp(entry->type, "seat") == 0) {
        plays->seated = true;
    }
    if (model->started && entry->is_public && entry->status == 'e' && plays->over[plays->count]) {
        plays->end = plays->count;
    }
    if (model->started && entry->is_public && model->seq < SIM_SEQS) {
        plays->at_seq[model->seq] = (uint16_t)(plays->count + 1);
    }
}

void sim_note_taken(sim_model *model, const sim_entry *entry) {
    sim_plays *plays = model->plays;
    memcpy(plays->replay_id, entry->replay_id, sizeof plays->replay_id);
    plays->count = entry->taken < SIM_SEQS - 1 ? entry->taken : SIM_SEQS - 2;
    plays->copied = plays->count;
    if (model->seq < SIM_SEQS) plays->at_seq[model->seq] = (uint16_t)(plays->count + 1);
}

static void compare_position(sim_world *world, const sim_model *model, int count, uint64_t digest, const char *text) {
    const sim_plays *plays = model->plays;
    if (plays->expected && plays->taken == count && plays->expected != digest) {
        sim_fail(world, "fork", "%s goes on after move %d of %s, and does not stand where that stood: %.200s",
                 model->room, count, plays->source, text);
    }
}

void sim_note_position(sim_world *world, sim_model *model, int64_t seq, uint64_t digest, const char *text) {
    sim_plays *plays = model->plays;
    int count = seq >= 0 && seq < SIM_SEQS ? plays->at_seq[seq] - 1 : -1;
    if (count >= 0) {
        plays->position[count] = digest;
        compare_position(world, model, count, digest, text);
    }
}

/* The state of a room in which nobody has been yet. */
void sim_check_untouched(sim_world *world, const sim_model *model, uint64_t digest, const char *text) {
    if (model->plays->taken == model->plays->count && !model->plays->seated) {
        compare_position(world, model, model->plays->count, digest, text);
    }
}

/* ---- asking ---- */

static sim_http_slot *free_slot(sim_world *world) {
    for (size_t slot = 0; slot < SIM_REQUESTS; slot++) {
        if (!world->http[slot].waiting) return &world->http[slot];
    }
    return NULL;
}

/* A room that has started, a game whose end somebody was told if there is one. */
static sim_model *any_started(sim_world *world) {
    sim_model *found = NULL;
    for (int tries = 0; tries < 12; tries++) {
        sim_model *model = &world->models[sim_below(world, (uint32_t)world->model_count)];
        if (model->plays->replay_id[0] && (!found || model->replay_stored)) found = model;
    }
    return found;
}

void sim_look_back(sim_world *world) {
    sim_http_slot *slot = free_slot(world);
    sim_model *model = world->model_count ? any_started(world) : NULL;
    sim_node *node = sim_any_node(world);
    char body[160];
    if (!slot || !model || !node) return;
    bool forks = world->fork_count < FORKS && sim_chance(world, 700);
    *slot = (sim_http_slot){.waiting = true,
                            .node = (int)(node - world->nodes),
                            .kind = forks ? SIM_HTTP_FORK : SIM_HTTP_REPLAY,
                            .seq = sim_below(world, (uint32_t)model->plays->count + 2)};
    memcpy(slot->room, model->plays->replay_id, sizeof slot->room);
    uint64_t conn = SIM_LINKS + (uint64_t)(slot - world->http);
    if (forks) {
        int length = snprintf(body, sizeof body, "{\"game\":\"%s\",\"replay_id\":\"%s\",\"seq\":%lld}", model->game,
                              slot->room, (long long)slot->seq);
        bw_hall_http_create(node->hall, sim_now(world, node), conn, body, (size_t)length, "");
    } else {
        bw_hall_http_replay(node->hall, sim_now(world, node), conn, slot->room, "");
    }
    sim_check_work(world, node);
}

static sim_model *model_of_replay(sim_world *world, const char *id) {
    for (int i = 0; i < world->model_count; i++) {
        if (strcmp(world->models[i].plays->replay_id, id) == 0) return &world->models[i];
    }
    return NULL;
}

/* A replay is stored before the move that ends its game. Where that was lost, the file tells of a game that went on
 * otherwise, under an id that nobody has been told; it is replaced at the end that counts. */
void sim_replay_read(sim_world *world, sim_node *node, uint64_t conn, const uint8_t *bytes, size_t length) {
    sim_http_slot *slot = &world->http[conn - SIM_LINKS];
    const sim_model *source = model_of_replay(world, slot->room);
    slot->file_plays = -2; /* the first and the last line are none */
    for (size_t i = 0; i < length; i++) slot->file_plays += bytes[i] == '\n';
    if (!source || source->plays->end != slot->file_plays) slot->file_plays = -1;
    bw_hall_replay_loaded(node->hall, sim_now(world, node), conn, bytes, length);
    sim_check_work(world, node);
}

/* ---- what comes of it ---- */

/* The last move up to the one that was asked for after which the game was not over; -1: it is not known. */
static int moves_taken(const sim_model *source, const sim_http_slot *asked) {
    int count = asked->seq < asked->file_plays ? (int)asked->seq : asked->file_plays;
    if (!source || asked->file_plays < 0 || count > source->plays->count) return -1;
    /* After which of the moves that it has from yet another game that was over for a while, nobody has told. */
    if (count < source->plays->copied && strcmp(source->game, "flood_it") == 0) return -1;
    while (count > 0 && source->plays->over[count]) count--;
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
    sim_plays *plays = model->plays;
    if (!model->exists || !model->started) {
        sim_fail(world, "commit", "%s was promised, a game to play on with, and is not stored", room);
    } else if (taken >= 0 && plays->count != taken) {
        sim_fail(world, "fork", "%s has %d moves, and was to go on after move %d of %s", room, plays->count, taken,
                 source->room);
    } else if (plays->seated) {
        sim_fail(world, "fork", "somebody sits in %s from the start", room);
    }
    if (taken >= 0) {
        plays->taken = taken;
        plays->expected = source->plays->position[taken];
        snprintf(plays->source, sizeof plays->source, "%s", source->room);
        world->forks += plays->expected != 0;
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
        sim_fail(world, "secret", "a game that is not over was told by its replay's id: %.200s", bytes->at);
    } else if (status == 200 && (bytes->length != length || memcmp(bytes->at, stored, length) != 0)) {
        /* It may have ended anew since it was read; then it begins as that one. */
        const sim_model *source = model_of_replay(world, asked->room);
        if (source && strcmp(source->game, "flood_it") != 0) {
            sim_fail(world, "function", "the replay of %s is not the one that is stored", source->room);
        }
    } else if (status == 201) {
        check_fork(world, asked, bytes);
    } else if (status == 409) {
        sim_fail(world, "fork", "a stored replay was refused: %.200s", bytes->at);
    }
}
