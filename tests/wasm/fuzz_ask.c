/* Any bytes as a request of the browser's build (wasm/api.h), compiled natively so that the sanitizers see it. There
 * is always an answer, and it is a JSON object. */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "engine/json.h"
#include "wasm/api.h"

enum { TOKENS = 1 << 17 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    static bw_token tokens[TOKENS]; /* allocated once: allocating for each input took most of the time */
    bw_doc doc;
    bw_error_text why;
    unsigned char *room = bw_wasm_room((uint32_t)length);
    if (!room) return 0;
    memcpy(room, bytes, length);
    uint32_t size = bw_wasm_ask((uint32_t)length);
    int count = bw_doc_parse(&doc, bw_wasm_answer(), size, tokens, TOKENS, 16, &why);
    if (count < 0 || !bw_doc_is_object(&doc, 0)) abort();
    return 0;
}
