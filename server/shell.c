#include "server/shell.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "server/clock.h"
#include "server/node.h"

enum {
    GAMES_MAX = 256 * 1024,
    OUTPUTS_A_TICK = 32,   /* a round waits for at most this many outputs */
    TICKS_MAX = 64,        /* then others get their turn, however many rounds are due */
    UNUSED_MAX = 32 << 20, /* bytes; if a crowd leaves more than this free, it goes back to the system */
};

bw_now bw_shell_now(void) {
    struct timespec wall;
    clock_gettime(CLOCK_REALTIME, &wall);
    return (bw_now){.mono_us = bw_mono_us(), .wall_ms = wall.tv_sec * 1000 + wall.tv_nsec / 1000000};
}

/* The C library keeps freed memory, so a crowd's rooms would stay with the process for good. Once a minute, with the
 * sweep. */
static void give_back(bw_shell *shell) {
#ifdef __GLIBC__
    size_t unused = mallinfo2().fordblks;
    if (unused > shell->unused + UNUSED_MAX) malloc_trim(0);
    if (unused > shell->unused + UNUSED_MAX || unused < shell->unused) shell->unused = unused;
#else
    (void)shell;
#endif
}

/* ---- the hall's outputs ---- */

static void ask_model(bw_shell *shell, bw_output *out) {
    const char *prompt = out->bytes->at, *end = memchr(prompt, '\0', out->bytes->length);
    const char *text = end ? end + 1 : prompt;
    size_t prompt_length = end ? (size_t)(end - prompt) : 0;
    size_t text_length = out->bytes->length - (size_t)(text - prompt);
    if (!shell->model || !bw_model_ask(shell->model, out->work, prompt, prompt_length, text, text_length)) {
        bw_hall_model_answered(shell->hall, bw_shell_now(), out->work, NULL, 0);
    }
}

/* Each kind either takes ownership of `bytes` (and sets it to NULL) or leaves it. */
static void carry_out(bw_shell *shell, bw_output *out) {
    static const char *const no_memory = "The server is out of memory.";
    switch (out->kind) {
    case BW_OUT_SEND:
        bw_net_send(shell->net, out->conn, out->bytes);
        out->bytes = NULL;
        break;
    case BW_OUT_CLOSE: bw_net_close(shell->net, out->conn, out->code, out->reason); break;
    case BW_OUT_PING: bw_net_ping(shell->net, out->conn); break;
    case BW_OUT_REPLY:
        bw_api_answer(shell, out->conn, out->code, out->bytes);
        out->bytes = NULL;
        break;
    case BW_OUT_APPEND:
        bw_journal_append(shell->journal, &out->entry, out->bytes);
        out->bytes = NULL;
        break;
    case BW_OUT_LOAD:
        if (!bw_journal_load(shell->journal, out->room)) {
            bw_hall_loaded(shell->hall, bw_shell_now(), out->room, NULL, no_memory);
        }
        break;
    case BW_OUT_REPLAY:
        if (!bw_journal_read_replay(shell->journal, out->room, out->conn)) {
            bw_hall_replay_loaded(shell->hall, bw_shell_now(), out->conn, NULL, 0);
        }
        break;
    case BW_OUT_SWEEP:
        give_back(shell);
        if (!bw_journal_sweep(shell->journal, out->ended_before, out->unstarted_before)) {
            bw_hall_swept(shell->hall, bw_shell_now(), NULL, 0);
        }
        break;
    case BW_OUT_BOT_JOB:
        if (bw_workers_run(shell->workers, &out->job, out->bytes)) out->bytes = NULL;
        else bw_hall_bot_answer(shell->hall, bw_shell_now(), out->job.work, NULL, 0);
        break;
    case BW_OUT_ASK_MODEL: ask_model(shell, out); break;
    case BW_OUT_HAND_OVER:
        if (!bw_journal_hand_over(shell->journal, out->room, out->round_us)) {
            bw_hall_handed_over(shell->hall, bw_shell_now(), out->room);
        }
        break;
    }
    if (out->bytes) bw_bytes_release(out->bytes);
}

/* Plays rounds that have become due meanwhile. */
static bool tick_due(bw_shell *shell) {
    bw_now now = bw_shell_now();
    if (bw_hall_deadline(shell->hall) > now.mono_us) return false;
    bw_hall_tick(shell->hall, now);
    return true;
}

/* A node whose lease is over may have lost its rooms, without knowing it yet: so what it knows of them is told to nobody.
 * Its clients come back, to whoever has their room. */
static void keep_silent(bw_shell *shell) {
    if (!shell->nodes.hang_up) return;
    bool silent = !bw_journal_may_tell(shell->journal);
    if (silent && !shell->silent) bw_log_write(shell->log, BW_LOG_WARN, "lease_over", "hint=\"clients are sent away\"");
    shell->silent = silent;
    if (silent) shell->nodes.hang_up(shell->nodes.user);
}

void bw_shell_pump(bw_shell *shell) {
    bw_output out;
    int ticks = 0;
    do {
        keep_silent(shell);
        for (int carried = 1; bw_hall_next(shell->hall, &out); carried++) {
            carry_out(shell, &out);
            if (carried % OUTPUTS_A_TICK != 0) continue;
            tick_due(shell);
            keep_silent(shell);
        }
    } while (ticks++ < TICKS_MAX && tick_due(shell));
    int64_t deadline = bw_hall_deadline(shell->hall);
    if (deadline != shell->deadline) {
        shell->deadline = deadline;
        shell->set_deadline(shell->user, deadline);
    }
}

void bw_shell_tick(bw_shell *shell) {
    shell->deadline = INT64_MIN; /* the timer has run out */
    bw_shell_pump(shell);
}

/* ---- events of the net ---- */

static void on_request(void *user, uint64_t conn, const bw_request *request) {
    bw_shell *shell = user;
    bw_api_request(shell, conn, request);
    bw_shell_pump(shell);
}

static bool on_route(void *user, uint64_t conn, const bw_request *request, bool socket, bool passed) {
    bw_shell *shell = user;
    char room[BW_ROOM_ID_MAX + 1], target[BW_ROOM_ID_MAX + 1], game[64];
    bool has_game = false;
    if (shell->nodes.pass && shell->draining && !passed && bw_api_room_of(request, room)) {
        bw_api_refuse_newcomer(shell, conn, request);
        return true;
    }
    /* A name is taken only for a room that will be made. */
    bool creates = socket && bw_api_socket_target(request, target, game, sizeof game, &has_game) &&
                   bw_hall_may_make(shell->hall, bw_shell_now(), has_game ? game : NULL, request->address);
    return shell->nodes.pass && bw_api_room_of(request, room) &&
           bw_journal_claim(shell->journal, room, creates, passed, conn);
}

static bool on_upgrade(void *user, const bw_request *request, bw_response *refusal) {
    return bw_api_upgrade(user, request, refusal);
}

static void on_opened(void *user, uint64_t conn, const bw_request *request) {
    bw_shell *shell = user;
    char room[BW_ROOM_ID_MAX + 1], game[64];
    bool has_game = false;
    if (bw_api_socket_target(request, room, game, sizeof game, &has_game)) {
        bw_hall_opened(shell->hall, bw_shell_now(), conn, room, has_game ? game : NULL, request->address);
    }
    bw_shell_pump(shell);
}

static void on_message(void *user, uint64_t conn, const char *bytes, size_t length) {
    bw_shell *shell = user;
    bw_hall_message(shell->hall, bw_shell_now(), conn, bytes, length);
    bw_shell_pump(shell);
}

static void on_leaving(void *user, uint64_t conn) {
    bw_shell *shell = user;
    bw_hall_leaving(shell->hall, conn);
}

static void on_too_large(void *user, uint64_t conn) {
    bw_shell *shell = user;
    bw_hall_message_too_large(shell->hall, bw_shell_now(), conn);
    bw_shell_pump(shell);
}

static void on_pong(void *user, uint64_t conn) {
    bw_shell *shell = user;
    bw_hall_pong(shell->hall, bw_shell_now(), conn);
    bw_shell_pump(shell);
}

static void on_closed(void *user, uint64_t conn) {
    bw_shell *shell = user;
    bw_hall_closed(shell->hall, bw_shell_now(), conn);
    bw_shell_pump(shell);
}

bw_net_handler bw_shell_handler(bw_shell *shell) {
    return (bw_net_handler){.user = shell,
                            .request = on_request,
                            .route = on_route,
                            .upgrade = on_upgrade,
                            .opened = on_opened,
                            .message = on_message,
                            .leaving = on_leaving,
                            .too_large = on_too_large,
                            .pong = on_pong,
                            .closed = on_closed};
}

/* ---- events of the threads ---- */

static void on_committed(void *user, uint64_t ticket) {
    bw_shell *shell = user;
    bw_hall_journalled(shell->hall, bw_shell_now(), ticket);
}
static void on_failed(void *user, uint64_t last_good, const char *reason, bool in_doubt) {
    bw_shell *shell = user;
    bw_hall_journal_failed(shell->hall, bw_shell_now(), last_good, reason, in_doubt);
}
static void on_loaded(void *user, const char *room, const bw_stored_room *stored, const char *failed) {
    bw_shell *shell = user;
    bw_hall_loaded(shell->hall, bw_shell_now(), room, stored, failed);
}
static void on_replay(void *user, uint64_t conn, const uint8_t *bytes, size_t length) {
    bw_shell *shell = user;
    bw_hall_replay_loaded(shell->hall, bw_shell_now(), conn, bytes, length);
}
static void on_swept(void *user, const char (*rooms)[BW_ROOM_ID_MAX + 1], size_t count) {
    bw_shell *shell = user;
    bw_journal_figures figures;
    bw_journal_figures_of(shell->journal, &figures);
    bw_hall_storage_full(shell->hall, figures.full);
    bw_hall_swept(shell->hall, bw_shell_now(), rooms, count);
}
static void on_claimed(void *user, uint64_t conn, const char *owner, bool passed, const char *failed) {
    bw_shell *shell = user;
    switch (bw_node_route(failed, owner, passed)) {
    case BW_ROUTE_HERE: shell->nodes.go_on(shell->nodes.user, conn); break;
    case BW_ROUTE_PASS: shell->nodes.pass(shell->nodes.user, conn, owner); break;
    case BW_ROUTE_REFUSE: bw_api_refuse_route(shell, conn, failed); break;
    }
}

/* Nothing that the rooms know counts any more: whoever runs it ends it, and clients come back to the other server. */
static void on_lost(void *user, const char *why) {
    bw_shell *shell = user;
    if (shell->lost) shell->lost(shell->user, why);
}
static void on_handed(void *user, const char *room) {
    bw_shell *shell = user;
    bw_hall_handed_over(shell->hall, bw_shell_now(), room);
}
static void on_peers(void *user, const bw_peers *living) {
    bw_shell *shell = user;
    if (shell->nodes.peers) shell->nodes.peers(shell->nodes.user, living);
}
static void on_drain(void *user) {
    bw_shell *shell = user;
    if (shell->nodes.drain) shell->nodes.drain(shell->nodes.user);
}
static void on_bot_answer(void *user, uint64_t work, const void *answer, uint32_t count) {
    bw_shell *shell = user;
    bw_hall_bot_answer(shell->hall, bw_shell_now(), work, answer, count);
}
static void on_model(void *user, uint64_t work, const char *content, size_t length) {
    bw_shell *shell = user;
    bw_hall_model_answered(shell->hall, bw_shell_now(), work, content, length);
}

void bw_shell_journal_ready(bw_shell *shell) {
    static const bw_journal_answers answers = {on_committed, on_failed, on_loaded, on_replay, on_swept,
                                               on_claimed,   on_lost,   on_handed, on_peers,  on_drain};
    bw_journal_dispatch(shell->journal, &answers, shell);
    bw_shell_pump(shell);
}

void bw_shell_workers_ready(bw_shell *shell) {
    bw_workers_dispatch(shell->workers, on_bot_answer, shell);
    bw_shell_pump(shell);
}

void bw_shell_model_ready(bw_shell *shell) {
    bw_model_dispatch(shell->model, on_model, shell);
    bw_shell_pump(shell);
}

/* ---- beginning and end ---- */

bool bw_shell_init(bw_shell *shell, const uint8_t key[32]) {
    const bw_settings *s = shell->settings;
    bw_hall_settings rules = {
        .room_cleanup_ms = s->room_cleanup_ms,
        .seat_grace_ms = s->seat_grace_ms,
        .away_ms = s->away_ms,
        .hibernate_ms = s->hibernate_ms,
        .forget_ms = 3600 * 1000,
        .rooms_per_address_per_minute = (uint32_t)s->max_rooms_per_address_per_minute,
        .misses_per_address_per_minute = (uint32_t)s->max_misses_per_address_per_minute,
        .stored_mb_per_address_per_hour = (uint32_t)s->max_stored_mb_per_address_per_hour,
        .work_seconds_per_address_per_minute = (uint32_t)s->max_work_seconds_per_address_per_minute,
        .language_model = s->orders_llm_url[0] != '\0',
        .questions_per_address_per_minute = (uint32_t)s->max_model_questions_per_address,
        .questions_per_minute = (uint32_t)s->max_model_questions,
    };
    shell->deadline = INT64_MIN;
    shell->hall = bw_hall_new(&rules, key);
    shell->games = malloc(GAMES_MAX);
    if (!shell->hall || !shell->games) return false;
    bw_out out = bw_out_to(shell->games, GAMES_MAX);
    bw_games_json(&out);
    shell->games_length = out.length;
    return !out.overflow;
}

void bw_shell_release(bw_shell *shell) {
    if (shell->hall) bw_hall_free(shell->hall);
    free(shell->games);
}

void bw_shell_drain(bw_shell *shell) {
    shell->draining = true;
    if (shell->nodes.pass) bw_hall_move_out(shell->hall, bw_shell_now());
    else bw_hall_drain(shell->hall, bw_shell_now());
    bw_shell_pump(shell);
}

bool bw_shell_drained(const bw_shell *shell) { return bw_hall_drained(shell->hall); }
