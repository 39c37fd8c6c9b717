#include "wasm/api.h"

#include "bots/bots.h"
#include "engine/file.h"
#include "engine/registry.h"
#include "engine/sha256.h"
#include "engine/text.h"
#include "wasm/answer.h"
#include "wasm/hint.h"
#include "wasm/memory.h"
#include "wasm/opened.h"
#include "wasm/request.h"
#include "wasm/review.h"
#include "wasm/teach.h"

#include <string.h>

/* The module has one caller, and one game or file at a time, so globals are fine. */
static struct {
    unsigned char *room;
    bw_out answer;
    bool playing; /* `match` is the page's own game */
    bw_match match;
    opened_file file;  /* its steps are 0 if none is open */
    bw_review *review; /* of the file; NULL: none was begun */
    bw_lesson *lesson; /* NULL: none is open */
} here;

unsigned char *bw_wasm_room(uint32_t length) {
    memory_reset();
    here.room = memory_take((size_t)length + 1);
    return here.room;
}

/* All that was there before ends. */
static void forget(void) {
    memory_forget();
    here.playing = false;
    here.file.steps = 0;
    here.review = NULL;
    here.lesson = NULL;
}

unsigned char *bw_wasm_file_room(uint32_t length) {
    forget();
    return bw_wasm_room(length);
}

const char *bw_wasm_answer(void) { return here.answer.at; }

enum {
    ANSWER_BYTES = 1 << 20,
    CONFIG_BYTES = 2048,
    GIVEN_BYTES = 8192,
    TEXT_BYTES = 1 << 17,
    FILE_BYTES = 1 << 18,
    REVIEW_GAMES_MAX = 1000,
};

/* Answers are written to memory of their own. */
static bool begin(size_t cap) {
    char *at = memory_take_raw(cap);
    here.answer = bw_out_to(at, at ? cap : 0);
    bw_out_text(&here.answer, "{");
    return at != NULL;
}

/* ---- questions about a position from the page ---- */

static bool ask_legal(const request *r, bw_out *out, bw_error_text *why) {
    bw_match match;
    int seat;
    if (!request_position(r, 1, &match, &seat, why)) return false;
    uint32_t count = match.game->legal(match.state, seat, NULL, 0);
    unsigned char *actions = memory_take((size_t)count * match.game->actions->size);
    if (!actions) return bw_fail(why, "There is not enough memory.", NULL);
    match.game->legal(match.state, seat, actions, count);
    answer_actions(out, match.game, actions, count);
    return true;
}

/* Plays one action like a bot's or a file's; in a game of rounds it becomes an order for the next round. */
static int play_or_order(bw_match *match, int seat, const bw_case *kind, const void *action, void *played,
                         bw_events *events) {
    if (kind->flags & BW_ACTION_COMMIT) return 0; /* what was staged has already been played */
    if (match->game->flags & BW_GAME_ROUNDS) {
        int outcome = bw_match_submit(match, seat, action, played, events);
        return outcome < 0 ? outcome : 0;
    }
    return bw_match_play(match, seat, action, events);
}

/* The actions of a request, played from its position. */
static bool play_all(const request *r, bw_match *match, int seat, bw_events *events, void *played, bw_error_text *why) {
    const bw_game *game = match->game;
    void *action = memory_take(game->actions->size);
    if (!action) return bw_fail(why, "There is not enough memory.", NULL);
    int list = bw_doc_member(&r->doc, 0, "actions");
    for (int i = 0; i < request_length(r, list); i++) {
        const bw_case *kind = request_action(r, game, request_item(r, list, i), action, why);
        if (!kind) return false;
        int refusal = play_or_order(match, seat, kind, action, played, events);
        if (refusal < 0) return bw_fail(why, bw_refusal(game, refusal), NULL);
    }
    return true;
}

static bool ask_preview(const request *r, bw_out *out, bw_error_text *why) {
    bw_match match;
    int seat;
    bw_events events;
    if (!request_position(r, 1, &match, &seat, why)) return false;
    const bw_game *game = match.game;
    void *played = memory_take(game->actions->size);
    if (!played || !answer_events_for(&events, game)) {
        return bw_fail(why, "There is not enough memory.", NULL);
    }
    if (!play_all(r, &match, seat, &events, played, why)) return false;
    if (game->flags & BW_GAME_ROUNDS) bw_match_round(&match, played, &events);
    if (!answer_state(out, &match, seat)) return bw_fail(why, "There is not enough memory.", NULL);
    answer_events(out, game, &events);
    return true;
}

/* 100: as designed; at most ten times that, so that an answer always comes. */
static uint32_t effort_of(const request *r) {
    int64_t effort = 100;
    bw_doc_int(&r->doc, bw_doc_member(&r->doc, 0, "effort"), &effort);
    return effort < 1 ? 1 : effort > 1000 ? 1000 : (uint32_t)effort;
}

static bool ask_hint(const request *r, bw_out *out, bw_error_text *why) {
    bw_match match;
    int seat;
    bw_hint found;
    if (!request_position(r, 1, &match, &seat, why)) return false;
    void *action = memory_take(match.game->actions->size), *played = memory_take(match.game->actions->size);
    if (!action || !played) return bw_fail(why, "There is not enough memory.", NULL);
    if (!play_all(r, &match, seat, NULL, played, why)) return false;
    if (!hint_find(&match, seat, effort_of(r), action, &found, why)) return false;
    bw_out_text(out, "\"hint\":{\"action\":");
    bw_encode_union(out, match.game->actions, action);
    bw_out_format(out, ",\"moves_left\":%u%s%s", found.moves_left,
                  found.proven ? ",\"proven\":true" : ",\"proven\":false",
                  found.hopeless ? ",\"hopeless\":true}" : ",\"hopeless\":false}");
    return true;
}

static bool ask_choose(const request *r, bw_out *out, bw_error_text *why) {
    const bw_game *game;
    void *view, *config;
    int seat;
    if (!request_view(r, &game, &view, &config, &seat, why) || !request_seat(seat, why)) {
        return false;
    }
    char level[24] = "hard";
    bw_doc_text(&r->doc, bw_doc_member(&r->doc, 0, "level"), level, sizeof level);
    const bw_bot *bot = bw_bot_find(game, level);
    if (!bot) return bw_fail(why, "This game has no bot of that level.", NULL);
    int64_t seed = 1;
    bw_doc_int(&r->doc, bw_doc_member(&r->doc, 0, "seed"), &seed);
    bw_thinking thinking = {.seed = (uint64_t)seed, .effort = effort_of(r), .arena_bytes = bot->arena_bytes};
    thinking.arena = memory_take(bot->arena_bytes);
    unsigned char *actions = memory_take((size_t)BW_BOT_ACTIONS_MAX * game->actions->size);
    if (!thinking.arena || !actions) {
        return bw_fail(why, "There is not enough memory for this bot.", NULL);
    }
    uint32_t count = bot->choose(bot, game, view, config, seat, &thinking, actions, BW_BOT_ACTIONS_MAX);
    answer_actions(out, game, actions, count);
    return true;
}

static bool ask_words(const request *r, bw_out *out, bw_error_text *why) {
    const bw_game *game;
    void *view, *config;
    int seat;
    if (!request_view(r, &game, &view, &config, &seat, why) || !request_seat(seat, why)) {
        return false;
    }
    const bw_words *words = bw_words_find(game);
    if (!words) return bw_fail(why, "This game does not accept orders as text.", NULL);
    char *text = memory_take(2048);
    void *you = memory_take(game->you ? game->you->size : 1);
    unsigned char *actions = memory_take((size_t)BW_BOT_ACTIONS_MAX * game->actions->size);
    bw_words_answer *answer = memory_take(sizeof *answer);
    if (!text || !you || !actions || !answer) return bw_fail(why, "There is not enough memory.", NULL);
    if (bw_doc_text(&r->doc, bw_doc_member(&r->doc, 0, "text"), text, 2048) < 0) {
        return bw_fail(why, "\"text\" must be the orders in words, at most 500 characters.", NULL);
    }
    int queue = bw_doc_member(&r->doc, 0, "you");
    if (queue >= 0 && game->you && !request_decode(r, queue, game->you, you, why)) {
        return false;
    }
    bw_words_asked asked = {.text = text};
    words->read(view, config, seat, you, &asked, actions, BW_BOT_ACTIONS_MAX, answer);
    uint32_t count = answer->count < BW_BOT_ACTIONS_MAX ? answer->count : BW_BOT_ACTIONS_MAX;
    answer_actions(out, game, actions, count);
    bw_out_format(out, ",\"summary\":\"%s\",\"not_understood\":\"%s\"", answer->summary, answer->error);
    return true;
}

static bool ask_text(const request *r, bw_out *out, bw_error_text *why) {
    const bw_game *game;
    void *view, *config;
    int seat;
    if (!request_view(r, &game, &view, &config, &seat, why)) return false;
    char *text = memory_take_raw(TEXT_BYTES);
    if (!text) return bw_fail(why, "There is not enough memory.", NULL);
    bw_out words = bw_out_to(text, TEXT_BYTES - 1);
    game->text(view, &words);
    if (words.overflow) return bw_fail(why, "The position is too long to be told.", NULL);
    text[words.length] = '\0';
    bw_out_format(out, "\"text\":\"%s\"", text);
    return true;
}

/* ---- the page's own game ---- */

/* What a request says of a start. */
typedef struct start {
    const bw_game *game;
    uint8_t seed[32];
    uint32_t seats;
    const char *given; /* NULL: the start is that of settings and seed */
    _Alignas(16) unsigned char config[CONFIG_BYTES];
    char memory[GIVEN_BYTES];
} start;

static bool read_start(const request *r, start *s, bw_error_text *why) {
    const bw_game *game = s->game = request_game(r, why);
    int64_t seats = 0;
    if (!game) return false;
    if (!request_seed(r, s->seed)) return bw_fail(why, "\"seed\" must be 64 hexadecimal digits.", NULL);
    bw_doc_int(&r->doc, bw_doc_member(&r->doc, 0, "seats"), &seats);
    if (seats <= 0 || seats >= 1 << game->role_count) {
        seats = (1 << (game->flags & BW_GAME_OPEN_SEATS ? game->seats_min : game->role_count)) - 1;
    }
    s->seats = (uint32_t)seats;
    if (game->config->size > sizeof s->config) {
        return bw_fail(why, "This game's settings are larger than CONFIG_BYTES.", NULL);
    }
    if (!request_config(r, game, bw_doc_member(&r->doc, 0, "config"), s->config, why)) return false;
    int token = bw_doc_member(&r->doc, 0, "given");
    s->given = token >= 0 ? s->memory : NULL;
    if (s->given && !game->set_position) return bw_fail(why, "This game's starts come from its settings alone.", NULL);
    if (s->given && bw_doc_text(&r->doc, token, s->memory, sizeof s->memory) < 0) {
        return bw_fail(why, "\"given\" must be a start written down as text, shorter than 8 KiB.", NULL);
    }
    return true;
}

static bool begin_match(const start *s, void *block, bw_match *match, bw_error_text *why) {
    bw_match_attach(match, s->game, block);
    bw_match_start(match, s->config, s->seats, s->seed);
    int refusal = bw_match_set_position(match, s->given);
    return refusal == 0 || bw_fail(why, bw_refusal(s->game, refusal), NULL);
}

static bool ask_start(const request *r, bw_out *out, bw_error_text *why) {
    start s; /* read before what was there is given up, the request included: the new match lies at the bottom */
    if (!read_start(r, &s, why)) return false;
    forget();
    void *block = memory_take(bw_match_bytes(s.game));
    if (block) memory_keep();
    /* The answer so far was in freed memory; a refusal needs one as well. */
    if (!begin(ANSWER_BYTES) || !block) return bw_fail(why, "There is not enough memory.", NULL);
    if (!begin_match(&s, block, &here.match, why)) return false;
    here.playing = true;
    return answer_state(out, &here.match, BW_WATCHER) || bw_fail(why, "There is not enough memory.", NULL);
}

/* As bw_match_submit; negative, with an error text, also where it is not the seat's turn or no action. */
static int submit(const request *r, int token, bw_match *match, int seat, void *action, void *played, bw_events *events,
                  bw_error_text *why) {
    const bw_case *kind = request_action(r, match->game, token, action, why);
    if (!kind) return -1;
    bool may = match->game->turn(match->state) >> seat & 1;
    if (!may && !(kind->flags & BW_ACTION_REOPENS)) {
        bw_fail(why, "It is not this role's turn.", NULL);
        return -1;
    }
    int outcome = bw_match_submit(match, seat, action, played, events);
    if (outcome < 0) bw_fail(why, bw_refusal(match->game, outcome), NULL);
    return outcome;
}

static bool own_seat(const request *r, int *seat, bw_error_text *why) {
    if (!here.playing) return bw_fail(why, "No game has been started here.", NULL);
    *seat = request_role(r, here.match.game);
    return true;
}

static bool ask_play(const request *r, bw_out *out, bw_error_text *why) {
    int seat = BW_WATCHER;
    bw_events events;
    if (!own_seat(r, &seat, why)) return false;
    const bw_game *game = here.match.game;
    if (seat < 0) return bw_fail(why, "\"role\" must be one of the game's roles.", NULL);
    void *action = memory_take(game->actions->size), *played = memory_take(game->actions->size);
    if (!action || !played || !answer_events_for(&events, game)) {
        return bw_fail(why, "There is not enough memory.", NULL);
    }
    int token = bw_doc_member(&r->doc, 0, "action");
    if (submit(r, token, &here.match, seat, action, played, &events, why) < 0) return false;
    if (!answer_state(out, &here.match, seat)) return bw_fail(why, "There is not enough memory.", NULL);
    answer_events(out, game, &events);
    return true;
}

static void write_first_line(bw_out *file, const request *r, const start *s, bw_chain *chain) {
    bw_file_head head = {.game = s->game, .config = s->config, .seats = s->seats, .given = s->given};
    bw_doc_int(&r->doc, bw_doc_member(&r->doc, 0, "started_at"), &head.started_at);
    bw_sha256_of(s->seed, sizeof s->seed, head.seed_hash);
    bw_file_write_head(file, &head, s->seed, chain);
    bw_out_text(file, "\n");
}

static bool ask_file(const request *r, bw_out *out, bw_error_text *why) {
    start s;
    bw_match match;
    bw_chain chain;
    if (!read_start(r, &s, why)) return false;
    int seat = request_role(r, s.game), list = bw_doc_member(&r->doc, 0, "actions");
    if (!request_seat(seat, why)) return false;
    void *block = memory_take(bw_match_bytes(s.game)), *action = memory_take(s.game->actions->size);
    void *played = memory_take(s.game->actions->size);
    char *text = memory_take_raw(FILE_BYTES);
    if (!block || !action || !played || !text) return bw_fail(why, "There is not enough memory.", NULL);
    if (!begin_match(&s, block, &match, why)) return false;
    bw_out file = bw_out_to(text, FILE_BYTES - 1);
    write_first_line(&file, r, &s, &chain);
    uint32_t seq = 0;
    for (int i = 0; i < request_length(r, list); i++) {
        int outcome = submit(r, request_item(r, list, i), &match, seat, action, played, NULL, why);
        if (outcome < 0) return false;
        if (outcome != BW_PLAYED) continue;
        bw_file_write_action(&file, &chain, &match, ++seq, 0, seat, played);
        bw_out_text(&file, "\n");
    }
    if (file.overflow) return bw_fail(why, "The game is too long for a file.", NULL);
    text[file.length] = '\0';
    bw_out_format(out, "\"file\":\"%s\",", text);
    return answer_state(out, &match, seat) || bw_fail(why, "There is not enough memory.", NULL);
}

static bool ask_view(const request *r, bw_out *out, bw_error_text *why) {
    int seat = BW_WATCHER;
    if (!own_seat(r, &seat, why)) return false;
    if (!answer_state(out, &here.match, seat)) return bw_fail(why, "There is not enough memory.", NULL);
    return answer_you(out, &here.match, seat) || bw_fail(why, "There is not enough memory.", NULL);
}

/* ---- a lesson ---- */

static bool ask_lesson(const request *r, bw_out *out, bw_error_text *why) {
    char text[BW_LESSON_BYTES_MAX + 1]; /* reads everything, the request included, before the old lesson is freed */
    int length = bw_doc_text(&r->doc, bw_doc_member(&r->doc, 0, "text"), text, sizeof text);
    if (length < 0) return bw_fail(why, "\"text\" must be a lesson, at most 32 KiB.", NULL);
    memory_forget();
    here.playing = false;
    here.file.steps = 0;
    here.review = NULL;
    here.lesson = teach_open(text, (size_t)length, why);
    memory_keep();
    if (!begin(ANSWER_BYTES) || !here.lesson) return false;
    teach_describe(here.lesson, out);
    return true;
}

static bool ask_lesson_step(const request *r, bw_out *out, bw_error_text *why) {
    int64_t step = -1;
    if (!here.lesson) return bw_fail(why, "No lesson is open here.", NULL);
    bw_doc_int(&r->doc, bw_doc_member(&r->doc, 0, "step"), &step);
    if (step < 0 || step >= here.lesson->step_count) return bw_fail(why, "The lesson has no such step.", NULL);
    return bw_lesson_start(here.lesson, (int)step, why) && teach_step(here.lesson, out, why);
}

static bool ask_lesson_try(const request *r, bw_out *out, bw_error_text *why) {
    if (!here.lesson || here.lesson->step < 0) return bw_fail(why, "No lesson is open here.", NULL);
    return teach_try(here.lesson, r, out, why);
}

/* ---- a game file ---- */

static bool ask_at(const request *r, bw_out *out, bw_error_text *why) {
    int64_t index = -1;
    bw_doc_int(&r->doc, bw_doc_member(&r->doc, 0, "step"), &index);
    bw_match match;
    bw_events events;
    if (index < 0 || index >= here.file.steps) {
        return bw_fail(why, "The open file has no such step.", NULL);
    }
    if (!answer_events_for(&events, here.file.game)) return bw_fail(why, "There is not enough memory.", NULL);
    const opened_step *step = opened_at(&here.file, (uint32_t)index, &match, &events);
    if (!step) return bw_fail(why, "There is not enough memory.", NULL);
    const bw_game *game = here.file.game;
    bw_out_format(out, "\"line\":%u,\"seq\":%u,\"t\":%" PRId64 ",\"role\":", step->line, step->seq, step->t);
    bw_out_string(out, step->seat >= 0 ? game->roles[step->seat].id : NULL);
    bw_out_text(out, ",\"action\":");
    if (step->kind == OPENED_ACTION) {
        bw_encode_union(out, game->actions, opened_action(&here.file, step));
    } else {
        bw_out_text(out, step->kind == OPENED_RESIGNATION ? "{\"type\":\"resign\"}" : "null");
    }
    answer_events(out, game, &events);
    bw_out_text(out, ",");
    return answer_state(out, &match, BW_WATCHER) || bw_fail(why, "There is not enough memory.", NULL);
}

static bool ask_review(const request *r, bw_out *out, bw_error_text *why) {
    if (!here.file.steps) return bw_fail(why, "No file is open here.", NULL);
    if (here.review) return bw_fail(why, "The file is reviewed already: ask for what is next.", NULL);
    char level[24] = "normal";
    int64_t games = 20;
    bw_doc_text(&r->doc, bw_doc_member(&r->doc, 0, "level"), level, sizeof level);
    bw_doc_int(&r->doc, bw_doc_member(&r->doc, 0, "games"), &games);
    if (games < 1 || games > REVIEW_GAMES_MAX) return bw_fail(why, "\"games\" must be from 1 to 1000.", NULL);
    here.review = review_begin(&here.file, level, (uint32_t)games, why);
    if (!here.review) return false;
    memory_keep();
    review_describe(here.review, out);
    return true;
}

static bool ask_review_next(const request *r, bw_out *out, bw_error_text *why) {
    (void)r;
    if (!here.review) return bw_fail(why, "No review was begun.", NULL);
    review_next(here.review, out);
    return true;
}

static void finish(bool good, const bw_error_text *why) {
    bw_out *out = &here.answer;
    if (!good) {
        out->length = 1;
        out->overflow = false;
        bw_out_format(out, "\"error\":\"%s\"", why->text);
    }
    bw_out_text(out, "}");
}

static const struct asking {
    const char *name;
    bool (*answer)(const request *r, bw_out *out, bw_error_text *why);
} askings[] = {
    {"legal", ask_legal},
    {"preview", ask_preview},
    {"hint", ask_hint},
    {"choose", ask_choose},
    {"words", ask_words},
    {"text", ask_text},
    {"start", ask_start},
    {"play", ask_play},
    {"file", ask_file},
    {"view", ask_view},
    {"at", ask_at},
    {"review", ask_review},
    {"review_next", ask_review_next},
    {"lesson", ask_lesson},
    {"lesson_step", ask_lesson_step},
    {"lesson_try", ask_lesson_try},
};

uint32_t bw_wasm_ask(uint32_t length) {
    static const char nothing[] = "{\"error\":\"There is not enough memory.\"}";
    request r;
    bw_error_text why = {{0}};
    char ask[16] = "";
    if (!here.room || !begin(ANSWER_BYTES)) {
        here.answer = (bw_out){.at = (char *)(uintptr_t)nothing, .length = sizeof nothing - 1};
        return sizeof nothing - 1;
    }
    bool good = request_parse(&r, (const char *)here.room, length, &why);
    if (good) {
        bw_doc_text(&r.doc, bw_doc_member(&r.doc, 0, "ask"), ask, sizeof ask);
        const struct asking *asking = NULL;
        for (size_t i = 0; i < sizeof askings / sizeof askings[0]; i++) {
            if (bw_same(ask, askings[i].name)) asking = &askings[i];
        }
        good = asking ? asking->answer(&r, &here.answer, &why) : bw_fail(&why, "\"ask\" names no question.", NULL);
    }
    if (here.answer.overflow) good = bw_fail(&why, "The answer is too long.", NULL);
    finish(good, &why);
    return (uint32_t)here.answer.length;
}

uint32_t bw_wasm_open(uint32_t length) {
    bw_error_text why = {{0}};
    here.playing = false;
    int error = opened_read(&here.file, (const char *)here.room, length, &why);
    memory_keep();
    if (!begin(1 << 16)) return 0;
    bw_out *out = &here.answer;
    bw_out_format(out, "\"valid\":%s,\"game\":", error == 0 ? "true" : "false");
    bw_out_string(out, here.file.game ? here.file.game->id : NULL);
    bw_out_format(out, ",\"steps\":%u", here.file.steps);
    if (here.file.steps) {
        bw_out_text(out, ",\"config\":");
        bw_encode(out, here.file.game->config, here.file.config);
    }
    if (error) bw_out_format(out, ",\"message\":\"%s\"", why.text);
    finish(true, NULL);
    return (uint32_t)here.answer.length;
}
