/* Reading a game file for `replay` and `verify`: the memory that engine/file.h wants, in one place. */
#ifndef BW_CLI_GAME_FILE_H
#define BW_CLI_GAME_FILE_H

#include "cli/cli.h"
#include "engine/file.h"

typedef struct cli_game_file {
    char *text;
    size_t length;
    const bw_game *game;
    bw_file_reader reader;
} cli_game_file;

/* Reads the file and prepares the reader. False where the file cannot be read (a sentence was written, exit 2);
 * `game` is NULL, with reader.complaint, where its first line is of no game that is known here. */
bool game_file_open(cli_game_file *file, const char *path);
void game_file_close(cli_game_file *file);
/* Is its last line a result? That is of a game that is over, whose seed belongs in the first line. */
bool game_file_has_result(const cli_game_file *file);
/* "line 7: ..." as verify says it; a machine's word for a bw_file_error. */
const char *game_file_error(int error);

#endif
