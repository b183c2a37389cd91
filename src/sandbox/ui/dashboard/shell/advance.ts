import type { ClockMove } from '../../../control/clock-routes.ts';
import { post } from '../kit/api.ts';
import { notify } from '../kit/notices.ts';

/** Advances the clock and shows what happened in the meantime. */
export async function advance(by: string | number): Promise<void> {
  const { summary } = await post<ClockMove>('clock', { advance: by });
  const { events, delivered, failed, text } = summary;
  notify(text, [
    ...(events.length > 0 ? [{ href: '#/events', text: 'Events' }] : []),
    ...(delivered + failed > 0 ? [{ href: '#/deliveries', text: 'Deliveries' }] : []),
  ]);
}
