/* What the commands of `boardwalk` share: options, suggestions, output.
 *
 * A command is a function int cli_NAME(int argc, char **argv); argv[0] is the command's own name. It returns
 * the exit status: 0 success, 1 a negative answer (a file that does not verify, a game that was lost to an
 * error), 2 wrong usage. Wrong usage is always a sentence on stderr that names what would be right. */
#ifndef BW_CLI_H
#define BW_CLI_H

#include "engine/json.h"
#include "engine/match.h"
#include "engine/registry.h"

#include <stdio.h>

enum { CLI_OK = 0, CLI_NO = 1, CLI_USAGE = 2 };

int cli_serve(int argc, char **argv);
int cli_learn(int argc, char **argv);
int cli_play(int argc, char **argv);
int cli_replay(int argc, char **argv);
int cli_verify(int argc, char **argv);
int cli_review(int argc, char **argv);
int cli_check(int argc, char **argv);
int cli_solve(int argc, char **argv);
int cli_solve_flood_it(int argc, char **argv);       /* likewise */
int cli_solve_flooded_island(int argc, char **argv); /* argv[0] is "solve flooded_island" or the like */
/* Every grid of Flooded Island (solve_islands.c). `file` keeps the results and is gone on with; NULL: none. */
int cli_solve_islands(double seconds, int64_t megabytes, int64_t threads, const char *file, bool json);
int cli_arena(int argc, char **argv);
int cli_ladder(int argc, char **argv);
int cli_perft(int argc, char **argv);
int cli_load(int argc, char **argv);
int cli_schema(int argc, char **argv);

/* ---- options ---- */

typedef enum cli_kind {
    CLI_FLAG, /* bool: present or not */
    CLI_TEXT, /* const char *: the next argument */
    CLI_INT,  /* int64_t: the next argument, lo .. hi */
} cli_kind;

typedef struct cli_option {
    const char *name; /* "--games" */
    cli_kind kind;
    void *value;
    const char *operand; /* "N", for the help; NULL for a flag */
    const char *help;
    int64_t lo, hi;
} cli_option;

typedef struct cli_usage {
    const char *command;  /* "arena" */
    const char *operands; /* "GAME --a BOT --b BOT" */
    const char *about;    /* what it does, a paragraph */
    const cli_option *options;
    int option_count;
    int positional_min, positional_max;
} cli_usage;

/* Sets the options' values and gathers what is no option. `--name value` and `--name=value`; `--` ends the
 * options. Returns the number of positionals, or CLI_HELPED (--help was asked and answered: exit 0), or
 * CLI_WRONG (a sentence was written: exit 2). */
enum { CLI_HELPED = -1, CLI_WRONG = -2 };
int cli_parse(const cli_usage *usage, int argc, char **argv, const char **positionals);
/* The exit status for CLI_HELPED and CLI_WRONG. */
static inline int cli_exit(int parsed) { return parsed == CLI_HELPED ? CLI_OK : CLI_USAGE; }

/* "boardwalk: " and a sentence on stderr. Returns CLI_USAGE, so that `return cli_wrong(...)` reads well. */
int cli_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
int cli_failed(const char *format, ...) __attribute__((format(printf, 1, 2))); /* the same, returns CLI_NO */

/* The nearest of `count` names to a mistyped one, or NULL where none is near. */
const char *cli_nearest(const char *typed, const char *const *names, int count);
/* A whole number, all of `text`, within lo .. hi. */
bool cli_whole(const char *text, int64_t lo, int64_t hi, int64_t *value);

/* ---- games ---- */

/* A game that people are offered, or _blank; NULL after a sentence that lists them. */
const bw_game *cli_game(const char *id);
/* A game's configuration: its defaults, or a variant of it, changed by JSON (`{"width":5}`); both may be NULL.
 * The caller frees it. NULL after a sentence. */
void *cli_config(const bw_game *game, const char *variant, const char *json);
/* A game's seed from a number: SHA-256 over its eight bytes, least first. */
void cli_seed(uint64_t number, uint8_t seed[32]);
/* 32 bytes from the system's random source; ends the program where it has none. */
void cli_random(uint8_t seed[32]);

/* ---- memory and output ---- */

/* Prints text that somebody else wrote (names, seeds, messages, lines of files): control characters, those that turn
 * the direction of writing, and bytes that are no UTF-8 come as \\u001b, so that no text commands the terminal. Within a
 * JSON string that is the same text. `lines`: newlines stay. Everything that is not our own goes through here; cli_wrong
 * and cli_failed do it themselves. */
void cli_put(FILE *to, const char *text, size_t length, bool lines);
/* As printf, of one line or several of our own, with foreign text in it. */
void cli_print(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* As malloc and realloc, zeroed where new; out of memory ends the program with a sentence. */
void *cli_memory(size_t bytes);
void *cli_more(void *memory, size_t bytes);
/* Much memory for a solver: the machine gives a page only once it is written to. NULL: there is not so much. */
void *cli_map(size_t bytes);
void cli_unmap(void *memory, size_t bytes);
/* An output that starts with `cap` bytes; the caller frees .at. */
bw_out cli_out(size_t cap);
/* do write(&out); while (cli_grow(&out)); : writes again, with twice the memory, what did not fit. */
bool cli_grow(bw_out *out);
/* A whole file, or stdin for "-", with a NUL behind it and without a byte order mark; NULL after a sentence. The caller
 * frees it. */
char *cli_read(const char *path, size_t *length);
/* Seconds on the monotonic clock. */
double cli_clock(void);

#endif
