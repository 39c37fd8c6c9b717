/* sim [--seed N | --from N] [--seeds N] [--steps N] [--total N] [--without a,b] [--only a,b] [--nightly HOURS]
 *     [--shrink]
 * sim --nodes 3 ...                 several nodes on a database; without it one node on a disk
 * sim --seed N --trace [--twin 1]   prints everything that one universe sends
 *
 * Without a seed it runs as many universes as asked for, each twice (twins). After a failure it shrinks the universe
 * (fewer steps, fewer kinds of trouble) and prints the one command that reproduces the failure. */
#include <time.h>

#include "sim.h"

typedef struct options {
    sim_settings of;
    uint64_t seeds, total;
    double hours;
    bool one, shrink;
    int twin;
} options;

static uint32_t read_features(const char *list) {
    uint32_t bits = 0;
    for (int i = 0; i < SIM_FEATURE_COUNT; i++) {
        size_t length = strlen(sim_feature_names[i]);
        for (const char *at = list; (at = strstr(at, sim_feature_names[i])); at += length) {
            if ((at == list || at[-1] == ',') && (at[length] == 0 || at[length] == ',')) {
                bits |= 1u << i;
            }
        }
    }
    return bits;
}

static void print_features(uint32_t features) {
    const char *between = " --only ";
    for (int i = 0; i < SIM_FEATURE_COUNT; i++) {
        if (features >> i & 1) {
            printf("%s%s", between, sim_feature_names[i]);
            between = ",";
        }
    }
    if (features == 0) printf(" --only none");
}

static void print_command(const char *program, const sim_settings *of) {
    printf("  %s --seed %llu --steps %llu", program, (unsigned long long)of->seed, (unsigned long long)of->steps);
    if (of->nodes) printf(" --nodes %d", of->nodes);
    if (of->features != SIM_ALL) print_features(of->features);
    printf("\n");
}

/* Does it still fail in the same way? */
static bool fails_alike(const sim_settings *of, const char *wanted) {
    sim_result result;
    return !sim_universe(of, &result) && strncmp(result.failure, wanted, strlen(wanted)) == 0;
}

/* Removes whatever the failure does not need. */
static void shrink(const char *program, sim_settings of) {
    sim_result result;
    char wanted[24];
    sim_universe(&of, &result);
    sscanf(result.failure, "%20[a-z]", wanted);
    for (int i = 0; i < SIM_FEATURE_COUNT; i++) {
        sim_settings fewer = of;
        fewer.features &= ~(1u << i);
        if (fewer.features != of.features && fails_alike(&fewer, wanted)) of = fewer;
    }
    for (uint64_t low = 1; low < of.steps;) {
        sim_settings sooner = of;
        sooner.steps = low + (of.steps - low) / 2;
        if (fails_alike(&sooner, wanted)) of = sooner;
        else low = sooner.steps + 1;
    }
    sim_universe(&of, &result);
    printf("shrunk to:\n");
    print_command(program, &of);
    printf("  %s\n", result.failure);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int fail(const char *program, const options *chosen, const sim_result *result) {
    printf("FAILED after %llu steps: %s\nagain:\n", (unsigned long long)result->steps, result->failure);
    print_command(program, &chosen->of);
    if (chosen->shrink) shrink(program, chosen->of);
    else printf("to shrink it, add --shrink\n");
    return 1;
}

static bool read_options(int count, char **words, options *chosen) {
    for (int i = 1; i < count; i++) {
        const char *word = words[i], *value = i + 1 < count ? words[i + 1] : NULL;
        if (strcmp(word, "--trace") == 0) {
            chosen->of.trace = true;
        } else if (strcmp(word, "--shrink") == 0) {
            chosen->shrink = true;
        } else if (!value) {
            return false;
        } else if (strcmp(word, "--seed") == 0) {
            chosen->of.seed = strtoull(words[++i], NULL, 10);
            chosen->one = true;
        } else if (strcmp(word, "--from") == 0) {
            chosen->of.seed = strtoull(words[++i], NULL, 10);
        } else if (strcmp(word, "--nodes") == 0) {
            chosen->of.nodes = (int)strtol(words[++i], NULL, 10);
            if (chosen->of.nodes < 2 || chosen->of.nodes > SIM_NODES) return false;
        } else if (strcmp(word, "--seeds") == 0) {
            chosen->seeds = strtoull(words[++i], NULL, 10);
        } else if (strcmp(word, "--steps") == 0) {
            chosen->of.steps = strtoull(words[++i], NULL, 10);
        } else if (strcmp(word, "--total") == 0) {
            chosen->total = strtoull(words[++i], NULL, 10);
        } else if (strcmp(word, "--twin") == 0) {
            chosen->twin = strtol(words[++i], NULL, 10) != 0;
        } else if (strcmp(word, "--nightly") == 0) {
            chosen->hours = strtod(words[++i], NULL);
        } else if (strcmp(word, "--only") == 0) {
            chosen->of.features = read_features(words[++i]);
        } else if (strcmp(word, "--without") == 0) {
            chosen->of.features &= ~read_features(words[++i]);
        } else {
            return false;
        }
    }
    return true;
}

int main(int count, char **words) {
    options chosen = {.of = {.seed = 1, .steps = 20000, .features = SIM_ALL}, .seeds = 1000000, .total = 1000000};
    sim_result result, sum = {0};
    if (!read_options(count, words, &chosen)) {
        fprintf(
            stderr,
            "usage: sim [--nodes 2 to 5] [--seed N | --from N] [--seeds N] [--steps N] [--total STEPS] [--only a,b] [--without a,b]"
            " [--nightly HOURS] [--trace] [--shrink]\n");
        return 2;
    }
    if (chosen.one && chosen.of.trace) {
        sim_run(&chosen.of, chosen.twin, &result);
        printf("%s\n", result.failure[0] ? result.failure : "nothing failed");
        return result.failure[0] != 0;
    }
    double start = seconds();
    uint64_t universes = 0;
    chosen.of.trace = false;
    for (; universes < (chosen.one ? 1 : chosen.seeds); chosen.of.seed++, universes++) {
        bool enough = chosen.hours > 0 ? seconds() - start > chosen.hours * 3600 : sum.steps >= chosen.total;
        if (enough && !chosen.one) break;
        if (!sim_universe(&chosen.of, &result)) return fail(words[0], &chosen, &result);
        sum.steps += result.steps, sum.sent += result.sent, sum.kills += result.kills, sum.failures += result.failures;
        sum.came_back += result.came_back, sum.forks += result.forks;
        sum.moves += result.moves, sum.rounds += result.rounds, sum.resumes += result.resumes;
        sum.acks += result.acks, sum.refusals += result.refusals, sum.claims += result.claims;
        sum.mirrored += result.mirrored;
        sum.adopted += result.adopted, sum.passed += result.passed, sum.lost += result.lost;
        sum.pauses += result.pauses, sum.failovers += result.failovers, sum.rewound += result.rewound;
        sum.silences += result.silences, sum.moved += result.moved, sum.handed += result.handed;
        sum.let_go += result.let_go;
        sum.work_max = result.work_max > sum.work_max ? result.work_max : sum.work_max;
    }
    double took = seconds() - start;
    printf("%llu universes%s: %llu steps in %.1f s (%.0f a second), nothing failed\n", (unsigned long long)universes,
           chosen.of.nodes ? "" : ", each twice", (unsigned long long)sum.steps, took, (double)sum.steps / took);
    printf(
        "  of one twin each: %llu kills, %llu disk failures, %llu refused entries back, %llu games played on from, %llu moves, %llu rounds, %llu resumes, %llu acks, %llu refusals, %llu games claimed, %llu times a room made anew; the costliest input %llu units\n",
        (unsigned long long)sum.kills, (unsigned long long)sum.failures, (unsigned long long)sum.came_back,
        (unsigned long long)sum.forks, (unsigned long long)sum.moves, (unsigned long long)sum.rounds,
        (unsigned long long)sum.resumes, (unsigned long long)sum.acks, (unsigned long long)sum.refusals,
        (unsigned long long)sum.claims, (unsigned long long)sum.mirrored, (unsigned long long)sum.work_max);
    if (chosen.of.nodes) {
        printf(
            "  %d nodes: %llu pauses, %llu leases over, %llu nodes lost, %llu rooms adopted, %llu handed over, %llu of them with"
            " a running clock, %llu connections passed on, of which %llu were dropped because the owner slept, %llu failovers, of which %llu lost what had been seen\n",
            chosen.of.nodes, (unsigned long long)sum.pauses, (unsigned long long)sum.silences,
            (unsigned long long)sum.lost, (unsigned long long)sum.adopted, (unsigned long long)sum.moved,
            (unsigned long long)sum.handed, (unsigned long long)sum.passed, (unsigned long long)sum.let_go,
            (unsigned long long)sum.failovers, (unsigned long long)sum.rewound);
    }
    return 0;
}
