#include "engine/lesson.h"

#include "engine/config.h"
#include "engine/file.h"
#include "engine/registry.h"
#include "engine/text.h"

#include <string.h>

enum {
    TOKENS = 12000,
    STATE_BYTES = 96 * 1024, /* of a state as JSON */
    PATTERN_TOKENS = 256,
    LEGAL = 64, /* of so many actions `show` finds the first that fits */
    DEPTH = 12,
    UNTIL_MOVES_MAX = 200, /* that a test or `show` plays */
};

/* What the lesson's own memory holds behind the match. */
typedef struct scratch {
    bw_token tokens[TOKENS];
    bw_token pattern[PATTERN_TOKENS];
    char state[STATE_BYTES];
    char action_text[STATE_BYTES / 2];
    uint64_t structs[]; /* config, action, played, a copy of the match, view, LEGAL actions: rounded up to 8 each */
} scratch;

static size_t aligned(size_t bytes) { return (bytes + 7) & ~(size_t)7; }

size_t bw_lesson_bytes(const bw_game *game) {
    return 2 * aligned(bw_match_bytes(game)) + sizeof(scratch) + aligned(game->config->size) +
           2 * aligned(game->actions->size) + aligned(game->view->size) + (size_t)LEGAL * game->actions->size;
}

static scratch *own(const bw_lesson *l) { return l->scratch; }
static void *config_of(const bw_lesson *l) { return own(l)->structs; }
static void *action_of(const bw_lesson *l) { return (uint8_t *)config_of(l) + aligned(l->game->config->size); }
static void *played_of(const bw_lesson *l) { return (uint8_t *)action_of(l) + aligned(l->game->actions->size); }
static void *backup_of(const bw_lesson *l) { return (uint8_t *)played_of(l) + aligned(l->game->actions->size); }
static void *view_of(const bw_lesson *l) { return (uint8_t *)backup_of(l) + aligned(bw_match_bytes(l->game)); }
static uint8_t *legal_of(const bw_lesson *l) { return (uint8_t *)view_of(l) + aligned(l->game->view->size); }

/* ---- lines ---- */

static const char *const words[BW_LESSON_WORDS] = {"game",  "title", "end",   "step", "config", "seed",  "seats",
                                                   "play",  "you",   "say",   "want", "or",     "wrong", "else",
                                                   "reply", "until", "again", "so",   "then"};

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static bw_raw trim(const char *at, const char *end) {
    while (at < end && is_space(*at)) at++;
    while (end > at && is_space(end[-1])) end--;
    return (bw_raw){at, (size_t)(end - at)};
}

/* The first word of `text`; what follows it is left in `rest`. */
static bw_raw first_word(bw_raw text, bw_raw *rest) {
    const char *end = text.at + text.length, *at = text.at;
    while (at < end && !is_space(*at)) at++;
    *rest = trim(at, end);
    return (bw_raw){text.at, (size_t)(at - text.at)};
}

static bool is_word(bw_raw text, const char *word) {
    size_t i = 0;
    while (i < text.length && word[i] && text.at[i] == word[i]) i++;
    return i == text.length && !word[i];
}

/* Takes the next line that says something. False: the end. */
static bool next_line(const char **at, const char *end, uint16_t *number, bw_raw *line) {
    while (*at < end) {
        const char *start = *at, *stop = start;
        while (stop < end && *stop != '\n') stop++;
        *at = stop < end ? stop + 1 : end;
        ++*number;
        *line = trim(start, stop);
        if (line->length && line->at[0] != '#') return true;
    }
    return false;
}

static bool wrong_line(bw_complaint *complaint, unsigned number, const char *sentence) {
    bw_complaint copy = {{0}}; /* the sentence may be the complaint's own text */
    bw_complain(&copy, "Line ", bw_digits_of(number).text, ": ", sentence, NULL);
    *complaint = copy;
    return false;
}

const bw_game *bw_lesson_game(const char *text, size_t length, const bw_game *(*find)(const char *id),
                              bw_complaint *complaint) {
    const char *at = text;
    uint16_t number = 0;
    bw_raw line, rest;
    char id[40];
    if (next_line(&at, text + length, &number, &line) && is_word(first_word(line, &rest), "game") &&
        rest.length < sizeof id) {
        memcpy(id, rest.at, rest.length);
        id[rest.length] = 0;
        const bw_game *game = find(id);
        if (game) return game;
    }
    wrong_line(complaint, number, "the first line must be \"game ID\", with the id of a game.");
    return NULL;
}

const bw_lesson_line *bw_lesson_line_of(const bw_lesson *l, int step, bw_lesson_word word, int i) {
    int from = step < 0 ? 0 : l->first[step], to = step < 0 ? l->first[0] : l->first[step + 1];
    for (int n = from; n < to; n++) {
        if (l->lines[n].word == word && i-- == 0) return &l->lines[n];
    }
    return NULL;
}

/* ---- JSON against JSON ---- */

static bool alike(const bw_doc *a, int at, const bw_doc *b, int bt) {
    bw_raw x = bw_doc_raw(a, at), y = bw_doc_raw(b, bt);
    return a->tokens[at].type == b->tokens[bt].type && x.length == y.length && memcmp(x.at, y.at, x.length) == 0;
}

static bool fits(const bw_doc *pattern, int pt, const bw_doc *value, int vt, bool part);

static bool fits_any(const bw_doc *pattern, int list, const bw_doc *value, int vt, bool part) {
    int item = list + 1;
    for (int i = 0; i < pattern->tokens[list].size; i++, item = bw_doc_behind(pattern, item)) {
        if (fits(pattern, item, value, vt, part)) return true;
    }
    return false;
}

/* Every item is one of the pattern's, and unless a part will do there are as many. */
static bool list_fits(const bw_doc *pattern, int pt, const bw_doc *value, int vt, bool part) {
    int count = value->tokens[vt].size, wanted = pattern->tokens[pt].size;
    if (part ? count > wanted : count != wanted) return false;
    int item = vt + 1;
    for (int i = 0; i < count; i++, item = bw_doc_behind(value, item)) {
        if (!fits_any(pattern, pt, value, item, part)) return false;
    }
    return true;
}

/* Does the value have all that the pattern names? */
static bool fits(const bw_doc *pattern, int pt, const bw_doc *value, int vt, bool part) {
    const bw_token *p = &pattern->tokens[pt], *v = &value->tokens[vt];
    if (p->type != v->type) return false;
    if (p->type == JSMN_ARRAY) return list_fits(pattern, pt, value, vt, part);
    if (p->type != JSMN_OBJECT) return alike(pattern, pt, value, vt);
    int key = pt + 1;
    for (int i = 0; i < p->size; i++, key = bw_doc_behind(pattern, key + 1)) {
        int other = vt + 1;
        bool found = false;
        for (int n = 0; n < v->size && !found; n++, other = bw_doc_behind(value, other + 1)) {
            found = alike(pattern, key, value, other) && fits(pattern, key + 1, value, other + 1, part);
        }
        if (!found) return false;
    }
    return true;
}

/* The JSON of a line, of a `wrong` line without its sentence. */
static bw_raw json_of(const bw_lesson_line *line, bw_raw *sentence) {
    bw_raw all = line->value;
    *sentence = (bw_raw){all.at + all.length, 0};
    if (line->word != BW_LESSON_WRONG) return all;
    for (size_t i = all.length; i-- > 0;) {
        if (all.at[i] != '|') continue;
        *sentence = trim(all.at + i + 1, all.at + all.length);
        return trim(all.at, all.at + i);
    }
    return all;
}

static bool parse(bw_doc *doc, bw_raw json, bw_token *tokens, int cap, bw_complaint *complaint) {
    return bw_doc_parse(doc, json.at, json.length, tokens, cap, DEPTH, complaint) >= 0;
}

static bool pattern_of(bw_lesson *l, const bw_lesson_line *line, bw_doc *doc) {
    bw_complaint none;
    bw_raw sentence;
    return parse(doc, json_of(line, &sentence), own(l)->pattern, PATTERN_TOKENS, &none);
}

bool bw_lesson_is(bw_lesson *l, const bw_lesson_line *line, const void *action, bool part) {
    bw_out out = bw_out_to(own(l)->action_text, sizeof own(l)->action_text);
    bw_doc pattern, value;
    bw_complaint none;
    bw_encode_union(&out, l->game->actions, action);
    return !out.overflow && pattern_of(l, line, &pattern) &&
           parse(&value, (bw_raw){out.at, out.length}, own(l)->tokens, TOKENS, &none) &&
           fits(&pattern, 0, &value, 0, part);
}

static bool read_action(bw_lesson *l, bw_raw json, void *action, bw_complaint *complaint) {
    bw_doc doc;
    return parse(&doc, json, own(l)->pattern, PATTERN_TOKENS, complaint) &&
           bw_decode_union(l->game->actions, &doc, 0, action, NULL, complaint) >= 0;
}

bool bw_lesson_action(bw_lesson *l, const bw_lesson_line *line, void *action) {
    bw_complaint none;
    bw_raw sentence;
    return read_action(l, json_of(line, &sentence), action, &none);
}

bool bw_lesson_holds(bw_lesson *l, const bw_lesson_line *line) {
    const bw_game *game = l->game;
    bw_out out = bw_out_to(own(l)->state, sizeof own(l)->state);
    bw_doc pattern, value;
    bw_complaint none;
    bool over = game->turn(l->match.state) == 0;
    game->view_of(l->match.state, l->seat, view_of(l));
    bw_out_text(&out, "{");
    if (bw_encode_members(&out, game->view, view_of(l))) bw_out_text(&out, ",");
    bw_out_text(&out, over ? "\"over\":true,\"winner\":" : "\"over\":false,\"winner\":null");
    if (over) bw_encode_winner(&out, game, game->winners(l->match.state));
    bw_out_text(&out, "}");
    return !out.overflow && pattern_of(l, line, &pattern) &&
           parse(&value, (bw_raw){out.at, out.length}, own(l)->tokens, TOKENS, &none) &&
           fits(&pattern, 0, &value, 0, false);
}

/* ---- reading ---- */

static int seat_of(const bw_lesson *l, bw_raw name) {
    char text[40];
    if (name.length >= sizeof text) return -1;
    memcpy(text, name.at, name.length);
    text[name.length] = 0;
    return bw_role_find(l->game, text);
}

static bool seats_of(const bw_lesson *l, bw_raw names, uint32_t *seats) {
    *seats = 0;
    while (names.length) {
        int seat = seat_of(l, first_word(names, &names));
        if (seat < 0) return false;
        *seats |= 1u << seat;
    }
    return *seats != 0;
}

static bool read_config(bw_lesson *l, bw_raw json, bw_complaint *complaint) {
    bw_doc doc;
    memcpy(config_of(l), l->game->defaults, l->game->config->size);
    if (!parse(&doc, json, own(l)->pattern, PATTERN_TOKENS, complaint) ||
        bw_config_read(l->game, &doc, 0, config_of(l), NULL, complaint) < 0) {
        return false;
    }
    int refusal = l->game->check ? l->game->check(config_of(l)) : 0;
    if (refusal < 0) bw_complain(complaint, bw_refusal(l->game, refusal), NULL);
    return refusal >= 0;
}

/* "ROLE ACTION", or "round". */
static bool check_play(bw_lesson *l, bw_raw value, bw_complaint *complaint) {
    bw_raw rest, who = first_word(value, &rest);
    if (is_word(who, "round") && !rest.length && l->game->flags & BW_GAME_ROUNDS) return true;
    if (seat_of(l, who) >= 0) return read_action(l, rest, action_of(l), complaint);
    bw_complain(complaint, "this line needs a role of the game and an action.", NULL);
    return false;
}

/* The form of one line; what it does is seen when it is played. */
static bool check_line(bw_lesson *l, const bw_lesson_line *line, bw_complaint *complaint) {
    uint8_t seed[32];
    uint32_t seats;
    bw_doc doc;
    bw_raw sentence, json = json_of(line, &sentence);
    bw_complain(complaint, "a value is missing, or it has not the form that this keyword needs.", NULL);
    if (!line->value.length || line->value.length >= BW_LESSON_SAID_MAX) return false;
    switch ((bw_lesson_word)line->word) {
    case BW_LESSON_CONFIG: return read_config(l, json, complaint);
    case BW_LESSON_SEED: return bw_hex_read(line->value.at, line->value.length, seed, 32);
    case BW_LESSON_SEATS: return seats_of(l, line->value, &seats);
    case BW_LESSON_YOU: return seat_of(l, line->value) >= 0;
    case BW_LESSON_PLAY:
    case BW_LESSON_REPLY: return check_play(l, line->value, complaint);
    case BW_LESSON_WRONG:
        if (!sentence.length) return false;
        /* and its action like the others */
        return parse(&doc, json, own(l)->pattern, PATTERN_TOKENS, complaint) && bw_doc_is_object(&doc, 0);
    case BW_LESSON_WANT:
    case BW_LESSON_OR:
    case BW_LESSON_UNTIL:
    case BW_LESSON_SO:
        return parse(&doc, json, own(l)->pattern, PATTERN_TOKENS, complaint) && bw_doc_is_object(&doc, 0);
    default: return true;
    }
}

static int word_of(bw_raw word) {
    for (int i = 0; i < BW_LESSON_WORDS; i++) {
        if (is_word(word, words[i])) return i;
    }
    return -1;
}

static int count_of(const bw_lesson *l, int step, bw_lesson_word word) {
    int count = 0;
    while (bw_lesson_line_of(l, step, word, count)) count++;
    return count;
}

static bool check_whole(const bw_lesson *l, unsigned last, bw_complaint *complaint) {
    if (l->step_count == 0) return wrong_line(complaint, last, "a lesson needs a step.");
    if (!bw_lesson_line_of(l, -1, BW_LESSON_TITLE, 0) || !bw_lesson_line_of(l, -1, BW_LESSON_END, 0)) {
        return wrong_line(complaint, 1, "a lesson needs the lines \"title\" and \"end\" before its first step.");
    }
    for (int i = 0; i < l->step_count; i++) {
        unsigned number = l->lines[l->first[i]].number;
        if (!bw_lesson_line_of(l, i, BW_LESSON_SAY, 0)) {
            return wrong_line(complaint, number, "a step needs a \"say\" line.");
        }
        if (bw_lesson_line_of(l, i, BW_LESSON_UNTIL, 0) && !bw_lesson_line_of(l, i, BW_LESSON_AGAIN, 0)) {
            return wrong_line(complaint, number, "an \"until\" step needs an \"again\" line.");
        }
        if (i == 0 && (!bw_lesson_line_of(l, 0, BW_LESSON_CONFIG, 0) || !bw_lesson_line_of(l, 0, BW_LESSON_YOU, 0))) {
            return wrong_line(complaint, number, "the first step needs \"config\" and \"you\".");
        }
        if (count_of(l, i, BW_LESSON_WANT) > BW_LESSON_WANTS_MAX) {
            return wrong_line(complaint, number, "a step has too many \"want\" lines.");
        }
    }
    return true;
}

static void attach(bw_lesson *l, void *memory) {
    bw_match_attach(&l->match, l->game, memory);
    l->scratch = (uint8_t *)memory + aligned(bw_match_bytes(l->game));
}

bool bw_lesson_read(bw_lesson *l, const bw_game *game, const char *text, size_t length, void *memory,
                    bw_complaint *complaint) {
    const char *at = text, *end = text + length;
    uint16_t number = 0;
    bw_raw line, rest;
    memset(l, 0, sizeof *l);
    l->game = game;
    l->step = l->seat = -1;
    attach(l, memory);
    if (length > BW_LESSON_BYTES_MAX) return wrong_line(complaint, 1, "the lesson is too long.");
    while (next_line(&at, end, &number, &line)) {
        int word = word_of(first_word(line, &rest));
        if (word < 0) return wrong_line(complaint, number, "this is no keyword of a lesson.");
        if (l->line_count == BW_LESSON_LINES_MAX) return wrong_line(complaint, number, "the lesson is too long.");
        bool head = word <= BW_LESSON_END;
        if (head ? l->step_count > 0 : l->step_count == 0 && word != BW_LESSON_STEP) {
            return wrong_line(complaint, number, "this keyword does not belong here.");
        }
        if (word == BW_LESSON_STEP) {
            if (l->step_count == BW_LESSON_STEPS_MAX) {
                return wrong_line(complaint, number, "the lesson has too many steps.");
            }
            l->first[l->step_count++] = l->line_count;
        }
        bw_lesson_line *kept = &l->lines[l->line_count++];
        *kept = (bw_lesson_line){.value = rest, .number = number, .word = (uint8_t)word};
        if (!check_line(l, kept, complaint)) return wrong_line(complaint, number, complaint->text);
    }
    l->first[l->step_count] = l->line_count;
    return check_whole(l, number, complaint);
}

/* ---- playing ---- */

static bool rounds(const bw_lesson *l) { return l->game->flags & BW_GAME_ROUNDS; }

/* "ROLE ACTION": 0 or a refusal. */
static int play_line(bw_lesson *l, bw_raw value, bw_events *events) {
    bw_complaint none;
    bw_raw rest, who = first_word(value, &rest);
    if (is_word(who, "round")) {
        bw_match_round(&l->match, played_of(l), events);
        return 0;
    }
    int seat = seat_of(l, who);
    if (!read_action(l, rest, action_of(l), &none)) return -1;
    int outcome = rounds(l) ? bw_match_submit(&l->match, seat, action_of(l), played_of(l), events)
                            : bw_match_play(&l->match, seat, action_of(l), events);
    return outcome < 0 ? outcome : 0;
}

static bool set_up(bw_lesson *l, int step, bw_complaint *complaint) {
    const bw_lesson_line *line = bw_lesson_line_of(l, step, BW_LESSON_CONFIG, 0);
    if (!read_config(l, line->value, complaint)) return wrong_line(complaint, line->number, complaint->text);
    uint8_t seed[32] = {0};
    uint32_t seats = (1u << l->game->role_count) - 1;
    line = bw_lesson_line_of(l, step, BW_LESSON_SEED, 0);
    if (line) bw_hex_read(line->value.at, line->value.length, seed, 32);
    line = bw_lesson_line_of(l, step, BW_LESSON_SEATS, 0);
    if (line) seats_of(l, line->value, &seats);
    bw_match_start(&l->match, config_of(l), seats, seed);
    for (int i = 0; (line = bw_lesson_line_of(l, step, BW_LESSON_PLAY, i)); i++) {
        int refusal = play_line(l, line->value, NULL);
        if (refusal < 0) return wrong_line(complaint, line->number, bw_refusal(l->game, refusal));
    }
    return true;
}

bool bw_lesson_start(bw_lesson *l, int step, bw_complaint *complaint) {
    bw_lesson_answer answer;
    if (step < 0 || step >= l->step_count) {
        bw_complain(complaint, "There is no such step.", NULL);
        return false;
    }
    /* From the last step that has a position, unless that is where we stand. */
    int from = step;
    if (!bw_lesson_line_of(l, step, BW_LESSON_CONFIG, 0) && !(l->finished && l->step == step - 1)) {
        while (!bw_lesson_line_of(l, from, BW_LESSON_CONFIG, 0)) from--;
    }
    for (; from <= step; from++) {
        for (int i = 0; i <= from; i++) {
            const bw_lesson_line *you = bw_lesson_line_of(l, i, BW_LESSON_YOU, 0);
            if (you) l->seat = seat_of(l, you->value);
        }
        if (bw_lesson_line_of(l, from, BW_LESSON_CONFIG, 0) && !set_up(l, from, complaint)) return false;
        l->step = from;
        l->done = 0;
        l->finished = !bw_lesson_line_of(l, from, BW_LESSON_WANT, 0) && !bw_lesson_line_of(l, from, BW_LESSON_UNTIL, 0);
        for (int i = 0; from < step && !l->finished && i < UNTIL_MOVES_MAX && bw_lesson_show(l, NULL, &answer); i++) {
        }
        if (from < step && !l->finished) {
            return wrong_line(complaint, l->lines[l->first[from]].number,
                              "this step cannot be played by its own lines.");
        }
    }
    return true;
}

/* ---- what the learner does ---- */

static bw_lesson_outcome say(bw_lesson *l, bw_lesson_answer *a, bw_lesson_outcome outcome, const bw_lesson_line *line) {
    bw_raw text = {"", 0};
    if (line && line->word == BW_LESSON_WRONG) json_of(line, &text);
    else if (line) text = line->value;
    a->outcome = outcome;
    a->line = line ? (int)(line - l->lines) : -1;
    memcpy(a->said, text.at, text.length);
    a->said[text.length] = 0;
    return outcome;
}

static void refuse(bw_lesson *l, bw_lesson_answer *a, int refusal) {
    bw_complaint sentence;
    say(l, a, BW_LESSON_NO, NULL);
    bw_complain(&sentence, bw_refusal(l->game, refusal), NULL);
    memcpy(a->said, sentence.text, sizeof sentence.text);
}

static const bw_lesson_line *line_of(const bw_lesson *l, bw_lesson_word word) {
    return bw_lesson_line_of(l, l->step, word, 0);
}

/* The number of the `want` that an action does, -1 for none; `part` as in bw_lesson_is. */
static int wanted(bw_lesson *l, const void *action, bool part) {
    int want = -1;
    for (int n = l->first[l->step]; n < l->first[l->step + 1]; n++) {
        const bw_lesson_line *line = &l->lines[n];
        if (line->word == BW_LESSON_WANT) want++;
        else if (line->word != BW_LESSON_OR) continue;
        if (want < 0 || l->done >> want & 1) continue;
        if (bw_lesson_is(l, line, action, part)) return want;
        if (!rounds(l) && (l->done + 1) >> want == 1) { /* the first that is open: only it, and its other ways */
            const bw_lesson_line *next = n + 1 < l->first[l->step + 1] ? line + 1 : NULL;
            if (!next || next->word != BW_LESSON_OR) return -1;
        }
    }
    return -1;
}

static const bw_lesson_line *wrong_of(bw_lesson *l, const void *action) {
    const bw_lesson_line *line;
    for (int i = 0; (line = bw_lesson_line_of(l, l->step, BW_LESSON_WRONG, i)); i++) {
        if (bw_lesson_is(l, line, action, false)) return line;
    }
    return NULL;
}

static void finish(bw_lesson *l, bw_events *events, bw_lesson_answer *a) {
    const bw_lesson_line *line;
    for (int i = 0; (line = bw_lesson_line_of(l, l->step, BW_LESSON_REPLY, i)); i++) play_line(l, line->value, events);
    if (rounds(l)) bw_match_round(&l->match, played_of(l), events);
    l->finished = true;
    say(l, a, BW_LESSON_DONE, line_of(l, BW_LESSON_THEN));
}

/* After something was played in an `until` step. */
static void judge(bw_lesson *l, bw_lesson_answer *a) {
    if (bw_lesson_holds(l, line_of(l, BW_LESSON_UNTIL))) {
        l->finished = true;
        say(l, a, BW_LESSON_DONE, line_of(l, BW_LESSON_THEN));
    } else if (!(l->game->turn(l->match.state) >> l->seat & 1)) {
        say(l, a, BW_LESSON_RESTART, line_of(l, BW_LESSON_AGAIN));
    } else {
        say(l, a, BW_LESSON_PLAYED, NULL);
    }
}

static bool is_empty(const uint8_t *bytes, size_t count) {
    while (count && !*bytes) bytes++, count--;
    return count == 0;
}

/* The learner's choice is taken back: always allowed. */
static bool took_back(const bw_lesson *l) { return is_empty(bw_match_draft(&l->match, l->seat), l->game->draft_size); }

/* What was played, or prepared, is judged; where it is not wanted it has not happened. */
static void judge_deed(bw_lesson *l, int outcome, bw_events *events, bw_lesson_answer *a) {
    bool until = line_of(l, BW_LESSON_UNTIL) != NULL, staged = outcome == BW_PREPARED && !rounds(l);
    if (outcome == BW_PREPARED && took_back(l)) {
        l->done = 0;
        say(l, a, BW_LESSON_STAGED, NULL);
        return;
    }
    const bw_lesson_line *wrong = wrong_of(l, played_of(l));
    int want = until ? 0 : wanted(l, played_of(l), staged);
    if (wrong || want < 0) {
        memcpy(l->match.block, backup_of(l), bw_match_bytes(l->game));
        say(l, a, BW_LESSON_NO, wrong ? wrong : line_of(l, BW_LESSON_ELSE));
    } else if (staged) {
        say(l, a, BW_LESSON_STAGED, NULL);
    } else if (until) {
        if (rounds(l)) bw_match_round(&l->match, played_of(l), events);
        judge(l, a);
    } else {
        l->done |= 1u << want;
        if (l->done + 1 == 1u << count_of(l, l->step, BW_LESSON_WANT)) finish(l, events, a);
        else say(l, a, rounds(l) ? BW_LESSON_STAGED : BW_LESSON_PLAYED, NULL);
    }
}

void bw_lesson_try(bw_lesson *l, const void *action, bw_events *events, bw_lesson_answer *a) {
    say(l, a, BW_LESSON_NO, NULL);
    if (l->finished || l->step < 0 || !(l->game->turn(l->match.state) >> l->seat & 1)) return;
    if (!bw_union_fits(l->game->actions, action)) return;
    if (l->game->actions->cases[*(const uint8_t *)action].flags & (BW_ACTION_CLOCK | BW_ACTION_WORDS)) return;
    const bw_lesson_line *wrong = wrong_of(l, action);
    if (wrong) {
        say(l, a, BW_LESSON_NO, wrong);
        return;
    }
    uint32_t events_before = events ? events->count : 0;
    memcpy(backup_of(l), l->match.block, bw_match_bytes(l->game));
    int outcome = bw_match_submit(&l->match, l->seat, action, played_of(l), events);
    if (outcome < 0) {
        refuse(l, a, outcome);
        return;
    }
    if (outcome == BW_PREPARED) memcpy(played_of(l), action, l->game->actions->size);
    judge_deed(l, outcome, events, a);
    if (a->outcome == BW_LESSON_NO && events) events->count = events_before;
}

/* Plays what is staged, where the game has an action for that. */
static void confirm(bw_lesson *l, bw_events *events, bw_lesson_answer *a) {
    for (uint16_t i = 0; i < l->game->actions->count; i++) {
        if (!(l->game->actions->cases[i].flags & BW_ACTION_COMMIT)) continue;
        memset(action_of(l), 0, l->game->actions->size);
        *(uint8_t *)action_of(l) = (uint8_t)i;
        bw_lesson_try(l, action_of(l), events, a);
        return;
    }
}

/* An action such as the line says. */
static bool find_action(bw_lesson *l, const bw_lesson_line *line, void *action) {
    size_t size = l->game->actions->size;
    if (bw_lesson_action(l, line, action)) return true;
    uint32_t count = l->game->legal(l->match.state, l->seat, legal_of(l), LEGAL);
    for (uint32_t i = 0; i < count && i < LEGAL; i++) {
        if (!bw_lesson_is(l, line, legal_of(l) + i * size, false) || wrong_of(l, legal_of(l) + i * size)) continue;
        memcpy(action, legal_of(l) + i * size, size);
        return true;
    }
    return false;
}

bool bw_lesson_show(bw_lesson *l, bw_events *events, bw_lesson_answer *a) {
    int next = 0;
    while (l->done >> next & 1) next++;
    const bw_lesson_line *want = bw_lesson_line_of(l, l->step, BW_LESSON_WANT, next);
    if (!want || l->finished || !find_action(l, want, action_of(l))) return false;
    bw_lesson_try(l, action_of(l), events, a);
    if (a->outcome == BW_LESSON_STAGED && !rounds(l)) confirm(l, events, a);
    if (line_of(l, BW_LESSON_UNTIL)) l->done |= 1u << next;
    return a->outcome != BW_LESSON_NO;
}
