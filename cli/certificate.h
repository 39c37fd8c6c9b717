/* Checks a certificate of Flooded Island's value (docs/CERTIFICATES.md) using only the rules. Nothing here or in
 * certificate.c comes from the game, the solver or any other part of this program, so that their mistakes are found.
 *
 *   certificate c;
 *   if (certificate_check(text, length, memory, bytes, &c)) ... c.at_least <= value <= c.at_most
 *   else ... c.line and c.wrong say where and what
 *
 * The time is linear in the size of the file. `bytes` of memory, aligned to 16: CERTIFICATE_LINE_BYTES for each
 * line, and for two more. */
#ifndef BW_CLI_CERTIFICATE_H
#define BW_CLI_CERTIFICATE_H

#include <stdbool.h>
#include <stddef.h>

enum { CERTIFICATE_LINE_BYTES = 48, CERTIFICATE_SURVIVES = 365 };

typedef struct certificate {
    int width, height, floods;
    int at_least, at_most; /* moves of the adventurer; at_least 0 and at_most 365 claim nothing */
    unsigned days, nights; /* positions of the adventurer's strategy, and of the weather's */
    int line;              /* the wrong line, from 1 */
    char wrong[200];       /* a sentence without full stop */
} certificate;

bool certificate_check(const char *text, size_t length, void *memory, size_t bytes, certificate *c);

#endif
