import type { Exchange } from '#vocabulary/exchange';
import type { DoorName } from '#vocabulary/usage';

/** What a path leads to. `headers` go with every answer of the route, refusals included. */
export interface HttpRoute {
  readonly door: DoorName | 'none';
  readonly headers: readonly string[];
  handle(exchange: Exchange): Promise<void> | void;
}
