#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static int report(int status, const char *format, va_list arguments) {
    char text[4096];
    int length = vsnprintf(text, sizeof text, format, arguments);
    fputs("boardwalk: ", stderr);
    cli_put(stderr, text, length < 0 ? 0 : (size_t)length < sizeof text ? (size_t)length : sizeof text - 1, false);
    fputc('\n', stderr);
    return status;
}

int cli_wrong(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int status = report(CLI_USAGE, format, arguments);
    va_end(arguments);
    return status;
}

int cli_failed(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int status = report(CLI_NO, format, arguments);
    va_end(arguments);
    return status;
}

/* The number of edits (insert, delete, replace) between a and b; names are short. Wagner and Fischer 1974. */
static unsigned distance(const char *a, const char *b) {
    enum { LONGEST = 32 };
    unsigned row[LONGEST + 1];
    size_t length = strlen(b);
    if (length > LONGEST || strlen(a) > LONGEST) return LONGEST;
    for (unsigned j = 0; j <= length; j++) row[j] = j;
    for (unsigned i = 1; a[i - 1]; i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (unsigned j = 1; j <= length; j++) {
            unsigned above = row[j], best = diagonal + (a[i - 1] != b[j - 1]);
            if (above + 1 < best) best = above + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            row[j] = best;
            diagonal = above;
        }
    }
    return row[length];
}

const char *cli_nearest(const char *typed, const char *const *names, int count) {
    const char *nearest = NULL;
    unsigned best = (unsigned)strlen(typed) / 3 + 2; /* any farther is a different word */
    for (int i = 0; i < count; i++) {
        unsigned d = distance(typed, names[i]);
        size_t typed_length = strlen(typed);
        if (typed_length >= 2 && strncmp(typed, names[i], typed_length) == 0) d = 1;
        if (d < best) {
            best = d;
            nearest = names[i];
        }
    }
    return nearest;
}

int cli_no_such(const char *what, const char *typed, const char *const *names, int count, const char *otherwise) {
    char all[1024];
    bw_out out = bw_out_to(all, sizeof all - 1);
    const char *near = cli_nearest(typed, names, count);
    if (near) return cli_wrong("%s \"%s\"; did you mean \"%s\"?", what, typed, near);
    for (int i = 0; i < count; i++) bw_out_format(&out, "%s%s", i ? ", " : "there are: ", names[i]);
    all[out.length] = '\0';
    return cli_wrong("%s \"%s\"; %s.", what, typed, otherwise ? otherwise : all);
}

bool cli_whole(const char *text, int64_t lo, int64_t hi, int64_t *value) {
    if (!*text || strspn(text, "+-0123456789") != strlen(text)) return false;
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (errno || *end || number < lo || number > hi) return false;
    *value = number;
    return true;
}

static void help(const cli_usage *usage) {
    printf("usage: boardwalk %s %s%s\n\n%s\n", usage->command, usage->operands, usage->option_count ? " [OPTIONS]" : "",
           usage->about);
    if (usage->option_count) putchar('\n');
    for (int i = 0; i < usage->option_count; i++) {
        const cli_option *option = &usage->options[i];
        char left[64];
        snprintf(left, sizeof left, "%s %s", option->name, option->operand ? option->operand : "");
        printf("  %-22s %s\n", left, option->help);
    }
    printf("  %-22s %s\n", "--help", "this text");
}

static int unknown(const cli_usage *usage, const char *name) {
    enum { NAMES = 64 };
    const char *names[NAMES];
    int count = 0;
    for (int i = 0; i < usage->option_count && count < NAMES - 1; i++) {
        names[count++] = usage->options[i].name;
    }
    names[count++] = "--help";
    char what[64], otherwise[96];
    snprintf(what, sizeof what, "%s has no option", usage->command);
    snprintf(otherwise, sizeof otherwise, "`boardwalk %s --help` lists them", usage->command);
    cli_no_such(what, name, names, count, otherwise);
    return CLI_WRONG;
}

/* Sets one option; `inline_value` is the text after "=". Returns how many arguments it used, or CLI_WRONG. */
static int take(const cli_usage *usage, const cli_option *option, const char *inline_value, const char *next) {
    if (option->flag) {
        if (inline_value) {
            cli_wrong("%s takes no value.", option->name);
            return CLI_WRONG;
        }
        *option->flag = true;
        return 1;
    }
    const char *value = inline_value ? inline_value : next;
    if (!value) {
        cli_wrong("%s requires a value: %s %s (`boardwalk %s --help`).", option->name, option->name, option->operand,
                  usage->command);
        return CLI_WRONG;
    }
    if (option->text) {
        *option->text = value;
    } else if (!cli_whole(value, option->lo, option->hi, option->number)) {
        cli_wrong("%s must be a whole number from %lld to %lld, not \"%s\".", option->name, (long long)option->lo,
                  (long long)option->hi, value);
        return CLI_WRONG;
    }
    return inline_value ? 1 : 2;
}

int cli_parse(const cli_usage *usage, int argc, char **argv, const char **positionals) {
    int count = 0;
    bool options_end = false;
    for (int i = 1; i < argc;) {
        const char *argument = argv[i];
        if (options_end || argument[0] != '-' || argument[1] == '\0') {
            if (count == usage->positionals[1]) {
                cli_wrong("unexpected argument \"%s\"; usage: boardwalk %s %s", argument, usage->command,
                          usage->operands);
                return CLI_WRONG;
            }
            positionals[count++] = argument;
            i++;
            continue;
        }
        if (strcmp(argument, "--") == 0) {
            options_end = true;
            i++;
            continue;
        }
        if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            help(usage);
            return CLI_HELPED;
        }
        const char *equals = strchr(argument, '=');
        size_t length = equals ? (size_t)(equals - argument) : strlen(argument);
        const cli_option *option = NULL;
        for (int k = 0; k < usage->option_count && !option; k++) {
            if (strlen(usage->options[k].name) == length && strncmp(usage->options[k].name, argument, length) == 0) {
                option = &usage->options[k];
            }
        }
        if (!option) return unknown(usage, argument);
        int taken = take(usage, option, equals ? equals + 1 : NULL, i + 1 < argc ? argv[i + 1] : NULL);
        if (taken < 0) return CLI_WRONG;
        i += taken;
    }
    if (count < usage->positionals[0]) {
        cli_wrong("usage: boardwalk %s %s (`boardwalk %s --help` says more).", usage->command, usage->operands,
                  usage->command);
        return CLI_WRONG;
    }
    return count;
}
