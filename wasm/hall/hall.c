#include "rooms/hall.h"
#include "engine/registry.h"
#include "wasm/hall/api.h"
#include "wasm/hall/heap.h"

#include <stdlib.h>

enum { HEAD_MAX = 2048, GAMES_MAX = 262144, ARENA_ALIGNMENT = 64, TEXT_MAX = 1024 };

typedef enum input_kind {
    INPUT_OPENED,
    INPUT_MESSAGE,
    INPUT_MESSAGE_TOO_LARGE,
    INPUT_PONG,
    INPUT_CLOSED,
    INPUT_CREATE,
    INPUT_STATE,
    INPUT_LOG,
    INPUT_REPLAY,
    INPUT_SHARE,
    INPUT_BRING,
    INPUT_JOURNALLED,
    INPUT_JOURNAL_FAILED,
    INPUT_LOADED,
    INPUT_LOAD_FAILED,
    INPUT_REPLAY_LOADED,
    INPUT_SWEPT,
    INPUT_BOT_ANSWER,
    INPUT_TICK,
} input_kind;

/* One instance of the module is one hall, so globals are fine. */
static bw_hall *hall;
static unsigned char *room; /* buffer for inputs */
static uint32_t room_cap;
static bw_bytes *held; /* of the last output */
static char head[HEAD_MAX];
static const unsigned char *body;
static uint32_t body_length;
static unsigned char *answer;

/* An input, read piece by piece. */
typedef struct input {
    const unsigned char *at;
    uint32_t length;
} input;

unsigned char *bw_hall_room(uint32_t length) {
    if (length >= room_cap) {
        free(room);
        room_cap = length + 1;
        room = malloc(room_cap);
        if (!room) __builtin_trap();
    }
    return room;
}

static const char *take_text(input *in) {
    const unsigned char *end = memchr(in->at, 0, in->length);
    if (!end) __builtin_trap();
    const char *text = (const char *)in->at;
    in->length -= (uint32_t)(end + 1 - in->at);
    in->at = end + 1;
    return text;
}

static uint32_t take_u32(input *in) {
    uint32_t value;
    if (in->length < sizeof value) __builtin_trap();
    memcpy(&value, in->at, sizeof value);
    in->at += sizeof value;
    in->length -= (uint32_t)sizeof value;
    return value;
}

static const unsigned char *take_bytes(input *in, uint32_t length) {
    if (in->length < length) __builtin_trap();
    const unsigned char *at = in->at;
    in->at += length;
    in->length -= length;
    return at;
}

void bw_hall_start(double hibernate_ms, double forget_ms, int unlisted) {
    /* Players may do as they like with their own memory: there are no limits per address. */
    bw_hall_settings settings = {
        .room_cleanup_ms = INT64_C(100) * 365 * 24 * 3600 * 1000, /* players delete their games themselves */
        .seat_grace_ms = 15000,
        .away_ms = 60000,
        .hibernate_ms = (int64_t)hibernate_ms,
        .forget_ms = (int64_t)forget_ms,
        .own_device = true,
        .unlisted_games = unlisted != 0,
    };
    hall = bw_hall_new(&settings, room);
    if (!hall) __builtin_trap();
}

static void loaded(bw_now now, input in) {
    bw_stored_room stored = {0};
    const char *id = take_text(&in);
    if (in.length == 0) {
        bw_hall_loaded(hall, now, id, NULL, NULL);
        return;
    }
    bw_out name = bw_out_to(stored.room, BW_ROOM_ID_MAX);
    bw_out_text(&name, id);
    stored.snapshot_index = take_u32(&in);
    stored.snapshot_length = take_u32(&in);
    const unsigned char *snapshot = take_bytes(&in, (uint32_t)stored.snapshot_length);
    if (stored.snapshot_length > 0) stored.snapshot = snapshot;
    input rest = in;
    for (; rest.length > 0; stored.record_count++) {
        take_u32(&rest);
        take_bytes(&rest, take_u32(&rest));
    }
    bw_stored_record *records = calloc(stored.record_count + 1, sizeof *records);
    if (!records) __builtin_trap();
    for (size_t i = 0; i < stored.record_count; i++) {
        records[i].index = take_u32(&in);
        records[i].length = take_u32(&in);
        records[i].bytes = take_bytes(&in, (uint32_t)records[i].length);
    }
    stored.records = records;
    bw_hall_loaded(hall, now, id, &stored, NULL);
    free(records);
}

static void swept(bw_now now, input in) {
    size_t count = 0;
    for (uint32_t i = 0; i < in.length; i++) count += in.at[i] == 0;
    char(*rooms)[BW_ROOM_ID_MAX + 1] = calloc(count + 1, sizeof *rooms);
    if (!rooms) __builtin_trap();
    for (size_t i = 0; i < count; i++) {
        bw_out name = bw_out_to(rooms[i], BW_ROOM_ID_MAX);
        bw_out_text(&name, take_text(&in));
    }
    bw_hall_swept(hall, now, (const char(*)[BW_ROOM_ID_MAX + 1]) rooms, count);
    free(rooms);
}

static void bot_answer(bw_now now, uint64_t work, input in) {
    uint32_t count = take_u32(&in);
    unsigned char *aligned = malloc(in.length + 1);
    if (!aligned) __builtin_trap();
    memcpy(aligned, in.at, in.length);
    bw_hall_bot_answer(hall, now, work, aligned, count);
    free(aligned);
}

void bw_hall_input(int kind, double mono, double wall, double number, uint32_t length) {
    bw_now now = {.mono_us = (int64_t)(mono * 1000), .wall_ms = (int64_t)wall};
    uint64_t n = (uint64_t)number;
    input in = {room, length};
    const char *bytes = (const char *)room, *text;
    if (length > 0) room[length] = 0;
    switch ((input_kind)kind) {
    case INPUT_OPENED:
        text = take_text(&in);
        bytes = take_text(&in);
        bw_hall_opened(hall, now, n, text, bytes[0] ? bytes : NULL, "");
        break;
    case INPUT_MESSAGE: bw_hall_message(hall, now, n, bytes, length); break;
    case INPUT_MESSAGE_TOO_LARGE: bw_hall_message_too_large(hall, now, n); break;
    case INPUT_PONG: bw_hall_pong(hall, now, n); break;
    case INPUT_CLOSED: bw_hall_closed(hall, now, n); break;
    case INPUT_CREATE: bw_hall_http_create(hall, now, n, bytes, length, ""); break;
    case INPUT_STATE: bw_hall_http_state(hall, now, n, take_text(&in), ""); break;
    case INPUT_LOG: bw_hall_http_log(hall, now, n, take_text(&in), ""); break;
    case INPUT_REPLAY: bw_hall_http_replay(hall, now, n, take_text(&in), ""); break;
    case INPUT_SHARE: bw_hall_http_share(hall, now, n, bytes, length, ""); break;
    case INPUT_BRING: bw_hall_http_bring(hall, now, n, bytes, length, ""); break;
    case INPUT_JOURNALLED: bw_hall_journalled(hall, now, n); break;
    case INPUT_JOURNAL_FAILED: bw_hall_journal_failed(hall, now, n, take_text(&in), false); break;
    case INPUT_LOADED: loaded(now, in); break;
    case INPUT_LOAD_FAILED:
        text = take_text(&in);
        bw_hall_loaded(hall, now, text, NULL, take_text(&in));
        break;
    case INPUT_REPLAY_LOADED:
        bw_hall_replay_loaded(hall, now, n, length > 0 ? (const uint8_t *)room : NULL, length);
        break;
    case INPUT_SWEPT: swept(now, in); break;
    case INPUT_BOT_ANSWER: bot_answer(now, n, in); break;
    case INPUT_TICK: bw_hall_tick(hall, now); break;
    }
}

/* ---- outputs ---- */

static void put_text(bw_out *out, const char *name, const char *text) {
    bw_out_text(out, ",\"");
    bw_out_text(out, name);
    bw_out_text(out, "\":");
    bw_out_string(out, text);
}

static void put_int(bw_out *out, const char *name, int64_t value) {
    bw_out_text(out, ",\"");
    bw_out_text(out, name);
    bw_out_text(out, "\":");
    bw_out_int(out, value);
}

static void put_entry(bw_out *out, const bw_entry *entry) {
    static const char *const kinds[] = {"record", "snapshot", "touch", "forget", "replay"};
    const char status[] = {(char)entry->status, 0};
    put_int(out, "ticket", (int64_t)entry->ticket);
    put_text(out, "kind", kinds[entry->kind]);
    put_text(out, "room", entry->room);
    put_int(out, "index", entry->index);
    put_text(out, "status", status);
    put_int(out, "changed_at", entry->changed_at);
    put_text(out, "replay_id", entry->replay_id);
    body = entry->bytes;
    body_length = (uint32_t)entry->length;
}

static void put_bot_job(bw_out *out, const bw_bot_job *job) {
    uint8_t seed[8];
    for (int i = 0; i < 8; i++) seed[i] = (uint8_t)(job->seed >> (56 - 8 * i));
    put_int(out, "work", (int64_t)job->work);
    put_text(out, "game", job->game->id);
    put_int(out, "rules_version", job->game->rules_version);
    put_text(out, "level", job->bot ? job->bot->level : "");
    put_int(out, "seat", job->seat);
    bw_out_text(out, ",\"seed\":\"");
    bw_out_hex(out, seed, sizeof seed);
    bw_out_text(out, "\"");
    put_int(out, "budget_ms", job->budget_ms);
}

static void put_output(bw_out *out, const bw_output *output) {
    static const char *const kinds[] = {"send",   "close", "ping",  "reply",     "append",   "load",
                                        "replay", "sweep", "think", "ask_model", "hand_over"};
    bw_out_text(out, "{\"out\":");
    bw_out_string(out, kinds[output->kind]);
    switch (output->kind) {
    case BW_OUT_APPEND: put_entry(out, &output->entry); break;
    case BW_OUT_BOT_JOB: put_bot_job(out, &output->job); break;
    case BW_OUT_LOAD: put_text(out, "room", output->room); break;
    case BW_OUT_SWEEP:
        put_int(out, "ended_before", output->ended_before);
        put_int(out, "unstarted_before", output->unstarted_before);
        break;
    case BW_OUT_HAND_OVER: break;                                 /* there are no nodes */
    case BW_OUT_REPLAY: put_text(out, "replay_id", output->room); /* fall through */
    default:
        put_int(out, "conn", (int64_t)output->conn);
        put_int(out, "code", output->code);
        put_text(out, "reason", output->reason ? output->reason : "");
    }
    bw_out_text(out, "}");
}

uint32_t bw_hall_output(void) {
    bw_output output;
    bw_bytes_release(held);
    held = NULL;
    if (!bw_hall_next(hall, &output)) return 0;
    held = output.bytes;
    body = held ? (const unsigned char *)held->at : NULL;
    body_length = held ? held->length : 0;
    bw_out out = bw_out_to(head, sizeof head);
    put_output(&out, &output);
    if (out.overflow) __builtin_trap();
    return (uint32_t)out.length;
}

const char *bw_hall_head(void) { return head; }
const unsigned char *bw_hall_body(void) { return body; }
uint32_t bw_hall_body_length(void) { return body_length; }

double bw_hall_due(void) {
    if (bw_hall_busy(hall)) return 0;
    int64_t deadline = bw_hall_deadline(hall);
    return deadline == INT64_MAX ? (double)__builtin_inf() : (double)deadline / 1000;
}

static unsigned char *answer_of(size_t bytes) {
    free(answer);
    answer = calloc(1, bytes);
    if (!answer) __builtin_trap();
    return answer;
}

void bw_hall_games(void) {
    bw_out out = bw_out_to((char *)answer_of(GAMES_MAX), GAMES_MAX);
    bw_games_json(&out);
    if (out.overflow) __builtin_trap();
    body = answer;
    body_length = (uint32_t)out.length;
}

/* ---- thinking ---- */

__attribute__((import_module("boardwalk"), import_name("keep_going"))) extern int keep_going_now(void);

static bool keep_going(void *user) {
    (void)user;
    return keep_going_now() != 0;
}

void bw_hall_think(int seat, uint32_t seed_high, uint32_t seed_low, uint32_t length) {
    input in = {room, length};
    const char *game_id = take_text(&in), *level = take_text(&in);
    uint32_t version = take_u32(&in);
    const bw_game *game = bw_game_find_version(game_id, version);
    if (!game || in.length < game->view->size + game->config->size) __builtin_trap();
    unsigned char *seen = malloc(in.length + ARENA_ALIGNMENT);
    if (!seen) __builtin_trap();
    memcpy(seen, in.at, in.length);
    bw_bot_job job = {.game = game,
                      .bot = level[0] ? bw_bot_find(game, level) : NULL,
                      .solver = level[0] ? NULL : bw_solver_find(game),
                      .seat = seat,
                      .seed = (uint64_t)seed_high << 32 | seed_low,
                      .view = seen,
                      .config = seen + in.length - game->config->size};
    if (!job.bot && !job.solver) __builtin_trap();
    size_t bytes = bw_bot_job_arena_bytes(&job);
    unsigned char *arena = malloc(bytes + ARENA_ALIGNMENT);
    bw_thinking thinking = {.seed = job.seed,
                            .effort = 100,
                            .keep_going = keep_going,
                            .arena = arena + (ARENA_ALIGNMENT - (uintptr_t)arena % ARENA_ALIGNMENT),
                            .arena_bytes = bytes};
    uint32_t count = 0;
    size_t size = bw_bot_job_answer_bytes(&job);
    unsigned char *at = answer_of(16 + size);
    if (arena) count = bw_bot_job_run(&job, &thinking, at + 16);
    memcpy(at + 12, &count, sizeof count); /* the answer itself is aligned */
    body = at + 12;
    body_length = (uint32_t)(sizeof count + size);
    free(arena);
    free(seen);
}

double bw_hall_held(void) { return (double)heap_used(); }
