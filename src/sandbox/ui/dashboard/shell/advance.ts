import { post } from '../kit/api.ts';
import { notify } from '../kit/notices.ts';

interface Advanced {
  readonly summary: {
    readonly events: readonly { readonly type: string; readonly count: number }[];
    readonly delivered: number;
    readonly failed: number;
    /** All of it in one sentence. */
    readonly text: string;
  };
}

/** Moves the clock and says what happened meanwhile. */
export async function advance(by: string | number): Promise<void> {
  const { summary } = await post<Advanced>('clock', { advance: by });
  const { events, delivered, failed, text } = summary;
  notify(text, [
    ...(events.length > 0 ? [{ href: '#/events', text: 'Events' }] : []),
    ...(delivered + failed > 0 ? [{ href: '#/deliveries', text: 'Deliveries' }] : []),
  ]);
}
