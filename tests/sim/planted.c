/* planted [NAME | --hall | --nodes]: plants one fault after another in the hall and checks that the universe finds it.
 *
 * A check that never fails proves nothing. Each line says which invariant caught the fault, and when. */
#include "rooms/planted.h"
#include "sim.h"

bw_fault bw_planted_fault;

enum { UNIVERSES = 200, STEPS = 20000 };

static const char *const names[] = {"none",
#define FAULT_NAME(name, text) #name,
                                    BW_FAULTS(FAULT_NAME) "", BW_NODE_FAULTS(FAULT_NAME)
#undef FAULT_NAME
};
static const char *const texts[] = {"nothing is wrong",
#define FAULT_TEXT(name, text) text,
                                    BW_FAULTS(FAULT_TEXT) "", BW_NODE_FAULTS(FAULT_TEXT)
#undef FAULT_TEXT
};

static bool caught(bw_fault fault) {
    sim_result result;
    bw_planted_fault = fault;
    sim_settings settings = {
        .seed = 1, .steps = STEPS, .features = SIM_ALL, .nodes = fault > BW_FAULT_OF_NODES ? 3 : 0};
    for (; settings.seed <= UNIVERSES; settings.seed++) {
        if (!sim_universe(&settings, &result)) {
            printf("caught    %-24s in universe %2llu: %.100s\n", names[fault], (unsigned long long)settings.seed,
                   result.failure);
            fflush(stdout);
            return true;
        }
    }
    printf("NOT CAUGHT %-23s %s\n", names[fault], texts[fault]);
    fflush(stdout);
    return false;
}

int main(int count, char **words) {
    int missed = 0, asked = 0;
    for (int fault = 1; fault < BW_FAULT_COUNT; fault++) {
        if (fault == BW_FAULT_OF_NODES) continue;
        const char *group = fault < BW_FAULT_OF_NODES ? "--hall" : "--nodes";
        if (count < 2 || strcmp(words[1], names[fault]) == 0 || strcmp(words[1], group) == 0) {
            asked++;
            missed += !caught((bw_fault)fault);
        }
    }
    if (asked == 0) {
        fprintf(stderr, "no such fault; the faults are:\n");
        for (int fault = 1; fault < BW_FAULT_COUNT; fault++) {
            if (names[fault][0]) fprintf(stderr, "  %-24s %s\n", names[fault], texts[fault]);
        }
        return 2;
    }
    printf("%d of %d planted faults were caught\n", asked - missed, asked);
    return missed > 0;
}
