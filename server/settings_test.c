#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/settings.h"
#include "tests/support/folder.h"
#include "tests/support/unit.h"

/* ---- an isolated world: environment and .env in a fresh folder ---- */

static struct { const char *name, *value; } environment[8];
static char folder[64];

static char *lookup(const char *name) {
    for (size_t i = 0; i < sizeof environment / sizeof environment[0]; i++) {
        if (environment[i].name && strcmp(environment[i].name, name) == 0) {
            union {
                const char *constant;
                char *plain;
            } value = {environment[i].value};
            return value.plain;
        }
    }
    return NULL;
}

static void set(const char *name, const char *value) {
    for (size_t i = 0; i < sizeof environment / sizeof environment[0]; i++) {
        if (!environment[i].name) {
            environment[i].name = name;
            environment[i].value = value;
            return;
        }
    }
    fail();
}

static void write_env(const char *text) {
    FILE *file = fopen(".env", "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int fresh(void **state) {
    (void)state;
    memset(environment, 0, sizeof environment);
    unlink(".env");
    return 0;
}

static int enter(void **state) {
    (void)state;
    return make_folder(folder, sizeof folder, "settings") && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state) {
    fresh(state);
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static bw_settings_outcome read_args(bw_settings *settings, bw_settings_problem *problem, const char *const *argv) {
    int argc = 0;
    while (argv[argc]) argc++;
    return bw_settings_read(settings, argc, argv, lookup, problem);
}

/* The flags, followed by a NULL. */
#define READ(settings, problem, ...) read_args(settings, problem, (const char *const[]){__VA_ARGS__})

TEST_WITH(test_defaults, fresh, NULL) {
    bw_settings s;
    bw_settings_problem problem;
    assert_int_equal(READ(&s, &problem, NULL), BW_SETTINGS_READY);
    assert_int_equal(s.backend_port, 8000);
    assert_string_equal(s.bind, "127.0.0.1");
    assert_string_equal(s.frontend_url, "http://localhost:5173");
    assert_int_equal(s.room_cleanup_ms, 5 * 60 * 1000);
    assert_int_equal(s.seat_grace_ms, 15 * 1000);
    assert_string_equal(s.database, "boardwalk.db");
    assert_int_equal(s.replay_days, 30);
    assert_string_equal(s.orders_llm_url, "");
    assert_int_equal(s.log_level, BW_LOG_INFO);
    assert_int_equal(s.max_sockets_per_address, 200);
    assert_int_equal(s.max_rooms_per_address_per_minute, 60);
    assert_int_equal(s.max_database_mb, 4096);
    assert_int_equal(s.abandoned_ms, 7 * 86400 * 1000LL);
    assert_int_equal(s.max_misses_per_address_per_minute, 60);
    assert_int_equal(s.max_stored_mb_per_address_per_hour, 64);
    assert_int_equal(s.max_work_seconds_per_address_per_minute, 6);
    assert_int_equal(s.hibernate_ms, 60 * 1000);
}

TEST_WITH(test_order_of_sources, fresh, NULL) {
    bw_settings s;
    bw_settings_problem problem;
    write_env("BACKEND_PORT=1001\nSEAT_GRACE_SECONDS=1\nREPLAY_DAYS=1\nVITE_SOMETHING=else\n");
    set("SEAT_GRACE_SECONDS", "2");
    set("REPLAY_DAYS", "2");
    set("LOG_LEVEL", ""); /* empty: not set */
    assert_int_equal(READ(&s, &problem, "--replay-days=3", NULL), BW_SETTINGS_READY);
    assert_int_equal(s.backend_port, 1001);
    assert_int_equal(s.seat_grace_ms, 2000);
    assert_int_equal(s.replay_days, 3);
    assert_int_equal(s.log_level, BW_LOG_INFO);
}

TEST_WITH(test_flag_spellings, fresh, NULL) {
    bw_settings s;
    bw_settings_problem problem;
    assert_int_equal(READ(&s, &problem, "--port", "0", "--BIND", "::", "--room_cleanup_minutes=0.05", "--log-level",
                          "debug", "--database=:memory:", "--bind=localhost", NULL),
                     BW_SETTINGS_READY);
    assert_int_equal(s.backend_port, 0);
    assert_string_equal(s.bind, "127.0.0.1");
    assert_int_equal(s.room_cleanup_ms, 3000);
    assert_int_equal(s.log_level, BW_LOG_DEBUG);
    assert_string_equal(s.database, ":memory:");
    assert_int_equal(READ(&s, &problem, "--port", "1", "--help", NULL), BW_SETTINGS_HELP);
}

/* An invalid value for a setting's type: with a sign, a blank, a unit, another base, a value too many, or in a form
 * that another program would accept. Every refusal names the setting, the value, where it was found, and what is
 * allowed. */
TEST_WITH(test_refusals, fresh, NULL) {
    static const struct {
        const char *name, *value, *rule;
    } cases[] = {
        {"BACKEND_PORT", "eighty", "a whole number from 0 to 65535"},
        {"BACKEND_PORT", "65536", "a whole number from 0 to 65535"},
        {"BACKEND_PORT", "-1", "a whole number from 0 to 65535"},
        {"BACKEND_PORT", "8000 ", "a whole number from 0 to 65535"},
        {"BACKEND_PORT", "80.0", "a whole number from 0 to 65535"},
        {"BACKEND_PORT", "99999999999999999999", "a whole number from 0 to 65535"},
        {"BIND", "example.org", "an IP address"},
        {"BIND", "300.0.0.1", "an IP address"},
        {"FRONTEND_URL", "localhost:5173", "an origin such as"},
        {"FRONTEND_URL", "http://localhost:5173/app", "an origin such as"},
        {"ROOM_CLEANUP_MINUTES", "soon", "a number from 0 to 525600"},
        {"SEAT_GRACE_SECONDS", "86401", "a number from 0 to 86400"},
        {"REPLAY_DAYS", "1.5", "a whole number from 0 to 36500"},
        {"ORDERS_LLM_URL", "ftp://x", "a URL that starts with http:// or https://"},
        {"LOG_LEVEL", "loud", "one of error, warn, info, debug"},
        {"MAX_SOCKETS_PER_ADDRESS", "x", "a whole number from 0 to 1000000"},
        {"MAX_ROOMS_PER_ADDRESS_PER_MINUTE", "-5", "a whole number from 0 to 1000000"},
        {"HIBERNATE_SECONDS", "1e3", "a number from 0 to 86400"},
        {"BACKEND_PORT", "+80", "a whole number from 0 to 65535"},
        {"BACKEND_PORT", " 80", "a whole number from 0 to 65535"},
        {"BACKEND_PORT", "0x50", "a whole number from 0 to 65535"},
        {"BACKEND_PORT", "8,000", "a whole number from 0 to 65535"},
        {"BACKEND_PORT", "-0", "a whole number from 0 to 65535"},
        {"BIND", "*", "an IP address"},
        {"BIND", "127.0.0.1:8000", "an IP address"},
        {"BIND", "[::1]", "an IP address"},
        {"BIND", "127.1", "an IP address"},
        {"BIND", "fe80::1%eth0", "an IP address"},
        {"FRONTEND_URL", "*", "an origin such as"},
        {"FRONTEND_URL", "ws://localhost", "an origin such as"},
        {"FRONTEND_URL", "http://a,http://b", "an origin such as"},
        {"FRONTEND_URL", "http://localhost:0", "an origin such as"},
        {"FRONTEND_URL", "http://a?b", "an origin such as"},
        {"PUBLIC_URL", "games.example.org", "origins such as"},
        {"PUBLIC_URL", "https://games.example.org/boardwalk", "origins such as"},
        {"PUBLIC_URL", "https://a; https://b", "origins such as"},
        {"PUBLIC_URL", "*, https://a", "origins such as"},
        {"PUBLIC_URL", "https://*.example.org", "origins such as"},
        {"ROOM_CLEANUP_MINUTES", ".5", "a number from 0 to 525600"},
        {"ROOM_CLEANUP_MINUTES", "5.", "a number from 0 to 525600"},
        {"ROOM_CLEANUP_MINUTES", "5m", "a number from 0 to 525600"},
        {"ROOM_CLEANUP_MINUTES", "1.2.3", "a number from 0 to 525600"},
        {"ROOM_CLEANUP_MINUTES", "nan", "a number from 0 to 525600"},
        {"ROOM_CLEANUP_MINUTES", "525600.001", "a number from 0 to 525600"},
        {"SEAT_GRACE_SECONDS", "-1", "a number from 0 to 86400"},
        {"SEAT_GRACE_SECONDS", "15 seconds", "a number from 0 to 86400"},
        {"HIBERNATE_SECONDS", "inf", "a number from 0 to 86400"},
        {"REPLAY_DAYS", "-30", "a whole number from 0 to 36500"},
        {"REPLAY_DAYS", "36501", "a whole number from 0 to 36500"},
        {"REPLAY_DAYS", "never", "a whole number from 0 to 36500"},
        {"DATABASE", "file:x?mode=memory", "the path of a file"},
        {"DATABASE", "FILE:b.db", "the path of a file"},
        {"DATABASE", "sqlite:///b.db", "the path of a file"},
        {"DATABASE", "postgres:b", "the path of a file"},
        {"DATABASE", "PostgreSQL:/b", "the path of a file"},
        {"DATABASE", "http://x/b.db", "the path of a file"},
        {"DATABASE", ":memory", "the path of a file"},
        {"DATABASE", ":", "the path of a file"},
        {"DATABASE", "data/", "the path of a file"},
        {"ORDERS_LLM_URL", "x", "a URL that starts with http:// or https://"},
        {"ORDERS_LLM_URL", "http://", "a URL that starts with http:// or https://"},
        {"ORDERS_LLM_URL", "http://:80", "a URL that starts with http:// or https://"},
        {"ORDERS_LLM_URL", "https:///v1", "a URL that starts with http:// or https://"},
        {"ORDERS_LLM_URL", "http://a b", "a URL that starts with http:// or https://"},
        {"LOG_LEVEL", "warning", "one of error, warn, info, debug"},
        {"LOG_LEVEL", "3", "one of error, warn, info, debug"},
        {"MAX_SOCKETS_PER_ADDRESS", "1000001", "a whole number from 0 to 1000000"},
        {"MAX_MODEL_QUESTIONS_PER_ADDRESS_PER_MINUTE", "few", "a whole number from 0 to 1000000"},
        {"MAX_MODEL_QUESTIONS_PER_MINUTE", "-1", "a whole number from 0 to 1000000"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fresh(NULL);
        set(cases[i].name, cases[i].value);
        bw_settings s;
        bw_settings_problem problem;
        if (READ(&s, &problem, NULL) != BW_SETTINGS_WRONG) {
            fail_msg("%s=%s was accepted", cases[i].name, cases[i].value);
        }
        char value[80];
        snprintf(value, sizeof value, "\"%s\"", cases[i].value);
        if (!strstr(problem.text, cases[i].name) || !strstr(problem.text, value) ||
            !strstr(problem.text, cases[i].rule) || !strstr(problem.text, "from the environment")) {
            fail_msg("%s=%s: %s", cases[i].name, cases[i].value, problem.text);
        }
    }
}

TEST_WITH(test_key_is_not_repeated, fresh, NULL) {
    bw_settings s;
    bw_settings_problem problem;
    set("ORDERS_LLM_KEY", "sk-secret\x01");
    assert_int_equal(READ(&s, &problem, NULL), BW_SETTINGS_WRONG);
    assert_null(strstr(problem.text, "sk-secret"));
    assert_non_null(strstr(problem.text, "ORDERS_LLM_KEY"));
}

/* A PostgreSQL address as libpq accepts it; a password in it is never repeated, whatever is wrong with the address. */
TEST_WITH(test_addresses, fresh, NULL) {
    static const char *const right[] = {"postgresql://", "postgres://a@b/c", "postgresql://a:hunter2@b:5433,c:5434/d",
                                        "postgresql:///d?host=/run/postgresql&port=5433",
                                        "postgresql://[::1]/d?sslmode=require"};
    static const char *const wrong[] = {"postgresql://a:hunter2@b:x/d",
                                        "postgresql://a:hunter2@b/d?colour=red",
                                        "postgresql://a:hunter2@[::1/d",
                                        "postgresql://a:hunter2@b:70000/d",
                                        "postgresql://a:hunter2@b:5432,/d?port=1,2,z",
                                        "postgresq://a:hunter2@b/d"};
    bw_settings s;
    bw_settings_problem problem;
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        assert_int_equal(READ(&s, &problem, "--database", right[i], NULL), BW_SETTINGS_READY);
        assert_string_equal(s.database, right[i]);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        if (READ(&s, &problem, "--database", wrong[i], NULL) != BW_SETTINGS_WRONG)
            fail_msg("%s was accepted", wrong[i]);
        assert_null(strstr(problem.text, "hunter2"));
        assert_non_null(strstr(problem.text, "postgresql://user@host/name"));
    }
}

/* Settings that are valid alone but not together. */
TEST_WITH(test_nodes, fresh, NULL) {
    static const char secret[] = "0123456789abcdef";
    static const struct {
        const char *listen, *advertise, *secret, *database, *sentence;
    } cases[] = {
        {"10.0.0.1:8100", "", secret, "postgresql://a/b", NULL},
        {"[::]:8100", "[fd00::1]:8100", secret, "postgresql://a/b", NULL},
        {"localhost:8100", "10.0.0.1:8101", secret, "postgresql://a/b", NULL},
        {"", "", secret, "b.db", NULL},
        {"10.0.0.1:8100", "", secret, "b.db", "DATABASE must be an address of PostgreSQL"},
        {"10.0.0.1:8100", "", "0123456789abcde", "postgresql://a/b", "CLUSTER_SECRET is too short"},
        {"10.0.0.1:8100", "", "", "postgresql://a/b", "CLUSTER_SECRET is too short"},
        {"10.0.0.1:8100", "", "0123456789 abcdef", "postgresql://a/b", "CLUSTER_SECRET (hidden) contains a blank"},
        {"", "10.0.0.1:8100", secret, "postgresql://a/b", "CLUSTER_LISTEN must be an IP address and a port"},
        {"10.0.0.1", "", secret, "postgresql://a/b", "an IP address and a port"},
        {"10.0.0.1:0", "", secret, "postgresql://a/b", "an IP address and a port"},
        {"10.0.0.1:65536", "", secret, "postgresql://a/b", "an IP address and a port"},
        {"10.0.0.1:80a", "", secret, "postgresql://a/b", "an IP address and a port"},
        {":8100", "", secret, "postgresql://a/b", "an IP address and a port"},
        {"fd00::1:8100", "", secret, "postgresql://a/b", "an IP address and a port"},
        {"10.0.0.1:8100", "node-a:8100", secret, "postgresql://a/b", "an IP address and a port"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bw_settings s;
        bw_settings_problem problem;
        fresh(NULL);
        set("CLUSTER_LISTEN", cases[i].listen);
        set("CLUSTER_ADVERTISE", cases[i].advertise);
        set("CLUSTER_SECRET", cases[i].secret);
        set("DATABASE", cases[i].database);
        bw_settings_outcome outcome = READ(&s, &problem, NULL);
        if ((outcome == BW_SETTINGS_READY) != (cases[i].sentence == NULL)) fail_msg("case %zu: %s", i, problem.text);
        if (cases[i].sentence) assert_non_null(strstr(problem.text, cases[i].sentence));
        if (cases[i].sentence && *cases[i].secret) assert_null(strstr(problem.text, cases[i].secret));
    }
    fresh(NULL);
}

TEST_WITH(test_wrong_flags, fresh, NULL) {
    bw_settings s;
    bw_settings_problem problem;
    assert_int_equal(READ(&s, &problem, "--prot", "1", NULL), BW_SETTINGS_WRONG);
    assert_non_null(strstr(problem.text, "\"--prot\" is not a flag of boardwalk serve"));
    assert_int_equal(READ(&s, &problem, "--port", NULL), BW_SETTINGS_WRONG);
    assert_non_null(strstr(problem.text, "--port requires a value"));
    assert_int_equal(READ(&s, &problem, "8000", NULL), BW_SETTINGS_WRONG);
    assert_int_equal(READ(&s, &problem, "--database=", NULL), BW_SETTINGS_WRONG);
    assert_non_null(strstr(problem.text, "DATABASE"));
}

TEST_WITH(test_env_file, fresh, NULL) {
    bw_settings s;
    bw_settings_problem problem;
    write_env("\xef\xbb\xbf# a comment\r\n\r\n  export BACKEND_PORT = 9001 # why\r\nDATABASE='a #b.db'\r\n"
              "ORDERS_LLM_KEY=\"x\\\"y\"\nORDERS_LLM_MODEL=a#b\nLOG_LEVEL=");
    assert_int_equal(READ(&s, &problem, NULL), BW_SETTINGS_READY);
    assert_int_equal(s.backend_port, 9001);
    assert_string_equal(s.database, "a #b.db");
    assert_string_equal(s.orders_llm_key, "x\"y");
    assert_string_equal(s.orders_llm_model, "a#b");

    write_env("# fine\nBACKEND_PORT=ten\n");
    assert_int_equal(READ(&s, &problem, NULL), BW_SETTINGS_WRONG);
    assert_non_null(strstr(problem.text, "BACKEND_PORT is \"ten\" (from .env, line 2)"));

    write_env("BIND=::1\nthis is no setting\n");
    assert_int_equal(READ(&s, &problem, NULL), BW_SETTINGS_WRONG);
    assert_string_equal(problem.text, ".env: line 2 is not NAME=value, a comment (#) or empty.");

    write_env("BIND=\"::1\n");
    assert_int_equal(READ(&s, &problem, NULL), BW_SETTINGS_WRONG);
    assert_non_null(strstr(problem.text, "a quote that is not closed"));

    assert_int_equal(READ(&s, &problem, "--env-file", "elsewhere", NULL), BW_SETTINGS_WRONG);
    assert_non_null(strstr(problem.text, "elsewhere cannot be read: No such file"));
    assert_int_equal(READ(&s, &problem, "--env-file", "/tmp", NULL), BW_SETTINGS_WRONG);
    assert_string_equal(problem.text, "/tmp cannot be read: Is a directory.");
}

TEST_WITH(test_log_quotes, fresh, NULL) {
    char memory[40];
    assert_string_equal(bw_log_quoted(memory, sizeof memory, "a\nlevel=error \"x\""),
                        "\"a\\x0alevel=error \\\"x\\\"\"");
    assert_string_equal(bw_log_quoted(memory, 10, "abcdefghijklmnop"), "\"abcd\"");
}

RUN_TESTS(enter, leave)
