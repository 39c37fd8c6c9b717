#include "cli/crew.h"
#include "cli/cli.h"

#include <stdlib.h>
#include <unistd.h>

static void *begin(void *argument) {
    crew *c = argument;
    pthread_mutex_lock(&c->lock);
    c->work(c, c->user);
    c->working--;
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static void watch(crew *c) {
    progress shown = progress_begin();
    double begun = cli_clock();
    pthread_mutex_lock(&c->lock);
    while (c->working > 0) {
        bool late = c->seconds > 0 && cli_clock() - begun > c->seconds;
        if (progress_interrupted() || late) crew_end(c);
        if (progress_due(&shown)) c->tell(&shown, c->user);
        pthread_mutex_unlock(&c->lock);
        usleep(20000);
        pthread_mutex_lock(&c->lock);
    }
    pthread_mutex_unlock(&c->lock);
    progress_end(&shown);
}

void crew_run(crew *c, int threads) {
    pthread_t *ids = cli_memory((size_t)threads * sizeof *ids);
    int started = 0;
    pthread_mutex_init(&c->lock, NULL);
    pthread_mutex_lock(&c->lock);
    while (started < threads && pthread_create(&ids[started], NULL, begin, c) == 0) started++;
    c->working = started;
    pthread_mutex_unlock(&c->lock);
    watch(c);
    for (int i = 0; i < started; i++) pthread_join(ids[i], NULL);
    pthread_mutex_destroy(&c->lock);
    free(ids);
}

void crew_end(crew *c) { atomic_store(&c->ends, true); }
bool crew_ends(crew *c) { return atomic_load(&c->ends); }

int crew_size(int64_t wanted) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (wanted <= 0) wanted = processors;
    return wanted < 1 ? 1 : wanted > CREW_MAX ? CREW_MAX : (int)wanted;
}
