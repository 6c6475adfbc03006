# syntax=docker/dockerfile:1
# codemode by itself, without any MCP server: deploy/project/Dockerfile makes an image of a project from it.
# From 26 on Node itself keeps sandboxes off the network; containers rarely allow the namespace that does so elsewhere.
ARG NODE_VERSION=26
ARG DEBIAN=bookworm

FROM node:${NODE_VERSION}-${DEBIAN}-slim AS node

FROM node AS build
WORKDIR /source
COPY . .
# No install scripts: those of this repository fetch what only its tests need.
RUN npm ci --ignore-scripts && npm run build
# What is published, and nothing else; then what it needs and the clients of stores and journals, in the versions of package-lock.json.
RUN mkdir -p /packed /opt/codemode \
  && npm pack --ignore-scripts --pack-destination /packed . ./runtime/bindings \
  && tar -xzf /packed/codemode-[0-9]*.tgz -C /opt/codemode --strip-components=1 \
  && npm pkg set --json dependencies.pg="$(npm pkg get devDependencies.pg)" \
  && npm pkg delete devDependencies.pg peerDependencies.pg \
  && npm pkg set --json workspaces='["runtime/bindings"]' \
  && npm prune --omit=dev --ignore-scripts \
  && rm node_modules/@codemode/runtime \
  && mkdir node_modules/@codemode/runtime \
  && tar -xzf /packed/codemode-runtime-*.tgz -C node_modules/@codemode/runtime --strip-components=1 \
  && mv node_modules /opt/codemode/node_modules \
  && chmod +x /opt/codemode/dist/program/codemode.cjs \
  && mkdir /opt/codemode/bin \
  && ln -s ../dist/program/codemode.cjs /opt/codemode/bin/codemode

FROM debian:${DEBIAN}-slim
# util-linux has what confines sandboxes (unshare, setpriv, prlimit); tini reaps what servers leave behind.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates libatomic1 libstdc++6 tini util-linux \
  && rm -rf /var/lib/apt/lists/*
COPY --from=node /usr/local/bin/node /usr/local/bin/node
COPY --from=build /opt/codemode /opt/codemode
# The one place that is written, so that the root file system may be read-only: mount a tmpfs at /tmp.
# What an image starts is decided when it is built: no user is there to answer a question.
ENV CODEMODE_TRUST=1 \
  PATH=/opt/codemode/bin:/usr/local/bin:/usr/bin:/bin \
  NODE_ENV=production \
  HOME=/tmp \
  XDG_CACHE_HOME=/tmp/cache \
  XDG_STATE_HOME=/tmp/state
WORKDIR /project
# A number, so that Kubernetes sees that it is not root; files in the image belong to root, who may alone write them.
USER 65532:65532
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "codemode"]
CMD ["serve", "--frozen", "--http", "0.0.0.0:8080"]
