/* Text into memory of the caller's, counted whether it fits or not. */
#ifndef BW_MONADUNGEON_WORDS_H
#define BW_MONADUNGEON_WORDS_H

#include "games/monadungeon/wire.h"

typedef struct bw_dungeon_words {
    char *text;
    size_t cap, length; /* length: of all that was said, a NUL not counted */
    size_t column;      /* of the next character in its line */
} bw_dungeon_words;

void bw_dungeon_say(bw_dungeon_words *words, const char *text);
void bw_dungeon_say_int(bw_dungeon_words *words, int64_t value);
void bw_dungeon_say_cell(bw_dungeon_words *words, int x, int y); /* "-3,12" */
/* A wire name with spaces for its underscores. */
void bw_dungeon_say_name(bw_dungeon_words *words, const bw_names *names, uint8_t value);
/* The map around a cell, 19 columns and 11 rows of it at most, with its legend. */
void bw_dungeon_say_map(bw_dungeon_words *words, const bw_dungeon_view *view);

#endif
