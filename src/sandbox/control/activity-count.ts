import type { Activity } from './activity.ts';

/** What happened during a stretch of time. */
export interface ActivitySummary {
  /** The events by type, the most frequent first. */
  readonly events: readonly { readonly type: string; readonly count: number }[];
  /** Attempts of deliveries that were answered with 2xx. */
  readonly delivered: number;
  /** Attempts that were not. */
  readonly failed: number;
  /** The same as one sentence. */
  readonly text: string;
}

function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}

function textOf(events: number, delivered: number, failed: number): string {
  if (events + delivered + failed === 0) return 'Nothing happened.';
  const happened = `${counted(events, 'event', 'events')} happened`;
  if (delivered + failed === 0) return `${happened}.`;
  return `${happened}; ${counted(delivered, 'delivery', 'deliveries')} arrived and ${failed} failed.`;
}

/** Counts events and attempts of deliveries. */
export class ActivityCount {
  readonly #events = new Map<string, number>();
  #delivered = 0;
  #failed = 0;

  /** Counts one more. */
  add(activity: Activity): void {
    if (activity.kind === 'event') {
      const { type } = activity.event;
      this.#events.set(type, (this.#events.get(type) ?? 0) + 1);
    }
    if (activity.kind !== 'delivery') return;
    if (activity.delivery.status === 'delivered') this.#delivered += 1;
    else this.#failed += 1;
  }

  /** What was counted. */
  summary(): ActivitySummary {
    const events = [...this.#events].map(([type, count]) => ({ type, count }));
    const total = events.reduce((sum, { count }) => sum + count, 0);
    const text = textOf(total, this.#delivered, this.#failed);
    const sorted = events.sort((one, other) => other.count - one.count);
    return { events: sorted, delivered: this.#delivered, failed: this.#failed, text };
  }
}
