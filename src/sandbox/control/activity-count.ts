import type { Activity } from './activity.ts';

/** The events and delivery attempts of a period. */
export interface ActivitySummary {
  /** The number of events by type, most frequent first. */
  readonly events: readonly { readonly type: string; readonly count: number }[];
  /** The number of delivery attempts with a 2xx response. */
  readonly delivered: number;
  /** The number of failed delivery attempts. */
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

/** Counts events and delivery attempts. */
export class ActivityCount {
  readonly #events = new Map<string, number>();
  #delivered = 0;
  #failed = 0;

  /** Adds an activity. */
  add(activity: Activity): void {
    if (activity.kind === 'event') {
      const { type } = activity.event;
      this.#events.set(type, (this.#events.get(type) ?? 0) + 1);
    }
    if (activity.kind !== 'delivery') return;
    if (activity.delivery.status === 'delivered') this.#delivered += 1;
    else this.#failed += 1;
  }

  /** Returns the counts. */
  summary(): ActivitySummary {
    const events = [...this.#events].map(([type, count]) => ({ type, count }));
    const total = events.reduce((sum, { count }) => sum + count, 0);
    const text = textOf(total, this.#delivered, this.#failed);
    const sorted = events.sort((one, other) => other.count - one.count);
    return { events: sorted, delivered: this.#delivered, failed: this.#failed, text };
  }
}
