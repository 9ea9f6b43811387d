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
  readonly hostsLine: string;
  readonly command: string;
  readonly directBase: string;
} {
  const port = facts.localPort === '' ? '<local_port>' : facts.localPort;
  return {
    hostsLine: `127.0.0.1 ${facts.host}\n`,
    command: `ssh -N -L ${port}:${forwardedAddress(facts)}:${facts.port} ${who(facts)}\n`,
    directBase: `https://${facts.host}:${port}/${facts.path}/v1/`,
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
