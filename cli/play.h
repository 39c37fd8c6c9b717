/* The two halves of `boardwalk play`: a game in this terminal, and a seat in a room elsewhere. */
#ifndef BW_CLI_PLAY_H
#define BW_CLI_PLAY_H

#include "cli/cli.h"

typedef struct play_options {
    const bw_game *game;
    const char *role;  /* NULL: not given */
    const char *level; /* level of the bots in the other seats; NULL: people at this terminal */
    const char *join;  /* a room's address; NULL: play here */
    const char *name;
    const char *variant; /* of the game; NULL: its defaults */
    const char *config_json;
    const char *save; /* path of the game file */
    int64_t seed;     /* -1: random */
    int64_t seats;    /* 0: not given */
    bool json;
} play_options;

int play_here(const play_options *options);
int play_room(const play_options *options);

/* Reads a line from stdin, without its newline; NULL at the end of the input. `line` holds `cap` bytes. */
char *play_line(char *line, size_t cap);
/* Prints the position as text, from a view. */
void play_show(const bw_game *game, const void *view);
/* Prints what can be typed. */
void play_help(const bw_game *game);

#endif
