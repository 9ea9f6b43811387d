#!/bin/sh
# Runs a Gatehouse command as the service runs: same user, settings, data and secrets. Install it as
# /usr/local/bin/gatehouse and call it as root: sudo gatehouse doctor
set -eu
if [ -r /etc/gatehouse/environment ]; then
  while IFS= read -r line; do
    case "$line" in [A-Z]*=*) export "${line?}" ;; esac
  done < /etc/gatehouse/environment
fi
export GATEHOUSE_SETTINGS="${GATEHOUSE_SETTINGS:-/etc/gatehouse/gatehouse.yaml}"
export GATEHOUSE_DATA_DIR="${GATEHOUSE_DATA_DIR:-/var/lib/gatehouse}"
exec runuser -u gatehouse -- /opt/gatehouse/node_modules/.bin/node /opt/gatehouse/src/cli/cli.ts "$@"
