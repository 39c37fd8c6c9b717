/* GET /metrics, in Prometheus' text format. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/postgres.h"
#include "server/shell.h"

enum { METRICS_FIRST = 32 * 1024, METRICS_MAX = 16 * 1024 * 1024 };

static void family(bw_out *out, const char *name, const char *type, const char *help) {
    bw_out_format(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* Whatever only rises is called so. */
static void head(bw_out *out, const char *name, const char *help) {
    const size_t length = strlen(name), tail = sizeof "_total" - 1;
    family(out, name, length > tail && strcmp(name + length - tail, "_total") == 0 ? "counter" : "gauge", help);
}

/* `label` is "" or `{key="value"}`. */
static void sample(bw_out *out, const char *name, const char *label, double value) {
    char text[40];
    snprintf(text, sizeof text, "%.9g", value);
    bw_out_format(out, "%s%s %s\n", name, label, text);
}

static void single(bw_out *out, const char *name, const char *help, double value) {
    head(out, name, help);
    sample(out, name, "", value);
}

typedef struct buckets {
    const uint64_t *counts; /* not cumulative; the last one is +Inf */
    int count;
    double (*bound)(int bucket);
    double sum;
} buckets;

static void histogram(bw_out *out, const char *name, const char *help, const buckets *b) {
    char full[80], label[48];
    uint64_t total = 0;
    family(out, name, "histogram", help);
    snprintf(full, sizeof full, "%s_bucket", name);
    for (int i = 0; i < b->count; i++) {
        total += b->counts[i];
        if (i < b->count - 1) snprintf(label, sizeof label, "{le=\"%.9g\"}", b->bound(i));
        else snprintf(label, sizeof label, "{le=\"+Inf\"}");
        sample(out, full, label, (double)total);
    }
    snprintf(full, sizeof full, "%s_sum", name);
    sample(out, full, "", b->sum);
    snprintf(full, sizeof full, "%s_count", name);
    sample(out, full, "", (double)total);
}

static double lateness_bound(int bucket) { return (double)bw_lateness_bounds_us[bucket] / 1e6; }

static void write_hall(bw_out *out, bw_shell *shell) {
    static const char *const statuses[] = {"{status=\"waiting\"}", "{status=\"configuring\"}", "{status=\"active\"}",
                                           "{status=\"ended\"}"};
    bw_hall_figures f;
    bw_hall_figures_of(shell->hall, &f);
    single(out, "boardwalk_connections", "Open WebSockets.", (double)f.connections);
    head(out, "boardwalk_rooms", "Rooms in memory by status.");
    for (int i = 0; i < 4; i++) sample(out, "boardwalk_rooms", statuses[i], (double)f.rooms[i]);
    single(out, "boardwalk_rooms_in_memory", "Rooms in memory.", (double)f.rooms_in_memory);
    single(out, "boardwalk_moves_total", "Actions accepted.", (double)f.moves_total);
    head(out, "boardwalk_refusals_total", "Errors sent, by code.");
    for (int i = 0; i < bw_error_code_names.count && i < BW_REFUSAL_CODES; i++) {
        char label[64];
        snprintf(label, sizeof label, "{code=\"%s\"}", bw_error_code_names.names[i]);
        sample(out, "boardwalk_refusals_total", label, (double)(f.refusals_total[i] + shell->refusals[i]));
    }
    histogram(out, "boardwalk_round_lateness_seconds", "Lateness of rounds.",
              &(buckets){f.lateness, BW_LATENESS_BUCKETS, lateness_bound, f.lateness_sum_seconds});
    single(out, "boardwalk_round_lateness_max_seconds", "The maximum lateness of a round since the start.",
           (double)f.lateness_max_us / 1e6);
    single(out, "boardwalk_journal_waiting", "Journal entries that are not yet durable.", (double)f.journal_waiting);
    single(out, "boardwalk_hall_bytes", "Memory used by rooms and connections.", (double)f.bytes);
}

static void write_journal(bw_out *out, bw_shell *shell) {
    bw_journal_figures f;
    bw_journal_figures_of(shell->journal, &f);
    histogram(out, "boardwalk_commit_seconds", "Duration of a commit.",
              &(buckets){f.commits.buckets, BW_HISTOGRAM_BUCKETS, bw_histogram_bound, f.commits.sum_seconds});
    single(out, "boardwalk_journal_queue", "Entries waiting for the writer.", (double)f.waiting);
    single(out, "boardwalk_journal_reads_waiting", "Rooms and replays waiting to be read.", (double)f.reads_waiting);
    single(out, "boardwalk_database_bytes", "Size of the database without free pages.", (double)f.bytes);
    single(out, "boardwalk_database_limit_bytes", "MAX_DATABASE_MB; 0: no limit.",
           (double)(shell->settings->max_database_mb << 20));
    single(out, "boardwalk_database_full", "1 while no new rooms are made because the database is full.", f.full);
    single(out, "boardwalk_journal_failing", "1 after the last attempt to write failed.", f.failing);
    if (bw_postgres_is_address(shell->settings->database)) {
        single(out, "boardwalk_database_replicated",
               "1 while commits are on two machines when they are acknowledged (synchronous_standby_names).",
               f.replicated);
    }
    if (shell->nodes.pass) {
        single(out, "boardwalk_cluster_nodes", "Living nodes, including this one.", (double)f.nodes);
        single(out, "boardwalk_rooms_owned", "Stored rooms owned by this node.", (double)f.owned);
        single(out, "boardwalk_rooms_adopted_total", "Rooms taken over from dead nodes.", (double)f.adopted_total);
        single(out, "boardwalk_rooms_handed_over_total", "Rooms given to other nodes, because this one ends.",
               (double)f.handed_total);
        single(out, "boardwalk_fenced_total",
               "1 once another node has taken this node's rooms and it is about to exit.", f.lost);
        single(out, "boardwalk_connections_passed_on", "Connections passed to the node that owns their room.",
               (double)shell->nodes.passed_on(shell->nodes.user));
        single(out, "boardwalk_connections_let_go_total",
               "Connections no longer passed on because the lease of the owner was over.",
               (double)shell->nodes.let_go(shell->nodes.user));
    }
    single(out, "boardwalk_journal_detached", "1 while the database file is missing or replaced.", f.detached);
}

static void write_threads(bw_out *out, bw_shell *shell) {
    bw_workers_figures w;
    bw_workers_figures_of(shell->workers, &w);
    single(out, "boardwalk_bots_waiting", "Turns of bots waiting for a thread.", (double)w.waiting);
    single(out, "boardwalk_bots_thinking", "Turns of bots being computed.", (double)w.thinking);
    single(out, "boardwalk_bots_turns_total", "Turns of bots.", (double)w.turns_total);
    single(out, "boardwalk_bots_late_total", "Turns of bots that exceeded their budget.", (double)w.late_total);
    if (shell->model) {
        bw_model_figures m;
        bw_model_figures_of(shell->model, &m);
        single(out, "boardwalk_model_asked", "Questions to the language model in flight.", (double)m.asked);
        single(out, "boardwalk_model_answers_total", "Usable answers of the language model.", (double)m.answers_total);
        single(out, "boardwalk_model_failures_total", "Failures and late answers of the language model.",
               (double)m.failures_total);
    }
}

static void write_net(bw_out *out, bw_shell *shell) {
    bw_net_figures f;
    bw_net_figures_of(shell->net, &f);
    single(out, "boardwalk_tcp_connections", "TCP connections, including WebSockets.", (double)f.connections);
    single(out, "boardwalk_queued_bytes", "Bytes queued for WebSocket readers.", (double)f.queued_bytes);
    single(out, "boardwalk_slow_readers_total", "Connections cut because they did not read.",
           (double)f.slow_readers_total);
    single(out, "boardwalk_timeouts_total", "Requests and closing handshakes cut because they took too long.",
           (double)f.timeouts_total);
    single(out, "boardwalk_requests", "Requests in flight.", (double)f.requests);
    single(out, "boardwalk_answer_bytes", "Bytes of HTTP answers queued for readers.", (double)f.answer_bytes);
    single(out, "boardwalk_bad_requests_total", "Requests refused because they are not valid HTTP.",
           (double)f.bad_requests_total);
}

static double resident_bytes(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file || fscanf(file, "%*s %ld", &pages) != 1) pages = 0;
    if (file) fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static void write_refused(bw_out *out, bw_shell *shell) {
    static const char name[] = "boardwalk_connections_refused_total";
    char label[64];
    bw_net_figures f;
    bw_net_figures_of(shell->net, &f);
    head(out, name, "Connections and requests refused before they reached a room, by reason.");
    for (int i = 0; i < BW_REFUSED_COUNT; i++) {
        snprintf(label, sizeof label, "{reason=\"%s\"}", bw_refused_names[i]);
        sample(out, name, label, (double)shell->refused[i].count);
    }
    sample(out, name, "{reason=\"address_limit\"}", (double)f.refused_total);
}

static void write_all(bw_out *out, bw_shell *shell) {
    write_hall(out, shell);
    write_journal(out, shell);
    write_threads(out, shell);
    write_net(out, shell);
    write_refused(out, shell);
    single(out, "process_resident_memory_bytes", "Resident memory of the process.", resident_bytes());
}

char *bw_metrics_text(bw_shell *shell, size_t *length) {
    for (size_t cap = METRICS_FIRST; cap <= METRICS_MAX; cap *= 2) {
        char *text = malloc(cap);
        if (!text) return NULL;
        bw_out out = bw_out_to(text, cap);
        write_all(&out, shell);
        *length = out.length;
        if (!out.overflow) return text;
        free(text); /* an incomplete answer would look as if counters were gone */
    }
    return NULL;
}
