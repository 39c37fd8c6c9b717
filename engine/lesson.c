#include "engine/lesson_private.h"

#include <string.h>

enum { UNTIL_MOVES_MAX = 200 }; /* the most moves that `show` or a test plays in an `until` step */

/* ---- playing ---- */

static bool rounds(const bw_lesson *l) { return l->game->flags & BW_GAME_ROUNDS; }

/* Plays "ROLE ACTION". Returns 0 or a refusal. */
static int play_line(bw_lesson *l, bw_raw value, bw_events *events) {
    bw_error_text none;
    bw_raw rest, who = bw_lesson_first_word(value, &rest);
    if (bw_lesson_is_word(who, "round")) {
        bw_match_round(&l->match, l->scratch->played, events);
        return 0;
    }
    int seat = bw_lesson_seat_of(l, who);
    if (!bw_lesson_read_action(l, rest, l->scratch->action, &none)) return -1;
    int outcome = rounds(l) ? bw_match_submit(&l->match, seat, l->scratch->action, l->scratch->played, events)
                            : bw_match_play(&l->match, seat, l->scratch->action, events);
    return outcome < 0 ? outcome : 0;
}

static bool set_up(bw_lesson *l, int step, bw_error_text *why) {
    const bw_lesson_line *line = bw_lesson_line_of(l, step, BW_LESSON_CONFIG, 0);
    if (!bw_lesson_read_config(l, line->value, why)) return bw_lesson_wrong_line(why, line->number, why->text);
    uint8_t seed[32] = {0};
    uint32_t seats = (1u << l->game->role_count) - 1;
    line = bw_lesson_line_of(l, step, BW_LESSON_SEED, 0);
    if (line) bw_hex_read(line->value.at, line->value.length, seed, 32);
    line = bw_lesson_line_of(l, step, BW_LESSON_SEATS, 0);
    if (line) bw_lesson_seats_of(l, line->value, &seats);
    bw_match_start(&l->match, l->scratch->config, seats, seed);
    for (int i = 0; (line = bw_lesson_line_of(l, step, BW_LESSON_PLAY, i)); i++) {
        int refusal = play_line(l, line->value, NULL);
        if (refusal < 0) return bw_lesson_wrong_line(why, line->number, bw_refusal(l->game, refusal));
    }
    return true;
}

bool bw_lesson_start(bw_lesson *l, int step, bw_error_text *why) {
    bw_lesson_answer answer;
    if (step < 0 || step >= l->step_count) {
        return bw_fail(why, "The lesson has no such step.", NULL);
    }
    /* Start from the last step that has its own position, unless the step before this one has just been done. */
    int from = step;
    if (!bw_lesson_line_of(l, step, BW_LESSON_CONFIG, 0) && !(l->finished && l->step == step - 1)) {
        while (!bw_lesson_line_of(l, from, BW_LESSON_CONFIG, 0)) from--;
    }
    for (; from <= step; from++) {
        for (int i = 0; i <= from; i++) {
            const bw_lesson_line *you = bw_lesson_line_of(l, i, BW_LESSON_YOU, 0);
            if (you) l->seat = bw_lesson_seat_of(l, you->value);
        }
        if (bw_lesson_line_of(l, from, BW_LESSON_CONFIG, 0) && !set_up(l, from, why)) return false;
        l->step = from;
        l->done = 0;
        l->finished = !bw_lesson_line_of(l, from, BW_LESSON_WANT, 0) && !bw_lesson_line_of(l, from, BW_LESSON_UNTIL, 0);
        for (int i = 0; from < step && !l->finished && i < UNTIL_MOVES_MAX && bw_lesson_show(l, NULL, &answer); i++) {
        }
        if (from < step && !l->finished) {
            return bw_lesson_wrong_line(why, l->lines[l->first[from]].number,
                                        "playing the lines of this step does not finish it.");
        }
    }
    return true;
}

/* ---- what the learner does ---- */

static bw_lesson_outcome say(bw_lesson *l, bw_lesson_answer *a, bw_lesson_outcome outcome, const bw_lesson_line *line) {
    bw_raw text = {"", 0};
    if (line && line->word == BW_LESSON_WRONG) bw_lesson_json_of(line, &text);
    else if (line) text = line->value;
    a->outcome = outcome;
    a->line = line ? (int)(line - l->lines) : -1;
    memcpy(a->said, text.at, text.length);
    a->said[text.length] = 0;
    return outcome;
}

static void refuse(bw_lesson *l, bw_lesson_answer *a, int refusal) {
    bw_error_text sentence;
    say(l, a, BW_LESSON_NO, NULL);
    bw_fail(&sentence, bw_refusal(l->game, refusal), NULL);
    memcpy(a->said, sentence.text, sizeof sentence.text);
}

static const bw_lesson_line *line_of(const bw_lesson *l, bw_lesson_word word) {
    return bw_lesson_line_of(l, l->step, word, 0);
}

/* The index of the `want` line that the action fulfils, or -1; `part` as in bw_lesson_is. */
static int wanted(bw_lesson *l, const void *action, bool part) {
    int want = -1;
    for (int n = l->first[l->step]; n < l->first[l->step + 1]; n++) {
        const bw_lesson_line *line = &l->lines[n];
        if (line->word == BW_LESSON_WANT) want++;
        else if (line->word != BW_LESSON_OR) continue;
        if (want < 0 || l->done >> want & 1) continue;
        if (bw_lesson_is(l, line, action, part)) return want;
        if (!rounds(l) && (l->done + 1) >> want == 1) { /* only the first open `want` counts, with its `or` lines */
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
    if (rounds(l)) bw_match_round(&l->match, l->scratch->played, events);
    l->finished = true;
    say(l, a, BW_LESSON_DONE, line_of(l, BW_LESSON_THEN));
}

/* After a move in an `until` step. */
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

/* The learner took the staged choice back, which is always allowed. */
static bool took_back(const bw_lesson *l) { return is_empty(bw_match_draft(&l->match, l->seat), l->game->draft_size); }

/* Judges what was played or staged. An unwanted action is undone. */
static void judge_deed(bw_lesson *l, int outcome, bw_events *events, bw_lesson_answer *a) {
    bool until = line_of(l, BW_LESSON_UNTIL) != NULL, staged = outcome == BW_PREPARED && !rounds(l);
    if (outcome == BW_PREPARED && took_back(l)) {
        l->done = 0;
        say(l, a, BW_LESSON_STAGED, NULL);
        return;
    }
    const bw_lesson_line *wrong = wrong_of(l, l->scratch->played);
    int want = until ? 0 : wanted(l, l->scratch->played, staged);
    if (wrong || want < 0) {
        memcpy(l->match.block, l->scratch->backup, bw_match_bytes(l->game));
        say(l, a, BW_LESSON_NO, wrong ? wrong : line_of(l, BW_LESSON_ELSE));
    } else if (staged) {
        say(l, a, BW_LESSON_STAGED, NULL);
    } else if (until) {
        if (rounds(l)) bw_match_round(&l->match, l->scratch->played, events);
        judge(l, a);
    } else {
        l->done |= 1u << want;
        if (l->done + 1 == 1u << bw_lesson_count_of(l, l->step, BW_LESSON_WANT)) finish(l, events, a);
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
    memcpy(l->scratch->backup, l->match.block, bw_match_bytes(l->game));
    int outcome = bw_match_submit(&l->match, l->seat, action, l->scratch->played, events);
    if (outcome < 0) {
        refuse(l, a, outcome);
        return;
    }
    if (outcome == BW_PREPARED) memcpy(l->scratch->played, action, l->game->actions->size);
    judge_deed(l, outcome, events, a);
    if (a->outcome == BW_LESSON_NO && events) events->count = events_before;
}

/* Plays what is staged, if the game has an action for that. */
static void confirm(bw_lesson *l, bw_events *events, bw_lesson_answer *a) {
    for (uint16_t i = 0; i < l->game->actions->count; i++) {
        if (!(l->game->actions->cases[i].flags & BW_ACTION_COMMIT)) continue;
        memset(l->scratch->action, 0, l->game->actions->size);
        *(uint8_t *)l->scratch->action = (uint8_t)i;
        bw_lesson_try(l, l->scratch->action, events, a);
        return;
    }
}

/* Finds an action that matches the line. */
static bool find_action(bw_lesson *l, const bw_lesson_line *line, void *action) {
    size_t size = l->game->actions->size;
    if (bw_lesson_action(l, line, action)) return true;
    uint32_t count = l->game->legal(l->match.state, l->seat, l->scratch->legal, BW_LESSON_LEGAL);
    for (uint32_t i = 0; i < count && i < BW_LESSON_LEGAL; i++) {
        if (!bw_lesson_is(l, line, l->scratch->legal + i * size, false) || wrong_of(l, l->scratch->legal + i * size))
            continue;
        memcpy(action, l->scratch->legal + i * size, size);
        return true;
    }
    return false;
}

bool bw_lesson_show(bw_lesson *l, bw_events *events, bw_lesson_answer *a) {
    int next = 0;
    while (l->done >> next & 1) next++;
    const bw_lesson_line *want = bw_lesson_line_of(l, l->step, BW_LESSON_WANT, next);
    if (!want || l->finished || !find_action(l, want, l->scratch->action)) return false;
    bw_lesson_try(l, l->scratch->action, events, a);
    if (a->outcome == BW_LESSON_STAGED && !rounds(l)) confirm(l, events, a);
    if (line_of(l, BW_LESSON_UNTIL)) l->done |= 1u << next;
    return a->outcome != BW_LESSON_NO;
}
