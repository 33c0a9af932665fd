#!/bin/sh
# /usr/local/bin/campus: an operator's command with the settings of the service, e.g. `sudo campus check-config`.
set -a
. /etc/campus/campus.env
set +a
cd /opt/campus || exit 1
exec runuser -u campus -- node_modules/.bin/node apps/server/dist/cli.js "$@"
