# An image of Orrery from this checkout: `docker build -t orrery .`. docs/install.md tells how to run it.

FROM eclipse-temurin:25-jdk AS build
RUN apt-get update -q \
    && apt-get install -y -q --no-install-recommends maven \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN ORRERY_JAVA_HOME=/opt/java/openjdk ./orrery build --archive \
    && mkdir /orrery \
    && tar -xzf distribution/target/orrery-*-linux-*.tar.gz -C /orrery --strip-components=1 \
    && rm -rf distribution/target

# The same C library and processor as above, because the runtime comes from there.
FROM ubuntu:24.04
COPY --from=build /orrery /opt/orrery
# The start-up cache is made here, because the user of the server can write nothing but data.
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin orrery \
    && mkdir /data \
    && chown orrery /data \
    && chmod 700 /data \
    && ln -s /opt/orrery/bin/orrery /usr/local/bin/orrery \
    && orrery prepare
COPY distribution/src/main/docker/entrypoint.sh /opt/orrery/entrypoint.sh
USER orrery
WORKDIR /data
VOLUME /data
EXPOSE 8081 8902 10255 8901 8080
# No curl in the image: bash can ask for a page by itself.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /ready HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
ENTRYPOINT ["/opt/orrery/entrypoint.sh"]
CMD ["start"]
