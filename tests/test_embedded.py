"""The embedded servers: kept where told, adopted when they run, healed after a crash."""

import os
import shutil

import psycopg
import pytest
import redis

from ginservice.embedded import addresses, postgres, valkey


@pytest.fixture
def data_dir(tmp_path):
    folder = tmp_path / "data"
    yield folder
    valkey.stop(folder)
    postgres.stop(folder)


def query(data_dir, sql):
    with psycopg.connect(addresses.postgres_url(data_dir)) as connection:
        return connection.execute(sql).fetchone()[0]


def test_postgres_keeps_its_data_and_its_promises_over_a_restart(data_dir):
    postgres.start(data_dir)
    assert query(data_dir, "SHOW synchronous_commit") == "on"
    assert query(data_dir, "SHOW fsync") == "on"
    assert query(data_dir, "SELECT lower('ÄNN')") == "änn"
    with psycopg.connect(addresses.postgres_url(data_dir)) as connection:
        connection.execute("CREATE TABLE kept ()")
    postgres.stop(data_dir)
    postgres.start(data_dir)
    assert query(data_dir, "SELECT count(*) FROM kept") == 0


def test_a_folder_deeper_than_a_socket_may_be_works(data_dir):
    deep = data_dir / ("deep " * 20) / ("deeper " * 20)
    try:
        postgres.start(deep)
        valkey.start(deep)
        assert query(deep, "SELECT 1") == 1
        assert redis.Redis.from_url(addresses.valkey_url(deep)).ping()
    finally:
        valkey.stop(deep)
        postgres.stop(deep)


def test_running_servers_are_adopted(data_dir):
    postgres.start(data_dir)
    since = query(data_dir, "SELECT pg_postmaster_start_time()")
    postgres.start(data_dir)
    assert query(data_dir, "SELECT pg_postmaster_start_time()") == since

    valkey.start(data_dir)
    client = redis.Redis.from_url(addresses.valkey_url(data_dir))
    process = client.info()["process_id"]
    valkey.start(data_dir)
    assert client.info()["process_id"] == process


def test_only_who_knows_the_password_comes_in(data_dir):
    postgres.start(data_dir)
    valkey.start(data_dir)
    password = addresses.read(data_dir)["password"]
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(addresses.postgres_url(data_dir).replace(password, "guess"))
    with pytest.raises(redis.AuthenticationError):
        redis.Redis.from_url(addresses.valkey_url(data_dir).replace(password, "guess")).ping()
    assert (data_dir / "servers.json").stat().st_mode & 0o077 == 0


def test_a_pid_file_of_a_crash_whose_number_another_program_has_is_no_obstacle(data_dir):
    postgres.start(data_dir)
    postgres.stop(data_dir)
    stale = data_dir / "postgres" / "postmaster.pid"
    stale.write_text(f"{os.getpid()}\n{data_dir / 'postgres'}\n1700000000\n5432\n\n127.0.0.1\n")
    if os.geteuid() == 0:
        shutil.chown(stale, "nobody")
    postgres.start(data_dir)
    assert query(data_dir, "SELECT 1") == 1


def test_a_copied_folder_gets_servers_of_its_own(data_dir, tmp_path):
    postgres.start(data_dir)
    copy = tmp_path / "copy"
    postgres.stop(data_dir)
    shutil.copytree(data_dir, copy)
    if os.geteuid() == 0:
        for path in [copy / "postgres", *(copy / "postgres").rglob("*")]:
            shutil.chown(path, "nobody")
    postgres.start(data_dir)
    try:
        postgres.start(copy)
        assert query(copy, "SHOW data_directory") == str(copy / "postgres")
        assert query(data_dir, "SHOW data_directory") == str(data_dir / "postgres")
    finally:
        postgres.stop(copy)


def test_a_server_that_cannot_start_is_explained_by_its_log(data_dir):
    postgres.start(data_dir)
    postgres.stop(data_dir)
    (data_dir / "postgres" / "PG_VERSION").write_text("9\n")
    with pytest.raises(addresses.Unusable, match="not compatible with this version"):
        postgres.start(data_dir)


def test_a_folder_where_nothing_ever_ran_has_addresses_where_nothing_answers(tmp_path):
    assert addresses.postgres_url(tmp_path / "none").endswith("@127.0.0.1:1/ginservice")
    assert addresses.valkey_url(tmp_path / "none").endswith("@127.0.0.1:1/0")
    assert addresses.secret_key(tmp_path / "none") == ""
