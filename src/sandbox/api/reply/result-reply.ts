import { isRecord } from '../../../base/json.ts';
import type { RouteName } from '../../../resources/routes.ts';
import type { Forms } from '../../domain/forms.ts';
import type { Reply } from '../../domain/records/reply.ts';
import { withTimestamps } from '../../domain/timestamps.ts';
import { jsonReply } from './write-reply.ts';

/** Returns the kind of a result; `undefined` for a page, which has its own place in the body. */
function kindOf(result: object): string | undefined {
  return isRecord(result) && 'id' in result && typeof result['object'] === 'string'
    ? result['object']
    : undefined;
}

/** Returns the body of a deletion that does not return the object. */
function confirmation(result: object): object {
  return { id: Reflect.get(result, 'id'), deleted: true };
}

/** Returns the reply with a result, in the configured shape. */
export function resultReply(name: RouteName, result: object, forms: Forms): Reply {
  const isDeletion = name.endsWith('.delete');
  if (isDeletion && forms.deletion === 'empty') return { status: 204, headers: {}, body: '' };
  const shown =
    isDeletion && forms.deletion === 'confirmation' ? confirmation(result) : withTimestamps(result, forms);
  const kind = kindOf(result);
  if (kind === undefined || forms.objectPlace === 'whole') return jsonReply(200, shown);
  return jsonReply(200, { [forms.objectPlace === 'data' ? 'data' : kind]: shown });
}
