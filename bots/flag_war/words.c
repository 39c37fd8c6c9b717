#include "bots/flag_war/words.h"

#include <string.h>

#include "engine/json.h"

/* ---- what is known ---- */

int bw_war_recall(const void *view, const void *config, int seat, const void *draft_you, bw_war_state *state,
                  bw_war_draft *draft) {
    const bw_war_you *you = draft_you;
    int refusal = bw_war_guess(state, view, config, seat, 0);
    memset(draft, 0, sizeof *draft);
    if (refusal < 0 || !you) return refusal;
    for (uint32_t i = 0; i < you->queue_count && i < BW_WAR_QUEUE_MAX; i++) {
        const bw_war_queued *queued = &you->queue[i];
        if (queued->round > state->round && queued->round - state->round <= BW_WAR_HORIZON_MAX && queued->piece >= 1 &&
            queued->piece <= state->config.pieces && bw_war_on_board(&state->config, queued->to.x, queued->to.y)) {
            draft->to[queued->round % BW_WAR_SLOTS][queued->piece - 1] =
                (uint16_t)(bw_war_square(queued->to.x, queued->to.y) + 1);
        }
    }
    return 0;
}

/* ---- the summary ---- */

static void write_deed(bw_out *out, const bw_war_action *action, int counts_from) {
    const bw_war_command *command = &action->as.command;
    if (command->has_to) {
        bw_out_format(out, "%d to %d,%d", command->piece, command->to.x + counts_from, command->to.y + counts_from);
    } else {
        bw_out_format(out, "%d %s %d", command->piece, bw_war_direction_names.names[command->direction],
                      command->distance);
    }
}

static int64_t round_of(const bw_war_action *action) {
    return action->as.command.has_round ? action->as.command.round : 0;
}

static uint32_t orders_left(const bw_war_draft *draft, int piece) {
    uint32_t left = 0;
    for (int slot = 0; slot < BW_WAR_SLOTS; slot++) left += draft->to[slot][piece - 1] != 0;
    return left;
}

/* "Piece 3 has no orders now.", for each piece once. */
static void write_cancels(bw_out *out, const bw_war_action *actions, uint32_t count, const bw_war_draft *draft) {
    uint32_t told = 0;
    for (int piece = 1; piece <= BW_WAR_TEAM_MAX; piece++) {
        uint32_t before = told;
        for (uint32_t i = 0; i < count; i++) {
            told += actions[i].type == BW_WAR_CANCEL && actions[i].as.cancel.piece == piece;
        }
        if (told == before) continue;
        uint32_t left = orders_left(draft, piece);
        bw_out_format(out, "%sPiece %d has ", out->length ? " " : "", piece);
        if (left) bw_out_format(out, "%u order%s left.", left, left == 1 ? "" : "s");
        else bw_out_text(out, "no orders now.");
    }
}

/* "Round 4: 2 to 5,5, 3 to 6,8. Round 5: 2 to 5,0. Piece 1 has no orders now." Orders that do not fit are counted:
 * "And 12 more." */
void bw_war_summary(const void *actions_, uint32_t count, const bw_war_draft *draft, int counts_from,
                    bw_words_answer *answer) {
    enum { MORE = 24, CANCELS = BW_WAR_TEAM_MAX * 28 }; /* room for the last words */
    const bw_war_action *actions = actions_;
    bw_out out = bw_out_to(answer->summary, sizeof answer->summary - 1);
    uint32_t cancels = 0, done = 0;
    for (uint32_t i = 0; i < count; i++) cancels += actions[i].type == BW_WAR_CANCEL;
    size_t room = cancels ? sizeof answer->summary - CANCELS : sizeof answer->summary;
    for (int64_t last = -1; done < count - cancels && out.length + 2 * MORE < room;) {
        int64_t round = INT64_MAX;
        for (uint32_t i = 0; i < count; i++) {
            int64_t its = actions[i].type == BW_WAR_CANCEL ? INT64_MAX : round_of(&actions[i]);
            round = its > last && its < round ? its : round;
        }
        bw_out_text(&out, done ? " " : "");
        if (round) bw_out_format(&out, "Round %" PRId64, round);
        else bw_out_text(&out, "Next round");
        uint32_t in_round = 0;
        for (uint32_t i = 0; i < count && out.length + MORE + 24 < room; i++) {
            if (actions[i].type != BW_WAR_CANCEL && round_of(&actions[i]) == round) {
                bw_out_text(&out, in_round++ ? ", " : ": ");
                write_deed(&out, &actions[i], counts_from);
            }
        }
        bw_out_text(&out, ".");
        done += in_round;
        last = round;
    }
    if (done < count - cancels) bw_out_format(&out, " And %u more.", count - cancels - done);
    if (cancels) write_cancels(&out, actions, count, draft);
    answer->summary[out.length] = '\0';
}

/* ---- the embedded interpreter ---- */

static void fail(bw_words_answer *answer, const char *why) {
    bw_out out = bw_out_to(answer->error, sizeof answer->error - 1);
    bw_out_text(&out, why);
    answer->error[out.length] = '\0';
}

static bw_words_asked asked_by(const void *action) {
    const bw_war_words *words = &((const bw_war_action *)action)->as.orders;
    return (bw_words_asked){.text = words->text,
                            .suggest = words->has_suggest && words->suggest,
                            .counts_from = words->has_counts_from ? words->counts_from : 0};
}

static void read_words(const void *view, const void *config, int seat, const void *draft_you,
                       const bw_words_asked *asked, void *actions, uint32_t cap, bw_words_answer *answer) {
    bw_war_state state;
    bw_war_draft draft;
    memset(answer, 0, sizeof *answer);
    int refusal = bw_war_recall(view, config, seat, draft_you, &state, &draft);
    if (refusal < 0 || state.over) {
        fail(answer, bw_refusal(&bw_flag_war, refusal < 0 ? refusal : BW_WAR_REFUSE(BW_WAR_IS_OVER)));
        return;
    }
    bw_war_read(&state, seat, &draft, asked, actions, cap, answer);
}

/* ---- a language model ---- */

static void prompt(const void *view_, const void *config_, int seat, const bw_words_asked *asked, bw_out *out) {
    const bw_war_config *config = config_;
    const bw_war_view *view = view_;
    const bw_war_rows *own = seat == BW_WAR_BLUE ? &view->territory.blue : &view->territory.red;
    bw_out_format(
        out,
        "You turn a player's words into orders for the %s team of Flag War, a game of simultaneous rounds. x "
        "is a column and grows to the right from 1, y is a row and grows down from 1: \"up\" is y-1. Pieces "
        "move any number of squares in a straight line, through everything. A piece on the enemy flag carries "
        "it; it scores on its own ground (rows %d to %d). Enemies that meet: on blue's ground red is jailed, "
        "on red's ground blue, between them both. Two own pieces on one square go back to their start. A "
        "piece on its team's key frees its jail. No piece may end a move within %d squares of its own flag "
        "while that is home.",
        seat == BW_WAR_BLUE ? "blue" : "red", own->from + 1, own->to + 1, config->guard_distance);
    if (config->max_distance) bw_out_format(out, " A move is at most %d squares.", config->max_distance);
    bw_out_text(out, asked->counts_from ? "" : " The player's own words count columns and rows from 0.");
    bw_out_text(out, "\nThe position (\"blue-2 6,9\" is blue's piece 2 at x 6, y 9):\n");
    bw_war_text(view, out);
    bw_out_format(out,
                  "Answer with one JSON object and nothing else: "
                  "{\"commands\":[{\"piece\":1,\"direction\":\"up\",\"distance\":3,\"round\":%u}]}. piece: 1 to %d. "
                  "direction: up, down, left or right%s. distance: 0 holds. round: from %u to %u, left out for the "
                  "next one; at most one command for a piece and round.\n",
                  view->round + 1, config->pieces,
                  config->diagonals ? ", up_left, up_right, down_left or down_right" : "", view->round + 1,
                  view->round + config->horizon);
}

/* ---- a language model's answer ---- */

enum { COMMANDS = 100, CONTENT = 8192, TOKENS = 2048, DEPTH = 16, BRACES = 32 };

/* The end of the JSON value that starts at `at`, or NULL if it never ends. */
static const char *close_brace(const char *at, const char *end) {
    int depth = 0;
    bool quoted = false;
    for (; at < end; at++) {
        if (quoted && *at == '\\') at++;
        else if (*at == '"') quoted = !quoted;
        else if (!quoted && *at == '{') depth++;
        else if (!quoted && *at == '}' && --depth == 0) return at + 1;
    }
    return NULL;
}

/* Where the answer begins: some models think aloud first, also in JSON. If the thinking never ends, there is no
 * answer. */
static size_t behind_thoughts(const char *content, size_t length) {
    static const char begin[] = "<think>", end[] = "</think>";
    size_t first = 0;
    for (size_t at = length + 1; at >= sizeof end; at--) {
        if (memcmp(content + at - sizeof end, end, sizeof end - 1) == 0) return at - 1;
    }
    while (first < length && content[first] <= ' ') first++;
    return length - first >= sizeof begin - 1 && memcmp(content + first, begin, sizeof begin - 1) == 0 ? length : 0;
}

/* The first JSON object in a text that may have words or a code fence around it. Only a limited number of other
 * braces is skipped, so that the time is bounded. */
static bool first_object(bw_doc *doc, const char *content, size_t length, bw_token *tokens) {
    const char *end = content + length;
    const char *at = content;
    for (int tried = 0; tried < BRACES && at < end; tried++, at++) {
        while (at < end && *at != '{') at++;
        const char *close = at < end ? close_brace(at, end) : NULL;
        if (close && bw_doc_parse(doc, at, (size_t)(close - at), tokens, TOKENS, DEPTH, NULL) > 0) return true;
    }
    return false;
}

/* Reads one command; other members are ignored. */
static bool read_command(const bw_doc *doc, int object, bw_war_action *action) {
    char name[24];
    int64_t piece, distance, round = 0;
    if (!bw_doc_is_object(doc, object)) return false;
    int way = bw_doc_member(doc, object, "direction"), when = bw_doc_member(doc, object, "round");
    int which = bw_doc_member(doc, object, "piece"), far = bw_doc_member(doc, object, "distance");
    bool timed = when >= 0 && !bw_doc_is_null(doc, when);
    int direction =
        way >= 0 && bw_doc_text(doc, way, name, sizeof name) >= 0 ? bw_names_find(&bw_war_direction_names, name) : -1;
    if (direction < 0 || which < 0 || !bw_doc_int(doc, which, &piece) || piece < 1 || piece > BW_WAR_TEAM_MAX ||
        far < 0 || !bw_doc_int(doc, far, &distance) || distance < 0 || distance > BW_WAR_FAR ||
        (timed && (!bw_doc_int(doc, when, &round) || round < -BW_WAR_FAR || round > BW_WAR_FAR))) {
        return false;
    }
    memset(action, 0, sizeof *action);
    action->type = BW_WAR_COMMAND;
    action->as.command = (bw_war_command){.piece = (int32_t)piece,
                                          .has_direction = true,
                                          .direction = (uint8_t)direction,
                                          .has_distance = true,
                                          .distance = (int32_t)distance,
                                          .has_round = timed,
                                          .round = round};
    return true;
}

/* A prepared command as in the queue: a square and a round. */
static void settle_on(const bw_war_state *state, const bw_war_draft *draft, bw_war_command *command) {
    bool later = command->has_round && command->round > (int64_t)state->round + 1;
    uint32_t round = later ? (uint32_t)command->round : state->round + 1;
    bw_war_spot to = (bw_war_spot)(draft->to[round % BW_WAR_SLOTS][command->piece - 1] - 1);
    *command = (bw_war_command){.piece = command->piece,
                                .has_to = true,
                                .to = {.x = bw_war_x(to), .y = bw_war_y(to)},
                                .has_round = true,
                                .round = round};
}

/* Each command by itself: the allowed ones count, the answer lists the others as left out. */
static void decode(const void *view, const void *config, int seat, const void *draft_you, const bw_words_asked *asked,
                   const char *content, size_t length, void *actions_, uint32_t cap, bw_words_answer *answer) {
    bw_war_state state;
    bw_war_draft draft;
    bw_token tokens[TOKENS];
    bw_doc doc;
    bw_war_action *actions = actions_;
    memset(answer, 0, sizeof *answer);
    size_t thoughts = behind_thoughts(content, length);
    content += thoughts;
    length -= thoughts;
    int refusal = bw_war_recall(view, config, seat, draft_you, &state, &draft);
    if (refusal < 0 || length > CONTENT || !first_object(&doc, content, length, tokens)) {
        fail(answer, refusal < 0        ? bw_refusal(&bw_flag_war, refusal)
                     : length > CONTENT ? "The answer is too long."
                                        : "There is no JSON object in the answer.");
        return;
    }
    int list = bw_doc_member(&doc, 0, "commands");
    bool is_list = list >= 0 && doc.text[doc.tokens[list].start] == '[' && doc.tokens[list].type == JSMN_ARRAY;
    int count = is_list ? doc.tokens[list].size : 0;
    const char *why = NULL;
    for (int i = 0, at = list + 1; i < count; i++, at = bw_doc_behind(&doc, at)) {
        bw_war_action action;
        refusal = 0;
        if (i >= COMMANDS || answer->count == cap) why = "There were too many orders: the last ones were left out.";
        else if (!read_command(&doc, at, &action)) why = "An order without piece, direction and distance was left out.";
        else if ((refusal = bw_war_prepare(&state, seat, &draft, &action)) < 0) why = bw_refusal(&bw_flag_war, refusal);
        else {
            settle_on(&state, &draft, &action.as.command);
            memcpy(&actions[answer->count++], &action, sizeof action);
            continue;
        }
    }
    if (!answer->count) {
        fail(answer, why ? why : "The answer contains no orders.");
        return;
    }
    answer->understood = !why;
    if (why) fail(answer, why);
    bw_war_summary(actions, answer->count, &draft, asked->counts_from, answer);
}

const bw_words bw_war_interpreter = {
    .game = "flag_war",
    .asked_by = asked_by,
    .read = read_words,
    .prompt = prompt,
    .decode = decode,
};
