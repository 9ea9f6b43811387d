/** How the engines that the gateway runs itself are doing: for the console, the doctor and the banner. */
export interface EmbeddedEngineStatus {
  readonly name: string;
  readonly modelFile: string;
  readonly start: 'boot' | 'demand';
  readonly state: EmbeddedEngineState;
  readonly socketPath: string;
  readonly processId: number | undefined;
  /** Resident memory of the process now, with the weights it has mapped. */
  readonly memoryBytes: number | undefined;
  readonly memoryLimitBytes: number | undefined;
  /** Unplanned ends of the process since the engine was last set up. */
  readonly restarts: number;
  /** What the engine said when it last became ready; undefined before that. */
  readonly facts: EmbeddedEngineFacts | undefined;
}

export type EmbeddedEngineState =
  /** Waits for its first request (`start: demand`). */
  | { readonly kind: 'idle' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'restarting'; readonly reason: string; readonly afterMs: number }
  /** Needs a person; it still tries again, seldom. */
  | { readonly kind: 'failed'; readonly reason: string; readonly afterMs: number }
  | { readonly kind: 'stopped' };

/** Measured by the engine itself, so they say what is really used, not what was asked for. */
export interface EmbeddedEngineFacts {
  readonly architecture: string;
  readonly parameters: number;
  readonly contextTokens: number;
  readonly slots: number;
  /** `cuda`, `vulkan`, `metal`, or `off`: the processor alone. */
  readonly gpu: string;
  readonly threads: number;
  readonly loadMs: number;
  readonly warmUpMs: number;
  readonly memoryBytes: number;
}
