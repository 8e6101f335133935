#!/bin/sh
# Finds the programs that tests use besides Python packages; installs them as root on Debian, or names them.
# Usage: tools.sh [archival]
set -eu

missing=
need() { # PROGRAM DEBIAN-PACKAGE
    command -v "$1" >/dev/null 2>&1 || missing="$missing $2"
}
need qpdf qpdf
need pdftotext poppler-utils
need gs ghostscript
need zbarimg zbar-tools
need mutool mupdf-tools
need softhsm2-util softhsm2
need curl curl
need jq jq
need promtool prometheus
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || need initdb postgresql
need redis-server redis-server
for browser in chromium chromium-browser google-chrome; do
    command -v "$browser" >/dev/null 2>&1 && break
done || need chromium-headless-shell chromium-headless-shell
if [ "${1:-}" = archival ]; then
    need java default-jre-headless
    for jar in preflight:libpdfbox2-java jaxb-api:libjaxb-api-java javax.activation:libactivation-java; do
        [ -e "/usr/share/java/${jar%%:*}.jar" ] || missing="$missing ${jar#*:}"
    done
fi
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "undersign: installing what the tests need:$missing"
    log=$(mktemp)
    # shellcheck disable=SC2086  # a list of packages
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } \
        >"$log" 2>&1 && exit 0
    cat "$log" >&2
fi
echo "undersign: the tests need these Debian packages (or their like):$missing. Install them: apt-get install$missing" >&2
exit 1
