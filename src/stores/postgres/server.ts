import type { Tables } from './table.ts';

/**
 * Returns the function that names the server and its history: the cluster, its timeline, which each promotion and each recovery to a point in
 * time raises, and the table, which another restore creates anew. Null where the server does not tell, since a claim must not fail for it.
 */
export function serverFunction({ claims, server }: Pick<Tables, 'claims' | 'server'>): string {
  return `CREATE OR REPLACE FUNCTION ${server}() RETURNS text LANGUAGE plpgsql AS $function$
BEGIN
  RETURN concat_ws('.', (SELECT system_identifier FROM pg_control_system()),
    left(pg_walfile_name(pg_current_wal_lsn()), 8), '${claims}'::regclass::oid);
EXCEPTION WHEN OTHERS THEN
  RETURN NULL;
END
$function$;`;
}
