import { post } from '../kit/api.ts';
import { countText } from '../kit/format.ts';
import { notify } from '../kit/notices.ts';

/** Delivers an event again to all its endpoints, or a delivery to its own. */
export async function redeliver(id: string): Promise<void> {
  const { data } = await post<{ data: readonly unknown[] }>('replay', { id });
  notify(`The sandbox delivers it again to ${countText(data.length, 'endpoint')}.`);
}
