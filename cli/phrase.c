#include "cli/phrase.h"

#include "cli/cli.h"

#include <string.h>

enum { WORDS = 128, WORD_BYTES = 256, LONG_TEXT = 40 };

typedef struct words {
    const char *line;
    char at[WORDS][WORD_BYTES];
    size_t begins[WORDS];
    int count;
} words;

static bool split(words *w, const char *line, bw_complaint *complaint) {
    w->line = line;
    w->count = 0;
    for (const char *at = line;;) {
        at += strspn(at, " \t\r\n");
        size_t length = strcspn(at, " \t\r\n");
        if (!length) return true;
        if (w->count == WORDS || length >= WORD_BYTES) {
            bw_complain(complaint, "That line is too long.", NULL);
            return false;
        }
        memcpy(w->at[w->count], at, length);
        w->at[w->count][length] = '\0';
        w->begins[w->count++] = (size_t)(at - line);
        at += length;
    }
}

/* "3,4" for an action whose x and y are fields of its own: commas separate words there. */
static bool split_commas(words *w, const bw_schema *schema, bw_complaint *complaint) {
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
    return split(w, line, complaint);
}

static bool is_number(const char *word) {
    int64_t value;
    return cli_whole(word, -1000000000, 1000000000, &value);
}

static bool is_place(const bw_schema *schema, const char *word) {
    int commas = 0;
    for (const char *c = word; *c; c++) commas += *c == ',';
    return commas == schema->count - 1 && commas > 0 && strspn(word, "-0123456789,") == strlen(word);
}

/* Does a word look like a value of this field? Whether it is a right one the decoder says, in words. */
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

static void write_item(bw_out *json, const bw_field *field, const char *word) {
    if (strcmp(word, "none") == 0 && field->presence == BW_PRESENCE_NULLABLE) {
        bw_out_text(json, "null");
    } else if (field->kind == BW_KIND_BOOL) {
        bw_out_text(json, word[0] == 'y' || word[0] == 't' ? "true" : "false");
    } else if (field->kind == BW_KIND_INT && is_number(word)) {
        bw_out_text(json, word[0] == '+' ? word + 1 : word);
    } else if (field->kind == BW_KIND_STRUCT && is_place(field->schema, word)) {
        for (int i = 0; i < field->schema->count; i++) {
            bw_out_text(json, i ? ",\"" : "{\"");
            bw_out_text(json, field->schema->fields[i].name);
            bw_out_text(json, "\":");
            size_t length = strcspn(word, ",");
            bw_out_bytes(json, word, length);
            word += length + (word[length] == ',');
        }
        bw_out_text(json, "}");
    } else {
        bw_out_string(json, word);
    }
}

/* A field from words next..; returns the word behind it. */
static int write_field(bw_out *json, const words *w, const bw_field *field, int next) {
    bw_out_text(json, ",\"");
    bw_out_text(json, field->name);
    bw_out_text(json, "\":");
    if (field->shape == BW_SHAPE_ARRAY) {
        bw_out_text(json, "[");
        for (int first = next; next < w->count && fits(field, w->at[next]); next++) {
            if (next > first) bw_out_text(json, ",");
            write_item(json, field, w->at[next]);
        }
        bw_out_text(json, "]");
        return next;
    }
    if (field->kind == BW_KIND_TEXT && field->hi > LONG_TEXT) {
        bw_out_string(json, w->line + w->begins[next]);
        return w->count;
    }
    write_item(json, field, w->at[next]);
    return next + 1;
}

static const bw_field *named(const bw_schema *schema, const char *word, const char **value) {
    const char *equals = strchr(word, '=');
    for (int i = 0; equals && i < schema->count; i++) {
        const char *name = schema->fields[i].name;
        if (strlen(name) == (size_t)(equals - word) && strncmp(name, word, strlen(name)) == 0) {
            *value = equals + 1;
            return &schema->fields[i];
        }
    }
    return NULL;
}

/* The object that a word names a member of, as in "new_game rows=5 cols=5". */
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

/* That object, from the words next.. that name members; returns the word behind them. */
static int write_members(bw_out *json, const words *w, const bw_field *whole, int next) {
    bw_out_text(json, ",\"");
    bw_out_text(json, whole->name);
    bw_out_text(json, "\":{");
    const bw_field *field;
    const char *value;
    for (int first = next; next < w->count && (field = named(whole->schema, w->at[next], &value)) != NULL; next++) {
        bw_out_text(json, next > first ? ",\"" : "\"");
        bw_out_text(json, field->name);
        bw_out_text(json, "\":");
        write_item(json, field, value);
    }
    bw_out_text(json, "}");
    return next;
}

static const bw_case *find(const bw_union *actions, const char *name, bw_complaint *complaint) {
    const char *names[64];
    int count = 0;
    for (int i = 0; i < actions->count && count < 64; i++) {
        if (actions->cases[i].flags & BW_ACTION_CLOCK) continue;
        if (strcmp(actions->cases[i].name, name) == 0) return &actions->cases[i];
        names[count++] = actions->cases[i].name;
    }
    const char *near = cli_nearest(name, names, count);
    if (near) {
        bw_complain(complaint, "There is no action \"", name, "\"; did you mean \"", near, "\"?", NULL);
    } else {
        bw_complain(complaint, "There is no action \"", name, "\"; \"help\" lists them.", NULL);
    }
    return NULL;
}

bool phrase_read(const bw_union *actions, const char *line, bw_out *json, bw_complaint *complaint) {
    words w;
    line += strspn(line, " \t");
    if (*line == '{') {
        bw_out_bytes(json, line, strcspn(line, "\r\n"));
        return true;
    }
    if (!split(&w, line, complaint)) return false;
    const bw_case *action = find(actions, w.count ? w.at[0] : "", complaint);
    if (!action) return false;
    const bw_schema *schema = action->schema;
    if (!split_commas(&w, schema, complaint)) return false;
    bw_out_text(json, "{\"type\":");
    bw_out_string(json, action->name);
    int next = 1, count = schema == &bw_nothing_schema ? 0 : schema->count;
    for (int i = 0; i < count; i++) {
        const bw_field *field = &schema->fields[i];
        const char *value;
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
            bw_complain(complaint, "\"", w.at[next], "\" does not belong there; it goes: ", form, NULL);
            return false;
        }
        bw_out_text(json, ",\"");
        bw_out_text(json, field->name);
        bw_out_text(json, "\":");
        write_item(json, field, value);
    }
    bw_out_text(json, "}");
    return true;
}

/* The words of a value, from its JSON; returns the token behind it. */
static int write_words(bw_out *out, const bw_doc *doc, int token) {
    const bw_token *value = &doc->tokens[token];
    int size = value->size;
    bool object = value->type == JSMN_OBJECT;
    if (!object && value->type != JSMN_ARRAY) {
        bw_raw raw = bw_doc_raw(doc, token);
        bool null = bw_doc_is_null(doc, token);
        bw_out_bytes(out, null ? "none" : raw.at, null ? 4 : raw.length);
        return token + 1;
    }
    token++;
    for (int i = 0; i < size; i++) {
        if (i) {
            bw_out_text(out, object ? "," : " ");
        }
        token = write_words(out, doc, object ? token + 1 : token);
    }
    return token;
}

size_t phrase_write(const bw_union *actions, const void *action, char *text, size_t cap) {
    enum { JSON_BYTES = 4096, TOKENS = 1024 };
    char json[JSON_BYTES];
    bw_token tokens[TOKENS];
    bw_doc doc;
    bw_complaint complaint;
    bw_out in = bw_out_to(json, sizeof json), out = bw_out_to(text, cap ? cap - 1 : 0);
    bw_encode_union(&in, actions, action);
    if (in.overflow || bw_doc_parse(&doc, json, in.length, tokens, TOKENS, 8, &complaint) < 0) {
        return 0;
    }
    /* "type" comes first; its value is the first word. */
    for (int i = 0, token = 1; i < tokens[0].size; i++) {
        if (i) {
            bw_out_text(&out, " ");
        }
        token = write_words(&out, &doc, token + 1);
    }
    if (cap) text[out.length] = '\0';
    return out.length;
}

size_t phrase_form(const bw_case *action, char *text, size_t cap) {
    bw_out out = bw_out_to(text, cap ? cap - 1 : 0);
    bw_out_text(&out, action->name);
    for (int i = 0; action->schema != &bw_nothing_schema && i < action->schema->count; i++) {
        const bw_field *field = &action->schema->fields[i];
        bool optional = field->presence == BW_PRESENCE_OPTIONAL;
        bw_out_text(&out, optional ? " [" : " ");
        if (field->kind == BW_KIND_STRUCT) {
            bool place = true; /* numbers alone go as 3,4; others by name */
            for (int k = 0; k < field->schema->count; k++) {
                place = place && field->schema->fields[k].kind == BW_KIND_INT;
            }
            for (int k = 0; k < field->schema->count; k++) {
                if (k) {
                    bw_out_text(&out, place ? "," : " ");
                }
                bw_out_text(&out, field->schema->fields[k].name);
                if (!place) bw_out_text(&out, "=");
            }
        } else if (field->kind == BW_KIND_ENUM && field->names->count <= 12) {
            for (int k = 0; k < field->names->count; k++) {
                if (k) bw_out_text(&out, "|");
                bw_out_text(&out, field->names->names[k]);
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
