/** What a word of an owner begins with: no text has such a word. */
const ownerMark = 'chr(1)';

/** Beyond this a text has so many words that an index entry could not hold them. */
const maxIndexedCharacters = 200_000;
const maxWordBytes = 255;

/**
 * The same search as FTS5 gives: words without regard to case and accents, the owner a word like any other. What
 * is a letter and what is its small form must not hang on how the database was made, so the functions name a
 * collation that knows Unicode.
 */
export const postgresSearch = `
    DO $do$
    DECLARE unicode text := (
      SELECT quote_ident(collname) FROM pg_collation
      WHERE collname IN ('pg_c_utf8', 'und-x-icu', 'C.utf8', 'default')
      ORDER BY array_position(ARRAY['pg_c_utf8', 'und-x-icu', 'C.utf8', 'default'], collname::text) LIMIT 1);
    BEGIN
      EXECUTE replace($function$
        CREATE FUNCTION words_of(content text) RETURNS SETOF text LANGUAGE sql IMMUTABLE AS $words$
          SELECT word FROM regexp_split_to_table(
            normalize(lower(regexp_replace(normalize(left(content, ${maxIndexedCharacters}), NFD),
              '[\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f]', '', 'g')
              COLLATE UNICODE), NFC), '[^[:alnum:]]+') AS word
          WHERE word <> '' AND octet_length(word) <= ${maxWordBytes}
        $words$
      $function$, 'UNICODE', unicode);
    END $do$;

    CREATE FUNCTION search_entry(owner text, content text) RETURNS tsvector LANGUAGE sql IMMUTABLE AS $body$
      SELECT array_to_tsvector(ARRAY(SELECT ${ownerMark} || owner UNION SELECT words_of(content)))
    $body$;

    CREATE FUNCTION search_query(owner text, terms text[], is_last_unfinished boolean) RETURNS tsquery
    LANGUAGE sql IMMUTABLE AS $body$
      SELECT (quote_literal(${ownerMark} || owner) || string_agg(' & ' || quote_literal(word) ||
          CASE WHEN is_last_unfinished AND place = cardinality(terms) AND is_end THEN ':*' ELSE '' END, ''))::tsquery
      FROM (
        SELECT place, word, row_number() OVER (PARTITION BY place ORDER BY word_place DESC) = 1 AS is_end
        FROM unnest(terms) WITH ORDINALITY AS given (term, place),
          LATERAL words_of(term) WITH ORDINALITY AS spoken (word, word_place)
      ) AS words
    $body$;

    CREATE FUNCTION spoken(content text) RETURNS text LANGUAGE sql IMMUTABLE AS $body$
      SELECT ' ' || array_to_string(ARRAY(SELECT words_of(content)), ' ') || ' '
    $body$;

    CREATE TABLE title_search (
      rowid INTEGER NOT NULL PRIMARY KEY REFERENCES chats (position) ON DELETE CASCADE,
      words tsvector NOT NULL
    );
    CREATE INDEX title_search_by_word ON title_search USING gin (words);
    CREATE TABLE message_search (
      rowid INTEGER NOT NULL PRIMARY KEY REFERENCES messages (position) ON DELETE CASCADE,
      words tsvector NOT NULL
    );
    CREATE INDEX message_search_by_word ON message_search USING gin (words);

    CREATE TRIGGER chats_inserted AFTER INSERT ON chats BEGIN
      INSERT INTO title_search VALUES (new.position, search_entry(new.person_id, new.title));
    END;
    CREATE TRIGGER chats_renamed AFTER UPDATE OF title ON chats WHEN old.title <> new.title BEGIN
      UPDATE title_search SET words = search_entry(new.person_id, new.title) WHERE rowid = new.position;
    END;
    CREATE TRIGGER messages_inserted AFTER INSERT ON messages WHEN new.state <> 'running' BEGIN
      INSERT INTO message_search
        SELECT new.position, search_entry(person_id, new.content) FROM chats WHERE id = new.chat_id;
    END;
    CREATE TRIGGER messages_finished AFTER UPDATE OF state ON messages
      WHEN old.state = 'running' AND new.state <> 'running' BEGIN
      INSERT INTO message_search
        SELECT new.position, search_entry(person_id, new.content) FROM chats WHERE id = new.chat_id;
    END;
`;
