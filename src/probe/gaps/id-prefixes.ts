import { idPrefixes as shownPrefixes } from '../../resources/ids.ts';
import { asAssumed, differs, type Gap, notSeen } from '../finding.ts';
import { allSeen, type Seen } from '../objects.ts';

const shown: Readonly<Record<string, string>> = shownPrefixes;

/** Returns the prefix that all ids share; `undefined` if they share none. */
function prefixOf(objects: readonly Seen[]): string | undefined {
  const prefixes = new Set(objects.map(({ id }) => /^[a-z]{1,16}_(?=[A-Za-z\d])/.exec(id)?.[0]));
  return prefixes.size === 1 ? [...prefixes][0] : undefined;
}

/** The id prefixes that the interface does not show. */
export const idPrefixes: Gap = {
  id: 'G7',
  title: 'prefixes of ids that are not shown',
  *read() {
    const found: Record<string, string> = {};
    const others: string[] = [];
    for (const [kind, objects] of yield* allSeen()) {
      const prefix = prefixOf(objects);
      const documented = shown[kind];
      if (documented === undefined && prefix !== undefined) found[kind] = prefix;
      if (documented !== undefined && objects.some(({ id }) => !id.startsWith(documented))) others.push(kind);
    }
    if (others.length > 0)
      return differs(`ids of ${others.join(', ')} have another prefix than the interface shows`);
    const prefixes = Object.entries(found);
    if (prefixes.length === 0) return notSeen();
    return asAssumed(prefixes.map(([kind, prefix]) => `${kind} ${prefix}`).join(', '), { idPrefixes: found });
  },
};
