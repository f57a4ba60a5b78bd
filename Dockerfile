# The gateway, and the sandbox that it can start. Debian's C library: libsql, sharp and KurrentDB's client bring
# binaries along. The digest is that of the index, for all architectures; `.github/dependabot.yml` keeps it current.
FROM node:24.11.1-bookworm-slim@sha256:48abc13a19400ca3985071e287bd405a1d99306770eb81d61202fb6b65cf0b57 AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:24.11.1-bookworm-slim@sha256:48abc13a19400ca3985071e287bd405a1d99306770eb81d61202fb6b65cf0b57 AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund && npm cache clean --force
# The image has Debian's FFmpeg, which gets its security fixes. These are of 2018 and 2023, for a machine without any.
RUN rm -r node_modules/@ffmpeg-installer node_modules/@ffprobe-installer

FROM node:24.11.1-bookworm-slim@sha256:48abc13a19400ca3985071e287bd405a1d99306770eb81d61202fb6b65cf0b57
LABEL org.opencontainers.image.title="Telegram session gateway" \
      org.opencontainers.image.description="JSON over HTTP in front of logged-in Telegram accounts" \
      org.opencontainers.image.licenses=MIT \
      org.opencontainers.image.version=1.0.0-rc.1
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
RUN apt-get update && apt-get install --yes --no-install-recommends ffmpeg && rm -rf /var/lib/apt/lists/*
# Nobody's number outside: not that of KurrentDB (1000), whose keys may lie in a volume that both can see.
RUN install --directory --owner=10001 --group=10001 --mode=700 /data
COPY --from=packages /app ./
COPY --from=build /build/dist/actors dist/actors
COPY --from=build /build/dist/clients dist/clients
COPY --from=build /build/dist/console dist/console
COPY --from=build /build/dist/projections dist/projections
COPY --from=build /build/dist/sandbox dist/sandbox
COPY --from=build /build/dist/src dist/src
USER 10001:10001
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "dist/src/programs/cli.js", "health"]
# The young generation of V8 (megabytes): see docs/operating.md, "Memory".
CMD ["node", "--max-semi-space-size=32", "dist/src/programs/cli.js", "start"]
