/* boardwalk solve flood_it: the fewest moves for boards given as text. */
#include "bots/flood_it/solver.h"
#include "cli/cli.h"
#include "cli/progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef struct puzzle {
    bw_flood_board board;
    char palette[BW_FLOOD_COLORS_MAX]; /* the characters of the input, by colour */
} puzzle;

typedef struct shape {
    int64_t rows, cols; /* 0: not given */
    int64_t origin_row, origin_col;
} shape;

/* ---- reading ---- */

static bool read_shape(const shape *told, size_t length, int line, bw_flood_board *board) {
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
            cli_wrong("line %d: %zu characters are not a square number; give the shape with --rows and --cols.", line,
                      length);
        } else if (told->rows && told->cols) {
            cli_wrong("line %d: %zu characters, but %" PRId64 " rows of %" PRId64 " are %" PRId64 ".", line, length,
                      told->rows, told->cols, told->rows * told->cols);
        } else {
            cli_wrong("line %d: %zu characters are not a whole number of %s of %" PRId64 ".", line, length,
                      told->cols ? "rows" : "columns", told->cols ? told->cols : told->rows);
        }
        return false;
    }
    if (rows < 1 || cols < 1 || rows > BW_FLOOD_SIZE_MAX || cols > BW_FLOOD_SIZE_MAX) {
        cli_wrong("line %d: a board must have 1 to %d rows and columns, not %zux%zu.", line, BW_FLOOD_SIZE_MAX, rows,
                  cols);
        return false;
    }
    if ((size_t)told->origin_row >= rows || (size_t)told->origin_col >= cols) {
        cli_wrong("line %d: the origin %" PRId64 ",%" PRId64 " lies outside of the %zux%zu board.", line,
                  told->origin_row, told->origin_col, rows, cols);
        return false;
    }
    board->rows = (uint8_t)rows;
    board->cols = (uint8_t)cols;
    board->origin_row = (uint8_t)told->origin_row;
    board->origin_col = (uint8_t)told->origin_col;
    return true;
}

static bool is_color(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* Reads one board from `length` characters; false after an error with the line number. */
static bool read_board(const shape *told, const char *text, size_t length, int line, puzzle *out) {
    int colors = 0;
    for (size_t i = 0; i < length; i++) {
        if (!is_color(text[i])) {
            if (text[i] > ' ' && text[i] <= '~') {
                cli_wrong("line %d: column %zu has '%c'; a square must be a letter or a digit.", line, i + 1, text[i]);
            } else {
                cli_wrong("line %d: column %zu has no letter or digit; a square must be one of these.", line, i + 1);
            }
            return false;
        }
    }
    if (!read_shape(told, length, line, &out->board)) return false;
    for (size_t i = 0; i < length; i++) {
        const char *known = memchr(out->palette, text[i], (size_t)colors);
        if (!known && colors == BW_FLOOD_COLORS_MAX) {
            cli_wrong("line %d: more than %d colours.", line, BW_FLOOD_COLORS_MAX);
            return false;
        }
        out->board.cells[i] = (uint8_t)(known ? known - out->palette : colors);
        if (!known) out->palette[colors++] = text[i];
    }
    return true;
}

typedef struct text_row {
    const char *at;
    size_t length;
    int line; /* from 1 */
} text_row;

/* The next line, with blanks at both ends removed; its length may be 0. False at the end. */
static bool next_row(const char **at, const char *end, text_row *r) {
    if (*at == end) return false;
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    const char *from = *at, *to = stop ? stop : end;
    *at = stop ? stop + 1 : end;
    while (to > from && (to[-1] == '\r' || to[-1] == ' ' || to[-1] == '\t')) to--;
    while (from < to && (*from == ' ' || *from == '\t')) from++;
    *r = (text_row){.at = from, .length = (size_t)(to - from), .line = r->line + 1};
    return true;
}

/* Are the lines up to the next blank one the rows of one board? Yes if they are n lines of n characters, or as many
 * as --rows and --cols say. Returns how many lines; 0: each is a board of its own. */
static size_t rows_of_board(const shape *told, const text_row *first, const char *at, const char *end) {
    size_t rows = 1;
    text_row r = *first;
    while (next_row(&at, end, &r) && r.length) {
        if (r.length != first->length) return 0;
        rows++;
    }
    size_t want_rows = told->rows ? (size_t)told->rows : told->cols ? rows : first->length;
    size_t want_cols = told->cols ? (size_t)told->cols : first->length;
    return rows > 1 && rows == want_rows && first->length == want_cols && rows <= BW_FLOOD_SIZE_MAX ? rows : 0;
}

static void join(const text_row *first, size_t rows, const char **at, const char *end, char *cells, int *line) {
    text_row r = *first;
    memcpy(cells, first->at, first->length);
    for (size_t i = 1; i < rows && next_row(at, end, &r); i++) memcpy(cells + i * r.length, r.at, r.length);
    *line = r.line;
}

/* Reads all boards of a text; the caller frees them. -1 after an error message. */
static int read_boards(const shape *told, const char *text, size_t length, const char *name, puzzle **boards) {
    int count = 0, cap = 0;
    const char *at = text, *end = text + length;
    *boards = NULL;
    for (text_row r = {0}; next_row(&at, end, &r);) {
        char cells[BW_FLOOD_SIZE_MAX * BW_FLOOD_SIZE_MAX];
        if (!r.length) continue;
        if (count == cap) {
            *boards = cli_more(*boards, (size_t)(cap = cap ? 2 * cap : 16) * sizeof **boards);
        }
        memset(&(*boards)[count], 0, sizeof **boards);
        size_t rows = r.length <= BW_FLOOD_SIZE_MAX ? rows_of_board(told, &r, at, end) : 0;
        shape one = *told;
        text_row whole = r;
        if (rows) {
            join(&r, rows, &at, end, cells, &r.line);
            one.rows = (int64_t)rows, one.cols = (int64_t)whole.length;
            whole.at = cells, whole.length *= rows;
        }
        if (!read_board(&one, whole.at, whole.length, whole.line, &(*boards)[count])) return -1;
        count++;
    }
    if (!count) {
        cli_wrong("%s contains no board; write one per line, row by row, one letter or digit per square.",
                  strcmp(name, "-") == 0 ? "the input" : name);
        return -1;
    }
    return count;
}

/* ---- solving ---- */

typedef struct solving {
    int index, count;
    double started, deadline; /* of this board, in seconds; deadline 0: none */
    progress progress;
} solving;

/* The share of finished boards; for the current board, its bounds. */
static bool keep_going(void *user, const bw_flood_progress *at) {
    solving *s = user;
    if (progress_due(&s->progress)) {
        progress_tell(&s->progress, (double)(s->index - 1) / s->count,
                      "board %d of %d: %" PRIu32 " to %" PRIu32 " moves, %.0f s, %zu MiB", s->index, s->count,
                      at->lower, at->best, cli_clock() - s->started, at->bytes >> 20);
    }
    return !progress_interrupted() && (s->deadline == 0 || cli_clock() < s->deadline);
}

static void print(const puzzle *asked, const bw_flood_solution *solution, int index, double ms, bool json) {
    static const char *const formats[] = {"%d\t%" PRIu32 "\t%s\t",
                                          "{\"index\":%d,\"moves\":%" PRIu32 ",\"result\":\"%s\",\"sequence\":\""};
    printf(formats[json], index, solution->count, solution->proven ? "optimal" : "best");
    for (uint32_t i = 0; i < solution->count; i++) putchar(asked->palette[solution->moves[i]]);
    if (json) {
        printf("\",\"proven\":%s,\"lower\":%" PRIu32 ",\"positions\":%" PRIu64 ",\"milliseconds\":%.3f}\n",
               solution->proven ? "true" : "false", solution->lower, solution->nodes, ms);
    } else {
        printf("\t%.3f\n", ms);
    }
    fflush(stdout);
}

static int solve_all(const puzzle *boards, int count, bw_flood_limits *limits, double seconds, void *arena,
                     size_t bytes, bool json) {
    solving s = {.count = count, .progress = progress_begin()};
    int status = CLI_OK, done = 0;
    bw_flood_solution *solution = cli_memory(sizeof *solution);
    limits->keep_going = keep_going;
    limits->user = &s;
    while (done < count && !progress_interrupted() && status == CLI_OK) {
        s.index = done + 1;
        s.started = cli_clock();
        s.deadline = seconds > 0 ? s.started + seconds : 0;
        const int error = bw_flood_solve(&boards[done].board, limits, arena, bytes, solution);
        const double ms = (cli_clock() - s.started) * 1e3;
        progress_clear(&s.progress);
        if (error) {
            status = cli_failed("board %d cannot be solved here (error %d); --memory may help.", s.index, error);
        } else {
            print(&boards[done++], solution, s.index, ms, json);
        }
    }
    progress_end(&s.progress);
    if (status == CLI_OK && done < count) {
        status = cli_failed("interrupted: %d of %d boards are done; the last one is incomplete.", done, count);
    }
    free(solution);
    return status;
}

/* "R,C", both from 0. */
static bool read_origin(const char *text, int64_t *row, int64_t *col) {
    char first[8];
    const char *comma = strchr(text, ',');
    if (!comma || (size_t)(comma - text) >= sizeof first) return false;
    memcpy(first, text, (size_t)(comma - text));
    first[comma - text] = '\0';
    return cli_whole(first, 0, BW_FLOOD_SIZE_MAX - 1, row) && cli_whole(comma + 1, 0, BW_FLOOD_SIZE_MAX - 1, col);
}

static bool read_seconds(const char *text, double *seconds) {
    char *end;
    if (!*text || strspn(text, "0123456789.") != strlen(text)) return false;
    *seconds = strtod(text, &end);
    return *end == '\0' && *seconds <= 1e6;
}

/* The arena is mapped, so that only the pages a board needs use memory. */
static int solve_text(const puzzle *boards, int count, bw_flood_limits *limits, double seconds, int64_t megabytes,
                      bool json) {
    const size_t bytes = (size_t)megabytes << 20;
    void *arena = cli_map(bytes);
    if (!arena) {
        return cli_failed("cannot allocate %" PRId64 " MiB; use a smaller --memory.", megabytes);
    }
    /* The pages at both ends, which every board uses, are touched before the clock starts. A long search uses all
     * pages in between, so large pages pay off. */
    enum { ENDS = 4 << 20, TOUCHED = 256 << 10 };
    memset(arena, 0, TOUCHED);
    memset((char *)arena + bytes - TOUCHED, 0, TOUCHED);
#ifdef MADV_HUGEPAGE
    madvise((char *)arena + ENDS, bytes - 2 * (size_t)ENDS, MADV_HUGEPAGE);
#endif
    const int status = solve_all(boards, count, limits, seconds, arena, bytes, json);
    cli_unmap(arena, bytes);
    return status;
}

int cli_solve_flood_it(int argc, char **argv) {
    shape told = {0};
    int64_t beam = 0, megabytes = 2900;
    const char *origin = NULL, *time = NULL;
    double seconds = 0;
    bool json = false;
    const cli_option options[] = {
        {"--rows", CLI_INT, &told.rows, "R", "rows, 1 to 64; by default the board is square", 1, BW_FLOOD_SIZE_MAX},
        {"--cols", CLI_INT, &told.cols, "C", "columns, 1 to 64", 1, BW_FLOOD_SIZE_MAX},
        {"--origin", CLI_TEXT, &origin, "R,C", "the square where the territory starts, counted from 0 (0,0)", 0, 0},
        {"--beam", CLI_INT, &beam, "N", "only a beam search of width N: fast, rarely proven", 1, 1000000},
        {"--seconds", CLI_TEXT, &time, "S", "stop a board after S seconds with the best solution found (0: never)", 0,
         0},
        {"--memory", CLI_INT, &megabytes, "MB", "maximum memory in MiB (2900)", 16, 65536},
        {"--json", CLI_FLAG, &json, NULL, "print a JSON object per board", 0, 0},
    };
    const cli_usage usage = {
        .command = "solve flood_it",
        .operands = "[FILE]",
        .about =
            "Finds the fewest moves that flood each board, and proves it. Boards are read from FILE or stdin, one per\n"
            "line, row by row, one character per square: any letters and digits, each a colour, up to 32 colours.\n"
            "n lines of n characters are one board, one row per line. Blank lines are skipped. For each board a line\n"
            "is printed, with fields separated by tabs:\n"
            "  index  moves  optimal|best  sequence  milliseconds\n"
            "\"optimal\" is proven. Ctrl-C prints the best solution so far and ends.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .positional_max = 1,
    };
    const char *file = "-";
    const int parsed = cli_parse(&usage, argc, argv, &file);
    if (parsed < 0) return cli_exit(parsed);
    if (origin && !read_origin(origin, &told.origin_row, &told.origin_col)) {
        return cli_wrong("--origin must be a row and a column from 0 to 63, as 0,0, not \"%s\".", origin);
    }
    if (time && !read_seconds(time, &seconds)) {
        return cli_wrong("--seconds must be a number of seconds from 0 to 1000000, not \"%s\".", time);
    }
    size_t length = 0;
    char *text = cli_read(file, &length);
    if (!text) return CLI_USAGE;
    puzzle *boards = NULL;
    const int count = read_boards(&told, text, length, file, &boards);
    free(text);
    bw_flood_limits limits = {.beam_width = (uint32_t)beam, .beam_only = beam != 0};
    const int status = count < 0 ? CLI_USAGE : solve_text(boards, count, &limits, seconds, megabytes, json);
    free(boards);
    return status;
}
