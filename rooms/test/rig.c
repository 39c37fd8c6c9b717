#include "rooms/test/rig.h"

#include "engine/file.h"

#include <stdio.h>

const bw_hall_settings rig_settings = {.room_cleanup_ms = 300000,
                                       .seat_grace_ms = 15000,
                                       .away_ms = 60000,
                                       .hibernate_ms = 60000,
                                       .forget_ms = 3600000,
                                       .rooms_per_address_per_minute = 60,
                                       .unlisted_games = true};

static const uint8_t key[32] = {7, 1, 2};

rig *rig_new_with(const bw_hall_settings *settings) {
    rig *r = calloc(1, sizeof *r);
    r->settings = *settings;
    r->journal = bw_memory_journal_new();
    r->hall = bw_hall_new(settings, key);
    r->now = (bw_now){.mono_us = 1000000, .wall_ms = 1700000000000};
    assert_non_null(r->hall);
    rig_run(r);
    return r;
}

rig *rig_new(void) { return rig_new_with(&rig_settings); }

static void forget_texts(rig_conn *conn) {
    for (; conn->count > 0; conn->count--) free(conn->texts[conn->first++]);
    conn->first = 0;
}

static void drop_conn(rig_conn *conn) {
    forget_texts(conn);
    free(conn->texts);
    free(conn->body);
    memset(conn, 0, sizeof *conn);
}

static void drop_hall(rig *r) {
    for (size_t i = 0; i < r->thinking_count; i++) bw_bytes_release(r->thinking[i].bytes);
    r->thinking_count = r->load_count = 0;
    bw_hall_free(r->hall);
}

void rig_free(rig *r) {
    assert_int_equal(bw_memory_journal_faults(r->journal), 0);
    drop_hall(r);
    for (int i = 0; i < RIG_CONNS; i++) drop_conn(&r->conns[i]);
    bw_memory_journal_free(r->journal);
    free(r);
}

void rig_restart(rig *r) {
    uint8_t other[32];
    memcpy(other, key, sizeof other);
    other[5] = (uint8_t)(r->now.wall_ms & 0xff);
    bw_memory_journal_crash(r->journal, 0);
    drop_hall(r);
    for (int i = 0; i < RIG_CONNS; i++) drop_conn(&r->conns[i]);
    r->now.mono_us = 5000000; /* another boot has another clock */
    r->now.wall_ms += 1000;
    r->hall = bw_hall_new(&r->settings, other);
    rig_run(r);
}

static void receive(rig *r, const bw_output *out) {
    assert_true(out->conn < RIG_CONNS);
    rig_conn *conn = &r->conns[out->conn];
    if (!conn->open) {
        return; /* it closed while this was in flight */
    }
    if (conn->first + conn->count == conn->cap) {
        conn->cap = conn->cap ? conn->cap * 2 : 16;
        conn->texts = realloc(conn->texts, conn->cap * sizeof *conn->texts);
    }
    conn->texts[conn->first + conn->count++] = strndup(out->bytes->at, out->bytes->length);
}

static void run_bot_job(rig *r, const bw_output *out) {
    const bw_bot_job *t = &out->job;
    bw_thinking thinking = {.seed = t->seed, .effort = 100, .arena_bytes = bw_bot_job_arena_bytes(t)};
    thinking.arena = aligned_alloc(64, (thinking.arena_bytes + 63) / 64 * 64 + 64);
    uint64_t *answer = malloc(bw_bot_job_answer_bytes(t) + 8);
    uint32_t count = bw_bot_job_run(t, &thinking, answer);
    r->asked_bots += t->bot != NULL;
    bw_hall_bot_answer(r->hall, r->now, t->work, answer, count);
    free(answer);
    free(thinking.arena);
}

static void load(rig *r, const char *room) {
    r->loaded++;
    if (r->unreadable) bw_hall_loaded(r->hall, r->now, room, NULL, "The disk cannot be read.");
    else bw_hall_loaded(r->hall, r->now, room, bw_memory_journal_load(r->journal, room), NULL);
}

static void carry_out(rig *r, bw_output *out) {
    char rooms[64][BW_ROOM_ID_MAX + 1];
    size_t length;
    const uint8_t *bytes;
    switch (out->kind) {
    case BW_OUT_SEND: receive(r, out); break;
    case BW_OUT_CLOSE:
        r->conns[out->conn].closed_with = out->code;
        r->conns[out->conn].open = false;
        break;
    case BW_OUT_PING: r->conns[out->conn].pings++; break;
    case BW_OUT_REPLY:
        r->conns[out->conn].status = out->code;
        free(r->conns[out->conn].body);
        r->conns[out->conn].body = strndup(out->bytes->at, out->bytes->length);
        break;
    case BW_OUT_APPEND:
        r->appended++;
        bw_memory_journal_append(r->journal, &out->entry);
        break;
    case BW_OUT_LOAD:
        if (r->hold_loads) memcpy(r->loads[r->load_count++], out->room, sizeof r->loads[0]);
        else load(r, out->room);
        break;
    case BW_OUT_REPLAY:
        bytes = bw_memory_journal_replay(r->journal, out->room, &length);
        bw_hall_replay_loaded(r->hall, r->now, out->conn, bytes, bytes ? length : 0);
        break;
    case BW_OUT_SWEEP:
        length = bw_memory_journal_sweep(r->journal, out->ended_before, out->unstarted_before, rooms, 64);
        bw_hall_swept(r->hall, r->now, (const char(*)[BW_ROOM_ID_MAX + 1]) rooms, length);
        break;
    case BW_OUT_BOT_JOB:
        if (r->hold_bots) {
            r->thinking[r->thinking_count++] = *out;
            return;
        }
        run_bot_job(r, out);
        break;
    case BW_OUT_ASK_MODEL:
        memcpy(r->asked_model, out->bytes->at, out->bytes->length);
        r->model_work = out->work;
        break;
    case BW_OUT_HAND_OVER:
        memcpy(r->moving[r->moving_count].room, out->room, sizeof r->moving[0].room);
        r->moving[r->moving_count++].round_us = out->round_us;
        break;
    }
    bw_bytes_release(out->bytes);
}

void rig_run(rig *r) {
    bw_output out;
    for (;;) {
        while (bw_hall_next(r->hall, &out)) carry_out(r, &out);
        if (bw_hall_busy(r->hall) && !r->hold_jobs) { /* the clock advances while it works */
            r->now.mono_us += 2000;
            r->now.wall_ms += 2;
            bw_hall_tick(r->hall, r->now);
            continue;
        }
        if (bw_memory_journal_waiting(r->journal) == 0 || (r->hold && !r->full)) return;
        if (r->full) {
            (r->doubt ? bw_memory_journal_doubt : bw_memory_journal_drop)(r->journal);
            bw_hall_journal_failed(r->hall, r->now, 0, "The server's disk is full.", r->doubt);
        } else {
            bw_hall_journalled(r->hall, r->now, bw_memory_journal_commit(r->journal, SIZE_MAX));
        }
    }
}

void rig_commit(rig *r) {
    bool held = r->hold;
    r->hold = false;
    rig_run(r);
    r->hold = held;
}

void rig_loads(rig *r) {
    size_t count = r->load_count;
    r->load_count = 0;
    for (size_t i = 0; i < count; i++) load(r, r->loads[i]);
    rig_run(r);
}

void rig_bots(rig *r) {
    size_t count = r->thinking_count;
    r->thinking_count = 0;
    for (size_t i = 0; i < count; i++) {
        run_bot_job(r, &r->thinking[i]);
        bw_bytes_release(r->thinking[i].bytes);
    }
    rig_run(r);
}

/* Open connections answer pings. */
static void answer_pings(rig *r) {
    for (int i = 0; i < RIG_CONNS; i++) {
        if (r->conns[i].open && r->conns[i].pings > 0 && !r->conns[i].mute) {
            r->conns[i].pings = 0;
            bw_hall_pong(r->hall, r->now, (uint64_t)i);
        }
    }
}

uint64_t rig_work(const rig *r) {
    bw_hall_figures figures;
    bw_hall_figures_of(r->hall, &figures);
    return figures.work_total;
}

void rig_advance(rig *r, int64_t ms) {
    int64_t end = r->now.mono_us + ms * 1000;
    for (int64_t due; (due = bw_hall_deadline(r->hall)) <= end;) {
        due = due > r->now.mono_us ? due : r->now.mono_us;
        r->now.wall_ms += (due - r->now.mono_us) / 1000;
        r->now.mono_us = due;
        bw_hall_tick(r->hall, r->now);
        rig_run(r);
        answer_pings(r);
    }
    r->now.wall_ms += (end - r->now.mono_us) / 1000;
    r->now.mono_us = end;
}

void rig_stall(rig *r, int64_t ms) {
    r->now.mono_us += ms * 1000;
    r->now.wall_ms += ms;
    answer_pings(r);
    bw_hall_tick(r->hall, r->now);
    rig_run(r);
}

void rig_open(rig *r, int conn, const char *room, const char *game) {
    drop_conn(&r->conns[conn]);
    r->conns[conn].open = true;
    bw_hall_opened(r->hall, r->now, (uint64_t)conn, room, game, "192.0.2.1");
    rig_run(r);
}

void rig_close(rig *r, int conn) {
    r->conns[conn].open = false;
    bw_hall_closed(r->hall, r->now, (uint64_t)conn);
    rig_run(r);
}

void rig_say_raw(rig *r, int conn, const char *text, size_t length) {
    bw_hall_message(r->hall, r->now, (uint64_t)conn, text, length);
    rig_run(r);
}

void rig_say(rig *r, int conn, const char *format, ...) {
    char text[8192];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    for (int i = 0; i < length; i++) text[i] = text[i] == '\'' ? '"' : text[i];
    rig_say_raw(r, conn, text, (size_t)length);
}

json_t *rig_next(rig *r, int conn) {
    rig_conn *from = &r->conns[conn];
    json_error_t error;
    if (from->count == 0) return NULL;
    char *text = from->texts[from->first++];
    from->first = --from->count ? from->first : 0;
    json_t *message = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!message) print_error("not JSON: %s: %s\n", error.text, text);
    free(text);
    assert_non_null(message);
    return message;
}

json_t *rig_await(rig *r, int conn, const char *type) {
    json_t *message;
    while ((message = rig_next(r, conn))) {
        if (strcmp(json_string_value(json_object_get(message, "type")), type) == 0) return message;
        json_decref(message);
    }
    fail_msg("connection %d was sent no %s", conn, type);
    return NULL;
}

json_t *rig_last(rig *r, int conn, const char *type) {
    json_t *message, *last = NULL;
    while ((message = rig_next(r, conn))) {
        if (strcmp(json_string_value(json_object_get(message, "type")), type) == 0) {
            json_decref(last);
            last = message;
        } else {
            json_decref(message);
        }
    }
    return last;
}

void rig_clear(rig *r) {
    for (int i = 0; i < RIG_CONNS; i++) forget_texts(&r->conns[i]);
}

size_t rig_count(const rig *r, int conn) { return r->conns[conn].count; }

void rig_await_error(rig *r, int conn, const char *code) {
    json_t *error = rig_await(r, conn, "error");
    assert_string_equal(json_string_value(json_object_get(error, "code")), code);
    assert_true(strlen(json_string_value(json_object_get(error, "message"))) > 8);
    json_decref(error);
}

void rig_await_ack(rig *r, int conn, long id) {
    json_t *ack = rig_await(r, conn, "ack");
    assert_int_equal(json_integer_value(json_object_get(ack, "id")), id);
    json_decref(ack);
}

static const json_t *follow(const json_t *at, const char *path) {
    char part[64];
    while (at && *path) {
        size_t length = strcspn(path, ".");
        memcpy(part, path, length);
        part[length] = 0;
        at = json_is_array(at) ? json_array_get(at, (size_t)strtol(part, NULL, 10)) : json_object_get(at, part);
        path += length + (path[length] == '.');
    }
    return at;
}

const char *rig_text(const json_t *at, const char *path) {
    const json_t *value = follow(at, path);
    if (!value) return "absent";
    switch (json_typeof(value)) {
    case JSON_STRING: return json_string_value(value);
    case JSON_TRUE: return "true";
    case JSON_FALSE: return "false";
    case JSON_NULL: return "null";
    case JSON_OBJECT: return "object";
    case JSON_ARRAY: return "array";
    default: return "number";
    }
}

long rig_int(const json_t *at, const char *path) {
    const json_t *value = follow(at, path);
    assert_true(json_is_integer(value));
    return (long)json_integer_value(value);
}

const char *rig_seat(rig *r, int conn, const char *role) {
    static char token[RIG_CONNS][40];
    rig_say(r, conn, "{'type':'select_role','role':'%s'}", role);
    json_t *state = rig_last(r, conn, "room_state");
    assert_non_null(state);
    assert_string_equal(rig_text(state, "you.role"), role);
    memcpy(token[conn], rig_text(state, "you.token"), 33);
    json_decref(state);
    return token[conn];
}

static void verify(const char *file, bool running) {
    static bw_token tokens[4096];
    bw_error_text why;
    int error;
    const bw_game *game = bw_file_game(file, strlen(file), &error, &why);
    assert_non_null(game);
    bw_file_reader reader = {.tokens = tokens, .token_cap = 4096};
    reader.block = malloc(reader.block_bytes = bw_match_bytes(game));
    reader.events = malloc(reader.events_bytes = (size_t)game->max_events * game->events->size);
    reader.action = malloc(reader.action_bytes = game->actions->size);
    bool holds = bw_file_verify(file, strlen(file), &reader) == 0;
    if (running) holds = !holds && strstr(reader.error.text, "the result is missing");
    if (!holds) fail_msg("%s", reader.error.text);
    free(reader.block);
    free(reader.events);
    free(reader.action);
}

void rig_verify(const char *file) { verify(file, false); }

void rig_verify_running(const char *file) { verify(file, true); }

void rig_island(rig *r, const char *room, int width, int height) {
    rig_open(r, 1, room, NULL);
    rig_open(r, 2, room, NULL);
    rig_seat(r, 1, "journeyman");
    rig_seat(r, 2, "weather");
    rig_say(r, 1, "{'type':'configure_grid','width':%d,'height':%d}", width, height);
    json_t *state = rig_last(r, 1, "room_state");
    assert_string_equal(rig_text(state, "state.game_status"), "active");
    json_decref(state);
    rig_clear(r);
}
