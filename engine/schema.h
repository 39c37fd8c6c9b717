/* Wire structs, declared once.
 *
 * What goes over the wire is declared as a list of fields. From that one list come the C struct,
 * the JSON encoder and strict decoder (json.h), the merge patch, the TypeScript types, the JSON
 * Schema and the tables in docs/PROTOCOL.md.
 *
 *   #define BW_POINT_FIELDS(F, S)                                              \
 *       F(S, REQUIRED, INT, x, (int16_t, -100, 100), "column, from the left")  \
 *       F(S, REQUIRED, INT, y, (int16_t, -100, 100), "row, from the top")
 *   BW_STRUCT(bw_point, BW_POINT_FIELDS);           // in a header: struct and `extern const bw_schema`
 *   BW_SCHEMA(bw_point, BW_POINT_FIELDS, "a square"); // in one .c file: the table
 *
 * A field is F(S, presence, kind, name, (arguments), "what it means"); a setting that people are to choose has a title
 * after that, and perhaps what its numbers count: F(..., "rows of the board", "Rows", "squares").
 *
 *   presence  REQUIRED   always there
 *             OPTIONAL   may be left out; `bool has_NAME` tells
 *             NULLABLE   always there, perhaps null; `bool has_NAME` tells
 *
 *   kind      INT        (type, lo, hi)             a whole number; type is (u)int8_t .. int64_t
 *             INDEX      (type, lo, hi)             an INT that counts columns or rows from 0: people read and type
 *                                                   it from 1 (cli/phrase.h)
 *             BASE       ()                         0 or 1: what columns and rows in a text of the same struct count
 *                                                   from. What a person typed comes with 1
 *             NAMED_INT  (type, lo, hi, names)      or one of the names: the i-th is the value -(i+1)
 *             BOOL       ()
 *             ENUM       (names)                    uint8_t, index into the names
 *             TEXT       (bytes, lo, hi)            char[bytes], UTF-8, NUL at the end; lo..hi code points
 *             WORD       (bytes, lo, hi)            the same; a whole number is taken as its digits
 *             STRUCT     (type)                     another declared struct
 *             RAW        ("TypeScript type")        bw_raw: JSON text that is ready; encode only
 *             INTS       (type, lo, hi, cap)        arrays: `uint16_t NAME_count; item NAME[cap]`
 *             BOOLS      (cap)
 *             ENUMS      (names, cap)
 *             STRUCTS    (type, cap)
 *             INT_GRID   (type, lo, hi, rows_cap, cols_cap, rows, cols)   item NAME[rows_cap][cols_cap],
 *             ENUM_GRID  (names, rows_cap, cols_cap, rows, cols)          sized by the fields rows, cols:
 *                                                                         uint8_t, declared before it
 *             MAP        (type, cap)                an object: `uint16_t NAME_count; type NAME[cap]`;
 *                                                   each entry's first field is TEXT `key`, and where its
 *                                                   only other field is called `value` that stands alone
 *
 * Names are listed as E(CONSTANT, "name"), and with a title where people choose among them:
 * E(CONSTANT, "name", "Title").
 *
 * Limits: fields of a struct 64; nesting 8; no floats. Declared structs hold no pointers (RAW apart),
 * and are to be zeroed before they are filled, so that equal values are equal bytes. */
#ifndef BW_SCHEMA_H
#define BW_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bw_names {
    uint16_t count;
    const char *const *names;
    const char *const *titles; /* "" if it has none */
} bw_names;

typedef struct bw_raw {
    const char *at;
    size_t length;
} bw_raw;

typedef enum bw_kind {
    BW_KIND_INT,
    BW_KIND_BOOL,
    BW_KIND_ENUM,
    BW_KIND_TEXT,
    BW_KIND_BYTES, /* as text: lower-case hexadecimal, two digits a byte */
    BW_KIND_STRUCT,
    BW_KIND_RAW,
} bw_kind;

typedef enum bw_shape { BW_SHAPE_ONE, BW_SHAPE_ARRAY, BW_SHAPE_GRID, BW_SHAPE_MAP } bw_shape;

typedef enum bw_presence {
    BW_PRESENCE_REQUIRED,
    BW_PRESENCE_OPTIONAL,
    BW_PRESENCE_NULLABLE,
} bw_presence;

/* The unit of an INT that people count from 1. */
typedef enum bw_counts { BW_COUNTS_ANYTHING, BW_COUNTS_INDEX, BW_COUNTS_BASE } bw_counts;

struct bw_schema;

typedef struct bw_field {
    const char *name;
    const char *doc, *title, *unit; /* in the order of declaration; NULL: none */
    bw_kind kind;
    bw_shape shape;
    bw_presence presence;
    bw_counts counts; /* INT */
    uint8_t key_length;
    bool is_signed;        /* INT */
    bool takes_number;     /* TEXT declared as WORD */
    uint32_t offset;       /* of the value, or of the first item */
    uint32_t has_offset;   /* offset of has_NAME; OPTIONAL and NULLABLE only */
    uint32_t count_offset; /* of NAME_count (uint16_t); ARRAY and MAP only */
    uint32_t rows_offset;  /* of the uint8_t fields that size a GRID */
    uint32_t cols_offset;
    uint32_t item_size;             /* bytes of one item */
    uint32_t cap;                   /* maximum number of items; of a GRID: of rows */
    uint32_t cols_cap;              /* GRID: maximum number of columns */
    int64_t lo, hi;                 /* INT: values; TEXT: code points */
    const bw_names *names;          /* ENUM; INT declared as NAMED_INT */
    const struct bw_schema *schema; /* STRUCT, MAP */
    const char *raw_type;           /* RAW */
    const char *key;                /* as it is written: `,"name":`, key_length bytes */
} bw_field;

typedef struct bw_schema {
    const char *name;
    const char *doc;
    uint32_t size; /* bytes of the C struct */
    uint16_t count;
    const bw_field *fields;
} bw_schema;

/* A tagged union: an object whose `type` says which struct its other fields are. */
typedef struct bw_case {
    const char *name; /* the value of `type` */
    const bw_schema *schema;
    uint32_t flags;
    const char *doc;
    const char *opening; /* `{"type":"name"`, opening_length bytes */
    uint8_t opening_length;
} bw_case;

typedef struct bw_union {
    const char *name;
    uint32_t size;        /* bytes of the C struct */
    uint32_t body_offset; /* offset of the struct that the tag (a uint8_t at 0) selects */
    uint16_t count;
    const bw_case *cases;
} bw_union;

/* Is every value within its declaration: numbers, names, counts, terminated strings? For a union, the tag too. For
 * structs that come from memory; the JSON decoder has its own checks. An absent optional field is not checked. */
bool bw_schema_fits(const bw_schema *schema, const void *value);
bool bw_union_fits(const bw_union *u, const void *value);

/* A struct without fields, for variants that need only their type. */
typedef struct bw_nothing {
    uint8_t nothing;
} bw_nothing;
extern const bw_schema bw_nothing_schema;

/* ---- declaring ---- */

/* Lists of members and initialisers, which clang-format takes for expressions. */
/* clang-format off */

#define BW_CALL(macro, ...) macro(__VA_ARGS__)
#define BW_UNPACK(...) __VA_ARGS__

#define BW_HAS_MEMBER_REQUIRED(name)
#define BW_HAS_MEMBER_OPTIONAL(name) bool has_##name;
#define BW_HAS_MEMBER_NULLABLE(name) bool has_##name;

#define BW_MEMBER_INT(name, type, lo, hi) type name;
#define BW_MEMBER_INDEX(name, type, lo, hi) type name;
#define BW_MEMBER_BASE(name, none) uint8_t name;
#define BW_MEMBER_NAMED_INT(name, type, lo, hi, names) type name;
#define BW_MEMBER_BOOL(name, none) bool name;
#define BW_MEMBER_ENUM(name, names) uint8_t name;
#define BW_MEMBER_TEXT(name, bytes, lo, hi) char name[bytes];
#define BW_MEMBER_WORD(name, bytes, lo, hi) char name[bytes];
#define BW_MEMBER_BYTES(name, bytes) uint8_t name[bytes];
#define BW_MEMBER_STRUCT(name, type) type name;
#define BW_MEMBER_RAW(name, ts) bw_raw name;
#define BW_MEMBER_INTS(name, type, lo, hi, cap) uint16_t name##_count; type name[cap];
#define BW_MEMBER_BOOLS(name, cap) uint16_t name##_count; bool name[cap];
#define BW_MEMBER_ENUMS(name, names, cap) uint16_t name##_count; uint8_t name[cap];
#define BW_MEMBER_STRUCTS(name, type, cap) uint16_t name##_count; type name[cap];
#define BW_MEMBER_INT_GRID(name, type, lo, hi, rc, cc, r, c) type name[rc][cc];
#define BW_MEMBER_ENUM_GRID(name, names, rc, cc, r, c) uint8_t name[rc][cc];
#define BW_MEMBER_MAP(name, type, cap) uint16_t name##_count; type name[cap];

#define BW_MEMBER(S, presence, kind, name, args, ...) \
    BW_HAS_MEMBER_##presence(name) BW_CALL(BW_MEMBER_##kind, name, BW_UNPACK args)

#define BW_STRUCT(type, LIST)       \
    typedef struct type {           \
        LIST(BW_MEMBER, type)       \
    } type;                         \
    extern const bw_schema type##_schema

#define BW_AT(S, member) (uint32_t)offsetof(S, member)
#define BW_HAS_AT_REQUIRED(S, name) 0
#define BW_HAS_AT_OPTIONAL(S, name) BW_AT(S, has_##name)
#define BW_HAS_AT_NULLABLE(S, name) BW_AT(S, has_##name)

#define BW_OF_INT(S, n, type, l, h)                                                               \
    .kind = BW_KIND_INT, .is_signed = (type)-1 < (type)1, .item_size = sizeof(type), .lo = (l), .hi = (h),
#define BW_OF_INDEX(S, n, type, l, h) BW_OF_INT(S, n, type, l, h).counts = BW_COUNTS_INDEX,
#define BW_OF_BASE(S, n, none) BW_OF_INT(S, n, uint8_t, 0, 1).counts = BW_COUNTS_BASE,
#define BW_OF_NAMED_INT(S, n, type, l, h, table) BW_OF_INT(S, n, type, l, h).names = &(table),
#define BW_OF_BOOL(S, n, none) .kind = BW_KIND_BOOL, .item_size = sizeof(bool),
#define BW_OF_ENUM(S, n, table) .kind = BW_KIND_ENUM, .item_size = 1, .names = &(table),
#define BW_OF_TEXT(S, n, bytes, l, h) .kind = BW_KIND_TEXT, .item_size = (bytes), .lo = (l), .hi = (h),
#define BW_OF_WORD(S, n, bytes, l, h) BW_OF_TEXT(S, n, bytes, l, h).takes_number = true,
#define BW_OF_BYTES(S, n, bytes)                                                                  \
    .kind = BW_KIND_BYTES, .item_size = (bytes), .lo = 2 * (bytes), .hi = 2 * (bytes),
#define BW_OF_STRUCT(S, n, type) .kind = BW_KIND_STRUCT, .item_size = sizeof(type), .schema = &type##_schema,
#define BW_OF_RAW(S, n, ts) .kind = BW_KIND_RAW, .item_size = sizeof(bw_raw), .raw_type = ts,
#define BW_OF_LIST(S, n, c) .shape = BW_SHAPE_ARRAY, .count_offset = BW_AT(S, n##_count), .cap = (c),
#define BW_OF_INTS(S, n, type, l, h, c) BW_OF_INT(S, n, type, l, h) BW_OF_LIST(S, n, c)
#define BW_OF_BOOLS(S, n, c) BW_OF_BOOL(S, n, ) BW_OF_LIST(S, n, c)
#define BW_OF_ENUMS(S, n, table, c) BW_OF_ENUM(S, n, table) BW_OF_LIST(S, n, c)
#define BW_OF_STRUCTS(S, n, type, c) BW_OF_STRUCT(S, n, type) BW_OF_LIST(S, n, c)
#define BW_OF_SIZED(S, rc, cc, r, c)                                                              \
    .shape = BW_SHAPE_GRID, .cap = (rc), .cols_cap = (cc), .rows_offset = BW_AT(S, r), .cols_offset = BW_AT(S, c),
#define BW_OF_INT_GRID(S, n, type, l, h, rc, cc, r, c) BW_OF_INT(S, n, type, l, h) BW_OF_SIZED(S, rc, cc, r, c)
#define BW_OF_ENUM_GRID(S, n, table, rc, cc, r, c) BW_OF_ENUM(S, n, table) BW_OF_SIZED(S, rc, cc, r, c)
#define BW_OF_MAP(S, n, type, c)                                                                  \
    BW_OF_STRUCT(S, n, type) .shape = BW_SHAPE_MAP, .count_offset = BW_AT(S, n##_count), .cap = (c),

#define BW_DESCRIBE(S, presence_, kind_, name_, args, ...)                                         \
    {.name = #name_,                                                                               \
     .key = ",\"" #name_ "\":",                                                                      \
     .key_length = sizeof #name_ + 3,                                                              \
     .doc = __VA_ARGS__, /* with the title and the unit */                                  \
     .presence = BW_PRESENCE_##presence_,                                                          \
     .offset = BW_AT(S, name_),                                                                    \
     .has_offset = BW_HAS_AT_##presence_(S, name_),                                                \
     BW_CALL(BW_OF_##kind_, S, name_, BW_UNPACK args)},

#define BW_SCHEMA(type, LIST, doc_)                                                                \
    static const bw_field type##_fields[] = {LIST(BW_DESCRIBE, type)};                             \
    const bw_schema type##_schema = {.name = #type,                                                \
                                     .doc = doc_,                                                  \
                                     .size = sizeof(type),                                         \
                                     .count = sizeof type##_fields / sizeof type##_fields[0],      \
                                     .fields = type##_fields}

/* Names: LIST is #define X(E) E(PREFIX_ONE, "one") E(PREFIX_TWO, "two", "Title").
 * BW_ENUM makes the enum and declares `TYPE_names`; BW_NAMES defines it. */
#define BW_FIRST_OF(first, ...) first
#define BW_SECOND_OF(first, second, ...) second
#define BW_ENUM_CONSTANT(constant, ...) constant,
#define BW_ENUM_NAME(constant, ...) BW_FIRST_OF(__VA_ARGS__, ""),
#define BW_ENUM_TITLE(constant, ...) BW_SECOND_OF(__VA_ARGS__, "", ""),
#define BW_ENUM(type, LIST)                     \
    typedef enum type { LIST(BW_ENUM_CONSTANT) } type; \
    extern const bw_names type##_names
#define BW_NAMES(type, LIST)                                                     \
    static const char *const type##_list[] = {LIST(BW_ENUM_NAME)};               \
    static const char *const type##_titles[] = {LIST(BW_ENUM_TITLE)};            \
    const bw_names type##_names = {sizeof type##_list / sizeof type##_list[0], type##_list, type##_titles}

/* Unions: LIST is #define X(C) C(CONSTANT, member, "wire name", struct type, flags, "what it does").
 * The struct is { uint8_t type; union { ... } as; }. */
#define BW_UNION_CONSTANT(constant, member, name, type, flags, doc) constant,
#define BW_UNION_MEMBER(constant, member, name, type, flags, doc) type member;
#define BW_UNION_CASE(constant, member, name_, type, flags_, doc_) \
    {.name = name_, .schema = &type##_schema, .flags = (flags_), .doc = doc_, \
     .opening = "{\"type\":\"" name_ "\"", .opening_length = sizeof name_ + 9},
#define BW_TAGGED(T, LIST)                                    \
    typedef enum T##_type { LIST(BW_UNION_CONSTANT) } T##_type; \
    typedef struct T {                                        \
        uint8_t type;                                         \
        union {                                               \
            LIST(BW_UNION_MEMBER)                             \
        } as;                                                 \
    } T;                                                      \
    extern const bw_union T##_union
#define BW_UNION(T, LIST)                                                       \
    static const bw_case T##_cases[] = {LIST(BW_UNION_CASE)};                   \
    const bw_union T##_union = {.name = #T,                                     \
                                .size = sizeof(T),                              \
                                .body_offset = (uint32_t)offsetof(T, as),       \
                                .count = sizeof T##_cases / sizeof T##_cases[0], \
                                .cases = T##_cases}
/* clang-format on */

#endif
