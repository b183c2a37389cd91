import type { RouteName } from 'payments-client';
import type { CollectionName, RouteOverride } from '../../base/interface-types.ts';
import { isCollectionName, isRouteName } from '../../base/known-names.ts';
import { routes } from '../../sdk.ts';
import { asAssumed, differs, type Finding, type Gap, notSeen, unusableIds } from '../finding.ts';
import { retrievableIn } from '../objects.ts';
import type { Reading } from '../question.ts';
import { findMethod } from '../route-finder.ts';

/** The methods whose paths are inferred. */
const inferred = Object.keys(routes)
  .filter(isRouteName)
  .filter((name) => routes[name].source === 'inferred');

function splitName(name: RouteName): { readonly collection: CollectionName; readonly method: string } {
  const [collection = '', method = ''] = name.split('.');
  if (!isCollectionName(collection)) throw new Error(`There is no collection named '${collection}'.`);
  return { collection, method };
}

/** Finds several routes, and summarizes them in one line. */
function* readRoutes(names: readonly RouteName[]): Reading<Finding> {
  const found = new Map<RouteName, RouteOverride>();
  const unseen: string[] = [];
  let hasUnusableIds = false;
  for (const name of names) {
    const { collection, method } = splitName(name);
    const assumed = routes[name];
    const target = yield* findMethod(collection, method);
    if (target === undefined) {
      unseen.push(name);
      hasUnusableIds ||= method === 'retrieve' && (yield* retrievableIn(collection)) === 'unusable';
    } else if (target.path !== assumed.path || target.method !== assumed.method) {
      // Every path of a target starts with a slash.
      found.set(name, `${target.method} ${target.path}` as RouteOverride);
    }
  }
  const reason = hasUnusableIds ? unusableIds : undefined;
  if (unseen.length === names.length) return notSeen(reason);
  const because = reason === undefined ? '' : `, since ${reason}`;
  const rest = unseen.length === 0 ? undefined : `not seen: ${unseen.join(', ')}${because}`;
  if (found.size === 0) return asAssumed(rest);
  const changed = [...found].map(([name, route]) => `${name} ${route}`);
  return differs([...changed, ...(rest === undefined ? [] : [rest])].join('; '), {
    routes: Object.fromEntries(found),
  });
}

function routesGap(id: string, title: string, matches: (name: RouteName) => boolean, isRead = false): Gap {
  const names = inferred.filter((name) => matches(name));
  return { id, title, needs: isRead ? undefined : 'a test key', read: () => readRoutes(names) };
}

const isManaged = (name: string) => /^(?:apiKeys|webhookEndpoints)\./.test(name);
const isMethod = (name: string, ...methods: readonly string[]) =>
  !isManaged(name) && methods.some((method) => name.endsWith(`.${method}`));
const isFollowUp = (name: string) =>
  !isManaged(name) && !isMethod(name, 'list', 'retrieve', 'update', 'create', 'delete', 'capture', 'expand');

/** The inferred paths and methods. */
export const routeGaps: readonly Gap[] = [
  routesGap('G26', 'paths of lists', (name) => isMethod(name, 'list'), true),
  routesGap('G59', 'paths of single objects', (name) => isMethod(name, 'retrieve'), true),
  routesGap('G11', 'path of a manual capture', (name) => isMethod(name, 'capture')),
  routesGap('G23', 'paths of follow-up operations', isFollowUp),
  routesGap('G24', 'path of expanding a session', (name) => isMethod(name, 'expand')),
  routesGap('G25', 'path and verb of an update', (name) => isMethod(name, 'update')),
  routesGap('G27', 'paths of API keys and webhook endpoints', isManaged),
  routesGap('G60', 'paths that create and delete', (name) => isMethod(name, 'create', 'delete')),
];
