/** A coding agent as its makers ship it, run once without a person before it. */
export interface Agent {
  readonly name: string;
  readonly packages: Readonly<Record<string, string>>;
  /** Below the folder of the packages; it depends on the machine. */
  readonly program: string;
  /** What the books say that it spoke. */
  readonly endpoint: 'chat/completions' | 'responses' | 'messages';
  readonly tool: WritingTool;
  /** Writes the agent's settings, and gives the variables it needs besides. */
  prepare(place: AgentPlace): Promise<Readonly<Record<string, string>>>;
  words(task: string): readonly string[];
}

export interface AgentPlace {
  /** Empty, and the agent's only home. */
  readonly home: string;
  /** Where it works. */
  readonly folder: string;
  /** The proxy door, without a slash at the end. */
  readonly url: string;
  readonly key: string;
  readonly model: string;
}

/** How the agent puts a text into a file: the tool it offers, and what a model would say to call it. */
export interface WritingTool {
  readonly name: string;
  call(file: string, content: string): Readonly<Record<string, unknown>>;
}

/** As the makers name systems in the names of their packages. */
export const system = `${process.platform}-${process.arch}`;
