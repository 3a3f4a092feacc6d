# The image of the service: the executable, the libraries it is linked to, and nothing else: no shell, no package
# manager, no Node. How to run it is told in README.md under "For operators".

# Another base, such as a mirror's, must be Node 26 on Debian too: --build-arg BASE=…
ARG BASE=docker.io/library/node:26-trixie-slim
FROM ${BASE} AS build
# The executable wants it, as all of Node 26 does.
RUN apt-get update && apt-get install --yes --no-install-recommends libatomic1
WORKDIR /build
# Packages before sources, so that they are fetched again only when they change. Where the registry is another one,
# hand it over with --secret id=npmrc,src=$HOME/.npmrc.
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=secret,id=npmrc NPM_CONFIG_USERCONFIG=/run/secrets/npmrc npm ci
COPY . .
RUN npm run build

# What stands in the image, at its place: the libraries that the executable and the add-ons inside it are linked to, with
# their licenses, the records of their packages and a list of all that is inside, for those who look for known faults.
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
# By number, so that whoever runs it can see that it is not root. Any other user will do that may write to /data, which
# is the home of each: there native add-ons are unpacked where all else is read-only.
USER 10001:10001
ENV PATH=/usr/local/bin HOME=/data HOST=0.0.0.0 DB_PATH=/data/app.db FILES_PATH=/data/files
WORKDIR /data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["/usr/local/bin/app", "health"]
ENTRYPOINT ["/usr/local/bin/app"]
