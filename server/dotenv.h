/* Reads a `.env` file: NAME=value lines, `export` before it if you like, '#' comments, values bare, in
 * single quotes (as they stand) or in double quotes (\n, \t, \", \\). No substitution of variables.
 *
 *   while ((got = bw_dotenv_next(&reader, &entry, problem, sizeof problem)) > 0) ...
 *
 * A line that is none of these is refused with a sentence; nothing is guessed. */
#ifndef BW_DOTENV_H
#define BW_DOTENV_H

#include <stddef.h>

typedef struct bw_dotenv {
    const char *at; /* the rest of the text, NUL-terminated */
    int line;       /* line number of the last entry, from 1 */
} bw_dotenv;

typedef struct bw_dotenv_entry {
    char name[80];
    char value[1024];
} bw_dotenv_entry;

/* 1: an entry; 0: the end; -1: a bad line, described in `problem`. */
int bw_dotenv_next(bw_dotenv *reader, bw_dotenv_entry *entry, char *problem, size_t cap);

#endif
