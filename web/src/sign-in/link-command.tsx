import { Fragment } from 'react';

interface LinkCommandProps {
  readonly lead: string;
  readonly email: string;
}

/** How whoever runs the service gets a new sign-in link: by a command on its machine. Its words stay whole. */
export function LinkCommand({ lead, email }: LinkCommandProps) {
  return (
    <div className="mt-6 text-center text-sm text-ink-soft">
      <p className="text-balance">{lead}</p>
      <code className="mt-1.5 block rounded-lg bg-sunken px-3 py-2 font-mono text-[0.8125rem] break-words text-ink select-all">
        {`npm run gatehouse -- people sign-in-link ${email}`.split(' ').map((word) => (
          <Fragment key={word}>
            <span className="inline-block">{word}</span>{' '}
          </Fragment>
        ))}
      </code>
    </div>
  );
}
