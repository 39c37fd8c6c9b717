#include "cli/results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool read_line(const bw_schema *schema, const char *line, size_t length, results_enter *enter, void *user,
                      bw_error_text *why) {
    bw_token tokens[64];
    bw_doc doc;
    _Alignas(16) unsigned char record[RESULT_BYTES];
    return bw_doc_parse(&doc, line, length, tokens, 64, 2, why) >= 0 &&
           bw_decode(schema, &doc, 0, record, 0, NULL, why) == 0 && enter(user, record, why);
}

/* A last line without its end was cut off by a crash and is dropped. */
static bool read_lines(const char *path, const bw_schema *schema, results_enter *enter, void *user) {
    size_t length;
    if (access(path, F_OK) != 0) return true;
    char *text = cli_read(path, &length);
    bool good = text != NULL;
    int number = 1;
    for (char *at = text, *end; good && at < text + length; at = end + 1, number++) {
        end = memchr(at, '\n', length - (size_t)(at - text));
        if (!end) {
            good = truncate(path, at - text) == 0;
            if (!good) cli_wrong("%s cannot be written: %s.", path, strerror(errno));
            break;
        }
        bw_error_text why = {{0}};
        good = read_line(schema, at, (size_t)(end - at), enter, user, &why);
        if (!good) cli_wrong("%s, line %d: %s. Use a file of results, or a new file.", path, number, why.text);
    }
    free(text);
    return good;
}

bool results_open(results *r, const char *path, const bw_schema *schema, results_enter *enter, void *user) {
    *r = (results){.schema = schema};
    if (!path) return true;
    if (!read_lines(path, schema, enter, user)) return false;
    r->file = fopen(path, "a");
    if (!r->file) cli_wrong("%s cannot be written: %s.", path, strerror(errno));
    return r->file != NULL;
}

void results_add(results *r, const void *record) {
    char text[RESULT_BYTES];
    bw_out out = bw_out_to(text, sizeof text);
    if (!r->file) return;
    bw_encode(&out, r->schema, record);
    bw_out_text(&out, "\n");
    if (fwrite(text, 1, out.length, r->file) != out.length || fflush(r->file) != 0) r->failed = true;
}

bool results_close(results *r) {
    if (r->file && fclose(r->file) != 0) r->failed = true;
    r->file = NULL;
    return !r->failed;
}
