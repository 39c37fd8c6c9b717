/* Every lesson of every game, played through the rules: lessons FOLDER
 *
 * For each step: every wanted action can be done and ends the step, in every way that the lesson accepts; the state is
 * then as its `so` lines say; and the next step starts from there. Every answer to a wrong try is given to some try,
 * and `else` to a legal one. Every listed game must have a lesson. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/lesson.h"
#include "tests/support/any_game.h"

typedef struct checker {
    const char *path;
    const bw_game *game;
    uint8_t *legal;
    uint32_t legal_cap;
    bool met[BW_LESSON_LINES_MAX]; /* lines that answered */
    int faults, ends;
} checker;

static void fault(checker *c, const bw_lesson_line *line, const char *what) {
    fprintf(stderr, "%s:%d: %s\n", c->path, line ? line->number : 1, what);
    c->faults++;
}

/* Each visit has its own match; working memory is shared, because nothing in it is needed after a call. */
static bw_lesson *copy_of(const bw_lesson *l) {
    bw_lesson *copy = malloc(sizeof *copy);
    void *memory = calloc(1, bw_match_bytes(l->game));
    if (!copy || !memory) abort();
    memcpy(memory, l->match.block, bw_match_bytes(l->game));
    *copy = *l;
    bw_match_attach(&copy->match, l->game, memory);
    return copy;
}

static void drop(bw_lesson *l) {
    free(l->match.block);
    free(l);
}

static uint32_t list_legal(checker *c, const bw_lesson *l) {
    uint32_t count = c->game->legal(l->match.state, l->seat, NULL, 0);
    if (count > c->legal_cap) {
        c->legal_cap = count;
        c->legal = realloc(c->legal, (size_t)count * c->game->actions->size);
        if (!c->legal) abort();
    }
    c->game->legal(l->match.state, l->seat, c->legal, count);
    return count;
}

/* Plays the action, and what confirms it if it was only staged. */
static void try_whole(bw_lesson *l, const void *action, bw_lesson_answer *answer) {
    bw_lesson_try(l, action, NULL, answer);
    if (answer->outcome != BW_LESSON_STAGED || l->game->flags & BW_GAME_ROUNDS) return;
    for (uint16_t i = 0; i < l->game->actions->count; i++) {
        if (!(l->game->actions->cases[i].flags & BW_ACTION_COMMIT)) continue;
        uint8_t *commit = calloc(1, l->game->actions->size);
        if (!commit) abort();
        commit[0] = (uint8_t)i;
        bw_lesson_try(l, commit, NULL, answer);
        free(commit);
    }
}

static void note_answer(checker *c, const bw_lesson *l, const void *action) {
    bw_lesson_answer answer;
    bw_lesson *copy = copy_of(l);
    try_whole(copy, action, &answer);
    if (answer.line >= 0) c->met[answer.line] = true;
    drop(copy);
}

/* All legal tries, and the tries that `wrong` lines name. */
static void try_everything(checker *c, bw_lesson *l) {
    const bw_lesson_line *line;
    size_t size = c->game->actions->size;
    uint8_t *actions, *named = calloc(1, size);
    uint32_t count = list_legal(c, l);
    actions = malloc((size_t)count * size + 1);
    if (!actions || !named) abort();
    memcpy(actions, c->legal, (size_t)count * size);
    for (uint32_t i = 0; i < count; i++) note_answer(c, l, actions + i * size);
    for (int i = 0; (line = bw_lesson_line_of(l, l->step, BW_LESSON_WRONG, i)); i++) {
        if (bw_lesson_action(l, line, named)) note_answer(c, l, named);
    }
    free(actions), free(named);
}

static void walk(checker *c, const bw_lesson *at, int step);

static void step_done(checker *c, bw_lesson *l) {
    const bw_lesson_line *line;
    for (int i = 0; (line = bw_lesson_line_of(l, l->step, BW_LESSON_SO, i)); i++) {
        if (!bw_lesson_holds(l, line)) fault(c, line, "the state after the step is not so");
    }
    if (l->step + 1 == l->step_count) {
        c->ends++;
        return;
    }
    /* A step with its own position needs only one visit. */
    if (!bw_lesson_line_of(l, l->step + 1, BW_LESSON_CONFIG, 0)) walk(c, l, l->step + 1);
}

static void take_way(checker *c, const bw_lesson *l, const bw_lesson_line *line, const void *action);

/* Does what is wanted next, in every accepted way. */
static void deeds(checker *c, bw_lesson *l) {
    int want = -1, next = 0;
    size_t size = c->game->actions->size;
    uint8_t *action = calloc(1, size);
    if (!action) abort();
    try_everything(c, l);
    while (l->done >> next & 1) next++;
    for (int n = l->first[l->step]; n < l->first[l->step + 1]; n++) {
        const bw_lesson_line *line = &l->lines[n];
        if (line->word == BW_LESSON_WANT) want++;
        if ((line->word != BW_LESSON_WANT && line->word != BW_LESSON_OR) || want != next) continue;
        if (bw_lesson_action(l, line, action)) {
            take_way(c, l, line, action);
            continue;
        }
        uint32_t count = list_legal(c, l);
        uint8_t *actions = malloc((size_t)count * size + 1);
        int ways = 0;
        if (!actions) abort();
        memcpy(actions, c->legal, (size_t)count * size);
        for (uint32_t i = 0; i < count; i++) {
            bool named = false;
            const bw_lesson_line *wrong;
            for (int w = 0; (wrong = bw_lesson_line_of(l, l->step, BW_LESSON_WRONG, w)); w++) {
                named = named || bw_lesson_is(l, wrong, actions + i * size, false);
            }
            if (named || !bw_lesson_is(l, line, actions + i * size, false)) continue;
            ways++;
            take_way(c, l, line, actions + i * size);
        }
        free(actions);
        if (!ways) fault(c, line, "nothing that is legal fits this line");
    }
    free(action);
}

static void take_way(checker *c, const bw_lesson *l, const bw_lesson_line *line, const void *action) {
    bw_lesson_answer answer;
    bw_lesson *copy = copy_of(l);
    uint32_t before = copy->done;
    try_whole(copy, action, &answer);
    if (answer.outcome == BW_LESSON_NO) {
        fprintf(stderr, "%s:%d: this cannot be done: %s\n", c->path, line->number, answer.said);
        c->faults++;
    } else if (copy->finished) {
        step_done(c, copy);
    } else if (copy->done != before) {
        deeds(c, copy);
    } else {
        fault(c, line, "this changes nothing");
    }
    drop(copy);
}

/* Its own lines win it, and it can be lost. */
static void until_step(checker *c, const bw_lesson *l) {
    bw_lesson_answer answer = {0};
    bw_lesson *copy = copy_of(l);
    try_everything(c, copy);
    while (!copy->finished && bw_lesson_show(copy, NULL, &answer)) {
    }
    if (copy->finished) step_done(c, copy);
    else fault(c, &l->lines[l->first[l->step]], "the `want` lines do not end this step");
    drop(copy);
    uint8_t *action = calloc(1, c->game->actions->size);
    bool lost = false;
    if (!action) abort();
    for (uint64_t seed = 1; seed <= 200 && !lost; seed++) {
        bw_fast fast = {.state = seed};
        copy = copy_of(l);
        for (int i = 0; i < 300 && !copy->finished && !lost; i++) {
            if (!bw_random_action(c->game, copy->match.state, copy->seat, &fast, action)) break;
            try_whole(copy, action, &answer);
            lost = answer.outcome == BW_LESSON_RESTART;
        }
        drop(copy);
    }
    free(action);
    if (!lost) fault(c, bw_lesson_line_of(l, l->step, BW_LESSON_AGAIN, 0), "200 random tries never came to this line");
}

static void walk(checker *c, const bw_lesson *at, int step) {
    bw_error_text why = {{0}};
    bw_lesson *l = copy_of(at);
    if (!bw_lesson_start(l, step, &why)) {
        fprintf(stderr, "%s: %s\n", c->path, why.text);
        c->faults++;
    } else if (l->finished) {
        step_done(c, l);
    } else if (bw_lesson_line_of(l, step, BW_LESSON_UNTIL, 0)) {
        until_step(c, l);
    } else {
        deeds(c, l);
    }
    drop(l);
}

static const bw_game *check_lesson(const char *path, int *faults) {
    size_t length;
    char *text = bw_any_read_file(path, &length);
    bw_error_text why = {{0}};
    const bw_game *game = text ? bw_lesson_game(text, length, bw_game_find, &why) : NULL;
    checker *c = calloc(1, sizeof *c);
    bw_lesson *l = calloc(1, sizeof *l);
    void *memory = game ? calloc(1, bw_lesson_bytes(game)) : NULL;
    if (!c || !l) abort();
    c->path = path, c->game = game;
    if (!memory || !bw_lesson_read(l, game, text, length, memory, &why)) {
        fprintf(stderr, "%s: %s\n", path, why.text);
        c->faults++;
    } else {
        if (l->step_count < 5 || l->step_count > 8) fault(c, NULL, "a lesson has five to eight steps");
        for (int step = 0; step < l->step_count; step++) {
            if (bw_lesson_line_of(l, step, BW_LESSON_CONFIG, 0)) walk(c, l, step);
        }
        if (!c->ends) fault(c, NULL, "no way leads to the end");
        for (int i = 0; i < l->line_count; i++) {
            bool answers = l->lines[i].word == BW_LESSON_WRONG || l->lines[i].word == BW_LESSON_ELSE;
            if (answers && !c->met[i]) fault(c, &l->lines[i], "no try gets this answer");
        }
    }
    *faults += c->faults;
    printf("%s %s\n", c->faults ? "FAILED" : "ok", path);
    free(c->legal), free(c), free(l), free(memory), free(text);
    return game;
}

int main(int argc, char **argv) {
    char folder[1024], path[1400];
    int faults = 0;
    if (argc != 2) {
        fputs("usage: lessons GAMES_FOLDER\n", stderr);
        return 2;
    }
    for (int i = 0; bw_game_at(i); i++) {
        const bw_game *game = bw_game_at(i);
        int lessons = 0;
        if (!bw_game_listed(game)) continue;
        snprintf(folder, sizeof folder, "%s/%s/lessons", argv[1], game->id);
        DIR *dir = opendir(folder);
        for (struct dirent *entry; dir && (entry = readdir(dir));) {
            size_t length = strlen(entry->d_name);
            if (length < 8 || strcmp(entry->d_name + length - 7, ".lesson") != 0) continue;
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            if (check_lesson(path, &faults) == game) lessons++;
        }
        if (dir) closedir(dir);
        if (!lessons) {
            fprintf(stderr, "%s has no lesson\n", game->id);
            faults++;
        }
    }
    return faults ? 1 : 0;
}
