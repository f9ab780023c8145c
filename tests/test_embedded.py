"""The embedded servers: kept where told, adopted when they run, healed after a crash."""

import os
import shutil

import psycopg
import pytest
import redis

from ginservice import embedded


@pytest.fixture
def data_dir(tmp_path):
    folder = tmp_path / "data"
    yield folder
    embedded.stop_valkey(folder)
    embedded.stop_postgres(folder)


def query(data_dir, sql):
    with psycopg.connect(embedded.postgres_url(data_dir)) as connection:
        return connection.execute(sql).fetchone()[0]


def test_postgres_keeps_its_data_and_its_promises_over_a_restart(data_dir):
    embedded.start_postgres(data_dir)
    assert query(data_dir, "SHOW synchronous_commit") == "on"
    assert query(data_dir, "SHOW fsync") == "on"
    assert query(data_dir, "SELECT lower('ÄNN')") == "änn"
    with psycopg.connect(embedded.postgres_url(data_dir)) as connection:
        connection.execute("CREATE TABLE kept ()")
    embedded.stop_postgres(data_dir)
    embedded.start_postgres(data_dir)
    assert query(data_dir, "SELECT count(*) FROM kept") == 0


def test_a_folder_deeper_than_a_socket_may_be_works(data_dir):
    deep = data_dir / ("deep " * 20) / ("deeper " * 20)
    try:
        embedded.start_postgres(deep)
        embedded.start_valkey(deep)
        assert query(deep, "SELECT 1") == 1
        assert redis.Redis.from_url(embedded.valkey_url(deep)).ping()
    finally:
        embedded.stop_valkey(deep)
        embedded.stop_postgres(deep)


def test_running_servers_are_adopted(data_dir):
    embedded.start_postgres(data_dir)
    since = query(data_dir, "SELECT pg_postmaster_start_time()")
    embedded.start_postgres(data_dir)
    assert query(data_dir, "SELECT pg_postmaster_start_time()") == since

    embedded.start_valkey(data_dir)
    client = redis.Redis.from_url(embedded.valkey_url(data_dir))
    process = client.info()["process_id"]
    embedded.start_valkey(data_dir)
    assert client.info()["process_id"] == process


def test_only_who_knows_the_password_comes_in(data_dir):
    embedded.start_postgres(data_dir)
    embedded.start_valkey(data_dir)
    password = embedded.read(data_dir)["password"]
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(embedded.postgres_url(data_dir).replace(password, "guess"))
    with pytest.raises(redis.AuthenticationError):
        redis.Redis.from_url(embedded.valkey_url(data_dir).replace(password, "guess")).ping()
    assert (data_dir / "servers.json").stat().st_mode & 0o077 == 0


def test_a_pid_file_of_a_crash_whose_number_another_program_has_is_no_obstacle(data_dir):
    embedded.start_postgres(data_dir)
    embedded.stop_postgres(data_dir)
    stale = data_dir / "postgres" / "postmaster.pid"
    stale.write_text(f"{os.getpid()}\n{data_dir / 'postgres'}\n1700000000\n5432\n\n127.0.0.1\n")
    if os.geteuid() == 0:
        shutil.chown(stale, "nobody")
    embedded.start_postgres(data_dir)
    assert query(data_dir, "SELECT 1") == 1


def test_a_copied_folder_gets_servers_of_its_own(data_dir, tmp_path):
    embedded.start_postgres(data_dir)
    copy = tmp_path / "copy"
    embedded.stop_postgres(data_dir)
    shutil.copytree(data_dir, copy)
    if os.geteuid() == 0:
        for path in [copy / "postgres", *(copy / "postgres").rglob("*")]:
            shutil.chown(path, "nobody")
    embedded.start_postgres(data_dir)
    try:
        embedded.start_postgres(copy)
        assert query(copy, "SHOW data_directory") == str(copy / "postgres")
        assert query(data_dir, "SHOW data_directory") == str(data_dir / "postgres")
    finally:
        embedded.stop_postgres(copy)


def test_a_server_that_cannot_start_is_explained_by_its_log(data_dir):
    embedded.start_postgres(data_dir)
    embedded.stop_postgres(data_dir)
    (data_dir / "postgres" / "PG_VERSION").write_text("9\n")
    with pytest.raises(embedded.Unusable, match="not compatible with this version"):
        embedded.start_postgres(data_dir)


def test_a_folder_where_nothing_ever_ran_has_addresses_where_nothing_answers(tmp_path):
    assert embedded.postgres_url(tmp_path / "none").endswith("@127.0.0.1:1/ginservice")
    assert embedded.valkey_url(tmp_path / "none").endswith("@127.0.0.1:1/0")
    assert embedded.secret_key(tmp_path / "none") == ""
