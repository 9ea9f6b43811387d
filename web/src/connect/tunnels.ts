/** The two ways to the direct door from outside the permitted networks, filled with this service's host. */
export interface TunnelFacts {
  readonly host: string;
  readonly port: number;
  readonly serverAddress: string | null;
  readonly login: string;
  readonly instance: string;
  readonly localPort: string;
  readonly path: string;
}

/** Everything to the server's address goes through the instance; direct addresses are used unchanged. */
export function sshuttleTunnel(facts: TunnelFacts): string {
  const { serverAddress } = facts;
  const wholeAddressBits = serverAddress?.includes(':') === true ? 128 : 32;
  return `sshuttle -r ${who(facts)} ${serverAddress ?? unknownAddress}/${wholeAddressBits}\n`;
}

/** A line for the hosts file, a forwarded port, and the address to use then. */
export function forwardTunnel(facts: TunnelFacts): {
  /** Null when the service has no name that could be led elsewhere. */
  readonly hostsLine: string | null;
  readonly command: string;
  readonly directBase: string;
} {
  const isName = !/^(?:[\d.]+|\[.*\]|localhost)$/.test(facts.host);
  const port = facts.localPort === '' ? '<local_port>' : facts.localPort;
  return {
    hostsLine: isName ? `127.0.0.1 ${facts.host}\n` : null,
    command: `ssh -N -L ${port}:${forwardedAddress(facts)}:${facts.port} ${who(facts)}\n`,
    directBase: isName
      ? `https://${facts.host}:${port}/${facts.path}/v1/`
      : `http://127.0.0.1:${port}/${facts.path}/v1/`,
  };
}

function who(facts: TunnelFacts): string {
  return `${facts.login === '' ? '<LOGIN>' : facts.login}@${facts.instance === '' ? '<instance_floating_ip>' : facts.instance}`;
}

const unknownAddress = '<inference_server_ip>';

/** The colons of an IPv6 address would read as the ends of the parts. */
function forwardedAddress({ serverAddress }: TunnelFacts): string {
  if (serverAddress === null) return unknownAddress;
  return serverAddress.includes(':') ? `[${serverAddress}]` : serverAddress;
}
