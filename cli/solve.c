/* boardwalk solve: exact answers, with a solver for each game that has one. */
#include "cli/cli.h"

#include <string.h>

static const struct solver {
    const char *game;
    int (*run)(int argc, char **argv);
    const char *about;
} solvers[] = {
    {"flood_it", cli_solve_flood_it, "the fewest moves for boards given as text, proven"},
    {"flag_war", cli_solve_flag_war, "the value of a small game, and what a bot loses to its best response"},
    {"flooded_island", cli_solve_flooded_island, "who wins from the start, and after how many moves"},
};
enum { SOLVERS = sizeof solvers / sizeof solvers[0] };

static void usage(FILE *to) {
    fputs("usage: boardwalk solve GAME [OPTIONS]\n\n", to);
    for (int i = 0; i < SOLVERS; i++) fprintf(to, "  %-16s %s\n", solvers[i].game, solvers[i].about);
    fputs("\n`boardwalk solve GAME --help` explains each.\n", to);
}

int cli_solve(int argc, char **argv) {
    const char *names[SOLVERS];
    if (argc < 2) return usage(stderr), CLI_USAGE;
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) return usage(stdout), CLI_OK;
    for (int i = 0; i < SOLVERS; i++) {
        names[i] = solvers[i].game;
        if (strcmp(argv[1], names[i]) == 0) return solvers[i].run(argc - 1, argv + 1);
    }
    return cli_no_such("there is no solver for", argv[1], names, SOLVERS,
                       "`boardwalk solve --help` lists what can be solved");
}
