import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import type { Check } from './knob.ts';

export interface ListenAddress {
  /** Without brackets, also for IPv6. */
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

/** `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`, `:8080` (every address). */
export const listenAddress: Check<ListenAddress> = {
  schema: z.string().transform((written, context) => {
    const [, bracketed, plain, portText] = /^(?:\[([^\]]+)\]|([^:[\]\s]*)):(\d{1,5})$/.exec(written) ?? [];
    const port = Number(portText);
    if (portText === undefined || port > 65_535) {
      return refuse(context, `"${written}" has no host and port that can be listened on.`);
    }
    if (bracketed !== undefined && !ipaddr.IPv6.isValid(bracketed)) {
      return refuse(context, `"${bracketed}" is not an IPv6 address.`);
    }
    return { host: bracketed ?? (plain === '' || plain === undefined ? '::' : plain), port };
  }),
  form: 'host and port (0 to 65535), such as `127.0.0.1:8080`, `[::1]:8080` or `:8080` for every address',
  fromText: (it) => it,
};

/** Puts a bare port onto the address that would hold without it. */
export function withPort(port: string, beneath: unknown): string {
  const host = typeof beneath === 'string' ? beneath.replace(/:\d*$/, '') : '';
  return `${host}:${port.trim()}`;
}

/** Never repeated in a complaint: there is a password in it. */
export const databaseAddress: Check<string> = {
  schema: z.string().refine((written) => {
    const url = URL.parse(written);
    return url !== null && /^postgres(?:ql)?:$/.test(url.protocol) && url.pathname.length > 1;
  }, 'This is not the address of a PostgreSQL database.'),
  form: '`postgres://user:password@host:5432/name`, or `postgres:///name?host=/run/postgresql` for a socket',
  fromText: (it) => it,
  isAddress: true,
};

export const mailServer: Check<string> = {
  schema: z.string().refine((written) => {
    const url = URL.parse(written);
    return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
  }, 'This is not the address of a mail server.'),
  form: '`smtp://user:password@mail.example.org:587` (encrypted once the server offers it), or `smtps://…:465`',
  fromText: (it) => it,
  isAddress: true,
};

/**
 * A network, or one address (becomes its /32 or /128). Only the plain spelling: a rule that reads differently
 * here than in the eyes of its author opens the door to strangers.
 */
export const cidr: Check<string> = {
  schema: z.string().transform((written, context) => {
    const [address = '', prefix, ...rest] = written.trim().split('/');
    const isPlainV4 = ipaddr.IPv4.isValidFourPartDecimal(address);
    const isPlainV6 = ipaddr.IPv6.isValid(address) && !address.includes('%');
    const bits = isPlainV4 ? 32 : 128;
    if ((!isPlainV4 && !isPlainV6) || rest.length > 0) {
      return refuse(context, `"${written}" is not an IPv4 or IPv6 network.`);
    }
    if (prefix !== undefined && (!/^\d{1,3}$/.test(prefix) || Number(prefix) > bits)) {
      return refuse(context, `"${written}" has no prefix length between 0 and ${bits}.`);
    }
    if (isPlainV6 && ipaddr.IPv6.parse(address).isIPv4MappedAddress()) {
      return refuse(context, `"${written}" is an IPv4 network in IPv6 clothes; write it as IPv4.`);
    }
    const whole = `${address}/${prefix ?? bits}`;
    const network = networkOf(whole, isPlainV4);
    if (ipaddr.parse(network).toNormalizedString() !== ipaddr.parse(address).toNormalizedString()) {
      return refuse(
        context,
        `"${written}" names an address inside ${network}/${prefix}; write the network, or the address with /${bits}.`,
      );
    }
    return whole;
  }),
  form: 'a network in CIDR form, such as `10.20.0.0/16` or `fd00:1::/48`',
  fromText: (it) => it,
};

/** Without scheme, port and path; lower case. */
export const hostName: Check<string> = {
  schema: z
    .string()
    .regex(/^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i)
    .transform((written) => written.toLowerCase()),
  form: 'the name of a host, such as `gatehouse.internal`',
  fromText: (it) => it,
};

/** Scheme, host and port only: paths are ours. */
export const originUrl: Check<string> = {
  schema: z.string().transform((written, context) => {
    const url = URL.parse(written);
    if (url === null || !isWeb(url)) return refuse(context, `"${written}" is not a web address.`);
    if (url.username !== '' || url.password !== '') return refuse(context, 'It must not hold a password.');
    if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
      return refuse(context, `"${written}" must end after the host and port.`);
    }
    return url.origin;
  }),
  form: 'scheme and host of the service, such as `https://llm.example.org`',
  fromText: (it) => it,
};

/** An engine's address; a trailing `/v1`, which people often paste, is dropped. */
export const engineUrl: Check<string> = {
  schema: z.string().transform((written, context) => {
    const url = URL.parse(written);
    if (url === null || !isWeb(url)) return refuse(context, `"${written}" is not a web address.`);
    if (url.username !== '' || url.password !== '') {
      return refuse(context, 'It must not hold a password; use `credential`.');
    }
    if (url.search !== '' || url.hash !== '') return refuse(context, `"${written}" must not hold a query.`);
    return (url.origin + url.pathname).replace(/\/+$/, '').replace(/\/v1$/, '');
  }),
  form: 'the address of the engine, such as `http://10.0.0.5:8000`',
  fromText: (it) => it,
};

/** Any page of the web; a query may say what is wanted there. */
export const webUrl: Check<string> = {
  schema: z.string().transform((written, context) => {
    const url = URL.parse(written);
    if (url === null || !isWeb(url)) return refuse(context, `"${written}" is not a web address.`);
    if (url.username !== '' || url.password !== '') {
      return refuse(context, 'It must not hold a password; use `credential`.');
    }
    if (url.hash !== '') return refuse(context, `"${written}" must not hold a fragment.`);
    return url.href;
  }),
  form: 'a web address, such as `https://tools.example.org/mcp`',
  fromText: (it) => it,
};

export const issuerUrl: Check<string> = {
  schema: z.string().transform((written, context) => {
    const url = URL.parse(written);
    if (url === null || !isWeb(url) || url.search !== '' || url.hash !== '') {
      return refuse(context, `"${written}" is not an issuer address.`);
    }
    if (url.protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)) {
      return refuse(context, `"${written}" would carry sign-ins in clear text.`);
    }
    return written;
  }),
  form: 'the issuer exactly as the provider states it, with https, such as `https://login.example.org/realms/main`',
  fromText: (it) => it,
};

function networkOf(whole: string, isV4: boolean): string {
  return isV4
    ? ipaddr.IPv4.networkAddressFromCIDR(whole).toString()
    : ipaddr.IPv6.networkAddressFromCIDR(whole).toString();
}

function isWeb(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}
