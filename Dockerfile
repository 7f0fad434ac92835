# docker build -t deskhand . && docker run --rm deskhand
FROM python:3.11-slim-bookworm AS wheel
COPY . /source
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /dist /source

FROM python:3.11-slim-bookworm
RUN --mount=from=wheel,source=/dist,target=/dist \
    pip install --no-cache-dir /dist/deskhand-*.whl \
    && deskhand doctor --fix \
    && rm -rf /var/lib/apt/lists/* /root/.local/state/deskhand
RUN useradd --create-home deskhand
USER deskhand
WORKDIR /home/deskhand
ENTRYPOINT ["deskhand"]
CMD ["demo"]
