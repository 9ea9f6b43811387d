/**
 * Who is it, and may they? Identity from a key, a network or a signed-in person. Whoever loses their right while
 * they wait or are being served is sent away.
 */
import { hash } from 'node:crypto';
import { createNetworkMatcher } from '#vocabulary/address';
import type { KeyGrant, KeyRing, PersonClaim } from '#vocabulary/caller';
import type { Catalogue, NetworkRule } from '#vocabulary/catalogue';
import type { Identity, IncomingRequest, ParsedRequest, Ticket } from '#vocabulary/inference';
import { Refusal } from '#vocabulary/refusal';
import { Roster, type RosterEntry } from '#vocabulary/roster';
import { everyone, type LaneName, type Share } from '#vocabulary/sharing';
import type { Project, ProjectDirectory } from '#vocabulary/project';
import type { Clock } from '#vocabulary/clock';
import type { DoorName } from '#vocabulary/usage';
import { AdmissionTicket } from './admission-ticket.ts';

export interface AdmissionOptions {
  readonly catalogue: () => Catalogue;
  readonly publicUrl: () => string;
  readonly keyRing: KeyRing;
  readonly projects: ProjectDirectory;
  readonly clock: Clock;
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
  /** How many of them came by this door. */
  presentAt(door: DoorName): number;
  /** Resolves when nobody waits and the last ticket is given back. */
  emptied(): Promise<void>;
  /** Sends everybody away who is still here. */
  evict(): void;
}

export function createAdmission(options: AdmissionOptions): Admission {
  /** Everybody from their place in the line to their last byte; as many as the line and the engines hold. */
  const present = new Roster<Ticket>();
  const matchers = new WeakMap<Catalogue, (address: string) => NetworkRule | undefined>();
  /** Of keys that were used before; they say the same until the key or its project changes. */
  const identities = new WeakMap<KeyGrant, { readonly project: Project; readonly identity: Identity }>();
  /** The same of those without a key, by their address. Begun anew when it is full. */
  const visitors = new Map<string, Visitor>();
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
    presentAt: (door) => present.members().filter(({ request }) => request.door === door).length,
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
        return identifyKey(options.keyRing.find(claim.secret), incoming);
      case 'admitted-key':
        return identifyKey(options.keyRing.findById(claim.keyId), incoming);
      case 'network':
        return identifyNetwork(incoming);
      case 'person':
        // The console has just proved the session; whoever loses their rights later is sent away.
        return claim.projectId === undefined ? identifyPerson(claim) : identifyMember(claim, claim.projectId);
    }
  }

  function identifyKey(
    grant: KeyGrant | undefined,
    { address, isAddressCertain }: IncomingRequest,
  ): Identity {
    if (grant === undefined) {
      throw new Refusal(
        'invalid_api_key',
        'This API key is not valid: it is mistyped, expired or revoked. Make a new one in the web chat: user menu, Settings, Account, API keys.',
        {
          headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
        },
      );
    }
    if (!grant.permitsAddress(isAddressCertain ? address : 'unknown')) {
      throw new Refusal(
        'invalid_api_key',
        `This API key may not be used from ${address}. Its owner has limited it to certain networks.`,
      );
    }
    options.keyRing.noteUse(grant.keyId, address);
    const project = options.projects.find(grant.projectId);
    if (project === undefined || !options.projects.isMember(project.id, grant.personId))
      throw notAMember(grant.projectId);
    refuseEnded(project);
    const known = identities.get(grant);
    if (known?.project === project) return known.identity;
    const identity = identityOf(grant, project);
    identities.set(grant, { project, identity });
    return identity;
  }

  function identifyNetwork(incoming: IncomingRequest): Identity {
    const rule = ruleFor(incoming.address);
    if (rule === undefined) {
      throw new Refusal(
        'network_not_permitted',
        `Direct access is not permitted from ${incoming.address}. Call ${options.publicUrl()}/api/ with an API key, or tunnel through an instance inside the permitted networks.`,
      );
    }
    const project = options.projects.find(rule.project ?? everyone);
    if (project !== undefined) refuseEnded(project);
    const known = visitors.get(incoming.address);
    if (known?.rule === rule && known.project === project) return known.identity;
    if (visitors.size >= maxVisitors) visitors.clear();
    const identity = visitorOf(incoming.address, rule, project);
    visitors.set(incoming.address, { rule, project, identity });
    return identity;
  }

  /** The union of what the projects of the person may use. */
  function identifyPerson({ personId, lane = 'interactive' }: PersonClaim): Identity {
    const projects = options.projects.projectsOf(personId);
    const mayAll = projects.some(({ models }) => models.length === 0);
    const shareFor = (modelId: string) => {
      const project =
        projects.find(({ models }) => models.length === 0 || models.includes(modelId)) ?? unlisted(everyone);
      return shareOf(project, `person:${personId}`, lane, undefined);
    };
    return {
      caller: { kind: 'person', personId },
      models: mayAll ? [] : [...new Set(projects.flatMap(({ models }) => models)), ''],
      shareFor,
    };
  }

  /** In the space of one project: its models, its account. */
  function identifyMember(claim: PersonClaim, projectId: string): Identity {
    const { personId, isForSpace = false, lane = 'interactive' } = claim;
    const project = options.projects.find(projectId);
    if (project === undefined || !(isForSpace || options.projects.isMember(projectId, personId)))
      throw new Refusal(
        'permission_denied',
        'You are not a member of this project any more. Ask outside of it, or ask one of its leads.',
      );
    refuseEnded(project);
    const share = shareOf(project, `person:${personId}`, lane, undefined);
    return { caller: { kind: 'person', personId }, models: project.models, shareFor: () => share };
  }

  function refuseEnded({ id, endsAt }: Pick<Project, 'id' | 'endsAt'>): void {
    if (endsAt === undefined || endsAt > options.clock.wallMs()) return;
    const day = new Date(endsAt).toISOString().slice(0, 10);
    throw new Refusal(
      'project_ended',
      `The project \`${id}\` ended on ${day}. Use a key of another project, or ask an administrator to extend it.`,
    );
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

function identityOf(grant: KeyGrant, project: Project): Identity {
  const { keyId, personId, lane } = grant;
  const share = shareOf(project, `person:${personId}`, lane, keyId);
  return {
    caller: { kind: 'key', keyId, personId },
    models: bothOf(grant.models, project.models),
    shareFor: () => share,
  };
}

interface Visitor {
  readonly rule: NetworkRule;
  readonly project: Project | undefined;
  readonly identity: Identity;
}

const maxVisitors = 10_000;

function visitorOf(address: string, rule: NetworkRule, listed: Project | undefined): Identity {
  const project = listed ?? unlisted(rule.project ?? everyone);
  const share = shareOf(project, `address:${address}`, 'interactive', undefined);
  return {
    caller: { kind: 'network', cidr: rule.cidr, project: rule.project },
    models: project.models,
    shareFor: () => share,
  };
}

/** A project that only a network rule names has nothing but its name. */
function unlisted(id: string): Pick<Project, 'id' | 'weight' | 'models' | 'endsAt' | 'sharesPrompts'> {
  return { id, weight: 1, models: [], endsAt: undefined, sharesPrompts: false };
}

function shareOf(
  project: Pick<Project, 'id' | 'weight' | 'sharesPrompts'>,
  memberId: string,
  lane: LaneName,
  keyId: string | undefined,
): Share {
  return {
    projectId: project.id,
    projectWeight: project.weight,
    memberId,
    keyId,
    cacheSalt: saltOf(project.sharesPrompts ? `project ${project.id}` : `member ${memberId}`),
    lane,
  };
}

/** Of those who asked lately. Begun anew when it is full. */
const salts = new Map<string, string>();
const maxSalts = 10_000;

function saltOf(holder: string): string {
  let salt = salts.get(holder);
  if (salt === undefined) {
    if (salts.size >= maxSalts) salts.clear();
    salt = hash('sha256', holder).slice(0, 32);
    salts.set(holder, salt);
  }
  return salt;
}

/** Empty lists mean every model; two lists without a common model leave one that nobody serves. */
function bothOf(first: readonly string[], second: readonly string[]): readonly string[] {
  if (first.length === 0) return second;
  if (second.length === 0) return first;
  const both = first.filter((id) => second.includes(id));
  return both.length > 0 ? both : [''];
}

function notAMember(projectId: string): Refusal {
  return new Refusal(
    'permission_denied',
    `This API key belongs to the project \`${projectId}\`, of which its owner is not a member any more. Make a key in another project, or ask a lead of this one.`,
  );
}

function shuttingDown(): Refusal {
  return new Refusal('shutting_down', 'The service is restarting. Try again in a few seconds.', {
    retryAfterSeconds: 5,
    headers: { connection: 'close' },
  });
}
