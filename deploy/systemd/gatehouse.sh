#!/bin/sh
# Runs a Gatehouse command as the service runs: same user, settings, data and secrets. Install it as
# /usr/local/bin/gatehouse and call it as root: sudo gatehouse doctor
# Of several gateways (gatehouse@8081.service …) one is named first, or all: sudo gatehouse @all restart
set -eu
case "${1:-}" in
  @all)
    shift
    units=$(systemctl list-units --state=active --plain --no-legend 'gatehouse@*.service' | cut -d ' ' -f 1)
    # One after the other; whatever fails, the ones behind it stay as they are.
    for unit in $units; do
      instance=${unit#gatehouse@}
      echo "$unit:"
      "$0" "@${instance%.service}" "$@"
    done
    exit
    ;;
  @*)
    instance=${1#@}
    shift
    ;;
esac
for file in /etc/gatehouse/environment ${instance:+"/etc/gatehouse/$instance.environment"}; do
  [ -r "$file" ] || continue
  while IFS= read -r line; do
    case "$line" in [A-Z]*=*) export "${line?}" ;; esac
  done < "$file"
done
export GATEHOUSE_SETTINGS="${GATEHOUSE_SETTINGS:-/etc/gatehouse/gatehouse.yaml}"
export GATEHOUSE_DATA_DIR="${GATEHOUSE_DATA_DIR:-/var/lib/gatehouse${instance:+-$instance}}"
if [ -n "${instance:-}" ]; then export GATEHOUSE_LISTEN="${GATEHOUSE_LISTEN:-127.0.0.1:$instance}"; fi
exec runuser -u gatehouse -- /opt/gatehouse/node_modules/.bin/node /opt/gatehouse/src/cli/cli.ts "$@"
