#include "server/dotenv.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool is_name(char c, bool first) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || (!first && c >= '0' && c <= '9');
}

static const char *skip_blanks(const char *at) {
    while (*at == ' ' || *at == '\t') at++;
    return at;
}

static bool at_end(const char *at) { return *at == '\0' || *at == '\n' || (*at == '\r' && (at[1] == '\n' || !at[1])); }

static const char *next_line(const char *at) {
    while (*at && *at != '\n') at++;
    return *at ? at + 1 : at;
}

static int refuse(const bw_dotenv *reader, char *problem, size_t cap, const char *what) {
    snprintf(problem, cap, "line %d %s", reader->line, what);
    return -1;
}

/* A bare value ends at the end of the line or at a '#' after a blank; trailing blanks are dropped. */
static const char *read_bare(const char *at, char *value, size_t cap, bool *fits) {
    size_t length = 0;
    const char *start = at;
    for (; !at_end(at) && !(*at == '#' && (at == start || at[-1] == ' ' || at[-1] == '\t')); at++) {
        if (length + 1 >= cap) {
            *fits = false;
            return at;
        }
        value[length++] = *at;
    }
    while (length && (value[length - 1] == ' ' || value[length - 1] == '\t')) length--;
    value[length] = '\0';
    return at;
}

static char unescaped(char c) { return c == 'n' ? '\n' : c == 't' ? '\t' : c; }

/* `at` is after the opening quote. NULL: the quote is never closed, or the value does not fit. */
static const char *read_quoted(const char *at, char quote, char *value, size_t cap) {
    size_t length = 0;
    for (; *at && *at != '\n' && *at != quote; at++) {
        char c = *at;
        if (quote == '"' && c == '\\' && at[1] && at[1] != '\n') c = unescaped(*++at);
        if (length + 1 >= cap) return NULL;
        value[length++] = c;
    }
    value[length] = '\0';
    return *at == quote ? at + 1 : NULL;
}

int bw_dotenv_next(bw_dotenv *reader, bw_dotenv_entry *entry, char *problem, size_t cap) {
    for (;; reader->at = next_line(reader->at)) {
        if (!*reader->at) return 0;
        if (reader->line++ == 0 && strncmp(reader->at, "\xef\xbb\xbf", 3) == 0) reader->at += 3;
        const char *at = skip_blanks(reader->at);
        if (at_end(at) || *at == '#') continue;
        if (strncmp(at, "export", 6) == 0 && (at[6] == ' ' || at[6] == '\t')) {
            at = skip_blanks(at + 6);
        }

        size_t length = 0;
        for (; is_name(*at, length == 0); at++) {
            if (length + 1 >= sizeof entry->name) {
                return refuse(reader, problem, cap, "has a name of more than 79 characters.");
            }
            entry->name[length++] = *at;
        }
        entry->name[length] = '\0';
        at = skip_blanks(at);
        if (length == 0 || *at != '=') {
            return refuse(reader, problem, cap, "is not NAME=value, a comment (#) or empty.");
        }
        at = skip_blanks(at + 1);

        bool fits = true;
        if (*at == '"' || *at == '\'') {
            at = read_quoted(at + 1, *at, entry->value, sizeof entry->value);
            if (!at) {
                return refuse(reader, problem, cap, "has a quote that is not closed, or more than 1023 bytes.");
            }
            at = skip_blanks(at);
            if (!at_end(at) && *at != '#') {
                return refuse(reader, problem, cap, "has something behind the closing quote.");
            }
        } else {
            at = read_bare(at, entry->value, sizeof entry->value, &fits);
            if (!fits) return refuse(reader, problem, cap, "has a value of more than 1023 bytes.");
        }
        reader->at = next_line(at);
        return 1;
    }
}
