import { isRecord } from '../../../base/json.ts';

/** Where an object stands in a reply. */
export type ObjectPlace = 'whole' | 'data' | 'type';

function isObject(result: unknown): result is { readonly object: string } {
  return isRecord(result) && 'id' in result && 'object' in result;
}

/** A result where the settings put it. Pages have a place of their own. */
export function placed(result: unknown, place: ObjectPlace): unknown {
  if (place === 'whole' || !isObject(result)) return result;
  return { [place === 'data' ? 'data' : result.object]: result };
}
