import { post } from '../kit/api.ts';
import { countText } from '../kit/format.ts';
import { notify } from '../kit/notices.ts';

/** Redelivers an event to all its endpoints, or a delivery to its endpoint. */
export async function redeliver(id: string): Promise<void> {
  const { data } = await post<{ data: readonly unknown[] }>('replay', { id });
  notify(`The sandbox redelivers it to ${countText(data.length, 'endpoint')}.`);
}
