/* Settings of the server: flags win over the environment, the environment over the file `.env`.
 *
 * One table (BW_SETTINGS) says for each its name, flag, kind, range, default and meaning; reading,
 * refusing and `boardwalk serve --help` are all driven by it.
 *
 *   bw_settings settings;
 *   switch (bw_settings_read(&settings, argc, argv, getenv, &problem)) ...
 *
 * A wrong value is a sentence that names the setting, the value, where it stands, and what is allowed.
 * An empty value in the environment or in `.env` counts as not set. */
#ifndef BW_SETTINGS_H
#define BW_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "server/log.h"

enum { BW_SETTING_TEXT_MAX = 1024 };

/* S(kind, member, NAME, default, lo, hi, unit, meaning); the flag of LEASE_SECONDS is --lease-seconds
 *   WHOLE    a whole number lo..hi
 *   SPAN     a number lo..hi of `unit` milliseconds, fractions allowed; kept in ms
 *   ADDRESS  an IPv4 or IPv6 address, or localhost
 *   ORIGIN   http(s)://host[:port], nothing behind it
 *   URL      http(s)://..., or empty
 *   ORIGINS  such origins, separated by blanks or commas; or `*`; or empty
 *   TEXT     lo..hi bytes of anything printable
 *   SECRET   as TEXT, and never repeated on a terminal or in a log
 *   PATH     the path of a database, or :memory:, or a postgresql:// address (never repeated: it may hold a password)
 *   ENDPOINT an IP address and a port, or empty
 *   LEVEL    error, warn, info or debug
 *   FOLDER   as TEXT; a flag alone, which neither the environment nor `.env` has */
#define BW_SETTINGS(S)                                                                                                    \
    S(WHOLE, backend_port, "BACKEND_PORT", "8000", 0, 65535, 1,                                                           \
      "TCP port (--port VALUE for short); 0 takes a free one and prints it")                                              \
    S(ADDRESS, bind, "BIND", "127.0.0.1", 0, 0, 0, "address to listen on; 0.0.0.0 or :: for every network")               \
    S(ORIGIN, frontend_url, "FRONTEND_URL", "http://localhost:5173", 0, 0, 0,                                             \
      "another origin whose pages may talk to this server")                                                               \
    S(ORIGINS, public_url, "PUBLIC_URL", "", 0, BW_SETTING_TEXT_MAX - 1, 0,                                               \
      "addresses under which people reach this server; link previews name the first; *: any name")                        \
    S(SPAN, room_cleanup_ms, "ROOM_CLEANUP_MINUTES", "5", 0, 525600, 60000,                                               \
      "minutes after which a finished room is deleted")                                                                   \
    S(SPAN, seat_grace_ms, "SEAT_GRACE_SECONDS", "15", 0, 86400, 1000,                                                    \
      "seconds for which a seat stays reserved for its player")                                                           \
    S(SPAN, away_ms, "AWAY_SECONDS", "60", 0, 86400, 1000,                                                                \
      "seconds after which a bot may play for an absent player; the game may always be claimed after 180")                \
    S(PATH, database, "DATABASE", "boardwalk.db", 1, BW_SETTING_TEXT_MAX - 1, 0,                                          \
      "file of the rooms, or postgresql:// address; :memory: keeps nothing")                                              \
    S(ENDPOINT, cluster_listen, "CLUSTER_LISTEN", "", 0, 0, 0,                                                            \
      "where other nodes on the same PostgreSQL reach this one; empty: it is the only node")                              \
    S(ENDPOINT, cluster_advertise, "CLUSTER_ADVERTISE", "", 0, 0, 0,                                                      \
      "the address that other nodes use for that; empty: the same")                                                       \
    S(SECRET, cluster_secret, "CLUSTER_SECRET", "", 0, 200, 0, "secret shared by all nodes; at least 16 characters")      \
    S(SPAN, lease_ms, "LEASE_SECONDS", "5", 1, 300, 1000,                                                                 \
      "seconds of silence after which another server may take this one's place in PostgreSQL")                            \
    S(WHOLE, replay_days, "REPLAY_DAYS", "30", 0, 36500, 1, "days for which finished games are kept; 0: for ever")        \
    S(WHOLE, max_database_mb, "MAX_DATABASE_MB", "4096", 0, 1000000000, 1,                                                \
      "MiB of the database; above it the oldest finished games are deleted first; 0: no limit")                           \
    S(SPAN, abandoned_ms, "ABANDONED_DAYS", "7", 0, 36500, 86400000,                                                      \
      "days after which an unfinished game that nobody visits may be deleted if the database is full")                    \
    S(URL, orders_llm_url, "ORDERS_LLM_URL", "", 0, BW_SETTING_TEXT_MAX - 1, 0,                                           \
      "OpenAI-compatible chat endpoint for orders as text; empty: the built-in interpreter")                              \
    S(SECRET, orders_llm_key, "ORDERS_LLM_KEY", "", 0, BW_SETTING_TEXT_MAX - 1, 0, "its key")                             \
    S(TEXT, orders_llm_model, "ORDERS_LLM_MODEL", "", 0, 200, 0, "its model")                                             \
    S(WHOLE, max_model_questions_per_address, "MAX_MODEL_QUESTIONS_PER_ADDRESS_PER_MINUTE", "20", 0, 1000000, 1,          \
      "questions to the model per address and minute; above it the built-in interpreter answers; 0: no limit")            \
    S(WHOLE, max_model_questions, "MAX_MODEL_QUESTIONS_PER_MINUTE", "200", 0, 1000000, 1,                                 \
      "questions to the model per minute; 0: no limit")                                                                   \
    S(LEVEL, log_level, "LOG_LEVEL", "info", 0, 0, 0, "the most verbose level of the log on stderr")                      \
    S(WHOLE, max_sockets_per_address, "MAX_SOCKETS_PER_ADDRESS", "200", 0, 1000000, 1,                                    \
      "open sockets per address; 0: no limit")                                                                            \
    S(WHOLE, max_rooms_per_address_per_minute, "MAX_ROOMS_PER_ADDRESS_PER_MINUTE", "60", 0, 1000000, 1,                   \
      "new rooms per address and minute; 0: no limit")                                                                    \
    S(WHOLE, max_misses_per_address_per_minute, "MAX_MISSES_PER_ADDRESS_PER_MINUTE", "60", 0, 1000000, 1,                 \
      "failed look-ups of rooms and replays per address and minute; 0: no limit")                                         \
    S(WHOLE, max_stored_mb_per_address_per_hour, "MAX_STORED_MB_PER_ADDRESS_PER_HOUR", "64", 0, 1000000, 1,               \
      "MiB stored per address and hour; 0: no limit")                                                                     \
    S(WHOLE, max_work_seconds_per_address_per_minute, "MAX_WORK_SECONDS_PER_ADDRESS_PER_MINUTE", "6", 0, 60, 1,           \
      "seconds of expensive work (reading files, waking rooms, making large boards) per address and minute; 0: no limit") \
    S(SPAN, hibernate_ms, "HIBERNATE_SECONDS", "60", 0, 86400, 1000,                                                      \
      "seconds after which an empty room leaves memory")                                                                  \
    S(FOLDER, web, "WEB", "", 0, BW_SETTING_TEXT_MAX - 1, 0,                                                              \
      "folder of the built client; empty: beside the program, or /usr/share/boardwalk/web")

#define BW_SETTING_MEMBER_WHOLE(member) int64_t member;
#define BW_SETTING_MEMBER_SPAN(member) int64_t member;
#define BW_SETTING_MEMBER_ADDRESS(member) char member[64];
#define BW_SETTING_MEMBER_ENDPOINT(member) char member[64];
#define BW_SETTING_MEMBER_ORIGIN(member) char member[BW_SETTING_TEXT_MAX];
#define BW_SETTING_MEMBER_ORIGINS(member) char member[BW_SETTING_TEXT_MAX];
#define BW_SETTING_MEMBER_PATH(member) char member[BW_SETTING_TEXT_MAX];
#define BW_SETTING_MEMBER_URL(member) char member[BW_SETTING_TEXT_MAX];
#define BW_SETTING_MEMBER_TEXT(member) char member[BW_SETTING_TEXT_MAX];
#define BW_SETTING_MEMBER_FOLDER(member) char member[BW_SETTING_TEXT_MAX];
#define BW_SETTING_MEMBER_SECRET(member) char member[BW_SETTING_TEXT_MAX];
#define BW_SETTING_MEMBER_LEVEL(member) int64_t member; /* a bw_log_level */
#define BW_SETTING_MEMBER(kind, member, name, initial, lo, hi, unit, meaning) BW_SETTING_MEMBER_##kind(member)

typedef struct bw_settings {
    BW_SETTINGS(BW_SETTING_MEMBER)
} bw_settings;

typedef struct bw_settings_problem {
    char text[1600]; /* an error message */
} bw_settings_problem;

typedef enum bw_settings_outcome {
    BW_SETTINGS_READY,
    BW_SETTINGS_HELP,  /* --help was among the flags */
    BW_SETTINGS_WRONG, /* see the problem; exit with status 2 */
} bw_settings_outcome;

/* `argv` without the program's and the command's names. `lookup` is getenv, or a test's own. `--env-file FILE` names
 * another file than `.env`; a missing `.env` is fine, a missing FILE is an error. */
bw_settings_outcome bw_settings_read(bw_settings *settings, int argc, const char *const *argv,
                                     char *(*lookup)(const char *name), bw_settings_problem *problem);

/* The text of `boardwalk serve --help`. */
void bw_settings_help(FILE *out);

#endif
