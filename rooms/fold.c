/* What each note does to a room, while it is live and when it is rebuilt. */
#include "engine/registry.h"
#include "engine/sha256.h"
#include "rooms/internal.h"

static void set_text(bw_hall *hall, char **to, const char *text) {
    bw_memory_free(&hall->memory, *to);
    *to = text ? bw_memory_text(&hall->memory, text) : NULL;
}

static void vacate(bw_hall *hall, bw_seat *seat) {
    seat->held = seat->reserve = seat->token_known = false;
    memset(seat->token_hash, 0, sizeof seat->token_hash);
    set_text(hall, &seat->name, NULL);
    bw_answers_clear(hall, &seat->answers);
}

static bool fold_created(bw_hall *hall, bw_room *room, const bw_note_created *note, const void *config) {
    const bw_game *game = bw_game_find_version(note->game, (unsigned)note->rules_version);
    if (room->game || !game || note->v > BW_SNAPSHOT_FORMAT) return false;
    bw_room_set_game(hall, room, game);
    if (config) memcpy(room->config, config, game->config->size);
    room->created_at = note->at;
    return true;
}

/* Another person sits there now: what the one before had prepared is nobody else's to know, or to play. */
static void forget_prepared(bw_room *room, int seat) {
    if (!room->match.block) return;
    if (room->game->draft_size > 0) memset(bw_match_draft(&room->match, seat), 0, room->game->draft_size);
    if (!room->clock_started_at) room->ready &= ~(1u << seat);
}

static bool fold_seat(bw_hall *hall, bw_room *room, const bw_note_seat *note) {
    bw_seat *seat = &room->seats[note->seat];
    bool was_held = seat->held;
    uint8_t former[32];
    memcpy(former, seat->token_hash, sizeof former);
    vacate(hall, seat);
    seat->held = true;
    seat->reserve = note->reserve;
    set_text(hall, &seat->level, NULL);
    set_text(hall, &seat->name, note->has_name ? note->name : NULL);
    room->agreed &= ~(1u << note->seat);
    if (note->has_anew && note->anew) forget_prepared(room, note->seat);
    if (BW_PLANTED(OLD_TOKEN_OPENS) && was_held) {
        memcpy(seat->token_hash, former, sizeof former);
        return true;
    }
    return bw_hex_read(note->token_hash, strlen(note->token_hash), seat->token_hash, sizeof seat->token_hash);
}

static bool fold_start(bw_hall *hall, bw_room *room, const bw_note_start *note, const void *config) {
    uint8_t seed[BW_SEED_BYTES];
    const bw_game *game = room->game;
    if (room->match.block || !bw_hex_read(note->seed, strlen(note->seed), seed, sizeof seed)) {
        return false;
    }
    if (config) memcpy(room->config, config, game->config->size);
    bw_match_attach(&room->match, game, bw_memory_new(&hall->memory, bw_match_bytes(game)));
    if (bw_match_start(&room->match, room->config, note->seats, seed) < 0) return false;
    room->started_at = note->at;
    bool waits = game->ready_ms && game->ready_ms(room->config) > 0;
    room->clock_started_at = game->flags & BW_GAME_ROUNDS && !waits ? note->at : 0;
    memcpy(room->replay_id, note->replay_id, sizeof room->replay_id);
    bw_file_head head = {.game = game, .config = room->config, .seats = note->seats, .started_at = note->at};
    bw_sha256_of(seed, sizeof seed, head.seed_hash);
    for (int i = 0; i < game->role_count; i++) {
        if (note->seats >> i & 1) {
            set_text(hall, &room->seats[i].file_name, room->seats[i].name);
            set_text(hall, &room->seats[i].file_level, room->seats[i].level);
        }
        head.names[i] = room->seats[i].file_name;
        head.bots[i] = room->seats[i].file_level;
    }
    bw_out out = bw_out_to(hall->scratch.text, hall->scratch.text_cap);
    bw_file_write_head(&out, &head, NULL, &room->chain);
    room->first_chain = room->chain;
    room->ended_at = game->turn(room->match.state) == 0 ? note->at : 0;
    return !out.overflow;
}

/* Keeps a position between 64 and 128 plays back, from which missed updates are made again. */
static void keep_base(bw_hall *hall, bw_room *room) {
    if (room->play_count % BW_MISSED_MAX != 0) return;
    size_t bytes = bw_base_bytes(&room->match);
    void *oldest = room->base[0] ? room->base[0] : bw_memory_new(&hall->memory, bytes);
    room->base[0] = room->base[1];
    room->base_at[0] = room->base_at[1];
    memcpy(oldest, room->match.block, bytes);
    room->base[1] = oldest;
    room->base_at[1] = room->plays.length;
}

enum { FILE_LINE = 160 }; /* bytes, about */

static bool fold_play(bw_hall *hall, bw_room *room, const bw_note_play *note, const void *action, bool played) {
    bw_play play = {
        .seq = note->has_seq ? note->seq : room->seq, .at = note->at, .seat = note->seat, .resigns = !action};
    if (!room->match.block || !bw_hex_read(note->hash, strlen(note->hash), play.hash, sizeof play.hash)) {
        return false;
    }
    play.action = hall->scratch.played;
    if (action && action != play.action) memcpy(play.action, action, room->game->actions->size);
    if (!played && bw_play_on(&room->match, &play, NULL) < 0) return false;
    if (play.resigns) room->resigned |= 1u << note->seat;
    if (note->has_known && !bw_known_read(&note->known, &play.known)) return false;
    if (play.known.puzzle) room->known = play.known;
    memcpy(room->chain.hash, play.hash, sizeof room->chain.hash);
    bw_play_add(hall, room, &play);
    keep_base(hall, room);
    room->ended_at = room->game->turn(room->match.state) == 0 ? note->at : 0;
    if (room->ended_at) room->replays_written += (uint64_t)FILE_LINE * room->play_count;
    return true;
}

static bool fold_draft(bw_room *room, const bw_note_draft *note, const void *action, bool played) {
    if (!room->match.block || !action || room->game->draft_size == 0) return false;
    return played ||
           room->game->prepare(room->match.state, note->seat, bw_match_draft(&room->match, note->seat), action) >= 0;
}

static bool fold_name(bw_hall *hall, bw_room *room, const bw_note_name *note) {
    if (!note->has_by || note->by < 0) return false;
    set_text(hall, &room->seats[note->by].name, note->has_name ? note->name : NULL);
    return true;
}

static bool fold_ready(bw_room *room, const bw_note_ready *note) {
    if (!room->match.block) return false;
    if (note->has_by && note->by >= 0) room->ready |= 1u << note->by;
    if (note->has_clock_at && !room->clock_started_at) room->clock_started_at = note->clock_at;
    return true;
}

static bool fold_offer(bw_room *room, const bw_note_offer *note) {
    room->agreed = note->agreed;
    room->swap = note->swap;
    if (!note->has_key) return true;
    bw_seat *seat = &room->seats[note->by];
    return note->has_by && note->by >= 0 &&
           bw_hex_read(note->key, strlen(note->key), seat->next_hash, sizeof seat->next_hash);
}

static bool fold_answer(bw_hall *hall, bw_room *room, const bw_note_answer *note) {
    bw_answers *answers = &room->seats[note->seat].answers;
    bw_answer answer = {.id = note->id, .seq = note->seq};
    if (note->has_refusal) answer.refusal = bw_bytes_new(note->refusal, strlen(note->refusal));
    bw_answers_add(hall, answers, answer);
    answers->forgotten = note->forgotten;
    return true;
}

bool bw_note_is_public(const bw_note *note) {
    switch ((bw_note_type)note->type) {
    case BW_NOTE_CONFIG:
    case BW_NOTE_SEAT:
    case BW_NOTE_NAME:
    case BW_NOTE_READY:
    case BW_NOTE_LEFT:
    case BW_NOTE_BOT:
    case BW_NOTE_STAND_IN:
    case BW_NOTE_START:
    case BW_NOTE_PLAY:
    case BW_NOTE_OFFER:
    case BW_NOTE_REMATCH: return true;
    default: return false;
    }
}

static int seat_named(const bw_note *note) {
    switch ((bw_note_type)note->type) {
    case BW_NOTE_SEAT: return note->as.seat.seat;
    case BW_NOTE_NAME: return note->as.name.by < 0 ? 0 : note->as.name.by;
    case BW_NOTE_READY: return note->as.ready.by < 0 ? 0 : note->as.ready.by;
    case BW_NOTE_LEFT: return note->as.left.seat;
    case BW_NOTE_BOT: return note->as.bot.seat;
    case BW_NOTE_STAND_IN: return note->as.stand_in.seat;
    case BW_NOTE_PLAY: return note->as.play.seat < 0 ? 0 : note->as.play.seat;
    case BW_NOTE_DRAFT: return note->as.draft.seat;
    case BW_NOTE_ANSWER: return note->as.answer.seat;
    default: return 0;
    }
}

/* The message that a note is the effect of: its seat, or -1, and id. */
static int cause_of(const bw_note *note, int64_t *id) {
    switch ((bw_note_type)note->type) {
    case BW_NOTE_SEAT: *id = note->as.seat.has_id ? note->as.seat.id : 0; return note->as.seat.seat;
    case BW_NOTE_PLAY:
        *id = note->as.play.has_id ? note->as.play.id : 0;
        return note->as.play.has_by ? note->as.play.by : note->as.play.seat;
    case BW_NOTE_DRAFT: *id = note->as.draft.has_id ? note->as.draft.id : 0; return note->as.draft.seat;
#define CAUSE(member)                                                                \
    *id = note->as.member.has_by && note->as.member.has_id ? note->as.member.id : 0; \
    return note->as.member.by
    case BW_NOTE_CONFIG: CAUSE(config);
    case BW_NOTE_BOT: CAUSE(bot);
    case BW_NOTE_STAND_IN: CAUSE(stand_in);
    case BW_NOTE_NAME: CAUSE(name);
    case BW_NOTE_READY: CAUSE(ready);
    case BW_NOTE_START: CAUSE(start);
    case BW_NOTE_OFFER: CAUSE(offer);
#undef CAUSE
    default: *id = 0; return -1;
    }
}

static bool fold(bw_hall *hall, bw_room *room, const bw_note *note, const void *config, const void *action,
                 bool played) {
    switch ((bw_note_type)note->type) {
    case BW_NOTE_CREATED: return fold_created(hall, room, &note->as.created, config);
    case BW_NOTE_CONFIG:
        if (config) memcpy(room->config, config, room->game->config->size);
        return config != NULL && !room->match.block;
    case BW_NOTE_SEAT: return fold_seat(hall, room, &note->as.seat);
    case BW_NOTE_NAME: return fold_name(hall, room, &note->as.name);
    case BW_NOTE_READY: return fold_ready(room, &note->as.ready);
    case BW_NOTE_LEFT:
        if (note->as.left.vacated) vacate(hall, &room->seats[note->as.left.seat]);
        else room->seats[note->as.left.seat].reserve = false;
        return true;
    case BW_NOTE_BOT:
        vacate(hall, &room->seats[note->as.bot.seat]);
        set_text(hall, &room->seats[note->as.bot.seat].level, note->as.bot.has_level ? note->as.bot.level : NULL);
        return true;
    case BW_NOTE_STAND_IN: { /* the seat stays its holder's */
        const bw_note_stand_in *bot = &note->as.stand_in;
        set_text(hall, &room->seats[bot->seat].level, bot->has_level ? bot->level : NULL);
        return true;
    }
    case BW_NOTE_START: return fold_start(hall, room, &note->as.start, config);
    case BW_NOTE_PLAY: return fold_play(hall, room, &note->as.play, action, played);
    case BW_NOTE_DRAFT: return fold_draft(room, &note->as.draft, action, played);
    case BW_NOTE_OFFER: return fold_offer(room, &note->as.offer);
    case BW_NOTE_REMATCH: memcpy(room->next_room, note->as.rematch.room, sizeof room->next_room); return true;
    case BW_NOTE_ANSWER: return fold_answer(hall, room, &note->as.answer);
    case BW_NOTE_HERE: room->seq = note->as.here.seq; return true;
    case BW_NOTE_SUM: return true;
    }
    return false;
}

bool bw_fold(bw_hall *hall, bw_room *room, const bw_note *note, const void *config, const void *action, bool played) {
    int64_t id;
    if (note->type != BW_NOTE_CREATED && (!room->game || seat_named(note) >= room->game->role_count)) {
        return false;
    }
    room->seq += bw_note_is_public(note);
    if (!fold(hall, room, note, config, action, played)) return false;
    int seat = cause_of(note, &id);
    bool known = room->phase == BW_PHASE_LIVE || !BW_PLANTED(FORGET_IDS_IN_A_CRASH);
    if (id > 0 && seat >= 0 && seat < room->game->role_count && known) {
        /* What is under way gets its ticket in commit.c; what was stored needs none. */
        uint64_t ticket = room->phase == BW_PHASE_LIVE ? UINT64_MAX : 0;
        bw_answers_add(hall, &room->seats[seat].answers, (bw_answer){.id = id, .seq = room->seq, .ticket = ticket});
    }
    return true;
}
