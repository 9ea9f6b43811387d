import type { StretchLength } from '#vocabulary/service-history';

export interface StatusTables {
  service_history: ServiceHistoryTable;
  service_notes: { name: string; value: string };
}

export interface ServiceHistoryTable {
  length: StretchLength;
  starts_at: number;
  model: string;
  requests: number;
  failures: number;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  seconds_seen: number;
  seconds_up: number;
  waiting_seconds: number;
  running_seconds: number;
  first_within_100: number;
  first_within_250: number;
  first_within_500: number;
  first_within_1000: number;
  first_within_2000: number;
  first_within_5000: number;
  first_within_10000: number;
  first_within_30000: number;
  first_later: number;
}
