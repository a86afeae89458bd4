# The image of the server. Nothing that only builds is left in it, and nothing is compiled.
# Give the base by its digest, so that a build next year has the same one:
#   docker build --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:… .
# SOURCE_DATE_EPOCH, in seconds, makes two builds of one source the same: docs/guides/operations.md.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
# .npmrc decides that no package runs a script at install.
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig*.json ./
COPY scripts scripts
COPY src src
RUN npm run build
ARG SOURCE_DATE_EPOCH
RUN SOURCE_DATE_EPOCH=$SOURCE_DATE_EPOCH node scripts/sbom.ts --image
# From here on only what runs: no packages of the build, no foreign parts of the database's package, no builds
# for browsers, no tables of languages that are not used, no declarations.
RUN npm ci --omit=dev --omit=optional \
 && rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/src \
 && find node_modules/@hyzyla/pdfium/dist -type f ! -name index.esm.js ! -name pdfium.wasm -delete \
 && find node_modules/eld/src/ngrams -type f ! -name extrasmall.js -delete \
 && find node_modules/better-sqlite3/prebuilds -type f ! -name "linux*-$(node -p process.arch).node" -delete \
 && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

# The list of what is in the image, for `docker build --target sbom --output .`; it is also in the image, as dist/sbom.cdx.json.
FROM scratch AS sbom
COPY --from=build /app/dist/sbom.cdx.json /

FROM ${NODE_IMAGE}
WORKDIR /app
ENV NODE_ENV=production \
    HELPER__SERVER__HOST=0.0.0.0 \
    HELPER__STORAGE__PATH=/data
RUN mkdir /data && chown 1000:1000 /data && chmod 700 /data
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
# Both are samples to try the image with: mount your own over them.
COPY config config
COPY plugins plugins
# A number, so that Kubernetes can see that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD ["node", "dist/main.js", "health"]
ENTRYPOINT ["node", "dist/main.js"]
CMD ["start"]
# What only you know is empty: the commit, the time as in 2026-11-22T12:00:00Z, and where your source is.
ARG VERSION=1.0.0
ARG REVISION=
ARG CREATED=
ARG SOURCE=
LABEL org.opencontainers.image.title="Helper" \
      org.opencontainers.image.description="A standalone server that gives any web application an assistant that answers, acts and asks first." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}" \
      org.opencontainers.image.source="${SOURCE}"
