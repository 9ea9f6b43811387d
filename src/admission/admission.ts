/**
 * Who is it, and may they? Identity from a key, a network or a signed-in person. Whoever loses their right while
 * they wait or are being served is sent away.
 */
import { createNetworkMatcher } from '#vocabulary/address';
import type { KeyRing } from '#vocabulary/caller';
import type { Catalogue, NetworkRule } from '#vocabulary/catalogue';
import type { Identity, IncomingRequest, ParsedRequest, Ticket } from '#vocabulary/inference';
import { Refusal } from '#vocabulary/refusal';
import { Roster, type RosterEntry } from '#vocabulary/roster';
import { everyone, type Share } from '#vocabulary/sharing';
import { AdmissionTicket } from './admission-ticket.ts';

export interface AdmissionOptions {
  readonly catalogue: () => Catalogue;
  readonly publicUrl: () => string;
  readonly keyRing: KeyRing;
}

export interface Admission {
  /** Decides from headers alone; throws a refusal for whoever may not come in. */
  identify(incoming: IncomingRequest): Identity;
  admit(request: ParsedRequest, identity: Identity): Ticket;
  /** Whether the direct door is open to this address. */
  permitsNetwork(address: string): boolean;
  /** From now on nobody new is admitted. */
  close(): void;
  /** Tickets in people's hands, by model: who waits and who is being served. */
  present(): ReadonlyMap<string, number>;
  /** Resolves when nobody waits and the last ticket is given back. */
  emptied(): Promise<void>;
  /** Sends everybody away who is still here. */
  evict(): void;
}

export function createAdmission(options: AdmissionOptions): Admission {
  /** Everybody from their place in the line to their last byte; as many as the line and the engines hold. */
  const present = new Roster<Ticket>();
  const matchers = new WeakMap<Catalogue, (address: string) => NetworkRule | undefined>();
  let isClosed = false;
  let whenEmpty: (() => void)[] = [];

  options.keyRing.onWithdrawn((withdrawn) => {
    for (const { caller, request } of present.members()) {
      const isMeant =
        withdrawn.kind === 'key'
          ? caller.kind === 'key' && caller.keyId === withdrawn.keyId
          : caller.kind !== 'network' && caller.personId === withdrawn.personId;
      if (isMeant) request.exchange.cancellation.cancel('access-withdrawn');
    }
  });

  return {
    identify,
    permitsNetwork: (address) => ruleFor(address) !== undefined,
    admit(request, { caller }) {
      if (isClosed) throw shuttingDown();
      return new AdmissionTicket(request, caller, present, depart);
    },
    close() {
      isClosed = true;
    },
    present() {
      const counts = new Map<string, number>();
      for (const { request } of present.members())
        counts.set(request.model.id, (counts.get(request.model.id) ?? 0) + 1);
      return counts;
    },
    emptied: () =>
      new Promise((resolve) => {
        if (present.size === 0) resolve();
        else whenEmpty.push(resolve);
      }),
    evict() {
      for (const { request } of present.members()) request.exchange.cancellation.cancel('shutdown');
    },
  };

  function identify(incoming: IncomingRequest): Identity {
    if (isClosed) throw shuttingDown();
    const { claim } = incoming;
    switch (claim.kind) {
      case 'key':
        return identifyKey(claim.secret, incoming.address);
      case 'network':
        return identifyNetwork(incoming);
      case 'person':
        // The console has just proved the session; whoever loses their rights later is sent away.
        return {
          caller: { kind: 'person', personId: claim.personId },
          models: [],
          share: shareOf(`person:${claim.personId}`, everyone),
        };
    }
  }

  function identifyKey(secret: string, address: string): Identity {
    const grant = options.keyRing.find(secret);
    if (grant === undefined) {
      throw new Refusal(
        'invalid_api_key',
        'This API key is not valid: it is mistyped, expired or revoked. Make a new one in the web chat: user menu, Settings, Account, API keys.',
        {
          headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
        },
      );
    }
    if (!grant.permitsAddress(address)) {
      throw new Refusal(
        'invalid_api_key',
        `This API key may not be used from ${address}. Its owner has limited it to certain networks.`,
      );
    }
    options.keyRing.noteUse(grant.keyId, address);
    return {
      caller: { kind: 'key', keyId: grant.keyId, personId: grant.personId },
      models: grant.models,
      share: shareOf(`person:${grant.personId}`, everyone),
    };
  }

  function identifyNetwork(incoming: IncomingRequest): Identity {
    const rule = ruleFor(incoming.address);
    if (rule === undefined) {
      throw new Refusal(
        'network_not_permitted',
        `Direct access is not permitted from ${incoming.address}. Call ${options.publicUrl()}/api/ with an API key, or tunnel through an instance inside the permitted networks.`,
      );
    }
    return {
      caller: { kind: 'network', cidr: rule.cidr, project: rule.project },
      models: [],
      share: shareOf(`address:${incoming.address}`, rule.project ?? everyone),
    };
  }

  function ruleFor(address: string): NetworkRule | undefined {
    const catalogue = options.catalogue();
    let match = matchers.get(catalogue);
    if (match === undefined) {
      match = createNetworkMatcher(catalogue.directNetworks);
      matchers.set(catalogue, match);
    }
    return match(address);
  }

  function depart(entry: RosterEntry): void {
    present.remove(entry);
    if (present.size > 0) return;
    const listeners = whenEmpty;
    whenEmpty = [];
    for (const resolve of listeners) resolve();
  }
}

function shareOf(memberId: string, projectId: string): Share {
  return { memberId, projectId, projectWeight: 1, lane: 'interactive' };
}

function shuttingDown(): Refusal {
  return new Refusal('shutting_down', 'The service is restarting. Try again in a few seconds.', {
    retryAfterSeconds: 5,
    headers: { connection: 'close' },
  });
}
