#include "cli/phrase.h"

#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 128, WORD_BYTES = 256, LONG_TEXT = 40 };

typedef struct words {
    const char *line;
    char at[WORDS][WORD_BYTES];
    size_t begins[WORDS];
    int count;
    bool bad; /* the word is invalid, and the error text says why */
    bw_error_text *error;
} words;

static bool split(words *w, const char *line, bw_error_text *why) {
    w->line = line;
    w->error = why;
    w->bad = false;
    w->count = 0;
    for (const char *at = line;;) {
        at += strspn(at, " \t\r\n");
        size_t length = strcspn(at, " \t\r\n");
        if (!length) return true;
        if (w->count == WORDS || length >= WORD_BYTES) {
            return bw_fail(why, "That line is too long.", NULL);
        }
        memcpy(w->at[w->count], at, length);
        w->at[w->count][length] = '\0';
        w->begins[w->count++] = (size_t)(at - line);
        at += length;
    }
}

/* For an action whose x and y are fields of its own: in "3,4" the comma separates words. */
static bool split_commas(words *w, const bw_schema *schema, bw_error_text *why) {
    char line[WORDS * 4];
    size_t length = strlen(w->line);
    for (int i = 0; i < schema->count; i++) {
        if (schema->fields[i].kind != BW_KIND_INT) return true;
    }
    if (length >= sizeof line || !memchr(w->line, ',', length)) return true;
    memcpy(line, w->line, length + 1);
    for (size_t i = 0; i < length; i++) {
        if (line[i] == ',') line[i] = ' ';
    }
    return split(w, line, why);
}

static bool is_number(const char *word) {
    int64_t value;
    return cli_whole(word, -1000000000, 1000000000, &value);
}

/* If all its members are numbers, it is typed and printed as "3,4". */
static bool is_point(const bw_schema *schema) {
    for (int i = 0; i < schema->count; i++) {
        if (schema->fields[i].kind != BW_KIND_INT) return false;
    }
    return true;
}

static bool has_places(const bw_schema *schema) {
    for (int i = 0; i < schema->count; i++) {
        const bw_field *field = &schema->fields[i];
        if (field->counts == BW_COUNTS_INDEX || (field->kind == BW_KIND_STRUCT && has_places(field->schema)))
            return true;
    }
    return false;
}

static bool is_place(const bw_schema *schema, const char *word) {
    int commas = 0;
    for (const char *c = word; *c; c++) commas += *c == ',';
    return commas == schema->count - 1 && commas > 0 && strspn(word, "-0123456789,") == strlen(word);
}

/* Does a word look like a value of this field? The decoder checks it, with an error message. */
static bool fits(const bw_field *field, const char *word) {
    if (strcmp(word, "none") == 0 && field->presence == BW_PRESENCE_NULLABLE) return true;
    switch (field->kind) {
    case BW_KIND_INT: return is_number(word) || (field->names && bw_names_find(field->names, word) >= 0);
    case BW_KIND_BOOL:
        return !strcmp(word, "yes") || !strcmp(word, "no") || !strcmp(word, "true") || !strcmp(word, "false");
    case BW_KIND_ENUM: return bw_names_find(field->names, word) >= 0;
    case BW_KIND_BYTES:
    case BW_KIND_TEXT: return true;
    case BW_KIND_STRUCT: return is_place(field->schema, word);
    case BW_KIND_RAW: break;
    }
    return false;
}

/* Converts a whole number for the wire: people count columns and rows from 1. */
static void write_number(words *w, bw_out *json, const bw_field *field, const char *word, size_t length) {
    char digits[24], bounds[160];
    const int from = field->counts == BW_COUNTS_INDEX;
    int64_t value;
    snprintf(digits, sizeof digits, "%.*s", (int)length, word);
    if (length < sizeof digits && cli_whole(digits, field->lo + from, field->hi + from, &value)) {
        bw_out_int(json, value - from);
    } else if (!w->bad) {
        w->bad = true;
        snprintf(bounds, sizeof bounds, "\"%s\" must be a whole number from %" PRId64 " to %" PRId64 ".", field->name,
                 field->lo + from, field->hi + from);
        bw_fail(w->error, bounds, NULL);
    }
}

static void write_item(words *w, bw_out *json, const bw_field *field, const char *word) {
    if (strcmp(word, "none") == 0 && field->presence == BW_PRESENCE_NULLABLE) {
        bw_out_text(json, "null");
    } else if (field->kind == BW_KIND_BOOL) {
        bw_out_text(json, word[0] == 'y' || word[0] == 't' ? "true" : "false");
    } else if (field->kind == BW_KIND_INT && (is_number(word) || field->counts == BW_COUNTS_INDEX)) {
        write_number(w, json, field, word, strlen(word));
    } else if (field->kind == BW_KIND_STRUCT && is_place(field->schema, word)) {
        for (int i = 0; i < field->schema->count; i++) {
            bw_out_format(json, "%s\"%s\":", i ? "," : "{", field->schema->fields[i].name);
            size_t length = strcspn(word, ",");
            write_number(w, json, &field->schema->fields[i], word, length);
            word += length + (word[length] == ',');
        }
        bw_out_text(json, "}");
    } else if (field->kind == BW_KIND_STRUCT && is_point(field->schema) && !w->bad) {
        w->bad = true;
        bw_fail(w->error, "\"", word, "\" is not valid: type ", field->schema->fields[0].name, ",",
                field->schema->fields[1].name, ", such as 3,4.", NULL);
    } else {
        bw_out_string(json, word);
    }
}

/* Reads a field from words next..; returns the word after it. */
static int write_field(bw_out *json, words *w, const bw_field *field, int next) {
    bw_out_format(json, ",\"%s\":", field->name);
    if (field->shape == BW_SHAPE_ARRAY) {
        bw_out_text(json, "[");
        for (int first = next; next < w->count && fits(field, w->at[next]); next++) {
            if (next > first) bw_out_text(json, ",");
            write_item(w, json, field, w->at[next]);
        }
        bw_out_text(json, "]");
        return next;
    }
    if (field->kind == BW_KIND_TEXT && field->hi > LONG_TEXT) {
        bw_out_string(json, w->line + w->begins[next]);
        return w->count;
    }
    write_item(w, json, field, w->at[next]);
    return next + 1;
}

static const bw_field *named(const bw_schema *schema, const char *word, const char **value) {
    const char *equals = strchr(word, '=');
    for (int i = 0; equals && i < schema->count; i++) {
        const char *name = schema->fields[i].name;
        if (schema->fields[i].counts == BW_COUNTS_BASE) continue;
        if (strlen(name) == (size_t)(equals - word) && strncmp(name, word, strlen(name)) == 0) {
            *value = equals + 1;
            return &schema->fields[i];
        }
    }
    return NULL;
}

/* The object with the member that a word names, as in "new_game rows=5 cols=5". */
static const bw_field *holder(const bw_schema *schema, const char *word) {
    const char *value;
    for (int i = 0; i < schema->count; i++) {
        const bw_field *field = &schema->fields[i];
        if (field->kind == BW_KIND_STRUCT && field->shape == BW_SHAPE_ONE && named(field->schema, word, &value)) {
            return field;
        }
    }
    return NULL;
}

/* Reads that object from the words next.. that name members; returns the word after them. */
static int write_members(bw_out *json, words *w, const bw_field *whole, int next) {
    bw_out_format(json, ",\"%s\":{", whole->name);
    const bw_field *field;
    const char *value;
    for (int first = next; next < w->count && (field = named(whole->schema, w->at[next], &value)) != NULL; next++) {
        bw_out_format(json, "%s\"%s\":", next > first ? "," : "", field->name);
        write_item(w, json, field, value);
    }
    bw_out_text(json, "}");
    return next;
}

static const bw_case *find(const bw_union *actions, const char *name, bw_error_text *why) {
    const char *names[64];
    int count = 0;
    for (int i = 0; i < actions->count && count < 64; i++) {
        if (actions->cases[i].flags & BW_ACTION_CLOCK) continue;
        if (strcmp(actions->cases[i].name, name) == 0) return &actions->cases[i];
        names[count++] = actions->cases[i].name;
    }
    const char *near = cli_nearest(name, names, count);
    if (near) {
        bw_fail(why, "There is no action \"", name, "\"; did you mean \"", near, "\"?", NULL);
    } else {
        bw_fail(why, "There is no action \"", name, "\"; \"help\" lists them.", NULL);
    }
    return NULL;
}

/* In typed text, people count columns and rows from 1, too. */
static void write_base(bw_out *json, const bw_schema *schema, int count) {
    for (int i = 0; i < count; i++) {
        if (schema->fields[i].counts != BW_COUNTS_BASE) continue;
        bw_out_format(json, ",\"%s\":1", schema->fields[i].name);
    }
}

bool phrase_read(const bw_union *actions, const char *line, bw_out *json, bw_error_text *why) {
    words w;
    line += strspn(line, " \t");
    if (*line == '{') {
        bw_out_bytes(json, line, strcspn(line, "\r\n"));
        return true;
    }
    if (!split(&w, line, why)) return false;
    const bw_case *action = find(actions, w.count ? w.at[0] : "", why);
    if (!action) return false;
    const bw_schema *schema = action->schema;
    if (!split_commas(&w, schema, why)) return false;
    bw_out_format(json, "{\"type\":\"%s\"", action->name);
    int next = 1, count = schema == &bw_nothing_schema ? 0 : schema->count;
    for (int i = 0; i < count; i++) {
        const bw_field *field = &schema->fields[i];
        const char *value;
        if (field->counts == BW_COUNTS_BASE) continue;
        if (next < w.count && named(schema, w.at[next], &value)) break;
        if (field->shape != BW_SHAPE_ARRAY && next == w.count) break;
        bool optional = field->presence == BW_PRESENCE_OPTIONAL;
        if (optional && (next == w.count || !fits(field, w.at[next]))) continue;
        next = write_field(json, &w, field, next);
    }
    for (const char *value; next < w.count; next++) {
        const bw_field *field = named(schema, w.at[next], &value);
        const bw_field *whole = field ? NULL : holder(schema, w.at[next]);
        char form[256];
        if (whole) {
            next = write_members(json, &w, whole, next) - 1;
            continue;
        }
        if (!field || field->shape != BW_SHAPE_ONE) {
            phrase_form(action, form, sizeof form);
            return bw_fail(why, "\"", w.at[next], "\" is not expected there; usage: ", form, NULL);
        }
        bw_out_format(json, ",\"%s\":", field->name);
        write_item(&w, json, field, value);
    }
    write_base(json, schema, count);
    bw_out_text(json, "}");
    return !w.bad;
}

/* ---- output ---- */

static const bw_field *field_of(const bw_schema *schema, const char *name) {
    for (int i = 0; schema && i < schema->count; i++) {
        if (strcmp(schema->fields[i].name, name) == 0) return &schema->fields[i];
    }
    return NULL;
}

static void tell_value(bw_out *out, const bw_doc *doc, int token, const bw_field *field);

/* The members of an object except `type`. Numbers, lists and objects are named if there is more than one. */
static void tell_members(bw_out *out, const bw_doc *doc, int object, const bw_schema *schema, bool begun) {
    char key[40];
    int count = 0, first = object + 1;
    for (int i = 0, at = first; i < doc->tokens[object].size; i++, at = bw_doc_behind(doc, at + 1)) {
        count += bw_doc_text(doc, at, key, sizeof key) < 0 || strcmp(key, "type") != 0;
    }
    for (int i = 0, at = first; i < doc->tokens[object].size; i++, at = bw_doc_behind(doc, at + 1)) {
        const int value = at + 1;
        if (bw_doc_text(doc, at, key, sizeof key) < 0 || !strcmp(key, "type") || bw_doc_is_null(doc, value)) continue;
        if (begun) bw_out_text(out, " ");
        begun = true;
        if (doc->tokens[value].type == JSMN_OBJECT || (count > 1 && doc->tokens[value].type != JSMN_STRING)) {
            bw_out_format(out, "%s ", key);
        }
        tell_value(out, doc, value, field_of(schema, key));
    }
}

static void tell_point(bw_out *out, const bw_doc *doc, int object, const bw_schema *schema) {
    char key[40];
    bool begun = false;
    for (int i = 0, at = object + 1; i < doc->tokens[object].size; i++, at = bw_doc_behind(doc, at + 1)) {
        if (bw_doc_text(doc, at, key, sizeof key) < 0 || !strcmp(key, "type")) continue;
        if (begun) bw_out_text(out, ",");
        begun = true;
        tell_value(out, doc, at + 1, field_of(schema, key));
    }
}

static void tell_list(bw_out *out, const bw_doc *doc, int list, const bw_field *field) {
    const bool points = !field || field->kind != BW_KIND_STRUCT || is_point(field->schema);
    for (int i = 0, at = list + 1; i < doc->tokens[list].size; i++, at = bw_doc_behind(doc, at)) {
        if (i) bw_out_text(out, points ? " " : ", ");
        tell_value(out, doc, at, field);
    }
}

static void tell_value(bw_out *out, const bw_doc *doc, int token, const bw_field *field) {
    const bw_schema *schema = field && field->kind == BW_KIND_STRUCT ? field->schema : NULL;
    bw_raw raw = bw_doc_raw(doc, token);
    int64_t number;
    switch (doc->tokens[token].type) {
    case JSMN_ARRAY: tell_list(out, doc, token, field); return;
    case JSMN_OBJECT:
        if (schema && is_point(schema)) tell_point(out, doc, token, schema);
        else tell_members(out, doc, token, schema, false);
        return;
    default: break;
    }
    if (bw_doc_is_null(doc, token)) bw_out_text(out, "none");
    else if (field && field->kind == BW_KIND_BOOL) bw_out_text(out, raw.at[0] == 't' ? "yes" : "no");
    else if (field && field->counts == BW_COUNTS_INDEX && bw_doc_int(doc, token, &number)) bw_out_int(out, number + 1);
    else bw_out_bytes(out, raw.at, raw.length);
}

static const bw_case *case_of(const bw_union *cases, const bw_doc *doc, char *name, size_t cap) {
    const int type = bw_doc_member(doc, 0, "type");
    const int found = bw_doc_text(doc, type, name, cap) < 0 ? -1 : bw_case_find(cases, name);
    return found < 0 ? NULL : &cases->cases[found];
}

void phrase_tell(const bw_union *cases, const char *json, size_t length, bw_out *out) {
    char name[40] = "";
    bw_doc doc;
    const bool good = cli_json(json, length, 16, &doc, NULL) && bw_doc_is_object(&doc, 0);
    const bw_case *found = good ? case_of(cases, &doc, name, sizeof name) : NULL;
    if (!*name) {
        bw_out_bytes(out, json, length);
    } else {
        for (const char *c = name; *c; c++) bw_out_bytes(out, *c == '_' ? " " : c, 1); /* "tile drawn" */
        if (found && found->schema->count > 1 && is_point(found->schema) && has_places(found->schema)) {
            bw_out_text(out, " ");
            tell_point(out, &doc, 0, found->schema); /* "mark 2,3" */
        } else {
            tell_members(out, &doc, 0, found ? found->schema : NULL, true);
        }
    }
    free(doc.tokens);
}

/* The words of one field. It is named if an optional field before it was left out and would otherwise take the word. */
static void write_words(bw_out *out, const bw_doc *doc, const bw_schema *schema, int index, int token) {
    const bw_field *field = &schema->fields[index];
    const size_t begun = out->length;
    bool taken = false;
    if (field->kind == BW_KIND_STRUCT && field->shape == BW_SHAPE_ONE && !is_point(field->schema)) {
        char key[40];
        for (int i = 0, at = token + 1; i < doc->tokens[token].size; i++, at = bw_doc_behind(doc, at + 1)) {
            if (bw_doc_text(doc, at, key, sizeof key) < 0) key[0] = 0;
            bw_out_format(out, "%s%s=", i ? " " : "", key);
            tell_value(out, doc, at + 1, field_of(field->schema, key));
        }
        return;
    }
    tell_value(out, doc, token, field);
    if (out->overflow || field->shape != BW_SHAPE_ONE || out->length - begun >= WORD_BYTES) return;
    char word[WORD_BYTES];
    memcpy(word, out->at + begun, out->length - begun);
    word[out->length - begun] = '\0';
    for (int i = 0; i < index; i++) {
        const bw_field *left = &schema->fields[i];
        taken = taken || (left->presence == BW_PRESENCE_OPTIONAL && left->counts != BW_COUNTS_BASE &&
                          bw_doc_member(doc, 0, left->name) < 0 && fits(left, word));
    }
    if (!taken) return;
    out->length = begun;
    bw_out_format(out, "%s=%s", field->name, word);
}

size_t phrase_write(const bw_union *actions, const void *action, char *text, size_t cap) {
    enum { JSON_BYTES = 4096, TOKENS = 1024 };
    char json[JSON_BYTES], name[40];
    bw_token tokens[TOKENS];
    bw_doc doc;
    bw_error_text why;
    bw_out in = bw_out_to(json, sizeof json), out = bw_out_to(text, cap ? cap - 1 : 0);
    bw_encode_union(&in, actions, action);
    if (in.overflow || bw_doc_parse(&doc, json, in.length, tokens, TOKENS, 8, &why) < 0) {
        return 0;
    }
    const bw_case *found = case_of(actions, &doc, name, sizeof name);
    bw_out_text(&out, name);
    for (int i = 0; found && found->schema != &bw_nothing_schema && i < found->schema->count; i++) {
        const bw_field *field = &found->schema->fields[i];
        const int token = bw_doc_member(&doc, 0, field->name);
        if (token < 0 || field->counts == BW_COUNTS_BASE) continue;
        if (doc.tokens[token].type == JSMN_ARRAY && doc.tokens[token].size == 0) continue;
        bw_out_text(&out, " ");
        write_words(&out, &doc, found->schema, i, token);
    }
    if (cap) text[out.length] = '\0';
    return out.length;
}

bool phrase_has_places(const bw_union *actions) {
    for (int i = 0; i < actions->count; i++) {
        if (!(actions->cases[i].flags & BW_ACTION_CLOCK) && has_places(actions->cases[i].schema)) return true;
    }
    return false;
}

size_t phrase_form(const bw_case *action, char *text, size_t cap) {
    bw_out out = bw_out_to(text, cap ? cap - 1 : 0);
    bw_out_text(&out, action->name);
    for (int i = 0; action->schema != &bw_nothing_schema && i < action->schema->count; i++) {
        const bw_field *field = &action->schema->fields[i];
        bool optional = field->presence == BW_PRESENCE_OPTIONAL;
        if (field->counts == BW_COUNTS_BASE) continue;
        bw_out_text(&out, optional ? " [" : " ");
        if (field->kind == BW_KIND_STRUCT) {
            bool place = is_point(field->schema); /* numbers alone as 3,4; others by name */
            for (int k = 0; k < field->schema->count; k++) {
                bw_out_format(&out, "%s%s%s",
                              !k      ? ""
                              : place ? ","
                                      : " ",
                              field->schema->fields[k].name, place ? "" : "=");
            }
        } else if (field->kind == BW_KIND_ENUM && field->names->count <= 12) {
            for (int k = 0; k < field->names->count; k++) {
                bw_out_format(&out, "%s%s", k ? "|" : "", field->names->names[k]);
            }
        } else {
            bw_out_text(&out, field->name);
        }
        if (field->shape == BW_SHAPE_ARRAY) bw_out_text(&out, " ...");
        if (optional) bw_out_text(&out, "]");
    }
    if (cap) text[out.length] = '\0';
    return out.length;
}
