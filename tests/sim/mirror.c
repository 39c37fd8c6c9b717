/* Another room from what is stored: see mirror.h. */
#include "mirror.h"

#include <stdlib.h>
#include <string.h>

#include "rooms/session/session.h"

struct sim_mirror {
    bw_scratch scratch;
};

/* ---- one room against another ---- */

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static bool same_answer(const bw_answer *a, const bw_answer *b) {
    bool refused = a->refusal && b->refusal && a->refusal->length == b->refusal->length &&
                   memcmp(a->refusal->at, b->refusal->at, a->refusal->length) == 0;
    return refused || (!a->refusal && !b->refusal && a->seq == b->seq);
}

/* Does `mine` know all that `made` knows? */
static bool has_answers(const bw_answers *mine, const bw_answers *made) {
    bw_answers_position position = {0};
    bw_answer answer, known;
    while (bw_answers_next(made, &position, &answer)) {
        if (answer.id <= mine->forgotten) continue;
        if (!bw_answers_find(mine, answer.id, &known) || !same_answer(&known, &answer)) return false;
    }
    return true;
}

static const char *other_seat(const bw_room *room, const bw_room *made, int index, bool all_answers) {
    const bw_seat *a = bw_seat_at(room, index), *b = bw_seat_at(made, index);
    if (a->held != b->held) return "held";
    if (a->held && a->reserve != b->reserve) return "reserve";
    if (memcmp(a->token_hash, b->token_hash, sizeof a->token_hash) != 0) return "token_hash";
    if (!same_text(a->name, b->name)) return "name";
    if (!same_text(a->level, b->level)) return "level";
    if (!same_text(a->file_name, b->file_name)) return "file_name";
    if (!same_text(a->file_level, b->file_level)) return "file_level";
    bool agreed = room->agreed >> index & 1;
    if (agreed && (!a->next_hash || !b->next_hash || memcmp(a->next_hash, b->next_hash, 32) != 0)) return "next_hash";
    if (!has_answers(&a->answers, &b->answers)) return "answers";
    if (all_answers && (!has_answers(&b->answers, &a->answers) || b->answers.forgotten < a->answers.forgotten)) {
        return "all answers";
    }
    return NULL;
}

static bool same_config(const bw_game *game, const void *a, const void *b) {
    static _Thread_local char one[1 << 14], other[1 << 14];
    bw_out first = bw_out_to(one, sizeof one), second = bw_out_to(other, sizeof other);
    bw_encode(&first, game->config, a);
    bw_encode(&second, game->config, b);
    return !first.overflow && first.length == second.length && memcmp(one, other, first.length) == 0;
}

static bool same_solver_result(const bw_solver_result *a, const bw_solver_result *b) {
    return a->puzzle == b->puzzle && a->moves == b->moves && a->proven == b->proven;
}

static bool same_base(const bw_base *a, const bw_base *b) {
    return a && b ? a->number == b->number && a->last.seq == b->last.seq && a->last.at == b->last.at &&
                        same_solver_result(&a->solver_result, &b->solver_result)
                  : a == b;
}

/* What a bot prepares in a seat of its own is computed again. */
static const char *other_position(const bw_room *room, const bw_match *a, const bw_match *b) {
    size_t bytes = room->game->draft_size;
    if (memcmp(a->block, b->block, (size_t)(a->drafts - a->block)) != 0) return "position";
    for (int i = 0; i < room->game->role_count && bytes > 0; i++) {
        bool bot = bw_seat_at(room, i)->level && !bw_seat_at(room, i)->held;
        if (!bot && memcmp(bw_match_draft(a, i), bw_match_draft(b, i), bytes) != 0) return "draft";
    }
    return NULL;
}

static bool other_last(const bw_room *room, const bw_room *made) {
    return room->last_move.seq != made->last_move.seq || room->last_move.at != made->last_move.at ||
           memcmp(&room->chain_before, &made->chain_before, sizeof room->chain_before) != 0;
}

static const char *other_game(const bw_room *room, const bw_room *made) {
    if (room->started_at != made->started_at) return "started";
    if (room->started_at != made->started_at || room->ended_at != made->ended_at) return "started_at, ended_at";
    if (!room->started_at) return NULL;
    if (room->move_count != made->move_count) return "move_count";
    if (memcmp(&room->chain, &made->chain, sizeof room->chain) != 0) return "chain";
    if (room->move_count > 0 && other_last(room, made)) return "the last move";
    if (!same_base(room->base[0], made->base[0]) || !same_base(room->base[1], made->base[1])) return "bases";
    if (!same_solver_result(&room->solver_result, &made->solver_result)) return "known";
    if (!same_text(room->given, made->given)) return "given";
    if (strcmp(room->replay_id, made->replay_id) != 0) return "replay_id";
    if (room->replays_written != made->replays_written) return "replays_written";
    if (room->resigned != made->resigned) return "resigned";
    if (room->ready != made->ready) return "ready";
    if (room->ready_from != made->ready_from) return "ready_from";
    if (room->clock_started_at != made->clock_started_at) return "clock_started_at";
    if (room->agreed != made->agreed) return "agreed";
    if (room->agreed && room->swap != made->swap) return "swap";
    if (strcmp(room->next_room, made->next_room) != 0) return "next_room";
    return other_position(room, bw_room_match(room), bw_room_match(made));
}

/* The name of something that differs; NULL: nothing. */
static const char *other(const bw_room *room, const bw_room *made, bool all_answers) {
    const char *found = NULL;
    if (room->game != made->game) return "game";
    if (room->created_at != made->created_at) return "created_at";
    if (room->seq != made->seq) return "seq";
    if (!same_config(room->game, room->config, made->config)) return "config";
    for (int i = 0; i < room->game->role_count && !found; i++) found = other_seat(room, made, i, all_answers);
    return found ? found : other_game(room, made);
}

/* ---- what is stored ---- */

static const bw_room *at_rest(const bw_hall *hall, const char *name) {
    const bw_room *room = bw_room_find(hall, name);
    bool rests = room && room->game && room->session->phase == BW_PHASE_LIVE &&
                 room->session->last_ticket <= hall->durable && !bw_is_ending(room);
    return rests ? room : NULL;
}

bool sim_mirror_may_compare(const bw_hall *hall, const char *name) { return at_rest(hall, name) != NULL; }

const char *sim_mirror_compare(sim_mirror *mirror, const bw_hall *hall, const char *name, const bw_stored_room *stored,
                               bool is_new) {
    const bw_room *room = is_new ? bw_room_find(hall, name) : at_rest(hall, name);
    bw_room made = {.scratch = &mirror->scratch};
    int outcome = 0;
    if (!room || !room->game || (is_new && room->record_count != stored->snapshot_index)) return NULL;
    memcpy(made.id, room->id, sizeof made.id);
    bw_rebuild_begin(made.scratch, &made, stored);
    while (outcome == 0) outcome = bw_rebuild_slice(made.scratch, &made);
    bw_rebuild_end(made.scratch, &made);
    const char *found = outcome < 0 ? "it cannot be read" : other(room, &made, is_new);
    bw_room_clear(made.scratch, &made);
    return found;
}

sim_mirror *sim_mirror_new(void) {
    sim_mirror *mirror = calloc(1, sizeof *mirror);
    bw_scratch_init(&mirror->scratch);
    return mirror;
}

void sim_mirror_free(sim_mirror *mirror) {
    bw_scratch_clear(&mirror->scratch);
    free(mirror);
}
