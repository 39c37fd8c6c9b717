/* boardwalk check: checks a certificate. certificate.c does the work. */
#include "cli/certificate.h"
#include "cli/cli.h"

#include <stdlib.h>

static void report(const certificate *c) {
    printf("valid: %dx%d, up to %d flood%s a night: ", c->width, c->height, c->floods, c->floods == 1 ? "" : "s");
    if (c->at_least == CERTIFICATE_SURVIVES) {
        puts("the adventurer survives.");
    } else if (c->at_most == CERTIFICATE_SURVIVES) {
        printf("the adventurer completes at least %d moves.\n", c->at_least);
    } else if (c->at_least == 0) {
        printf("the adventurer is trapped after at most %d moves.\n", c->at_most);
    } else if (c->at_least == c->at_most) {
        printf("the adventurer is trapped after %d moves.\n", c->at_most);
    } else {
        printf("the adventurer is trapped after %d to %d moves.\n", c->at_least, c->at_most);
    }
    printf("checked: %u positions of the weather's strategy, %u of the adventurer's\n", c->nights, c->days);
}

int cli_check(int argc, char **argv) {
    const cli_usage usage = {
        .command = "check",
        .operands = "CERTIFICATE",
        .about = "Checks a certificate written by `boardwalk solve flooded_island --certificate FILE`: both sides'\n"
                 "strategies, position by position, using only the rules. Prints what it proves (exit status 0), or\n"
                 "which line is wrong and why (exit status 1). docs/CERTIFICATES.md has the format; - reads stdin.",
        .positionals = {1, 1},
    };
    const char *path;
    int given = cli_parse(&usage, argc, argv, &path);
    if (given < 0) return cli_exit(given);
    size_t length, lines = 2;
    char *text = cli_read(path, &length);
    if (!text) return CLI_USAGE;
    for (size_t i = 0; i < length; i++) lines += text[i] == '\n';
    certificate c;
    void *memory = cli_memory(lines * CERTIFICATE_LINE_BYTES);
    bool good = certificate_check(text, length, memory, lines * CERTIFICATE_LINE_BYTES, &c);
    free(memory);
    free(text);
    if (!good) return cli_failed("%s, line %d: %s.", path, c.line, c.wrong);
    report(&c);
    return CLI_OK;
}
