/* boardwalk: the only program. Each command has a file of its own. */
#include "cli/cli.h"

#include <string.h>

typedef struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *about;
} command;

static const command commands[] = {
    {"serve", cli_serve, "serve the games to browsers and programs"},
    {"learn", cli_learn, "learn a game by playing it, in a minute"},
    {"play", cli_play, "play in the terminal, alone, against bots, or in a room"},
    {"replay", cli_replay, "show a game file, move by move"},
    {"verify", cli_verify, "check a game file: its seed, its hashes, its moves"},
    {"review", cli_review, "where a game turned, and what would have been better"},
    {"solve", cli_solve, "exact answers for games that can be solved"},
    {"check", cli_check, "check the proof of an exact answer"},
    {"arena", cli_arena, "a match between two bots"},
    {"ladder", cli_ladder, "every bot of every game against every other"},
    {"perft", cli_perft, "count positions, to check rules and their speed"},
    {"load", cli_load, "play many games at once against a server, and measure it"},
    {"cluster", cli_cluster, "the nodes that share a PostgreSQL database; drain one"},
    {"schema", cli_schema, "the wire types: TypeScript, JSON Schema, tables"},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void usage(FILE *to) {
    fputs("Boardwalk hosts grid games: share a link, take a seat, play.\n\n"
          "usage: boardwalk COMMAND [OPTIONS]\n\n",
          to);
    for (int i = 0; i < COMMANDS; i++) {
        fprintf(to, "  %-8s %s\n", commands[i].name, commands[i].about);
    }
    fputs("\n`boardwalk COMMAND --help` explains each. Exit status: 0 success, 1 a negative answer,\n"
          "2 wrong usage.\n",
          to);
}

/* A full disk or a closed stdout: readers must not take a partial answer for a complete one. */
static int written(int status) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    return cli_failed("the output could not be written completely.");
}

int main(int argc, char **argv) {
    if (argc < 2) {
        usage(stderr);
        return CLI_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        usage(stdout);
        return CLI_OK;
    }
    if (strcmp(name, "--version") == 0) {
        puts("boardwalk " BW_VERSION);
        return CLI_OK;
    }
    const char *names[COMMANDS];
    for (int i = 0; i < COMMANDS; i++) {
        names[i] = commands[i].name;
        if (strcmp(name, commands[i].name) == 0) {
            return written(commands[i].run(argc - 1, argv + 1));
        }
    }
    return cli_no_such("there is no command", name, names, COMMANDS, "`boardwalk --help` lists them");
}
