import type { Migration } from './migration.ts';

/**
 * People stand as they are counted, 2 before 10, however many pages they fill. `orderOf` in `people-store.ts` says it
 * the same way; whoever is made by a gateway of the version before has none, and stands by the letters of the address.
 */
const index = `
    CREATE INDEX people_in_order ON people (coalesce(email_order, email_folded), email_folded);
`;

export const peopleInOrder: Migration = {
  number: 102,
  name: 'people in order',
  sql: `
    ALTER TABLE people ADD COLUMN email_order TEXT;
    UPDATE people SET email_order = (
      WITH RECURSIVE step (rest, digits, done) AS (
        SELECT replace(email_folded, '@', ' ') || ' ', '', ''
        UNION ALL
        SELECT substr(rest, 2),
          CASE WHEN rest GLOB '[0-9]*' THEN digits || substr(rest, 1, 1) ELSE '' END,
          CASE WHEN rest GLOB '[0-9]*' THEN done
            WHEN digits = '' THEN done || substr(rest, 1, 1)
            ELSE done || substr('000000000000', 1 + length(digits)) || digits || substr(rest, 1, 1) END
        FROM step WHERE rest <> ''
      )
      SELECT rtrim(done) FROM step WHERE rest = ''
    );
    ${index}
  `,
  postgres: `
    ALTER TABLE people ADD COLUMN email_order TEXT;
    UPDATE people SET email_order = replace(
      regexp_replace(regexp_replace(email_folded, '([0-9]+)', '00000000000\\1', 'g'), '0{0,11}([0-9]{12,})', '\\1', 'g'),
      '@', ' '
    );
    ${index}
  `,
};
