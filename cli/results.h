/* A file of results, a JSON line for each, from which a later run continues.
 *
 *   results file;
 *   if (!results_open(&file, path, &my_result_schema, enter, user)) return CLI_USAGE;   enter() gets what is there
 *   results_add(&file, &result);                                                        for each new one
 *   if (!results_close(&file)) ...                                                      something could not be written
 *
 * A line outlives the program once results_add returns; it is not synced to the disk. Without a path nothing is read or
 * stored. A record has at most RESULT_BYTES bytes, as memory and as JSON. */
#ifndef BW_CLI_RESULTS_H
#define BW_CLI_RESULTS_H

#include "cli/cli.h"

#include <stdio.h>

enum { RESULT_BYTES = 8192 };

typedef struct results {
    FILE *file; /* NULL: nothing is stored */
    const bw_schema *schema;
    bool failed; /* a line could not be written */
} results;

/* A record of an earlier run. False: it is invalid here; the error text says why. */
typedef bool results_enter(void *user, const void *record, bw_error_text *why);

/* False after an error message with the line number. */
bool results_open(results *r, const char *path, const bw_schema *schema, results_enter *enter, void *user);
void results_add(results *r, const void *record);
bool results_close(results *r);

#endif
