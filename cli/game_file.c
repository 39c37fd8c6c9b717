#include "cli/game_file.h"

#include <stdlib.h>
#include <string.h>

bool game_file_open(cli_game_file *file, const char *path) {
    memset(file, 0, sizeof *file);
    file->text = cli_read(path, &file->length);
    if (!file->text) return false;
    int error;
    file->game = bw_file_game(file->text, file->length, &error, &file->reader.error);
    if (!file->game) return true;
    size_t longest = 0;
    for (const char *line = file->text; line < file->text + file->length;) {
        const char *end = memchr(line, '\n', file->length - (size_t)(line - file->text));
        size_t length = end ? (size_t)(end - line) : file->length - (size_t)(line - file->text);
        if (length > longest) longest = length;
        line += length + 1;
    }
    bw_file_reader *reader = &file->reader;
    reader->block_bytes = bw_match_bytes(file->game);
    reader->block = cli_memory(reader->block_bytes);
    reader->token_cap = (int)(longest / 2 + 2);
    reader->tokens = cli_memory((size_t)reader->token_cap * sizeof *reader->tokens);
    reader->events_bytes = (size_t)file->game->max_events * file->game->events->size;
    reader->events = cli_memory(reader->events_bytes);
    reader->action_bytes = file->game->actions->size;
    reader->action = cli_memory(reader->action_bytes);
    return true;
}

void game_file_close(cli_game_file *file) {
    free(file->reader.block);
    free(file->reader.tokens);
    free(file->reader.events);
    free(file->reader.action);
    free(file->text);
}

bool game_file_has_result(const cli_game_file *file) {
    size_t end = file->length;
    while (end && strchr("\r\n \t", file->text[end - 1])) end--;
    size_t begin = end;
    while (begin && file->text[begin - 1] != '\n') begin--;
    bw_doc doc;
    return bw_doc_parse(&doc, file->text + begin, end - begin, file->reader.tokens, file->reader.token_cap, 16, NULL) >
               0 &&
           bw_doc_member(&doc, 0, "result") >= 0;
}

const char *game_file_error(int error) {
    switch ((bw_file_error)error) {
    case BW_FILE_FORMAT_UNKNOWN: return "format";
    case BW_FILE_NO_GAME: return "no_such_game";
    case BW_FILE_BAD_LINE: return "bad_line";
    case BW_FILE_ILLEGAL: return "illegal";
    case BW_FILE_HASH: return "hash";
    case BW_FILE_SEED: return "seed";
    case BW_FILE_NO_SEED: return "no_seed";
    case BW_FILE_RESULT: return "result";
    }
    return "unknown";
}
