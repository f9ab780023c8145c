from ginservice import __version__


def test_the_start_page_shows_three_ways_in_and_every_game(client):
    page = client.get("/")
    text = page.content.decode()
    assert page.status_code == 200
    for way in ("/api/docs/", "/admin/", "make demo", "Gin Rummy", "easy"):
        assert way in text


def test_the_start_page_names_the_host_it_was_asked_by_and_the_version(client):
    text = client.get("/", headers={"host": "localhost:8001"}).content.decode()
    assert "curl -X POST http://localhost:8001/api/v1/players/guest" in text
    assert "make demo BASE_URL=http://localhost:8001" in text
    assert __version__ in text


def test_the_start_page_links_to_the_page_about_fairness(client):
    assert 'href="/docs/fairness.md"' in client.get("/").content.decode()
