/* What a room holds: its working memory, seats and their answers, and the game's file. */
#include "rooms/room/room.h"

#include "engine/registry.h"
#include "engine/sha256.h"

/* ---- working memory ---- */

enum { TEXT_BYTES = 1 << 16, TOKENS = 4096 };

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

void bw_scratch_init(bw_scratch *scratch) {
    size_t view = 8, you = 8, action = 8, config = 8, stats = 8, event = 8, block = 8;
    for (int i = 0; bw_game_at(i); i++) {
        const bw_game *game = bw_game_at(i);
        view = larger(view, game->view->size);
        you = larger(you, game->you ? game->you->size : 0);
        action = larger(action, game->actions->size);
        config = larger(config, game->config->size);
        stats = larger(stats, game->stats->size);
        event = larger(event, game->events->size);
        block = larger(block, bw_match_bytes(game));
    }
    bw_memory *memory = &scratch->memory;
    scratch->text_cap = scratch->pieces_cap = TEXT_BYTES;
    scratch->text = bw_memory_new(memory, scratch->text_cap);
    scratch->pieces = bw_memory_new(memory, scratch->pieces_cap);
    scratch->events = bw_memory_new(memory, event * BW_EVENTS_MAX);
    scratch->action = bw_memory_new(memory, action);
    scratch->played = bw_memory_new(memory, action);
    scratch->config = bw_memory_new(memory, config);
    scratch->preview = bw_memory_new(memory, config);
    scratch->stats = bw_memory_new(memory, stats);
    scratch->block = bw_memory_new(memory, block);
    scratch->before = bw_memory_new(memory, larger(block, action));
    scratch->packed = bw_memory_new(memory, 2 * larger(block, action));
    for (int i = 0; i < BW_OPEN_MAX; i++) scratch->open[i].match.block = bw_memory_new(memory, block);
    for (int when = 0; when < 2; when++) {
        for (int i = 0; i <= BW_SEATS_MAX; i++) {
            scratch->views[when][i] = bw_memory_new(memory, view);
        }
        for (int i = 0; i < BW_SEATS_MAX; i++) scratch->you[when][i] = bw_memory_new(memory, you);
    }
    scratch->token_cap = TOKENS;
    scratch->tokens = bw_memory_new(memory, TOKENS * sizeof *scratch->tokens);
}

void bw_scratch_clear(bw_scratch *scratch) {
    void *const blocks[] = {scratch->text,   scratch->pieces,  scratch->events, scratch->action,
                            scratch->played, scratch->config,  scratch->stats,  scratch->block,
                            scratch->tokens, scratch->preview, scratch->before, scratch->packed};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        bw_memory_free(&scratch->memory, blocks[i]);
    }
    for (int i = 0; i < BW_OPEN_MAX; i++) bw_memory_free(&scratch->memory, scratch->open[i].match.block);
    for (int when = 0; when < 2; when++) {
        for (int i = 0; i <= BW_SEATS_MAX; i++) {
            bw_memory_free(&scratch->memory, scratch->views[when][i]);
        }
        for (int i = 0; i < BW_SEATS_MAX; i++) bw_memory_free(&scratch->memory, scratch->you[when][i]);
    }
}

bool bw_grow(bw_scratch *scratch, const bw_out *out, char **at, size_t *cap) {
    if (!out->overflow) return false;
    *cap *= 2;
    *at = bw_memory_grow(&scratch->memory, *at, *cap);
    return true;
}

uint64_t bw_cost_of_text(size_t length) { return 1 + length / 512; }

/* A puzzle at its start may be new (or may have been undone to there, which costs less). */
static uint64_t cost_of_puzzle(const bw_match *match) {
    return match->game->current_turn(match->state) == 0 ? BW_PUZZLE_WORK : 0;
}

uint64_t bw_cost_of_move(const bw_match *match) {
    return 1 + match->game->state_size / 256 + (match->game->puzzle ? cost_of_puzzle(match) : 0);
}

uint64_t bw_cost_of_hash(const bw_game *game) { return 1 + game->state_size / 64; }

/* A start that was written down is made once more, after that of settings and seed. */
uint64_t bw_cost_of_start(const bw_match *match, bool given) {
    if (!match->block || !match->game->puzzle) return 0;
    return cost_of_puzzle(match) * (given ? 2 : 1);
}

bw_events bw_scratch_events(bw_scratch *scratch, const bw_game *game) {
    return (bw_events){.memory = scratch->events, .size = game->events->size, .cap = BW_EVENTS_MAX};
}

/* ---- rooms ---- */

bool bw_room_id_fold(const char *id, char folded[BW_ROOM_ID_MAX + 1]) {
    size_t length = 0;
    for (; id[length]; length++) {
        char c = id[length];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (length == BW_ROOM_ID_MAX || !(letter || (c >= '0' && c <= '9'))) return false;
        folded[length] = (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
    folded[length] = 0;
    return length >= 4;
}

void bw_room_set_game(bw_scratch *scratch, bw_room *room, const bw_game *game) {
    room->game = game;
    room->seats = bw_memory_new(&scratch->memory, game->role_count * sizeof *room->seats);
    room->config = bw_memory_new(&scratch->memory, game->config->size);
    memcpy(room->config, game->defaults, game->config->size);
}

void bw_room_clear(bw_scratch *scratch, bw_room *room) {
    bw_memory *memory = &scratch->memory;
    bw_rebuild_end(scratch, room);
    bw_snapshot_drop(scratch, room);
    for (int i = 0; room->game && i < room->game->role_count; i++) {
        bw_seat *seat = room->seats[i];
        if (!seat) continue;
        bw_memory_free(memory, seat->name);
        bw_memory_free(memory, seat->level);
        bw_memory_free(memory, seat->file_name);
        bw_memory_free(memory, seat->file_level);
        bw_memory_free(memory, seat->next_hash);
        bw_answers_clear(memory, &seat->answers);
        bw_memory_free(memory, seat);
    }
    bw_memory_free(memory, room->seats);
    bw_memory_free(memory, room->config);
    bw_room_drop_match(room);
    bw_memory_free(memory, room->given);
    bw_memory_free(memory, room->base[0]);
    bw_memory_free(memory, room->base[1]);
    bw_buffer_clear(memory, &room->moves);
    bw_buffer_clear(memory, &room->bare);
    room->game = NULL;
    room->seats = NULL;
    room->config = NULL;
    room->given = NULL;
    room->base[0] = room->base[1] = NULL;
    room->created_at = room->started_at = room->ended_at = room->seq = 0;
    room->record_count = room->snapshot_index = room->move_count = room->moves_before = 0;
    room->keeps_all = false;
    room->resigned = room->agreed = room->ready = 0;
    room->ready_from = room->clock_started_at = 0;
    room->replays_written = 0;
    room->solver_result = (bw_solver_result){0};
    room->swap = false;
    room->replay_id[0] = room->next_room[0] = 0;
}

const bw_seat *bw_seat_at(const bw_room *room, int seat) {
    static const bw_seat empty;
    return room->seats[seat] ? room->seats[seat] : &empty;
}

bw_seat *bw_seat_use(bw_room *room, int seat) {
    bw_seat **at = &room->seats[seat];
    if (!*at) *at = bw_memory_new(&room->scratch->memory, sizeof **at);
    return *at;
}

uint32_t bw_bot_seats(const bw_room *room) {
    uint32_t bots = 0;
    for (int i = 0; i < room->game->role_count; i++) {
        if (room->seats[i] && room->seats[i]->level) bots |= 1u << i;
    }
    return bots;
}

uint32_t bw_filled_seats(const bw_room *room) { return room->present | bw_bot_seats(room); }

bw_status bw_room_status(const bw_room *room) {
    if (room->started_at) return room->ended_at ? BW_STATUS_ENDED : BW_STATUS_ACTIVE;
    int filled = 0;
    for (uint32_t left = bw_filled_seats(room); left; left &= left - 1) filled++;
    int wanted = room->game->flags & BW_GAME_OPEN_SEATS ? room->game->seats_min : room->game->role_count;
    return filled >= wanted ? BW_STATUS_CONFIGURING : BW_STATUS_WAITING;
}

bool bw_room_paused(const bw_room *room) {
    if (!room->started_at || room->ended_at || room->game->flags & (BW_GAME_ROUNDS | BW_GAME_KEEPS_TIME)) return false;
    return (*bw_room_match(room)->seats & ~room->resigned & ~bw_filled_seats(room)) != 0;
}

bool bw_may_configure(const bw_room *room, int seat) { return !(room->present & 1) || seat == 0; }

bool bw_getting_ready(const bw_room *room) {
    return room->game->flags & BW_GAME_ROUNDS && room->started_at && !room->ended_at && !room->clock_started_at;
}

bool bw_clock_runs_from_start(const bw_room *room, bool vacant) {
    const bw_game *game = room->game;
    return game->flags & BW_GAME_ROUNDS && !vacant &&
           (!game->ready_ms || game->ready_ms(bw_room_match(room)->config) == 0);
}

uint32_t bw_ready_seats(const bw_room *room) { return room->ready | bw_bot_seats(room); }

bool bw_seats_taken(const bw_room *room) {
    uint32_t seats = *bw_room_match(room)->seats;
    for (int i = 0; i < room->game->role_count; i++) {
        if (seats >> i & 1 && !bw_seat_at(room, i)->held && !bw_seat_at(room, i)->level) return false;
    }
    return true;
}

int64_t bw_ready_until(const bw_room *room) {
    if (!bw_getting_ready(room) || !room->ready_from) return 0;
    return room->ready_from + (room->game->ready_ms ? room->game->ready_ms(bw_room_match(room)->config) : 0);
}

const bw_solver_result *bw_solver_result_of(const bw_room *room, const bw_match *match) {
    const bw_solver_result *result = &room->solver_result;
    bool current = room->game->puzzle && result->moves && result->puzzle == room->game->puzzle(match->state);
    return current ? result : NULL;
}

/* ---- today ---- */

/* Days since the epoch to a date (Hinnant 2013, "chrono-compatible low-level date algorithms"). */
static void write_date(int64_t ms, char text[11]) {
    int64_t z = ms / 86400000 + 719468, era = z / 146097;
    int64_t day_of_era = z - era * 146097;
    int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t shifted = (5 * day_of_year + 2) / 153;
    int64_t day = day_of_year - (153 * shifted + 2) / 5 + 1, month = shifted < 10 ? shifted + 3 : shifted - 9;
    int64_t year = year_of_era + era * 400 + (month <= 2);
    int64_t parts[8] = {year / 1000 % 10, year / 100 % 10, year / 10 % 10, year % 10,
                        month / 10,       month % 10,      day / 10,       day % 10};
    static const char places[] = "0123-45-67";
    for (size_t i = 0; i < sizeof places; i++) {
        text[i] = places[i] >= '0' && places[i] <= '7' ? (char)('0' + parts[places[i] - '0']) : places[i];
    }
}

void bw_set_date(const bw_game *game, void *config, void *action, int64_t wall_ms) {
    char today[11];
    write_date(wall_ms, today);
    game->set_date(today, config, action);
}

/* ---- the game's file ---- */

void bw_room_write_head(bw_out *out, const bw_room *room, bool with_seed, bw_chain *chain) {
    const bw_match *match = bw_room_match(room);
    bw_file_head head = {.game = room->game, .config = match->config, .seats = *match->seats};
    head.started_at = room->started_at;
    head.given = room->given;
    bw_sha256_of(match->seed, BW_SEED_BYTES, head.seed_hash);
    for (int i = 0; i < room->game->role_count; i++) {
        head.names[i] = bw_seat_at(room, i)->file_name;
        head.bots[i] = bw_seat_at(room, i)->file_level;
    }
    with_seed = with_seed || room->ended_at || BW_PLANTED(SEED_EARLY);
    bw_file_write_head(out, &head, with_seed ? match->seed : NULL, chain);
}

static void write_moves(bw_scratch *scratch, bw_out *out, const bw_room *room) {
    bw_move_reader reader = bw_moves_all(room);
    bw_move move = {.action = scratch->action};
    uint32_t number = 0;
    while (bw_move_next(&reader, &move)) {
        bw_out_text(out, "\n");
        bw_file_write_played(out, room->game, ++number, move.at - room->started_at, move.seat,
                             move.resigns ? NULL : move.action, move.hash);
    }
}

bw_bytes *bw_room_file(bw_scratch *scratch, const bw_room *room, bool with_seed) {
    enum { LINE = 256, HEAD = 4096 };
    bw_chain chain;
    bw_out out;
    /* Allocates the probable size at once: growing step by step would copy it each time. */
    size_t wanted = HEAD + (size_t)room->move_count * LINE;
    if (scratch->text_cap < wanted) {
        scratch->text = bw_memory_grow(&scratch->memory, scratch->text, wanted);
        scratch->text_cap = wanted;
    }
    do {
        out = bw_out_to(scratch->text, scratch->text_cap);
        bw_room_write_head(&out, room, with_seed, &chain);
        write_moves(scratch, &out, room);
        if (room->ended_at) {
            chain = room->chain;
            bw_out_text(&out, "\n");
            bw_file_write_result(&out, &chain, bw_room_match(room), room->ended_at);
        }
        bw_out_text(&out, "\n");
    } while (bw_grow(scratch, &out, &scratch->text, &scratch->text_cap));
    scratch->work += bw_cost_of_text(out.length);
    return bw_bytes_new(out.at, out.length);
}

/* ---- answers ---- */

/* An acknowledgement is stored as the difference from the previous one, because both numbers mostly rise by 1 or 2. */
struct bw_acks {
    int64_t id, seq;           /* the base of the first one */
    int64_t last_id, last_seq; /* the newest, which is the base of the next one */
    uint16_t count, length, cap;
    uint8_t bytes[];
};

static void take_ack(const struct bw_acks *acks, size_t *offset, int64_t *id, int64_t *seq) {
    *id += bw_number_unsigned(bw_number_take(acks->bytes, offset));
    *seq += bw_number_unsigned(bw_number_take(acks->bytes, offset));
}

static void forget_oldest_ack(bw_answers *answers) {
    struct bw_acks *acks = answers->acks;
    size_t offset = 0;
    take_ack(acks, &offset, &acks->id, &acks->seq);
    acks->count--;
    acks->length = (uint16_t)(acks->length - offset);
    memmove(acks->bytes, acks->bytes + offset, acks->length);
    answers->forgotten = acks->id > answers->forgotten ? acks->id : answers->forgotten;
}

static void pack(bw_memory *memory, bw_answers *answers, const bw_answer *answer) {
    enum { SPARE = 16 };
    if (answers->acks && answers->acks->count == BW_ANSWERS_MAX) forget_oldest_ack(answers);
    struct bw_acks *acks = answers->acks;
    uint8_t packed[2 * BW_NUMBER_BYTES];
    size_t added = bw_number_put(packed, bw_number_signed(answer->id - (acks ? acks->last_id : 0)));
    added += bw_number_put(packed + added, bw_number_signed(answer->seq - (acks ? acks->last_seq : 0)));
    size_t length = (acks ? acks->length : 0) + added;
    if (!acks || acks->cap < length) {
        acks = bw_memory_grow(memory, acks, sizeof *acks + length + SPARE);
        acks->cap = (uint16_t)(length + SPARE);
        answers->acks = acks;
    }
    memcpy(acks->bytes + acks->length, packed, added);
    acks->length = (uint16_t)length;
    acks->last_id = answer->id;
    acks->last_seq = answer->seq;
    acks->count++;
}

bool bw_answers_next(const bw_answers *answers, bw_answers_position *position, bw_answer *answer) {
    const struct bw_acks *acks = answers->acks;
    size_t count = acks ? acks->count : 0, index = position->index++;
    if (index < count) {
        position->id = index == 0 ? acks->id : position->id;
        position->seq = index == 0 ? acks->seq : position->seq;
        take_ack(acks, &position->offset, &position->id, &position->seq);
        *answer = (bw_answer){.id = position->id, .seq = position->seq};
        return true;
    }
    if (index - count < answers->list.count) {
        *answer = *(const bw_answer *)bw_queue_item(&answers->list, index - count);
        return true;
    }
    return false;
}

bool bw_answers_find(const bw_answers *answers, int64_t id, bw_answer *found) {
    if (id > answers->highest) return false;
    for (size_t i = answers->list.count; i-- > 0;) { /* the newest first */
        const bw_answer *answer = bw_queue_item(&answers->list, i);
        if (answer->id != id) continue;
        *found = *answer;
        return true;
    }
    bw_answers_position position = {0};
    size_t count = answers->acks ? answers->acks->count : 0;
    bw_answer answer;
    bool there = false;
    while (position.index < count && bw_answers_next(answers, &position, &answer)) {
        if (answer.id != id) continue;
        *found = answer;
        there = true;
    }
    return there;
}

/* Moves answers that can no longer be rolled back to the packed list. Returns how many refusals remain. */
static size_t settle(bw_memory *memory, bw_answers *answers, uint64_t durable) {
    size_t refusals = 0;
    for (size_t n = answers->list.count; n > 0; n--) {
        bw_answer answer = *(bw_answer *)bw_queue_front(&answers->list);
        bw_queue_drop(&answers->list);
        if (!answer.refusal && answer.ticket <= durable) {
            pack(memory, answers, &answer);
        } else {
            *(bw_answer *)bw_queue_add(memory, &answers->list, sizeof answer) = answer;
            refusals += answer.refusal != NULL;
        }
    }
    return refusals;
}

void bw_answers_add(bw_memory *memory, bw_answers *answers, bw_answer answer, uint64_t durable) {
    size_t refusals = settle(memory, answers, durable);
    if ((answer.refusal && refusals == BW_ANSWERS_MAX) || answers->list.count == 2 * BW_ANSWERS_MAX) {
        bw_answer *oldest = bw_queue_front(&answers->list);
        if (oldest->id > answers->forgotten) answers->forgotten = oldest->id;
        bw_bytes_release(oldest->refusal);
        bw_queue_drop(&answers->list);
    }
    *(bw_answer *)bw_queue_add(memory, &answers->list, sizeof answer) = answer;
    answers->highest = answer.id > answers->highest ? answer.id : answers->highest;
}

void bw_answers_rollback(bw_memory *memory, bw_answers *answers, uint64_t last_good) {
    bw_answers kept = {.acks = answers->acks, .forgotten = answers->forgotten, .highest = answers->highest};
    for (size_t i = 0; i < answers->list.count; i++) {
        bw_answer *answer = bw_queue_item(&answers->list, i);
        if (answer->ticket > last_good && !BW_PLANTED(KEEP_ANSWERS_OF_FAILED)) {
            bw_bytes_release(answer->refusal);
        } else {
            *(bw_answer *)bw_queue_add(memory, &kept.list, sizeof *answer) = *answer;
        }
    }
    bw_queue_clear(memory, &answers->list);
    *answers = kept;
}

void bw_answers_clear(bw_memory *memory, bw_answers *answers) {
    for (size_t i = 0; i < answers->list.count; i++) {
        bw_bytes_release(((bw_answer *)bw_queue_item(&answers->list, i))->refusal);
    }
    bw_queue_clear(memory, &answers->list);
    bw_memory_free(memory, answers->acks);
    *answers = (bw_answers){0};
}
