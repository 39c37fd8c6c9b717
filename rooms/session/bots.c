/* Work for bots and solvers. Bots are asked when it is their turn, or for the next round while the current one runs.
 *
 * A solver's answer may come at any time, and nobody waits for it. It is kept until the next move, whose record
 * carries it. The update of that move shows it, whether sent live or recomputed, and it is as durable as the move.
 * It is not part of the match, so no hash or game file depends on when it came. */
#include "rooms/session/session.h"

typedef struct bw_work {
    bw_room *room;
    int seat; /* BW_WATCHER: a solver was asked */
} bw_work;

enum {
    TURN_BUDGET_MS = 1500,
    SOLVER_BUDGET_MS = 10000, /* a limit for very busy machines; normally the effort ends the solver long before */
    FAILURES_MAX = 3,
};

/* ---- on any thread ---- */

size_t bw_bot_job_arena_bytes(const bw_bot_job *job) {
    return job->bot ? job->bot->arena_bytes : job->solver->arena_bytes;
}

size_t bw_bot_job_answer_bytes(const bw_bot_job *job) {
    return job->bot ? (size_t)BW_BOT_ACTIONS_MAX * job->game->actions->size : sizeof(bw_solver_result);
}

uint32_t bw_bot_job_run(const bw_bot_job *job, bw_thinking *thinking, void *answer) {
    memset(answer, 0, bw_bot_job_answer_bytes(job));
    if (!job->bot) return job->solver->solve(job->view, thinking, answer);
    uint32_t count =
        job->bot->choose(job->bot, job->game, job->view, job->config, job->seat, thinking, answer, BW_BOT_ACTIONS_MAX);
    return count < BW_BOT_ACTIONS_MAX ? count : BW_BOT_ACTIONS_MAX;
}

/* ---- in the hall ---- */

/* Sends the position, as the seat sees it, to the bot or solver in `job`. Returns the work's number. */
static uint64_t work_send(bw_hall *hall, bw_room *room, int seat, bw_bot_job job) {
    const bw_game *game = room->game;
    size_t view_bytes = (game->view->size + 7) & ~(size_t)7;
    void *view = hall->scratch.views[1][seat >= 0 ? seat : BW_SEATS_MAX];
    bw_work *work = bw_memory_new(&hall->scratch.memory, sizeof *work);
    *work = (bw_work){room, seat};
    job.work = ++hall->last_work;
    bw_map_put(&hall->scratch.memory, &hall->works, bw_key_of_number(job.work), work);
    bw_output *out = bw_emit(hall, BW_OUT_BOT_JOB);
    memset(view, 0, game->view->size);
    game->view_of(bw_room_match(room)->state, seat, view);
    out->bytes = bw_bytes_new(NULL, view_bytes + game->config->size);
    memcpy(out->bytes->at, view, game->view->size);
    memcpy(out->bytes->at + view_bytes, bw_room_match(room)->config, game->config->size);
    job.game = game;
    job.seat = seat;
    job.view = out->bytes->at;
    job.config = out->bytes->at + view_bytes;
    out->job = job;
    out->work = job.work;
    return job.work;
}

void bw_work_forget(bw_hall *hall, uint64_t *work) {
    if (*work) {
        bw_memory_free(&hall->scratch.memory,
                       bw_map_take(&hall->scratch.memory, &hall->works, bw_key_of_number(*work)));
        *work = 0;
    }
}

/* ---- a solver's result ---- */

static void solver_ask(bw_hall *hall, bw_room *room) {
    bw_bot_job job = {.solver = bw_solver_find(room->game), .budget_ms = SOLVER_BUDGET_MS};
    uint64_t puzzle = room->game->puzzle(bw_room_match(room)->state);
    if (!job.solver || puzzle == 0 || room->session->solving || puzzle == room->solver_result.puzzle ||
        puzzle == room->session->found.puzzle) {
        return;
    }
    room->session->found = (bw_solver_result){.puzzle = puzzle};
    room->session->solving = work_send(hall, room, BW_WATCHER, job);
}

static void solver_answer(bw_room *room, const bw_solver_result *found) {
    room->session->solving = 0;
    if (found) {
        room->session->found.moves = found->moves;
        room->session->found.proven = found->proven;
        if (BW_PLANTED(SOLVER_RESULT_AT_ONCE)) room->solver_result = room->session->found;
    }
}

static void solver_forget(bw_hall *hall, bw_room *room) {
    if (room->session->solving) room->session->found = (bw_solver_result){0};
    bw_work_forget(hall, &room->session->solving);
}

bool bw_solver_result_news(const bw_room *room, bw_record_solver_result *news) {
    const bw_solver_result *found = &room->session->found;
    return found->moves > 0 && found->puzzle != room->solver_result.puzzle &&
           found->puzzle == room->game->puzzle(bw_room_match(room)->state) && bw_solver_result_write(found, news);
}

/* ---- bots in seats ---- */

static void ask(bw_hall *hall, bw_room *room, int index) {
    bw_bot_job job = {.bot = bw_bot_find(room->game, bw_seat_at(room, index)->level), .budget_ms = TURN_BUDGET_MS};
    uint64_t drawn[8];
    if (!job.bot) {
        return; /* a level from another version of this program: the seat stays silent */
    }
    bw_draw(hall, (uint8_t *)drawn, sizeof drawn);
    job.seed = drawn[0];
    if (room->game->flags & BW_GAME_ROUNDS) {
        job.budget_ms = (room->session->round_us - hall->now.mono_us) / 1000 * 3 / 4;
    }
    room->session->chairs[index].work = work_send(hall, room, index, job);
}

void bw_bots_think(bw_hall *hall, bw_room *room) {
    if (room->session->phase != BW_PHASE_LIVE || room->session->conn_count == 0 ||
        bw_room_status(room) != BW_STATUS_ACTIVE || bw_room_paused(room) || room->move_count >= BW_MOVES_MAX ||
        (room->game->flags & BW_GAME_ROUNDS && room->session->round_us == INT64_MAX)) {
        return;
    }
    uint32_t turn = room->game->turn(bw_room_match(room)->state) & bw_bot_seats(room);
    for (int i = 0; i < room->game->role_count; i++) {
        if (turn >> i & 1 && !room->session->chairs[i].work) ask(hall, room, i);
    }
    if (room->game->puzzle) solver_ask(hall, room);
}

void bw_bots_forget(bw_hall *hall, bw_room *room) {
    for (int i = 0; i < room->session->chair_count; i++) bw_work_forget(hall, &room->session->chairs[i].work);
    solver_forget(hall, room);
}

static void play_turn(bw_hall *hall, bw_room *room, int index, const void *action) {
    bw_chair *chair = &room->session->chairs[index];
    if (action && bw_make_move(hall, room, index, action, (bw_cause){0}) >= 0) {
        chair->failures = 0;
        return;
    }
    if (++chair->failures < FAILURES_MAX) return;
    /* The bot fails again and again: any legal action keeps the game going. */
    bw_fast fast = {hall->last_work};
    chair->failures = 0;
    if (bw_random_action(room->game, bw_room_match(room)->state, index, &fast, hall->scratch.action)) {
        bw_make_move(hall, room, index, hall->scratch.action, (bw_cause){0});
    }
}

/* A bot's orders wait in its draft like anybody's. In a seat of its own nobody ever sees them, and after a crash they are
 * computed again. Those of a bot that stands in are seen, changed and cancelled by the player who returns: they are as durable
 * as the player's own. */
static void prepare_for(bw_hall *hall, bw_room *room, int index, const void *action) {
    bool stored = bw_seat_at(room, index)->held && !BW_PLANTED(STAND_IN_LOSES_ORDERS);
    if (stored) bw_submit(hall, room, index, action, (bw_cause){0});
    else bw_match_submit(bw_room_match(room), index, action, hall->scratch.played, NULL);
}

void bw_hall_bot_answer(bw_hall *hall, bw_now now, uint64_t number, const void *actions, uint32_t count) {
    bw_work *work = bw_map_take(&hall->scratch.memory, &hall->works, bw_key_of_number(number));
    hall->now = now;
    if (!work) {
        return; /* the position has changed since */
    }
    bw_room *room = work->room;
    int index = work->seat;
    bw_memory_free(&hall->scratch.memory, work);
    if (index == BW_WATCHER) {
        solver_answer(room, count > 0 ? actions : NULL);
        bw_bots_think(hall, room); /* there may be another puzzle now */
        return;
    }
    room->session->chairs[index].work = 0;
    if (bw_room_status(room) != BW_STATUS_ACTIVE || bw_room_paused(room) || room->move_count >= BW_MOVES_MAX) {
        return; /* asked again when the game goes on */
    }
    if (room->game->flags & BW_GAME_ROUNDS) {
        for (uint32_t i = 0; i < count && i < BW_BOT_ACTIONS_MAX; i++) {
            const uint8_t *action = (const uint8_t *)actions + (size_t)i * room->game->actions->size;
            if (room->game->actions->cases[*action].flags & BW_ACTION_DRAFT) prepare_for(hall, room, index, action);
        }
        return;
    }
    if (room->game->turn(bw_room_match(room)->state) >> index & 1) {
        play_turn(hall, room, index, count > 0 ? actions : NULL);
    }
    bw_bots_think(hall, room);
    bw_room_schedule(hall, room);
}
