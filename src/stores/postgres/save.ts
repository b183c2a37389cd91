import { byIndex } from './velocity.ts';

/** The names that the function of `save` needs; quoted, with their schema if one was given. */
export interface SaveNames {
  /** The table of documents. */
  readonly documents: string;
  /** The table of references. */
  readonly references: string;
  /** The function that saves a document. */
  readonly save: string;
}

/**
 * Returns the function that saves a document with its references, in one round trip. It returns `saved`, `lost` if the version is another one,
 * or `taken` if a reference leads to another document. Only the first changes anything.
 *
 * Each statement of the function sees the commits made while the previous one waited. It adds references in their order, so that two
 * calls do not deadlock. If one is taken, the exception undoes the whole block, and the caller's transaction goes on.
 *
 * A statement whose answer was lost may come again on another connection. The document then already has its token.
 */
export function saveFunction({ documents, references, save }: SaveNames): string {
  return `CREATE OR REPLACE FUNCTION ${save}(document_key text, known bigint, document_data text, wake bigint, added jsonb, save_token text)
RETURNS text LANGUAGE plpgsql ${byIndex} AS $function$
#variable_conflict use_column
DECLARE
  names text[] := ARRAY(SELECT jsonb_array_elements_text(added) COLLATE "C" ORDER BY 1);
BEGIN
  IF known = 0 THEN
    INSERT INTO ${documents} (key, version, data, wake_at, token) VALUES (document_key, 1, document_data, wake, save_token)
    ON CONFLICT (key) DO NOTHING;
  ELSE
    UPDATE ${documents} SET version = known + 1, data = document_data, wake_at = wake, token = save_token
    WHERE key = document_key AND version = known;
  END IF;
  IF NOT FOUND THEN
    RETURN CASE WHEN EXISTS (SELECT FROM ${documents} WHERE key = document_key AND token = save_token)
      THEN 'saved' ELSE 'lost' END;
  END IF;
  IF cardinality(names) > 0 THEN
    INSERT INTO ${references} (key, document) SELECT name, document_key FROM unnest(names) AS name
    ON CONFLICT (key) DO NOTHING;
    IF EXISTS (SELECT FROM ${references} WHERE key = ANY (names) AND document <> document_key) THEN
      RAISE EXCEPTION USING ERRCODE = 'PCTKN';
    END IF;
  END IF;
  RETURN 'saved';
EXCEPTION WHEN SQLSTATE 'PCTKN' THEN
  RETURN 'taken';
END
$function$;`;
}
