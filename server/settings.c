#include "server/settings.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "server/cluster.h"
#include "server/dotenv.h"
#include "server/origin.h"
#include "server/postgres.h"

typedef enum setting_kind {
    WHOLE,
    SPAN,
    ADDRESS,
    ORIGIN,
    ORIGINS,
    URL,
    TEXT,
    FOLDER,
    SECRET,
    PATH,
    ENDPOINT,
    LEVEL
} setting_kind;

typedef struct setting {
    setting_kind kind;
    const char *name, *initial;
    int64_t lo, hi, unit;
    const char *meaning;
    size_t offset, size;
} setting;

#define DESCRIBE(kind, member, name, initial, lo, hi, unit, meaning) \
    {kind, name, initial, lo, hi, unit, meaning, offsetof(bw_settings, member), sizeof(((bw_settings *)0)->member)},
static const setting table[] = {BW_SETTINGS(DESCRIBE)};
enum { SETTING_COUNT = sizeof table / sizeof table[0], FLAG_MAX = 80 };

static const char *const level_names[] = {"error", "warn", "info", "debug"};

/* "--lease-seconds" of LEASE_SECONDS. */
static const char *flag_of(const setting *s, char flag[FLAG_MAX]) {
    int length = snprintf(flag, FLAG_MAX, "--%s", s->name);
    for (int i = 2; i < length; i++) flag[i] = flag[i] == '_' ? '-' : (char)(flag[i] | 0x20);
    return flag;
}

/* ---- values ---- */

/* A plain decimal number with up to three decimals, in thousandths. */
static bool read_thousandths(const char *text, int64_t *value) {
    int64_t whole = 0;
    const char *at = text;
    if (*at < '0' || *at > '9') return false;
    for (; *at >= '0' && *at <= '9'; at++) {
        if (whole > 1000000000) return false;
        whole = whole * 10 + (*at - '0');
    }
    int64_t fraction = 0, place = 100;
    if (*at == '.') {
        if (at[1] < '0' || at[1] > '9') return false;
        for (at++; *at >= '0' && *at <= '9'; at++, place /= 10) fraction += place * (*at - '0');
    }
    *value = whole * 1000 + fraction;
    return *at == '\0';
}

static bool printable(const char *text) {
    for (; *text; text++) {
        if ((unsigned char)*text < 0x20 || *text == 0x7f) return false;
    }
    return true;
}

static bool set_text(const setting *s, void *at, const char *text) {
    size_t length = strlen(text);
    if (length >= s->size || !printable(text)) return false;
    memcpy(at, text, length + 1);
    return true;
}

static bool set_number(const setting *s, void *at, const char *text) {
    int64_t thousandths, value;
    if (!read_thousandths(text, &thousandths)) return false;
    if (thousandths < s->lo * 1000 || thousandths > s->hi * 1000) return false;
    if (s->kind == WHOLE && (thousandths % 1000 != 0 || strchr(text, '.'))) return false;
    value = s->kind == WHOLE ? thousandths / 1000 : thousandths * s->unit / 1000;
    memcpy(at, &value, sizeof value);
    return true;
}

static bool set_address(const setting *s, void *at, const char *text) {
    unsigned char bytes[16];
    if (strcasecmp(text, "localhost") == 0) text = "127.0.0.1";
    return (inet_pton(AF_INET, text, bytes) == 1 || inet_pton(AF_INET6, text, bytes) == 1) && set_text(s, at, text);
}

static bool set_level(void *at, const char *text) {
    for (int64_t level = 0; level < (int64_t)(sizeof level_names / sizeof level_names[0]); level++) {
        if (strcasecmp(text, level_names[level]) == 0) {
            memcpy(at, &level, sizeof level);
            return true;
        }
    }
    return false;
}

static bool is_url(const char *text) {
    size_t scheme = strncasecmp(text, "http://", 7) == 0 ? 7 : strncasecmp(text, "https://", 8) == 0 ? 8 : 0;
    return scheme && text[scheme] && !strchr("/:?#@", text[scheme]) && !strpbrk(text, " \t");
}

/* An address of PostgreSQL, or a file. SQLite would take other strings for something else than a file name, such as
 * a temporary database. */
static bool is_database(const char *text) {
    size_t length = strlen(text);
    char why[200];
    if (strcmp(text, ":memory:") == 0) return true;
    if (bw_postgres_is_address(text)) return bw_postgres_address_is_right(text, why, sizeof why);
    return text[0] && text[0] != ':' && strncasecmp(text, "file:", 5) != 0 && strncasecmp(text, "postgres:", 9) != 0 &&
           strncasecmp(text, "postgresql:", 11) != 0 && !strstr(text, "://") && text[length - 1] != '/';
}

static bool is_endpoint(const char *text) {
    char address[64];
    int port;
    return bw_cluster_endpoint(text, address, sizeof address, &port);
}

static bool set_value(const setting *s, bw_settings *settings, const char *text) {
    void *at = (char *)settings + s->offset;
    bw_origin origin;
    switch (s->kind) {
    case WHOLE:
    case SPAN: return set_number(s, at, text);
    case ADDRESS: return set_address(s, at, text);
    case ORIGIN: return bw_origin_parse(&origin, text) && set_text(s, at, text);
    case ORIGINS: return bw_origins_are_right(text) && set_text(s, at, text);
    case ENDPOINT: return (!*text || is_endpoint(text)) && set_text(s, at, text);
    case PATH: return is_database(text) && set_text(s, at, text);
    case URL: return (!*text || is_url(text)) && set_text(s, at, text);
    case SECRET:
    case FOLDER:
    case TEXT: return strlen(text) >= (size_t)s->lo && strlen(text) <= (size_t)s->hi && set_text(s, at, text);
    case LEVEL: return set_level(at, text);
    }
    return false;
}

static void allowed(const setting *s, char *text, size_t cap) {
    switch (s->kind) {
    case WHOLE: snprintf(text, cap, "a whole number from %lld to %lld", (long long)s->lo, (long long)s->hi); break;
    case SPAN: snprintf(text, cap, "a number from %lld to %lld", (long long)s->lo, (long long)s->hi); break;
    case ADDRESS: snprintf(text, cap, "an IP address such as 127.0.0.1, 0.0.0.0 or ::, or localhost"); break;
    case ORIGIN: snprintf(text, cap, "an origin such as http://localhost:5173, with nothing behind the port"); break;
    case ORIGINS:
        snprintf(text, cap, "origins such as https://games.example.org, separated by commas, or *, or nothing");
        break;
    case PATH:
        snprintf(text, cap,
                 "the path of a file, such as boardwalk.db, or :memory:, or an address of PostgreSQL such as "
                 "postgresql://user@host/name");
        break;
    case ENDPOINT: snprintf(text, cap, "an IP address and a port, such as 10.0.0.1:8100, or nothing"); break;
    case URL: snprintf(text, cap, "a URL that starts with http:// or https://, or nothing"); break;
    case SECRET:
    case FOLDER:
    case TEXT: snprintf(text, cap, "%lld to %lld printable bytes", (long long)s->lo, (long long)s->hi); break;
    case LEVEL: snprintf(text, cap, "one of error, warn, info, debug"); break;
    }
}

static bool apply(const setting *s, bw_settings *settings, const char *text, const char *where,
                  bw_settings_problem *problem) {
    if (set_value(s, settings, text)) return true;
    char rule[160], value[400], flag[FLAG_MAX];
    allowed(s, rule, sizeof rule);
    bool secret = s->kind == SECRET || (s->kind == PATH && (bw_postgres_is_address(text) || strchr(text, '@')));
    bw_log_quoted(value, sizeof value, secret ? "(hidden)" : text);
    snprintf(problem->text, sizeof problem->text, "%.60s is %s (from %.600s), but it must be %s.",
             s->kind == FOLDER ? flag_of(s, flag) : s->name, value, where, rule);
    return false;
}

/* ---- sources ---- */

static const setting *find_named(const char *name) {
    for (int i = 0; i < SETTING_COUNT; i++) {
        if (table[i].kind != FOLDER && strcmp(table[i].name, name) == 0) return &table[i];
    }
    return NULL;
}

/* --backend-port, --backend_port and --BACKEND_PORT are the same flag; --port is an abbreviation. */
static const setting *find_flag(const char *flag, size_t length) {
    if (length == 6 && strncmp(flag, "--port", 6) == 0) return find_named("BACKEND_PORT");
    for (int i = 0; i < SETTING_COUNT; i++) {
        char known[FLAG_MAX];
        size_t at = 0;
        flag_of(&table[i], known);
        while (at < length && known[at] &&
               (known[at] == (flag[at] == '_' ? '-' : flag[at]) || (known[at] ^ 0x20) == flag[at])) {
            at++;
        }
        if (at == length && !known[at]) return &table[i];
    }
    return NULL;
}

static bool read_flags(bw_settings *settings, int argc, const char *const *argv, bw_settings_problem *problem) {
    for (int i = 0; i < argc; i++) {
        const char *flag = argv[i], *equals = strchr(flag, '=');
        size_t length = equals ? (size_t)(equals - flag) : strlen(flag);
        bool env_file = length == 10 && strncmp(flag, "--env-file", 10) == 0;
        const setting *s = find_flag(flag, length);
        if (!s && !env_file) {
            char shown[200];
            snprintf(problem->text, sizeof problem->text,
                     "%s is not a flag of boardwalk serve; boardwalk serve --help lists them.",
                     bw_log_quoted(shown, sizeof shown, flag));
            return false;
        }
        const char *value = equals ? equals + 1 : i + 1 < argc ? argv[++i] : NULL;
        if (!value) {
            snprintf(problem->text, sizeof problem->text, "%s requires a value: %s VALUE.", flag, flag);
            return false;
        }
        if (s && !apply(s, settings, value, "the flag", problem)) return false;
    }
    return true;
}

static bool read_environment(bw_settings *settings, char *(*lookup)(const char *), bw_settings_problem *problem) {
    for (int i = 0; i < SETTING_COUNT; i++) {
        const char *value = table[i].kind != FOLDER ? lookup(table[i].name) : NULL;
        if (value && *value && !apply(&table[i], settings, value, "the environment", problem)) {
            return false;
        }
    }
    return true;
}

enum { ENV_FILE_MAX = 64 * 1024 };

static bool read_env_file(bw_settings *settings, const char *path, bool wanted, bw_settings_problem *problem) {
    FILE *file = fopen(path, "re");
    if (!file) {
        if (!wanted && (errno == ENOENT || errno == ENOTDIR)) return true;
        snprintf(problem->text, sizeof problem->text, "%s cannot be read: %s.", path, strerror(errno));
        return false;
    }
    static const char too_large[] =
        "is larger than 64 KiB or contains a zero byte; it must consist of NAME=value lines.";
    char text[ENV_FILE_MAX + 1];
    size_t length = fread(text, 1, sizeof text, file);
    if (ferror(file)) { /* for example a folder */
        snprintf(problem->text, sizeof problem->text, "%s cannot be read: %s.", path, strerror(errno));
        fclose(file);
        return false;
    }
    fclose(file);
    if (length > ENV_FILE_MAX || memchr(text, '\0', length)) {
        snprintf(problem->text, sizeof problem->text, "%s %s", path, too_large);
        return false;
    }
    text[length] = '\0';

    bw_dotenv reader = {.at = text};
    bw_dotenv_entry entry;
    char why[160];
    int got;
    while ((got = bw_dotenv_next(&reader, &entry, why, sizeof why)) > 0) {
        const setting *s = find_named(entry.name); /* other programs' names are allowed */
        char where[BW_SETTING_TEXT_MAX + 32];
        snprintf(where, sizeof where, "%s, line %d", path, reader.line);
        if (s && entry.value[0] && !apply(s, settings, entry.value, where, problem)) return false;
    }
    if (got < 0) snprintf(problem->text, sizeof problem->text, "%s: %s", path, why);
    return got == 0;
}

static const char *env_file_flag(int argc, const char *const *argv) {
    const char *path = NULL;
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "--env-file=", 11) == 0) path = argv[i] + 11;
        else if (strcmp(argv[i], "--env-file") == 0 && i + 1 < argc) path = argv[i + 1];
    }
    return path;
}

/* Checks settings that depend on each other. */
static bool fit_together(const bw_settings *settings, bw_settings_problem *problem) {
    size_t secret = strlen(settings->cluster_secret);
    const char *wrong = NULL;
    if (settings->cluster_listen[0] && !bw_postgres_is_address(settings->database))
        wrong =
            "CLUSTER_LISTEN is set, so DATABASE must be an address of PostgreSQL such as postgresql://user@host/name.";
    else if ((settings->cluster_listen[0] || secret) && secret < BW_CLUSTER_SECRET_MIN)
        wrong = "CLUSTER_SECRET is too short: it must have 16 to 200 characters if CLUSTER_LISTEN is set.";
    else if (strchr(settings->cluster_secret, ' '))
        wrong = "CLUSTER_SECRET (hidden) contains a blank, but it must be 16 to 200 characters without blanks.";
    else if (settings->cluster_advertise[0] && !settings->cluster_listen[0])
        wrong = "CLUSTER_ADVERTISE is set, so CLUSTER_LISTEN must be an IP address and a port, such as 10.0.0.1:8100.";
    if (wrong) snprintf(problem->text, sizeof problem->text, "%s", wrong);
    return !wrong;
}

bw_settings_outcome bw_settings_read(bw_settings *settings, int argc, const char *const *argv,
                                     char *(*lookup)(const char *name), bw_settings_problem *problem) {
    memset(settings, 0, sizeof *settings);
    problem->text[0] = '\0';
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return BW_SETTINGS_HELP;
    }
    for (int i = 0; i < SETTING_COUNT; i++) {
        if (!apply(&table[i], settings, table[i].initial, "the program", problem)) {
            return BW_SETTINGS_WRONG;
        }
    }

    /* From the weakest to the strongest: each overrides the ones before. */
    const char *path = env_file_flag(argc, argv);
    bool ready = read_env_file(settings, path ? path : ".env", path != NULL, problem) &&
                 read_environment(settings, lookup, problem) && read_flags(settings, argc, argv, problem);
    ready = ready && fit_together(settings, problem);
    return ready ? BW_SETTINGS_READY : BW_SETTINGS_WRONG;
}

void bw_settings_help(FILE *out) {
    fputs("Usage: boardwalk serve [FLAGS]\n\n"
          "Serves the games. Each setting is a flag, a variable of the environment, or a line of the file .env;\n"
          "flags win over the environment, the environment over the file.\n\n",
          out);
    for (int i = 0; i < SETTING_COUNT; i++) {
        const setting *s = &table[i];
        char rule[160], flag[FLAG_MAX];
        allowed(s, rule, sizeof rule);
        fprintf(out, "  %s VALUE%s%s\n      %s\n      %s; default %s\n", flag_of(s, flag),
                s->kind == FOLDER ? "" : "   ", s->kind == FOLDER ? "" : s->name, s->meaning, rule,
                *s->initial ? s->initial : "empty");
    }
    fputs("  --env-file FILE\n      another file than .env\n"
          "  --help, -h\n      this text\n\n"
          "Example: boardwalk serve --bind 0.0.0.0 --port 8080 --database /var/lib/boardwalk/boardwalk.db\n"
          "Exit status: 0 ended by SIGTERM or SIGINT, 1 could not serve (the reason is on stderr), 2 wrong usage.\n",
          out);
}
