import { isObject } from '#dialects/json-object';
import type { Clock } from '#vocabulary/clock';
import type { Peers } from '#vocabulary/peers';
import type { ConsumptionNews, Share } from '#vocabulary/sharing';

/** What a gateway tells of one member's use of one model. */
interface ToldConsumption {
  readonly model: string;
  readonly project: string;
  readonly weight: number;
  readonly member: string;
  readonly lane: Share['lane'];
  /** Who was forgotten and comes again counts from nothing. */
  readonly epoch: number;
  readonly cost: number;
}

interface Account {
  readonly told: Omit<ToldConsumption, 'cost'>;
  cost: number;
  changedMs: number;
}

/** What has not changed for so long has been heard by all. */
const quietMs = 5_000;
/** Accounts that are told, four times a second: about 400 KB. When there are more, the one that changed longest ago is left out. */
const maxAccounts = 2_000;
/** Gateways of which it is remembered what they told, so that what they tell next is not counted twice. */
const maxRemembered = 64;

/** Gateways tell each other what their members were charged, so that whoever floods one of them is behind on all. */
export function shareConsumption(peers: Peers, clock: Clock): ConsumptionNews {
  const accounts = new Map<string, Account>();
  const remembered = new Map<string, ReadonlyMap<string, ToldConsumption>>();
  const listeners: Parameters<ConsumptionNews['onChargedElsewhere']>[0][] = [];
  let epochs = 0;
  let hasHeard = false;

  peers.join({
    name: 'consumption/1',
    tell() {
      const now = clock.monotonicMs();
      for (const [name, { changedMs }] of accounts) if (now - changedMs > quietMs) accounts.delete(name);
      return [...accounts.values()].map(({ told, cost }) => ({ ...told, cost }));
    },
    hear(told) {
      for (const [gatewayId, value] of told) {
        const before = remembered.get(gatewayId);
        const now = readAccounts(value);
        remembered.delete(gatewayId);
        remembered.set(gatewayId, now);
        // What was charged before this gateway lived was charged to a line in which nobody stood.
        if (hasHeard) for (const [name, account] of now) pass(account, before?.get(name));
      }
      for (const gatewayId of remembered.keys())
        if (remembered.size > maxRemembered) remembered.delete(gatewayId);
      hasHeard = true;
    },
    lose() {},
  });

  return {
    charged(modelId, share, cost) {
      if (peers.count === 0 || cost === 0) return;
      const name = nameOf(modelId, share.lane, share.projectId, share.memberId);
      const account = accounts.get(name) ?? open(modelId, share);
      account.cost += cost;
      account.changedMs = clock.monotonicMs();
      // Those that changed last stand last.
      accounts.delete(name);
      accounts.set(name, account);
      if (accounts.size <= maxAccounts) return;
      for (const oldest of accounts.keys()) {
        accounts.delete(oldest);
        return;
      }
    },
    onChargedElsewhere: (listener) => void listeners.push(listener),
  };

  function open(modelId: string, { projectId, projectWeight, memberId, lane }: Share): Account {
    const told = {
      model: modelId,
      project: projectId,
      weight: projectWeight,
      member: memberId,
      lane,
      epoch: ++epochs,
    };
    return { told, cost: 0, changedMs: 0 };
  }

  function pass(now: ToldConsumption, before: ToldConsumption | undefined): void {
    const cost = now.cost - (before?.epoch === now.epoch ? before.cost : 0);
    if (cost === 0) return;
    const share: Share = {
      projectId: now.project,
      projectWeight: now.weight,
      memberId: now.member,
      lane: now.lane,
      keyId: undefined,
      cacheSalt: '',
    };
    for (const listener of listeners) listener(now.model, share, cost);
  }
}

function nameOf(model: string, lane: string, project: string, member: string): string {
  return `${model} ${lane} ${project} ${member}`;
}

/** What is no account is passed over: a gateway of another version may have told it. */
function readAccounts(value: unknown): ReadonlyMap<string, ToldConsumption> {
  const accounts = new Map<string, ToldConsumption>();
  if (!Array.isArray(value)) return accounts;
  for (const each of value)
    if (isAccount(each)) accounts.set(nameOf(each.model, each.lane, each.project, each.member), each);
  return accounts;
}

function isAccount(value: unknown): value is ToldConsumption {
  return (
    isObject(value) &&
    ['model', 'project', 'member'].every((name) => typeof value[name] === 'string') &&
    (value['lane'] === 'interactive' || value['lane'] === 'background') &&
    typeof value['weight'] === 'number' &&
    value['weight'] > 0 &&
    Number.isFinite(value['epoch']) &&
    Number.isFinite(value['cost'])
  );
}
