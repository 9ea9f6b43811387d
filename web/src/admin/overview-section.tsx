import { EngineTable } from './engines-section.tsx';

/** How the service is doing. */
export function OverviewSection() {
  return <EngineTable />;
}
