"""Rooms that nobody can write for as long as a test wants: no room moves, is made or changes meanwhile.

    with held.rooms(sql, at_least=1.7): ...    sql(text) runs a text on the database, as postgres.Server.sql does

Inside, the lock is there; it goes at the end, however slow the machine, and not before `at_least` seconds.
"""
import contextlib
import threading
import time


@contextlib.contextmanager
def rooms(sql, at_least=0):
    sql("CREATE TABLE boardwalk.let_go ()")
    holder = threading.Thread(target=sql, args=(
        "BEGIN; LOCK TABLE boardwalk.room IN EXCLUSIVE MODE; DO $$ BEGIN WHILE NOT EXISTS (SELECT FROM boardwalk.let_go) LOOP"
        " PERFORM pg_sleep(0.02); END LOOP; END $$; COMMIT",))
    holder.start()
    try:
        while sql("SELECT count(*) FROM pg_locks WHERE relation = 'boardwalk.room'::regclass AND mode = 'ExclusiveLock'"
                  " AND granted") == "0":
            time.sleep(0.02)
        begun = time.monotonic()
        yield
        time.sleep(max(0, begun + at_least - time.monotonic()))
    finally:
        sql("INSERT INTO boardwalk.let_go DEFAULT VALUES")
        holder.join()
        sql("DROP TABLE boardwalk.let_go")
