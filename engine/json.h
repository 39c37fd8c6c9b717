/* JSON in and out, driven by the declarations of schema.h.
 *
 * Out: through a bw_out (out.h). In: bw_doc_parse checks the whole text (grammar, numbers, UTF-8, depth) and tokenises
 * it with jsmn; bw_decode fills a declared struct strictly: unknown, doubled and missing fields, wrong types and values
 * out of range are refused with a sentence that names what would be right.
 *
 * Limits: depth 8 for messages (caller's choice up to 32); numbers are whole, within +-(2^53 - 1). */
#ifndef BW_JSON_H
#define BW_JSON_H

#include "engine/out.h"
#include "engine/schema.h"

/* jsmn is a header-only library: json_doc.c compiles its code, other files only see its types. */
#define JSMN_STRICT
#define JSMN_PARENT_LINKS
#ifdef BW_JSON_WITH_JSMN
#define JSMN_STATIC
#else
#define JSMN_HEADER
#endif
#include <jsmn.h>

/* ---- out ---- */

/* Reads 2 * count lower-case hexadecimal digits into `count` bytes; false if `text` is anything else. */
bool bw_hex_read(const char *text, size_t length, uint8_t *bytes, size_t count);

/* `{...}` of a declared struct. */
void bw_encode(bw_out *out, const bw_schema *schema, const void *value);
/* Only its fields, without braces: `"x":1,"y":2`. `before`: how many members of the object are already written; a comma
 * comes first if there are any. Returns how many there are then. */
int bw_encode_members(bw_out *out, const bw_schema *schema, const void *value, int before);
/* `{"type":"...",...}` of a tagged union. */
void bw_encode_union(bw_out *out, const bw_union *u, const void *value);
/* `[...]` of several that lie one behind the other. */
void bw_encode_unions(bw_out *out, const bw_union *u, const void *values, uint32_t count);
/* The merge patch that turns `old` into `now` (as RFC 7396, except that null means null), without the outer braces;
 * `before` and the result as above. Arrays and grids are written whole, maps entry by entry. A patch removes nothing, so a
 * field that can go away is declared NULLABLE. Both structs must have been zeroed before they were filled. */
int bw_encode_changes(bw_out *out, const bw_schema *schema, const void *old, const void *now, int before);
/* Would there be no changes? Of lists only the items that are there are looked at. */
bool bw_schema_same(const bw_schema *schema, const void *old, const void *now);

/* ---- in ---- */

typedef jsmntok_t bw_token;

typedef struct bw_doc {
    const char *text;
    size_t length;
    bw_token *tokens; /* caller-owned */
    int count;
} bw_doc;

typedef enum bw_json_error {
    BW_JSON_BAD = -1,          /* not JSON: grammar, UTF-8, number form, trailing bytes */
    BW_JSON_DEEP = -2,         /* nested deeper than allowed */
    BW_JSON_LARGE = -3,        /* more tokens than fit in the caller's memory */
    BW_JSON_MISMATCH = -4,     /* JSON, but not as declared; see bw_error_text */
    BW_JSON_UNKNOWN_TYPE = -5, /* bw_decode_union: `type` is missing or unknown */
    BW_JSON_UNHELD = -6,       /* JSON, but with a string that no C string can hold: \u0000, half a surrogate pair */
} bw_json_error;

/* What is wrong, as a sentence for people: `"size" must be a whole number from 3 to 10.` */
typedef struct bw_error_text {
    char text[240];
} bw_error_text;

/* Checks and tokenises. `tokens` has room for `cap`; length/2 + 1 always suffices.
 * Returns the number of tokens or a bw_json_error; the doc has its text and tokens even then. The text must outlive the
 * doc. */
int bw_doc_parse(bw_doc *doc, const char *text, size_t length, bw_token *tokens, int cap, int depth,
                 bw_error_text *why);

/* The "id" of a message that could not be parsed; 0 if it cannot be read. */
int64_t bw_json_id(const char *text, size_t length);

/* The token of a member's value, or -1. `object` is the token of the object (0 is the whole document). */
int bw_doc_member(const bw_doc *doc, int object, const char *key);
bool bw_doc_is_object(const bw_doc *doc, int token);
bool bw_doc_is_null(const bw_doc *doc, int token);
/* The token after a value and everything in it. */
int bw_doc_behind(const bw_doc *doc, int token);
/* Returns false if the token is neither true nor false. */
bool bw_doc_bool(const bw_doc *doc, int token, bool *value);
/* A string's text, unescaped, at most cap - 1 bytes and a NUL. Returns its bytes, or -1: not a string, too long. */
int bw_doc_text(const bw_doc *doc, int token, char *text, size_t cap);
/* Returns false if the token is not a whole number within +-(2^53 - 1). */
bool bw_doc_int(const bw_doc *doc, int token, int64_t *value);
/* The token's own bytes (a string's without its quotes). */
bw_raw bw_doc_raw(const bw_doc *doc, int token);

/* Is every string in it plain (visible.h)? Text from people must be. A member called `blank_is_none` may consist of
 * invisible characters only: it counts as empty. */
bool bw_doc_is_plain(const bw_doc *doc, const char *blank_is_none, bw_error_text *why);

enum {
    BW_DECODE_PARTIAL = 1, /* absent fields keep their value in `value` (settings) */
    BW_DECODE_OTHERS = 2,  /* members that are no field are passed over (a game's part of a state) */
};

/* Fills `value` (zeroed first, unless PARTIAL) from an object. `also` lists keys to ignore ("type", "id"),
 * NULL-terminated; NULL: none. Returns 0 or BW_JSON_MISMATCH; on refusal `value` is unspecified, so decode into a
 * copy. */
int bw_decode(const bw_schema *schema, const bw_doc *doc, int object, void *value, unsigned flags,
              const char *const *also, bw_error_text *why);
/* Finds `type` and decodes the rest. `also` must contain "type"; NULL: only "type". Returns 0, BW_JSON_MISMATCH, or
 * BW_JSON_UNKNOWN_TYPE. */
int bw_decode_union(const bw_union *u, const bw_doc *doc, int object, void *value, const char *const *also,
                    bw_error_text *why);
/* The same, if the caller knows which case it is. */
int bw_decode_case(const bw_union *u, int which, const bw_doc *doc, int object, void *value, const char *const *also,
                   bw_error_text *why);
/* The index of a name, or -1. */
int bw_case_find(const bw_union *u, const char *name);
int bw_names_find(const bw_names *names, const char *name);

/* Sets an error's text, made of several strings; NULL ends the list. Truncated if too long. Returns false. */
bool bw_fail(bw_error_text *why, const char *first, ...);

#endif
