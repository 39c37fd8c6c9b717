/* Reading a game file for `replay` and `verify`: allocates the memory that engine/file.h needs. */
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

/* Reads the file and prepares the reader. False if the file cannot be read (an error was printed, exit 2). If its
 * first line is not that of a known game, `game` is NULL, and reader.error says why. */
bool game_file_open(cli_game_file *file, const char *path);
void game_file_close(cli_game_file *file);
/* Is its last line a result? Then the game is over, and the first line must have its seed. */
bool game_file_has_result(const cli_game_file *file);
/* "line 7: ..." as verify prints it; the machine-readable name of a bw_file_error. */
const char *game_file_error(int error);

#endif
