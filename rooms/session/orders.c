/* Orders as text: understood by the game's own interpreter, or by a language model if one is configured. Either way
 * the result is a list of actions, which are checked like any player's. */
#include "rooms/session/session.h"

enum { TEXT_MAX = 2100, PROMPT_MAX = 16384, APART_US = 1500000 };

/* A question sent to the model. */
typedef struct bw_question {
    bw_room *room;
    int seat;
    uint8_t token_hash[32]; /* who asked: somebody else may have the seat when the answer comes */
    bw_words_asked asked;   /* its text is the copy below */
    char text[TEXT_MAX];
} bw_question;

static void copy(char *to, size_t bytes, const char *from) {
    size_t length = strlen(from);
    length = length < bytes ? length : bytes - 1;
    memcpy(to, from, length);
    to[length] = 0;
}

/* Gives the orders and tells their owner the result. */
static void carry_out(bw_hall *hall, bw_room *room, int seat, const uint8_t *actions, const bw_words_answer *answer,
                      bw_reader by, bool suggest, bw_cause cause) {
    const bw_game *game = room->game;
    const char *fault = answer->error;
    bw_server_message message = {.type = BW_TELL_ORDERS_RESULT};
    bw_orders_result *result = &message.as.orders_result;
    bw_buffer commands = {0};
    uint32_t accepted = 0;
    bw_buffer_add(&hall->scratch.memory, &commands, "[", 1);
    for (uint32_t i = 0; i < answer->count; i++) {
        const uint8_t *action = actions + (size_t)i * game->actions->size;
        int outcome = suggest ? 0 : bw_submit(hall, room, seat, action, (bw_cause){cause.conn, 0});
        if (outcome < 0) {
            fault = fault[0] ? fault : bw_refusal(game, outcome);
            continue;
        }
        bw_out one = bw_out_to(hall->scratch.text, hall->scratch.text_cap);
        bw_out_text(&one, accepted++ > 0 ? "," : "");
        bw_encode_union(&one, game->actions, action);
        bw_buffer_add(&hall->scratch.memory, &commands, one.at, one.length);
    }
    bw_buffer_add(&hall->scratch.memory, &commands, "]", 1);
    result->round = game->current_turn(bw_room_match(room)->state) + 1;
    result->commands = (bw_raw){(const char *)commands.at, commands.length};
    result->understood = answer->understood;
    result->by = (uint8_t)by;
    result->has_error = fault[0] != 0;
    copy(result->error, sizeof result->error, fault);
    copy(result->summary, sizeof result->summary, accepted > 0 ? answer->summary : "");
    bw_chair *who = &room->session->chairs[seat];
    bw_bytes_release(who->outcome);
    who->outcome = bw_message(&hall->scratch, &message);
    if (who->conn) bw_outcome_tell(hall, who->conn);
    bw_buffer_clear(&hall->scratch.memory, &commands);
}

/* What the interpreter may see: the seat's view and its own draft. */
static void look(bw_hall *hall, bw_room *room, int seat, void **view, void **you) {
    const bw_game *game = room->game;
    *view = hall->scratch.views[1][seat];
    *you = hall->scratch.you[1][seat];
    game->view_of(bw_room_match(room)->state, seat, *view);
    game->show_draft(bw_room_match(room)->state, seat, bw_match_draft(bw_room_match(room), seat), *you);
}

static void by_interpreter(bw_hall *hall, bw_room *room, int seat, const bw_words_asked *asked, bw_cause cause) {
    const bw_game *game = room->game;
    const bw_words *words = bw_words_find(game);
    uint8_t *actions = bw_memory_new(&hall->scratch.memory, (size_t)BW_WORDS_ACTIONS_MAX * game->actions->size);
    bw_words_answer answer = {0};
    void *view, *you;
    look(hall, room, seat, &view, &you);
    words->read(view, bw_room_match(room)->config, seat, you, asked, actions, BW_WORDS_ACTIONS_MAX, &answer);
    /* An order that was only partly understood is proposed, because half a plan may do the opposite. */
    bool proposed = asked->suggest || !answer.understood;
    carry_out(hall, room, seat, actions, &answer, BW_READ_BY_INTERPRETER, proposed, cause);
    bw_memory_free(&hall->scratch.memory, actions);
}

static void ask_model(bw_hall *hall, bw_room *room, int seat, const bw_words_asked *asked) {
    const bw_words *words = bw_words_find(room->game);
    bw_question *question = bw_memory_new(&hall->scratch.memory, sizeof *question);
    bw_out prompt = bw_out_to(bw_memory_new(&hall->scratch.memory, PROMPT_MAX), PROMPT_MAX);
    *question = (bw_question){.room = room, .seat = seat, .asked = *asked};
    memcpy(question->token_hash, bw_seat_at(room, seat)->token_hash, sizeof question->token_hash);
    copy(question->text, sizeof question->text, asked->text);
    question->asked.text = question->text;
    room->game->view_of(bw_room_match(room)->state, seat, hall->scratch.views[1][seat]);
    words->prompt(hall->scratch.views[1][seat], bw_room_match(room)->config, seat, asked, &prompt);
    bw_output *out = bw_emit(hall, BW_OUT_ASK_MODEL);
    out->work = ++hall->last_work;
    out->bytes = bw_bytes_new(NULL, prompt.length + 1 + strlen(asked->text));
    memcpy(out->bytes->at, prompt.at, prompt.length);
    memcpy(out->bytes->at + prompt.length + 1, asked->text, strlen(asked->text));
    bw_memory_free(&hall->scratch.memory, prompt.at);
    room->session->chairs[seat].question = out->work;
    room->session->chairs[seat].asked_us = hall->now.mono_us;
    bw_map_put(&hall->scratch.memory, &hall->questions, bw_key_of_number(out->work), question);
}

void bw_on_words(bw_hall *hall, const bw_asked *asked, const void *action) {
    bw_room *room = asked->conn->room;
    int seat = asked->conn->seat;
    const bw_words *words = bw_words_find(room->game);
    if (!bw_may_act(hall, asked, 0)) return;
    if (!words) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_NOT_ALLOWED,
                  "This game does not accept orders as text: give them one by one.");
        return;
    }
    bw_words_asked orders = words->asked_by(action);
    bw_chair *who = &room->session->chairs[seat];
    bool soon = who->asked_us && hall->now.mono_us - who->asked_us < APART_US;
    if (hall->settings.language_model && words->prompt && (who->question || soon)) {
        bw_refuse_for_now(hall, asked->conn, asked->id, BW_ERROR_RATE_LIMITED,
                          "Your last orders are still being read: wait a moment.");
        return;
    }
    /* Questions may cost money: above the limits the interpreter answers, and the result says so. */
    if (hall->settings.language_model && words->prompt && bw_limit_question(hall, asked->conn->address)) {
        ask_model(hall, room, seat, &orders);
    } else {
        by_interpreter(hall, room, seat, &orders, (bw_cause){asked->conn, asked->id});
    }
    bw_acknowledge(hall, asked->conn, asked->id);
}

/* ---- the model's answer: untrusted, checked by the interpreter like a player's text ---- */

void bw_hall_model_answered(bw_hall *hall, bw_now now, uint64_t work, const char *content, size_t length) {
    bw_question *question = bw_map_take(&hall->scratch.memory, &hall->questions, bw_key_of_number(work));
    hall->now = now;
    if (!question) return;
    bw_room *room = question->room;
    int seat = question->seat;
    const bw_seat *asker = bw_seat_at(room, seat);
    room->session->chairs[seat].question = 0;
    bool same = asker->held && memcmp(asker->token_hash, question->token_hash, sizeof question->token_hash) == 0;
    if (same && bw_room_status(room) == BW_STATUS_ACTIVE) {
        uint8_t *actions =
            bw_memory_new(&hall->scratch.memory, (size_t)BW_WORDS_ACTIONS_MAX * room->game->actions->size);
        const bw_words *words = bw_words_find(room->game);
        bw_words_answer answer = {0};
        if (content && words->decode) {
            void *view, *you;
            look(hall, room, seat, &view, &you);
            words->decode(view, bw_room_match(room)->config, seat, you, &question->asked, content, length, actions,
                          BW_WORDS_ACTIONS_MAX, &answer);
        }
        if (answer.count > 0) {
            carry_out(hall, room, seat, actions, &answer, BW_READ_BY_MODEL, question->asked.suggest, (bw_cause){0});
        } else {
            by_interpreter(hall, room, seat, &question->asked, (bw_cause){0});
        }
        bw_memory_free(&hall->scratch.memory, actions);
    }
    bw_memory_free(&hall->scratch.memory, question);
}

/* The time of the last question is kept, because the limit is per seat, whoever holds it. */
void bw_question_forget(bw_hall *hall, bw_chair *chair) {
    bw_bytes_release(chair->outcome);
    chair->outcome = NULL;
    if (!chair->question) return;
    bw_memory_free(&hall->scratch.memory,
                   bw_map_take(&hall->scratch.memory, &hall->questions, bw_key_of_number(chair->question)));
    chair->question = 0;
}

/* The model may be slow, and the connection may be lost meanwhile. */
void bw_outcome_tell(bw_hall *hall, bw_conn *conn) {
    bw_chair *chair = &conn->room->session->chairs[conn->seat];
    if (!chair->outcome) return;
    chair->outcome_us = hall->now.mono_us;
    bw_send(hall, conn->room, conn->id, bw_bytes_share(chair->outcome));
}
