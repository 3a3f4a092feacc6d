# The image of the service contains the executable and the libraries it is linked to, and nothing else: no shell, no
# package manager, no Node. README.md, "For operators", says how to run it.

# Another base image, such as a mirror's, must also be Node 26 on Debian: --build-arg BASE=…
ARG BASE=docker.io/library/node:26-trixie-slim
FROM ${BASE} AS build
# Required by the executable, as by Node 26 itself.
RUN apt-get update && apt-get install --yes --no-install-recommends libatomic1
WORKDIR /build
# Packages before sources, so that they are downloaded again only when they change. For another registry, pass
# --secret id=npmrc,src=$HOME/.npmrc.
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=secret,id=npmrc NPM_CONFIG_USERCONFIG=/run/secrets/npmrc npm ci
COPY . .
RUN npm run build

# Assembles the image's files: the libraries that the executable and its add-ons are linked to, with their licenses,
# their package records, and a bill of materials of everything inside, for vulnerability scanners.
WORKDIR /image
RUN install -D --target-directory=usr/local/bin /build/dist/app && \
    mkdir --parents etc var/lib/dpkg/status.d && \
    cp --no-dereference /lib* . && \
    for package in libatomic1 libc6 libgcc-s1 libstdc++6; do \
      dpkg-query --listfiles "$package" | grep '/\(lib\|ld-\)[^/]*\.so[.0-9]*$' | \
        xargs cp --no-dereference --parents --target-directory=. && \
      dpkg-query --status "$package" > "var/lib/dpkg/status.d/$package" && \
      cp --dereference --parents "/usr/share/doc/$package/copyright" . || exit; \
    done && \
    cp --parents /etc/os-release /etc/nsswitch.conf . && \
    echo 'app:x:10001:10001::/data:/sbin/nologin' > etc/passwd && \
    echo 'app:x:10001:' > etc/group && \
    (cd /build && node cmd/build/licenses/image-sbom.ts /image) && \
    install --directory --mode=1777 tmp && \
    install --directory --mode=0700 --owner=10001 --group=10001 data

FROM scratch
COPY --from=build /image /
# By number, so that the engine can verify that it is not root. Any other user works too if it may write to /data, the
# home of every user: native add-ons are unpacked there when everything else is read-only.
USER 10001:10001
ENV PATH=/usr/local/bin HOME=/data HOST=0.0.0.0 DB_PATH=/data/app.db FILES_PATH=/data/files
WORKDIR /data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["/usr/local/bin/app", "health"]
ENTRYPOINT ["/usr/local/bin/app"]
