import { storeOf, useStore } from './shared-value.ts';

/** The parsed URL: a section, its path and its filters. */
interface Route {
  /** The parts of the path, decoded: `#/objects/charge/ch_1` is `['objects', 'charge', 'ch_1']`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function read(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2);
  return { path: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

const store = storeOf(read());
addEventListener('hashchange', () => store.set(read()));

/** Returns the route, and renders again when it changes. */
export function useRoute(): Route {
  return useStore(store);
}

/** Navigates to an address of the dashboard, such as `#/activity`. */
export function navigate(href: string): void {
  location.hash = href;
}

/** Returns the address of a path with an optional query. Empty values are omitted. */
export function hrefOf(
  path: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const filled = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const text = new URLSearchParams(filled).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}

/** Returns the query of a list request: the fixed parameters and the filters in the URL. */
export function listQuery(
  query: URLSearchParams,
  filters: readonly string[],
  fixed: Readonly<Record<string, string>>,
): { readonly text: string; readonly isFiltered: boolean } {
  const present = filters.flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [[name, value]];
  });
  const parameters = new URLSearchParams([...Object.entries(fixed), ...present]);
  return { text: parameters.toString(), isFiltered: present.length > 0 };
}

/** Returns the current address with changed filters. It drops the cursor, which belongs to the old filters. */
export function withQuery(patch: Readonly<Record<string, string | undefined>>): string {
  const { path, query } = store.get();
  return hrefOf(path, { ...Object.fromEntries(query), before: undefined, ...patch });
}

/** Replaces filters without a history entry, for a text that is being typed. */
export function replaceQuery(patch: Readonly<Record<string, string | undefined>>): void {
  history.replaceState(history.state, '', withQuery(patch));
  store.set(read());
}

/** The props of a section. */
export interface SectionProps {
  /** The parts of the path after the section's name. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}
