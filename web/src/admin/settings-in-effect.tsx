import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../client/client-context.tsx';
import { queryKeys } from '../client/query-keys.ts';
import { Failure } from '../design/failure.tsx';
import { useAdministrationWords } from '../language/administration-words.ts';
import { useLanguageTag } from '../language/language.tsx';
import { usePagesWords } from '../language/pages-words.ts';

/** Every knob with its value and where that came from; secrets only say whether they are set. */
export function SettingsInEffect() {
  const words = usePagesWords();
  const { pages: sections } = useAdministrationWords();
  const client = useClient();
  const [searched, setSearched] = useState('');
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.settings,
    queryFn: () => client.call('GET /console/administration/settings', {}),
  });
  const list = new Intl.ListFormat(useLanguageTag());
  const inWords = (source: string) =>
    list.format(source.split(' and ').map((place) => placeInWords(place, words.administration.sources)));
  const wanted = searched.trim().toLowerCase();
  const settings =
    data?.settings.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted)) ?? [];
  return (
    <>
      <input
        type="search"
        className="field mb-5 max-w-sm"
        aria-label={words.administration.searchSettings}
        placeholder={words.administration.searchSettings}
        value={searched}
        onChange={(event) => setSearched(event.target.value)}
      />
      {error !== null && <Failure failure={error} retry={() => void refetch()} />}
      <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={sections.settings.title}>
        <table className="table-plain table-stacked">
          <thead>
            <tr>
              <th scope="col">{words.administration.setting}</th>
              <th scope="col">{words.administration.value}</th>
              <th scope="col">{words.administration.source}</th>
            </tr>
          </thead>
          <tbody>
            {settings.map((setting) => (
              <tr key={setting.name}>
                <td className="max-w-md">
                  <code className="font-mono text-[0.84375rem] font-[600]">{setting.name}</code>
                </td>
                <td className="break-all">
                  <code className="font-mono text-[0.84375rem]">{setting.value}</code>
                </td>
                <td className="whitespace-nowrap text-ink-soft">{inWords(setting.source)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

type Sources = ReturnType<typeof usePagesWords>['administration']['sources'];

/** Names of files and their lines are the same in every language. */
function placeInWords(place: string, words: Sources): string {
  if (place === 'default') return words.default;
  const variable = /^environment (\S+)$/.exec(place)?.[1];
  return variable === undefined ? place : words.variable(variable);
}
