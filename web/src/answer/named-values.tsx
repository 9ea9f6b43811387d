interface NamedValuesProps {
  readonly text: string;
  readonly isGrowing: boolean;
}

/** What goes into a tool and what comes out of it: a JSON object by its names, anything else as it is. */
export function NamedValues({ text, isGrowing }: NamedValuesProps) {
  const values = isGrowing ? undefined : readObject(text);
  if (values === undefined) {
    return (
      <pre className="overflow-x-auto px-3.5 py-2.5 font-mono text-[0.84375rem] whitespace-pre-wrap">
        {text}
      </pre>
    );
  }
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 px-3.5 py-2.5 text-[0.9375rem]">
      {Object.entries(values).map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-soft">{name}</dt>
          <dd className="font-mono text-[0.84375rem] leading-6 break-words whitespace-pre-wrap">
            {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Undefined for anything else than an object; then the text is shown as it is. */
function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
