#include "engine/lesson_private.h"

#include "engine/config.h"
#include "engine/file.h"
#include "engine/registry.h"
#include "engine/text.h"

#include <string.h>

enum { DEPTH = 12 };

static size_t aligned(size_t bytes) { return (bytes + 7) & ~(size_t)7; }

size_t bw_lesson_bytes(const bw_game *game) {
    return 2 * aligned(bw_match_bytes(game)) + sizeof(bw_lesson_scratch) + aligned(game->config->size) +
           2 * aligned(game->actions->size) + aligned(game->view->size) + (size_t)BW_LESSON_LEGAL * game->actions->size;
}

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

/* The first word of `text`; the text after it goes to `rest`. */
bw_raw bw_lesson_first_word(bw_raw text, bw_raw *rest) {
    const char *end = text.at + text.length, *at = text.at;
    while (at < end && !is_space(*at)) at++;
    *rest = trim(at, end);
    return (bw_raw){text.at, (size_t)(at - text.at)};
}

bool bw_lesson_is_word(bw_raw text, const char *word) {
    size_t i = 0;
    while (i < text.length && word[i] && text.at[i] == word[i]) i++;
    return i == text.length && !word[i];
}

/* Reads the next line that is neither empty nor a comment. False at the end. */
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

bool bw_lesson_wrong_line(bw_error_text *why, unsigned number, const char *sentence) {
    bw_error_text copy = {{0}}; /* a copy, because the sentence may be the error's own text */
    bw_fail(&copy, "Line ", bw_digits_of(number).text, ": ", sentence, NULL);
    *why = copy;
    return false;
}

const bw_game *bw_lesson_game(const char *text, size_t length, const bw_game *(*find)(const char *id),
                              bw_error_text *why) {
    const char *at = text;
    uint16_t number = 0;
    bw_raw line, rest;
    char id[40];
    if (next_line(&at, text + length, &number, &line) && bw_lesson_is_word(bw_lesson_first_word(line, &rest), "game") &&
        rest.length < sizeof id) {
        memcpy(id, rest.at, rest.length);
        id[rest.length] = 0;
        const bw_game *game = find(id);
        if (game) return game;
    }
    bw_lesson_wrong_line(why, number, "the first line must be \"game ID\", with the id of a game.");
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

/* Every item matches one of the pattern's; unless `part`, the lists are equally long. */
static bool list_fits(const bw_doc *pattern, int pt, const bw_doc *value, int vt, bool part) {
    int count = value->tokens[vt].size, wanted = pattern->tokens[pt].size;
    if (part ? count > wanted : count != wanted) return false;
    int item = vt + 1;
    for (int i = 0; i < count; i++, item = bw_doc_behind(value, item)) {
        if (!fits_any(pattern, pt, value, item, part)) return false;
    }
    return true;
}

/* Does the value have every member of the pattern? */
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

/* The JSON of a line; of a `wrong` line, the part before its sentence. */
bw_raw bw_lesson_json_of(const bw_lesson_line *line, bw_raw *sentence) {
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

static bool parse(bw_doc *doc, bw_raw json, bw_token *tokens, int cap, bw_error_text *why) {
    return bw_doc_parse(doc, json.at, json.length, tokens, cap, DEPTH, why) >= 0;
}

static bool pattern_of(bw_lesson *l, const bw_lesson_line *line, bw_doc *doc) {
    bw_error_text none;
    bw_raw sentence;
    return parse(doc, bw_lesson_json_of(line, &sentence), l->scratch->pattern, BW_LESSON_PATTERN_TOKENS, &none);
}

bool bw_lesson_is(bw_lesson *l, const bw_lesson_line *line, const void *action, bool part) {
    bw_out out = bw_out_to(l->scratch->action_text, sizeof l->scratch->action_text);
    bw_doc pattern, value;
    bw_error_text none;
    bw_encode_union(&out, l->game->actions, action);
    return !out.overflow && pattern_of(l, line, &pattern) &&
           parse(&value, (bw_raw){out.at, out.length}, l->scratch->tokens, BW_LESSON_TOKENS, &none) &&
           fits(&pattern, 0, &value, 0, part);
}

bool bw_lesson_read_action(bw_lesson *l, bw_raw json, void *action, bw_error_text *why) {
    bw_doc doc;
    return parse(&doc, json, l->scratch->pattern, BW_LESSON_PATTERN_TOKENS, why) &&
           bw_decode_union(l->game->actions, &doc, 0, action, NULL, why) >= 0;
}

bool bw_lesson_action(bw_lesson *l, const bw_lesson_line *line, void *action) {
    bw_error_text none;
    bw_raw sentence;
    return bw_lesson_read_action(l, bw_lesson_json_of(line, &sentence), action, &none);
}

bool bw_lesson_holds(bw_lesson *l, const bw_lesson_line *line) {
    const bw_game *game = l->game;
    bw_out out = bw_out_to(l->scratch->state, sizeof l->scratch->state);
    bw_doc pattern, value;
    bw_error_text none;
    bool over = game->turn(l->match.state) == 0;
    game->view_of(l->match.state, l->seat, l->scratch->view);
    bw_out_text(&out, "{");
    if (bw_encode_members(&out, game->view, l->scratch->view, 0) > 0) bw_out_text(&out, ",");
    bw_out_text(&out, over ? "\"over\":true,\"winner\":" : "\"over\":false,\"winner\":null");
    if (over) bw_encode_winner(&out, game, game->winners(l->match.state));
    bw_out_text(&out, "}");
    return !out.overflow && pattern_of(l, line, &pattern) &&
           parse(&value, (bw_raw){out.at, out.length}, l->scratch->tokens, BW_LESSON_TOKENS, &none) &&
           fits(&pattern, 0, &value, 0, false);
}

/* ---- reading ---- */

int bw_lesson_seat_of(const bw_lesson *l, bw_raw name) {
    char text[40];
    if (name.length >= sizeof text) return -1;
    memcpy(text, name.at, name.length);
    text[name.length] = 0;
    return bw_role_find(l->game, text);
}

bool bw_lesson_seats_of(const bw_lesson *l, bw_raw names, uint32_t *seats) {
    *seats = 0;
    while (names.length) {
        int seat = bw_lesson_seat_of(l, bw_lesson_first_word(names, &names));
        if (seat < 0) return false;
        *seats |= 1u << seat;
    }
    return *seats != 0;
}

bool bw_lesson_read_config(bw_lesson *l, bw_raw json, bw_error_text *why) {
    bw_doc doc;
    memcpy(l->scratch->config, l->game->defaults, l->game->config->size);
    if (!parse(&doc, json, l->scratch->pattern, BW_LESSON_PATTERN_TOKENS, why) ||
        bw_config_read(l->game, &doc, 0, l->scratch->config, NULL, why) < 0) {
        return false;
    }
    int refusal = l->game->check ? l->game->check(l->scratch->config) : 0;
    if (refusal < 0) bw_fail(why, bw_refusal(l->game, refusal), NULL);
    return refusal >= 0;
}

/* "ROLE ACTION", or "round". */
static bool check_play(bw_lesson *l, bw_raw value, bw_error_text *why) {
    bw_raw rest, who = bw_lesson_first_word(value, &rest);
    if (bw_lesson_is_word(who, "round") && !rest.length && l->game->flags & BW_GAME_ROUNDS) return true;
    if (bw_lesson_seat_of(l, who) >= 0) return bw_lesson_read_action(l, rest, l->scratch->action, why);
    return bw_fail(why, "this line needs a role of the game and an action.", NULL);
}

/* Checks the form of one line; its effect is only checked when it is played. */
static bool check_line(bw_lesson *l, const bw_lesson_line *line, bw_error_text *why) {
    uint8_t seed[32];
    uint32_t seats;
    bw_doc doc;
    bw_raw sentence, json = bw_lesson_json_of(line, &sentence);
    bw_fail(why, "the value of this keyword is missing or has the wrong form.", NULL);
    if (!line->value.length || line->value.length >= BW_LESSON_SAID_MAX) return false;
    switch ((bw_lesson_word)line->word) {
    case BW_LESSON_CONFIG: return bw_lesson_read_config(l, json, why);
    case BW_LESSON_SEED: return bw_hex_read(line->value.at, line->value.length, seed, 32);
    case BW_LESSON_SEATS: return bw_lesson_seats_of(l, line->value, &seats);
    case BW_LESSON_YOU: return bw_lesson_seat_of(l, line->value) >= 0;
    case BW_LESSON_PLAY:
    case BW_LESSON_REPLY: return check_play(l, line->value, why);
    case BW_LESSON_WRONG:
        if (!sentence.length) return false;
        /* its action is checked like that of the others */
        return parse(&doc, json, l->scratch->pattern, BW_LESSON_PATTERN_TOKENS, why) && bw_doc_is_object(&doc, 0);
    case BW_LESSON_WANT:
    case BW_LESSON_OR:
    case BW_LESSON_UNTIL:
    case BW_LESSON_SO:
        return parse(&doc, json, l->scratch->pattern, BW_LESSON_PATTERN_TOKENS, why) && bw_doc_is_object(&doc, 0);
    default: return true;
    }
}

static int word_of(bw_raw word) {
    for (int i = 0; i < BW_LESSON_WORDS; i++) {
        if (bw_lesson_is_word(word, words[i])) return i;
    }
    return -1;
}

int bw_lesson_count_of(const bw_lesson *l, int step, bw_lesson_word word) {
    int count = 0;
    while (bw_lesson_line_of(l, step, word, count)) count++;
    return count;
}

static bool check_whole(const bw_lesson *l, unsigned last, bw_error_text *why) {
    if (l->step_count == 0) return bw_lesson_wrong_line(why, last, "a lesson needs a step.");
    if (!bw_lesson_line_of(l, -1, BW_LESSON_TITLE, 0) || !bw_lesson_line_of(l, -1, BW_LESSON_END, 0)) {
        return bw_lesson_wrong_line(why, 1, "a lesson needs the lines \"title\" and \"end\" before its first step.");
    }
    for (int i = 0; i < l->step_count; i++) {
        unsigned number = l->lines[l->first[i]].number;
        if (!bw_lesson_line_of(l, i, BW_LESSON_SAY, 0)) {
            return bw_lesson_wrong_line(why, number, "a step needs a \"say\" line.");
        }
        if (bw_lesson_line_of(l, i, BW_LESSON_UNTIL, 0) && !bw_lesson_line_of(l, i, BW_LESSON_AGAIN, 0)) {
            return bw_lesson_wrong_line(why, number, "an \"until\" step needs an \"again\" line.");
        }
        if (i == 0 && (!bw_lesson_line_of(l, 0, BW_LESSON_CONFIG, 0) || !bw_lesson_line_of(l, 0, BW_LESSON_YOU, 0))) {
            return bw_lesson_wrong_line(why, number, "the first step needs \"config\" and \"you\".");
        }
        if (bw_lesson_count_of(l, i, BW_LESSON_WANT) > BW_LESSON_WANTS_MAX) {
            return bw_lesson_wrong_line(why, number, "a step has too many \"want\" lines.");
        }
    }
    return true;
}

/* The next `bytes` of the memory. */
static void *take(uint8_t **memory, size_t bytes) {
    void *taken = *memory;
    *memory += aligned(bytes);
    return taken;
}

static void attach(bw_lesson *l, uint8_t *memory) {
    const bw_game *game = l->game;
    bw_match_attach(&l->match, game, take(&memory, bw_match_bytes(game)));
    bw_lesson_scratch *s = l->scratch = take(&memory, sizeof *s);
    s->config = take(&memory, game->config->size);
    s->action = take(&memory, game->actions->size);
    s->played = take(&memory, game->actions->size);
    s->backup = take(&memory, bw_match_bytes(game));
    s->view = take(&memory, game->view->size);
    s->legal = memory;
}

bool bw_lesson_read(bw_lesson *l, const bw_game *game, const char *text, size_t length, void *memory,
                    bw_error_text *why) {
    const char *at = text, *end = text + length;
    uint16_t number = 0;
    bw_raw line, rest;
    memset(l, 0, sizeof *l);
    l->game = game;
    l->step = l->seat = -1;
    attach(l, memory);
    if (length > BW_LESSON_BYTES_MAX) return bw_lesson_wrong_line(why, 1, "the lesson is too long.");
    while (next_line(&at, end, &number, &line)) {
        int word = word_of(bw_lesson_first_word(line, &rest));
        if (word < 0) return bw_lesson_wrong_line(why, number, "this is not a keyword of a lesson.");
        if (l->line_count == BW_LESSON_LINES_MAX) return bw_lesson_wrong_line(why, number, "the lesson is too long.");
        bool head = word <= BW_LESSON_END;
        if (head ? l->step_count > 0 : l->step_count == 0 && word != BW_LESSON_STEP) {
            return bw_lesson_wrong_line(why, number, "this keyword is not allowed here.");
        }
        if (word == BW_LESSON_STEP) {
            if (l->step_count == BW_LESSON_STEPS_MAX) {
                return bw_lesson_wrong_line(why, number, "the lesson has too many steps.");
            }
            l->first[l->step_count++] = l->line_count;
        }
        bw_lesson_line *kept = &l->lines[l->line_count++];
        *kept = (bw_lesson_line){.value = rest, .number = number, .word = (uint8_t)word};
        if (!check_line(l, kept, why)) return bw_lesson_wrong_line(why, number, why->text);
    }
    l->first[l->step_count] = l->line_count;
    return check_whole(l, number, why);
}
