import { withoutSecrets } from './secrets.ts';

interface Difference {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Returns the leaf fields of a value by path: `data.items[0].amount`. */
function fieldsOf(value: unknown, path = ''): readonly (readonly [path: string, text: string])[] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((item, index) => fieldsOf(item, `${path}[${index}]`));
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    const prefix = path === '' ? '' : `${path}.`;
    return Object.entries(value).flatMap(([name, field]) =>
      fieldsOf(withoutSecrets(name, field), `${prefix}${name}`),
    );
  }
  return value === undefined || path === '' ? [] : [[path, JSON.stringify(value)]];
}

/** Returns the fields that differ between two objects. */
export function differencesOf(before: object | null, after: object | null): readonly Difference[] {
  const old = new Map(fieldsOf(before));
  const now = new Map(fieldsOf(after));
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((path) => ({ path, before: old.get(path), after: now.get(path) }))
    .filter((one) => one.before !== one.after);
}

interface DiffProps {
  /** The object before; `null` if it is new. */
  readonly before: object | null;
  /** The object after; `null` if it was removed. */
  readonly after: object | null;
}

/** Shows the changed fields of an object, each with its old and new value. */
export function Diff({ before, after }: DiffProps) {
  const differences = differencesOf(before, after);
  if (differences.length === 0) return <p class="soft">No field changed.</p>;
  return (
    <ul class="diff">
      {differences.map(({ path, before: old, after: now }) => (
        <li key={path}>
          <code class="diff-path">{path}</code>
          {old !== undefined && <del>{old}</del>}
          {now !== undefined && <ins>{now}</ins>}
        </li>
      ))}
    </ul>
  );
}
