#include "cli/solve_boards.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool boards_open(boards *b, const char *path, const board_shape *told) {
    struct stat known;
    memset(b, 0, sizeof *b);
    const bool from_stdin = strcmp(path, "-") == 0;
    b->name = from_stdin ? "the input" : path;
    b->told = *told;
    b->file = from_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (b->file < 0) return cli_wrong("%s cannot be read: %s.", path, strerror(errno)), false;
    if (fstat(b->file, &known) == 0 && S_ISREG(known.st_mode)) b->size = (uint64_t)known.st_size;
    return true;
}

void boards_close(boards *b) {
    if (b->file > STDIN_FILENO) close(b->file);
}

__attribute__((format(printf, 2, 3))) static int wrong(boards *b, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(b->error, sizeof b->error, format, arguments);
    va_end(arguments);
    b->ended = true;
    return -1;
}

/* ---- lines ---- */

/* False at the end, if reading fails, or when nobody waits for more. */
static bool fill(boards *b) {
    for (;;) {
        struct pollfd one = {.fd = b->file, .events = POLLIN};
        int ready = poll(&one, 1, 100);
        if (ready <= 0) {
            if (b->may_wait && !b->may_wait(b->user)) return b->given_up = true, false;
            continue;
        }
        ssize_t got = read(b->file, b->buffer, sizeof b->buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) wrong(b, "%s cannot be read: %s", b->name, strerror(errno));
        b->at = 0;
        b->held = got > 0 ? (size_t)got : 0;
        return got > 0;
    }
}

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* Reads a line without the blanks at both ends; its length may be 0. False at the end, or after an error text. */
static bool next_line(boards *b) {
    bool any = false;
    if (b->pending) return b->pending = false, true;
    if (b->ended) return false;
    size_t length = 0, solid = 0; /* up to the last character that is no blank */
    for (;;) {
        if (b->at == b->held && !fill(b)) {
            b->ended = true;
            break;
        }
        char c = b->buffer[b->at++];
        b->used++;
        any = true;
        if (c == '\n') break;
        if (b->used <= 3 && c == "\xef\xbb\xbf"[b->used - 1]) continue; /* a byte order mark */
        if (length == 0 && blank(c)) continue;
        if (length < sizeof b->line) b->line[length++] = c;
        else if (!blank(c)) length = sizeof b->line + 1, solid = length;
        if (length > sizeof b->line) break;
        if (!blank(c)) solid = length;
    }
    if (b->error[0] || b->given_up || !any) return false;
    b->number++;
    if (solid > sizeof b->line) {
        return wrong(b, "line %d: more than %d characters; a board has at most %d", b->number, BOARDS_LINE_BYTES,
                     BW_FLOOD_CELLS_MAX),
               false;
    }
    b->length = solid;
    return true;
}

/* ---- boards ---- */

static int read_shape(boards *b, const board_shape *told, size_t length, int line, bw_flood_board *board) {
    size_t rows = (size_t)told->rows, cols = (size_t)told->cols;
    if (!rows && !cols) {
        while (rows * rows < length) rows++;
        cols = rows;
    } else if (!rows) {
        rows = length / cols;
    } else if (!cols) {
        cols = length / rows;
    }
    if (rows * cols != length) {
        if (!told->rows && !told->cols) {
            return wrong(b, "line %d: %zu characters are not a square number; give the shape with --rows and --cols",
                         line, length);
        }
        if (told->rows && told->cols) {
            return wrong(b, "line %d: %zu characters, but %" PRId64 " rows of %" PRId64 " are %" PRId64, line, length,
                         told->rows, told->cols, told->rows * told->cols);
        }
        return wrong(b, "line %d: %zu characters are not a whole number of %s of %" PRId64, line, length,
                     told->cols ? "rows" : "columns", told->cols ? told->cols : told->rows);
    }
    if (rows < 1 || cols < 1 || rows > BW_FLOOD_SIZE_MAX || cols > BW_FLOOD_SIZE_MAX) {
        return wrong(b, "line %d: a board must have 1 to %d rows and columns, not %zux%zu", line, BW_FLOOD_SIZE_MAX,
                     rows, cols);
    }
    if ((size_t)told->origin_row >= rows || (size_t)told->origin_col >= cols) {
        return wrong(b, "line %d: the origin %" PRId64 ",%" PRId64 " lies outside of the %zux%zu board", line,
                     told->origin_row, told->origin_col, rows, cols);
    }
    board->rows = (uint8_t)rows;
    board->cols = (uint8_t)cols;
    board->origin_row = (uint8_t)told->origin_row;
    board->origin_col = (uint8_t)told->origin_col;
    return 1;
}

static bool is_color(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* Reads one board from `length` characters, which start in `line` and have `width` characters in each. */
static int read_board(boards *b, const board_shape *told, const char *text, size_t length, int line, size_t width,
                      board_read *out) {
    int colors = 0;
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < length; i++) {
        const int at = line + (int)(i / width);
        const size_t column = i % width + 1;
        if (is_color(text[i])) continue;
        if (text[i] > ' ' && text[i] <= '~') {
            return wrong(b, "line %d: column %zu has '%c'; a square must be a letter or a digit", at, column, text[i]);
        }
        return wrong(b, "line %d: column %zu has no letter or digit; a square must be one of these", at, column);
    }
    if (read_shape(b, told, length, line, &out->board) < 0) return -1;
    for (size_t i = 0; i < length; i++) {
        const char *known = memchr(out->palette, text[i], (size_t)colors);
        if (!known && colors == BW_FLOOD_COLORS_MAX) {
            return wrong(b, "line %d: more than %d colours", line, BW_FLOOD_COLORS_MAX);
        }
        out->board.cells[i] = (uint8_t)(known ? known - out->palette : colors);
        if (!known) out->palette[colors++] = text[i];
    }
    out->index = ++b->count;
    return 1;
}

/* Reads ahead from the line at hand while the lines can be rows of one board. True if they are one. */
static bool gather(boards *b) {
    const size_t length = b->length;
    const size_t want_rows = b->told.rows ? (size_t)b->told.rows : b->told.cols ? 0 : length; /* 0: any number */
    const size_t most = want_rows ? want_rows : BW_FLOOD_SIZE_MAX;
    bool whole = false;
    b->ahead_length = length;
    b->ahead_count = b->ahead_taken = 0;
    do {
        board_row *row = &b->ahead[b->ahead_count++];
        memcpy(row->text, b->line, length);
        row->line = b->number;
        if (!next_line(b)) whole = true;
        else if (b->length != length || b->ahead_count == most) b->pending = true;
    } while (!whole && !b->pending);
    if (b->pending && b->length == 0) whole = true; /* a blank line ends them */
    b->each_is_one = !whole;
    return whole && b->ahead_count > 1 && (!want_rows || b->ahead_count == want_rows);
}

static int join(boards *b, board_read *out) {
    char cells[BW_FLOOD_CELLS_MAX];
    board_shape one = b->told;
    one.rows = (int64_t)b->ahead_count, one.cols = (int64_t)b->ahead_length;
    for (size_t i = 0; i < b->ahead_count; i++) memcpy(cells + i * b->ahead_length, b->ahead[i].text, b->ahead_length);
    b->ahead_taken = b->ahead_count;
    return read_board(b, &one, cells, b->ahead_count * b->ahead_length, b->ahead[0].line, b->ahead_length, out);
}

int boards_next(boards *b, board_read *out) {
    for (;;) {
        if (b->ahead_taken < b->ahead_count) {
            const board_row *row = &b->ahead[b->ahead_taken++];
            return read_board(b, &b->told, row->text, b->ahead_length, row->line, b->ahead_length, out);
        }
        if (!next_line(b)) break;
        if (b->length == 0) {
            b->each_is_one = false;
            continue;
        }
        const bool row = b->length <= BW_FLOOD_SIZE_MAX && (!b->told.cols || b->length == (size_t)b->told.cols);
        if (b->each_is_one || !row) {
            b->each_is_one = true;
            return read_board(b, &b->told, b->line, b->length, b->number, b->length, out);
        }
        if (gather(b)) return join(b, out);
    }
    if (b->error[0]) return -1;
    if (b->count || b->given_up) return 0;
    return wrong(b, "%s contains no board; write one per line, row by row, one letter or digit per square", b->name);
}
