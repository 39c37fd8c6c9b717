/* Lessons in the terminal: the same steps as in the browser. */
#include "cli/lessons.h"
#include "cli/phrase.h"
#include "cli/play.h"
#include "engine/lesson.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_BYTES = 4096, TOKENS = 2048, COLUMNS = 80 };

typedef struct learner {
    bw_lesson lesson;
    void *view, *action;
    bool terminal;
} learner;

/* Prints a paragraph, wrapped at spaces. */
static void print_wrapped(const char *text, size_t length) {
    size_t column = 0;
    for (size_t i = 0; i < length;) {
        size_t word = 0;
        while (i + word < length && text[i + word] != ' ') word++;
        if (column && column + 1 + word > COLUMNS) putchar('\n'), column = 0;
        if (column) putchar(' '), column++;
        printf("%.*s", (int)word, text + i);
        column += word;
        i += word + 1;
    }
    putchar('\n');
}

static void print_line(const bw_lesson_line *line) {
    if (line) print_wrapped(line->value.at, line->value.length);
}

static void show_position(learner *l) {
    const bw_game *game = l->lesson.game;
    game->view_of(l->lesson.match.state, l->lesson.seat, l->view);
    play_show(game, l->view);
}

static void print_step(learner *l) {
    const bw_lesson *lesson = &l->lesson;
    const bw_lesson_line *name = bw_lesson_line_of(lesson, lesson->step, BW_LESSON_STEP, 0), *line;
    printf("\nStep %d of %d: %.*s\n", lesson->step + 1, lesson->step_count, (int)name->value.length, name->value.at);
    show_position(l);
    putchar('\n');
    for (int i = 0; (line = bw_lesson_line_of(lesson, lesson->step, BW_LESSON_SAY, i)); i++) print_line(line);
}

/* How to type the next action that the step wants. */
static void print_hint(learner *l) {
    char text[512];
    int next = 0;
    while (l->lesson.done >> next & 1) next++;
    const bw_lesson_line *want = bw_lesson_line_of(&l->lesson, l->lesson.step, BW_LESSON_WANT, next);
    if (!want) {
        puts("Press Enter.");
    } else if (bw_lesson_action(&l->lesson, want, l->action)) {
        phrase_write(l->lesson.game->actions, l->action, text, sizeof text);
        printf("Type: %s\n", text);
    } else {
        puts("\"help\" explains what to type; \"show\" does it for you.");
    }
}

static bool read_action(learner *l, const char *line) {
    char json[LINE_BYTES];
    bw_token tokens[TOKENS];
    bw_doc doc;
    bw_error_text why = {{0}};
    const bw_union *actions = l->lesson.game->actions;
    bw_out out = bw_out_to(json, sizeof json);
    if (phrase_read(actions, line, &out, &why) &&
        bw_doc_parse(&doc, out.at, out.length, tokens, TOKENS, 8, &why) >= 0 &&
        bw_decode_union(actions, &doc, 0, l->action, NULL, &why) >= 0) {
        return true;
    }
    print_wrapped(why.text, strlen(why.text));
    return false;
}

/* A staged move is played at once here, as in `boardwalk play`. */
static void commit(learner *l, bw_lesson_answer *answer) {
    const bw_union *actions = l->lesson.game->actions;
    for (uint16_t i = 0; i < actions->count; i++) {
        if (!(actions->cases[i].flags & BW_ACTION_COMMIT)) continue;
        memset(l->action, 0, actions->size);
        *(uint8_t *)l->action = (uint8_t)i;
        bw_lesson_try(&l->lesson, l->action, NULL, answer);
    }
}

/* False: the input has ended, or the learner quits. */
static bool do_step(learner *l) {
    char memory[LINE_BYTES];
    bw_error_text why = {{0}};
    bw_lesson_answer answer = {0};
    bool rounds = l->lesson.game->flags & BW_GAME_ROUNDS;
    print_hint(l);
    while (!l->lesson.finished) {
        if (l->terminal) printf("%s> ", l->lesson.game->roles[l->lesson.seat].id);
        fflush(stdout);
        const char *line = play_line(memory, sizeof memory);
        if (!line || !strcmp(line, "quit")) return false;
        if (!*line || !strcmp(line, "hint")) {
            print_hint(l);
            continue;
        }
        if (!strcmp(line, "help")) {
            play_help(l->lesson.game);
            continue;
        }
        if (!strcmp(line, "show")) {
            if (!bw_lesson_show(&l->lesson, NULL, &answer)) puts("There is nothing to show here.");
        } else if (read_action(l, line)) {
            bw_lesson_try(&l->lesson, l->action, NULL, &answer);
            if (answer.outcome == BW_LESSON_STAGED && !rounds) commit(l, &answer);
        } else {
            continue;
        }
        if (answer.outcome == BW_LESSON_NO && !answer.said[0]) puts("Not yet. Do what the lesson asks for.");
        print_wrapped(answer.said, answer.outcome == BW_LESSON_DONE ? 0 : strlen(answer.said));
        if (answer.outcome == BW_LESSON_RESTART) bw_lesson_start(&l->lesson, l->lesson.step, &why);
        if (answer.outcome == BW_LESSON_STAGED) print_hint(l);
        if (answer.outcome == BW_LESSON_PLAYED || answer.outcome == BW_LESSON_RESTART) show_position(l), print_hint(l);
    }
    show_position(l);
    putchar('\n');
    print_line(bw_lesson_line_of(&l->lesson, l->lesson.step, BW_LESSON_THEN, 0));
    return true;
}

/* Enter continues. */
static bool pause_step(const learner *l) {
    char memory[LINE_BYTES];
    if (!l->terminal) return true;
    printf("(Press Enter to continue) ");
    fflush(stdout);
    return play_line(memory, sizeof memory) != NULL;
}

static int play_lesson(learner *l) {
    bw_error_text why = {{0}};
    const bw_lesson_line *title = bw_lesson_line_of(&l->lesson, -1, BW_LESSON_TITLE, 0);
    printf("%s: %.*s. \"hint\" says what to type, \"show\" does it, \"quit\" ends the lesson.\n", l->lesson.game->title,
           (int)title->value.length, title->value.at);
    for (int step = 0; step < l->lesson.step_count; step++) {
        if (!bw_lesson_start(&l->lesson, step, &why)) return cli_failed("%s", why.text);
        print_step(l);
        if (!do_step(l)) return CLI_OK;
        if (step + 1 < l->lesson.step_count && !pause_step(l)) return CLI_OK;
    }
    putchar('\n');
    print_line(bw_lesson_line_of(&l->lesson, -1, BW_LESSON_END, 0));
    printf("\n  boardwalk play %s --bot easy\n", l->lesson.game->id);
    return CLI_OK;
}

static const char *find_text(const bw_game *game) {
    bw_error_text none;
    for (int i = 0; cli_lessons[i]; i++) {
        if (bw_lesson_game(cli_lessons[i], strlen(cli_lessons[i]), bw_game_find, &none) == game) return cli_lessons[i];
    }
    return NULL;
}

int cli_learn(int argc, char **argv) {
    const char *id;
    const cli_usage usage = {
        .command = "learn",
        .operands = "GAME",
        .about = "Learn a game by playing it, step by step, in about a minute. Each step says what to do, and\n"
                 "answers what you try. The website has the same lessons at /learn/GAME.",
        .positionals = {1, 1},
    };
    int given = cli_parse(&usage, argc, argv, &id);
    if (given < 0) return cli_exit(given);
    const bw_game *game = cli_game(id);
    if (!game) return CLI_USAGE;
    const char *text = find_text(game);
    if (!text) return cli_failed("%s has no lesson.", id);
    learner *l = cli_memory(sizeof *l);
    void *memory = cli_memory(bw_lesson_bytes(game));
    bw_error_text why = {{0}};
    l->view = cli_memory(game->view->size);
    l->action = cli_memory(game->actions->size);
    l->terminal = isatty(STDIN_FILENO);
    int status = bw_lesson_read(&l->lesson, game, text, strlen(text), memory, &why) ? play_lesson(l)
                                                                                    : cli_failed("%s", why.text);
    free(l->view), free(l->action), free(memory), free(l);
    return status;
}
