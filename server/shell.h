/* Everything around the hall, put together: what the net, the journal and the threads tell goes into the
 * hall, and what the hall gives out is carried out. One thread, the loop's; no loop in here, so that tests
 * can drive it with net_memory.h.
 *
 *   shell.c  carries out the hall's outputs, and passes completions on
 *   api.c    HTTP: pages, the API, who may ask, headers */
#ifndef BW_SHELL_H
#define BW_SHELL_H

#include "server/assets.h"
#include "server/journal_sqlite.h"
#include "server/model.h"
#include "server/net.h"
#include "server/settings.h"
#include "server/workers.h"

typedef struct bw_shell {
    const bw_settings *settings;
    const bw_log *log;
    bw_hall *hall;
    bw_net *net;
    bw_journal *journal;
    bw_workers *workers;
    bw_model *model;   /* NULL: no ORDERS_LLM_URL */
    bw_assets *assets; /* NULL: the client is not built */
    char *games;       /* what GET /api/games answers */
    size_t games_length;
    bool draining;
    /* Wants bw_shell_tick at that mono_us; INT64_MAX: not at all. */
    void (*set_deadline)(void *user, int64_t mono_us);
    void *user;
    int64_t deadline; /* last told */
    size_t unused;    /* memory that was free, and the system's again, when that was looked at last */
} bw_shell;

/* Fills in what the shell itself makes (hall, games); the seams are set by the caller, before and after:
 * the net's handler is bw_shell_handler(shell). false: out of memory. */
bool bw_shell_init(bw_shell *shell, const uint8_t key[32]);
void bw_shell_release(bw_shell *shell);
bw_net_handler bw_shell_handler(bw_shell *shell);

bw_now bw_shell_now(void);
/* Time has come, or may have. */
void bw_shell_tick(bw_shell *shell);
/* The journal's, the workers' or the model's `wake` was called. */
void bw_shell_journal_ready(bw_shell *shell);
void bw_shell_workers_ready(bw_shell *shell);
void bw_shell_model_ready(bw_shell *shell);
/* Nothing new from now on; bw_shell_drained: and all that was under way is done. */
void bw_shell_drain(bw_shell *shell);
bool bw_shell_drained(const bw_shell *shell);
/* Carries out what the hall has to give. Called by all of the above. */
void bw_shell_pump(bw_shell *shell);

/* ---- api.c ---- */

void bw_api_request(bw_shell *shell, uint64_t conn, const bw_request *request);
bool bw_api_upgrade(bw_shell *shell, const bw_request *request, bw_response *refusal);
/* The hall's answer to a request; takes `bytes` over. */
void bw_api_answer(bw_shell *shell, uint64_t conn, int status, bw_bytes *bytes);
/* The room of `/ws/{room}`, upper case, and the game asked for (NULL: none; it lies in `game`). */
bool bw_api_socket_target(const bw_request *request, char room[BW_ROOM_ID_MAX + 1], char *game, size_t cap,
                          bool *has_game);

/* ---- metrics.c ---- */

/* Prometheus text. The caller frees it; NULL: out of memory. */
char *bw_metrics_text(bw_shell *shell, size_t *length);

#endif
