/* Shared by the commands of `boardwalk`: options, suggestions, output.
 *
 * A command is a function int cli_NAME(int argc, char **argv); argv[0] is the command's own name. It returns the
 * exit status: 0 success, 1 a negative answer (a file that does not verify, a game lost because of an error), 2
 * wrong usage. Wrong usage always prints a sentence on stderr that says what would be right. */
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
int cli_solve_flood_it(int argc, char **argv); /* likewise */
int cli_solve_flag_war(int argc, char **argv);
int cli_solve_flooded_island(int argc, char **argv); /* argv[0] is for example "solve flooded_island" */
/* Every grid of Flooded Island (solve_islands.c). `file` keeps the results, and earlier ones are continued; NULL:
 * none. */
int cli_solve_islands(double seconds, int64_t megabytes, int64_t threads, const char *file, bool json);
int cli_arena(int argc, char **argv);
int cli_ladder(int argc, char **argv);
int cli_perft(int argc, char **argv);
int cli_load(int argc, char **argv);
int cli_cluster(int argc, char **argv);
int cli_schema(int argc, char **argv);

/* ---- options ---- */

/* One of the three pointers is set. */
typedef struct cli_option {
    const char *name; /* "--games" */
    bool *flag;       /* present or not */
    const char **text;
    int64_t *number;     /* lo .. hi */
    const char *operand; /* "N", for the help; NULL for a flag */
    const char *help;
    int64_t lo, hi;
} cli_option;

#define CLI_FLAG(name_, value, help_) \
    { .name = (name_), .flag = (value), .help = (help_) }
#define CLI_TEXT(name_, value, operand_, help_) \
    { .name = (name_), .text = (value), .operand = (operand_), .help = (help_) }
#define CLI_INT(name_, value, operand_, lo_, hi_, help_) \
    { .name = (name_), .number = (value), .operand = (operand_), .lo = (lo_), .hi = (hi_), .help = (help_) }
#define CLI_OPTIONS(options_) .options = (options_), .option_count = sizeof(options_) / sizeof(options_)[0]

typedef struct cli_usage {
    const char *command;  /* "arena" */
    const char *operands; /* "GAME --a BOT --b BOT" */
    const char *about;    /* what it does, in a paragraph */
    const cli_option *options;
    int option_count;
    int positionals[2]; /* at least, at most */
} cli_usage;

/* Sets the options' values and collects the positionals. Accepts `--name value` and `--name=value`; `--` ends the
 * options. Returns the number of positionals, or CLI_HELPED (--help was printed: exit 0), or CLI_WRONG (an error was
 * printed: exit 2). */
enum { CLI_HELPED = -1, CLI_WRONG = -2 };
int cli_parse(const cli_usage *usage, int argc, char **argv, const char **positionals);
/* The exit status for CLI_HELPED and CLI_WRONG. */
static inline int cli_exit(int parsed) { return parsed == CLI_HELPED ? CLI_OK : CLI_USAGE; }

/* Prints "boardwalk: " and a sentence on stderr. Returns CLI_USAGE, so that callers can `return cli_wrong(...)`. */
int cli_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
int cli_failed(const char *format, ...) __attribute__((format(printf, 1, 2))); /* the same, returns CLI_NO */

/* The closest of `count` names to a mistyped one, or NULL if none is close. */
const char *cli_nearest(const char *typed, const char *const *names, int count);
/* Prints that `what` ("there is no game") has no such name: which one is near, or else `otherwise`, or, if that is NULL,
 * a list of all. Returns CLI_USAGE. */
int cli_no_such(const char *what, const char *typed, const char *const *names, int count, const char *otherwise);
/* Reads `text` as a whole number within lo .. hi. */
bool cli_whole(const char *text, int64_t lo, int64_t hi, int64_t *value);

/* ---- games ---- */

/* A game that is offered, or _blank; NULL after an error that lists them. */
const bw_game *cli_game(const char *id);
/* A game's configuration: its defaults, or a variant, changed by JSON (`{"width":5}`); both may be NULL. The caller
 * frees it. NULL after an error message. */
void *cli_config(const bw_game *game, const char *variant, const char *json);
/* A game's seed from a number: SHA-256 of its eight bytes, little-endian. */
void cli_seed(uint64_t number, uint8_t seed[32]);
/* Lists a seat's legal actions to `actions`, which grows if needed and is the caller's to free. Returns how many. */
uint32_t cli_legal(const bw_match *match, int seat, unsigned char **actions, uint32_t *cap);
/* 32 bytes from the system's random source; exits the program if that fails. */
void cli_random(uint8_t seed[32]);

/* ---- memory and output ---- */

/* Prints untrusted text (names, seeds, messages, lines of files). Control characters, characters that change the
 * writing direction, and invalid UTF-8 are printed as \\u001b, so that no text can control the terminal. In a JSON
 * string that is the same text. `lines`: newlines stay. All foreign text goes through here; cli_wrong and cli_failed
 * do it themselves. */
void cli_put(FILE *to, const char *text, size_t length, bool lines);
/* Like printf, for one or several lines of our own that contain foreign text. */
void cli_print(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Like malloc and realloc, with new memory zeroed; exits the program with an error if out of memory. */
void *cli_memory(size_t bytes);
void *cli_more(void *memory, size_t bytes);
/* A large block for a solver: the system provides a page only when it is written to. NULL: not available. */
void *cli_map(size_t bytes);
void cli_unmap(void *memory, size_t bytes);
/* An output with `cap` bytes at first; the caller frees .at. */
bw_out cli_out(size_t cap);
/* do write(&out); while (cli_grow(&out)); doubles the memory and writes again if the text did not fit. */
bool cli_grow(bw_out *out);
/* Reads a whole file, or stdin for "-"; adds a NUL and drops a byte order mark. NULL after an error message. The
 * caller frees it. */
char *cli_read(const char *path, size_t *length);
/* Parses JSON. `doc` stays usable until the caller frees doc->tokens, in any case. */
bool cli_json(const char *text, size_t length, int depth, bw_doc *doc, bw_error_text *why);
/* Seconds on the monotonic clock. */
double cli_clock(void);

#endif
