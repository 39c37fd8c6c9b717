#include "cli/pool.h"
#include "cli/cli.h"

#include <stdlib.h>
#include <unistd.h>

static void *begin(void *argument) {
    pool *p = argument;
    pthread_mutex_lock(&p->lock);
    p->work(p, p->user);
    p->working--;
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static void watch(pool *p, progress *shown) {
    double begun = cli_clock();
    pthread_mutex_lock(&p->lock);
    while (p->working > 0) {
        bool late = p->seconds > 0 && cli_clock() - begun > p->seconds;
        if (progress_interrupted() || late) pool_end(p);
        if (progress_due(shown)) p->tell(shown, p->user);
        pthread_mutex_unlock(&p->lock);
        usleep(20000);
        pthread_mutex_lock(&p->lock);
    }
    pthread_mutex_unlock(&p->lock);
}

void pool_run(pool *p, int threads) {
    pthread_t *ids = cli_memory((size_t)threads * sizeof *ids);
    int started = 0;
    progress shown = progress_begin(); /* before any result, since a signal may follow it at once */
    pthread_mutex_init(&p->lock, NULL);
    pthread_mutex_lock(&p->lock);
    while (started < threads && pthread_create(&ids[started], NULL, begin, p) == 0) started++;
    p->working = started;
    pthread_mutex_unlock(&p->lock);
    watch(p, &shown);
    progress_end(&shown);
    for (int i = 0; i < started; i++) pthread_join(ids[i], NULL);
    pthread_mutex_destroy(&p->lock);
    free(ids);
}

void pool_end(pool *p) { atomic_store(&p->ends, true); }
bool pool_ends(pool *p) { return atomic_load(&p->ends); }

int pool_size(int64_t wanted) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (wanted <= 0) wanted = processors;
    return wanted < 1 ? 1 : wanted > POOL_MAX ? POOL_MAX : (int)wanted;
}
