import { isRecord } from '../base/json.ts';
import type { Sandbox } from '../sandbox/index.ts';
import { type Reference, readReference, referenceText } from '../sandbox/stories/references.ts';

/** The part of a recorded entry that a replay reads. */
interface ReadEntry {
  readonly number: number;
  /** What it made: an object and events, or a request id. */
  readonly made: readonly { readonly kind: string; readonly id: string }[];
}

function readEntry(entry: unknown): ReadEntry {
  const { number, kind, object, before, events, requestId, method } = Object(entry);
  // The app may read before it writes.
  const isWrite = kind === 'request' && typeof requestId === 'string' && method !== 'GET';
  if (kind !== 'change' || !isRecord(object)) {
    return { number: Number(number), made: isWrite ? [{ kind, id: requestId }] : [] };
  }
  const made = before === null ? [{ kind: String(object['kind']), id: String(object['id']) }] : [];
  const emitted: readonly unknown[] = Array.isArray(events) ? events : [];
  const ofEvents = emitted.map((event) => ({ kind: 'event', id: String(Object(event).id) }));
  return { number: Number(number), made: [...made, ...ofEvents] };
}

/** How many entries are read at once. */
const pageSize = 100;

/** Knows which entry of a replay made which object, by the recording of the sandbox. */
export class ReplayedObjects {
  readonly #sandbox: Sandbox;
  readonly #ids = new Map<string, string>();
  /** The number of the last entry that was read. */
  #last = 0;

  private constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  /** Starts with the next entry. It also starts the recording. */
  static async of(sandbox: Sandbox): Promise<ReplayedObjects> {
    const objects = new ReplayedObjects(sandbox);
    await objects.#newEntries();
    return objects;
  }

  /** Assigns all objects that are new to an entry of the replay. */
  async collect(n: number): Promise<void> {
    const counts = new Map<string, number>();
    for (const { made } of await this.#newEntries()) {
      for (const { kind, id } of made) {
        const position = (counts.get(kind) ?? 0) + 1;
        counts.set(kind, position);
        this.#ids.set(referenceText({ entry: n, kind, position }), id);
      }
    }
  }

  /**
   * Returns the id of an object that an entry made.
   *
   * @throws Error when it made none.
   */
  idOf(text: string): string {
    const reference = readReference(text);
    const id = reference && (this.#ids.get(referenceText(reference)) ?? this.#deliveryOf(reference));
    if (id !== undefined) return id;
    const advice = 'The replay differs from the recording before this reference.';
    throw new Error(
      `replay: expected a reference to an object that an entry made, such as '@2.refund', got '${text}'. ${advice}`,
    );
  }

  /** Deliveries are numbered by event, since their attempts have no order. */
  #deliveryOf({ entry, kind, position }: Reference): string | undefined {
    if (kind !== 'delivery') return undefined;
    const own = [...this.#ids].filter(([reference]) => {
      const made = readReference(reference);
      return made?.entry === entry && made.kind === 'event';
    });
    const events = new Set(own.map(([, id]) => id));
    return this.#sandbox.webhooks.deliveries().filter(({ eventId }) => events.has(eventId))[position - 1]?.id;
  }

  /** Returns the entries since the last call, oldest first. */
  async #newEntries(): Promise<readonly ReadEntry[]> {
    const found: ReadEntry[] = [];
    for (let before = ''; ; before = `&before=${found.at(-1)?.number}`) {
      const page = await this.#read(`/_sandbox/entries?limit=${pageSize}${before}`);
      const fresh = page.entries.filter(({ number }) => number > this.#last);
      found.push(...fresh);
      if (!page.hasMore || fresh.length < page.entries.length) break;
    }
    this.#last = found[0]?.number ?? this.#last;
    return found.toReversed();
  }

  async #read(path: string): Promise<{ readonly entries: readonly ReadEntry[]; readonly hasMore: boolean }> {
    const { url, secretKey, fetch } = this.#sandbox;
    const headers = { authorization: `Bearer ${secretKey}` };
    const response = await fetch(new Request(url + path, { headers }));
    const page: unknown = await response.json();
    const { data, has_more } = Object(page);
    const all: readonly unknown[] = Array.isArray(data) ? data : [];
    return { entries: all.map(readEntry), hasMore: has_more === true };
  }
}
