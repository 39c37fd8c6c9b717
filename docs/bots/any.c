/* A bot for any game of Boardwalk, as a program without a JSON library: it plays a legal action at random. In Flag War
 * that is one order a round.
 *
 *     cc -O2 -o any docs/bots/any.c && boardwalk arena flag_war --a ./any --b easy
 *
 * A line of JSON comes in for each of its turns, and one action goes out. See docs/PROTOCOL.md, "Bots as programs". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The end of the JSON value at `at`, which is an object: its closing brace, braces in texts apart. */
static const char *object_end(const char *at) {
    int depth = 0, in_text = 0;
    for (;; at++) {
        if (*at == '"') in_text = !in_text;
        else if (*at == '\\') at++;
        else if (!in_text && *at == '{') depth++;
        else if (!in_text && *at == '}' && --depth == 0) return at;
        if (*at == '\0') return NULL;
    }
}

/* Picks one of the objects of `legal`: each takes the place of the choice before with the right chance. */
static const char *pick(const char *legal, size_t *length) {
    const char *chosen = NULL;
    int count = 0;
    while (*legal == '{') {
        const char *end = object_end(legal);
        if (end == NULL) break;
        if (rand() % ++count == 0) {
            chosen = legal;
            *length = (size_t)(end + 1 - legal);
        }
        legal = end + 1 + (end[1] == ',');
    }
    return chosen;
}

int main(void) {
    char *line = NULL;
    size_t cap = 0, length = 0;
    while (getline(&line, &cap, stdin) > 0) {
        const char *legal = strstr(line, "\"legal\":[");
        const char *action = legal == NULL ? NULL : pick(legal + strlen("\"legal\":["), &length);
        if (action == NULL) return 1; /* no question that this bot knows */
        printf("%.*s\n", (int)length, action);
        fflush(stdout);
    }
    free(line);
    return 0;
}
