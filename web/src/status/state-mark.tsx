import type { ServiceState } from '#contract/status';

/** The shape differs as well as the colour; the word stands beside it. */
export function StateMark({ state }: { readonly state: ServiceState }) {
  return <span className={`inline-block size-2.5 shrink-0 ${looks[state]}`} aria-hidden="true" />;
}

const looks: Readonly<Record<ServiceState, string>> = {
  operational: 'rounded-full bg-good',
  degraded: 'rounded-full border-2 border-wait',
  outage: 'rotate-45 bg-danger',
  unknown: 'rounded-full border border-edge',
};
