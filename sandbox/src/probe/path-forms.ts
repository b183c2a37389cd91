/** The path forms of payment services. Each list starts with the form that the SDK assumes. */

import type { CollectionName, HttpMethod } from '../base/interface-types.ts';
import { routes } from '../sdk.ts';

/** A method and a path. */
export interface Target {
  readonly method: HttpMethod;
  readonly path: string;
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

/** Returns words in each spelling: `payment_intents`, `payment-intents`, `payment/intents`, `paymentIntents`. */
function spellings(words: readonly string[], separators: readonly string[]): string[] {
  const camel = words.map((word, index) =>
    index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1),
  );
  return unique([...separators.map((separator) => words.join(separator)), camel.join('')]);
}

function singular(words: readonly string[]): string[] {
  const last = words.at(-1) ?? '';
  return [...words.slice(0, -1), last.replace(/(?<=ch)es$|s$/, '')];
}

/** Returns the possible paths of a collection. */
export function collectionPaths(collection: CollectionName): readonly string[] {
  const { path } = routes[`${collection}.list`];
  const words = path.replace('/v1/', '').split(/[_/]/);
  const forms = [...spellings(words, ['_', '-', '/']), ...spellings(singular(words), ['_', '-', '/'])];
  return unique([path, ...forms.map((form) => `/v1/${form}`)]);
}

/** Returns the method and the path that the SDK assumes. */
export function assumedTarget(collection: CollectionName, method: string): Target {
  const route = Object.entries(routes).find(([name]) => name === `${collection}.${method}`)?.[1];
  if (route === undefined) throw new Error(`There is no method '${collection}.${method}'.`);
  return route;
}

const verbsOfUpdates: readonly HttpMethod[] = ['POST', 'PATCH', 'PUT'];

/** Returns the possible HTTP methods and paths of a collection's method, below one of the collection's paths. */
export function targetsOf(method: string, assumed: Target, base: string): readonly Target[] {
  const object = `${base}/{id}`;
  switch (method) {
    case 'list':
      return [{ method: 'GET', path: base }];
    case 'create':
      return [{ method: 'POST', path: base }];
    case 'retrieve':
      return [{ method: 'GET', path: object }];
    case 'update':
      return verbsOfUpdates.map((verb) => ({ method: verb, path: object }));
    case 'delete':
      return [
        { method: 'DELETE', path: object },
        { method: 'POST', path: `${object}/delete` },
      ];
    default:
      return followUpTargets(assumed, object);
  }
}

function followUpTargets(assumed: Target, object: string): readonly Target[] {
  const words = assumed.path.slice(assumed.path.lastIndexOf('/') + 1).split('_');
  const names = unique([...spellings(words, ['_', '-']), words[0] ?? '']);
  // A client refuses another verb for a read.
  const verbs: readonly HttpMethod[] = assumed.method === 'GET' ? ['GET'] : ['POST', 'PUT'];
  return verbs.flatMap((method) => names.map((name) => ({ method, path: `${object}/${name}` })));
}
