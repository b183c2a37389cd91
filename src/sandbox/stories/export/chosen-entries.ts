import { groupBy } from '../../../base/group-by.ts';
import { isRecord } from '../../../base/json.ts';
import { isFormOperation } from '../../api/operation.ts';
import { isKind, isShownKind, type State } from '../../domain/state.ts';
import type { Entry, RecordedAction, RecordedChange, RecordedRequest } from '../entry.ts';
import { isOwnKind } from '../group.ts';
import { redactObject } from '../redact-body.ts';
import { textsIn } from '../references.ts';
import { notReplayable } from './not-replayable.ts';
import { isChange, type Replayable, type StorySource, sentBodyOf } from './story-source.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An object that existed before the recording began. */
interface EarlierObject {
  readonly kind: string;
  readonly id: string;
  /** Its fields before the story changed it. */
  readonly fields: Fields;
}

/** What a test replays. */
export interface ChosenEntries {
  /** The entries, oldest first. */
  readonly entries: readonly Replayable[];
  /** The objects to add first. One that another refers to comes before it. */
  readonly earlier: readonly EarlierObject[];
}

/** Returns the numbers of the entries that changed objects of a story. */
function causesOf(own: readonly Entry[]): ReadonlySet<number> {
  const changes = own.filter(isChange).filter(({ object }) => isOwnKind(object.kind));
  return new Set(changes.flatMap(({ cause }) => cause ?? []));
}

/** Returns the ids of a story's events and deliveries, those among them that were never attempted. */
function deliverableIds({ own, state }: StorySource): ReadonlySet<unknown> {
  const events = new Set(own.filter(isChange).flatMap((change) => change.events.map(({ id }) => id)));
  const deliveries = state.objects.delivery.all().filter(({ eventId }) => events.has(eventId));
  return new Set([...events, ...deliveries.map(({ id }) => id)]);
}

function isReplayedRequest(request: RecordedRequest, causes: ReadonlySet<number>): boolean {
  const { source, operation, method, number } = request;
  if (source === 'buyer') return operation === 'checkout.pay';
  // A request of the dashboard counts only if it changed something: its repetitions are not the app's.
  if (source === 'dashboard') return causes.has(number);
  return method !== 'GET';
}

/** Fields that every new object has. */
const given: readonly string[] = ['object', 'livemode', 'merchant_id', 'client_secret'];

function isNothing(value: unknown): boolean {
  if (value === null || value === '' || value === false) return true;
  return isRecord(value) && Object.keys(value).length === 0;
}

/** Returns the fields to add an object with, without those that it has anyway. */
function withoutDefaults(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !given.includes(name) && !isNothing(value)),
  );
}

function objectNow({ objects }: State, id: string): EarlierObject | undefined {
  // The name of a payment method alone decides whether it pays.
  if (id.startsWith('pm_')) return undefined;
  for (const [kind, collection] of Object.entries(objects)) {
    const object = isKind(kind) && isShownKind(kind) ? collection.get(id) : undefined;
    if (object !== undefined) return { kind, id, fields: redactObject(object) };
  }
  return undefined;
}

function isReadByVelocity({ options, own }: StorySource): boolean {
  const { velocityRules } = options;
  const hasRules = velocityRules === 'typical' || (Array.isArray(velocityRules) && velocityRules.length > 0);
  return hasRules && own.some((entry) => entry.kind === 'request' && isFormOperation(entry.operation));
}

/** Whether an action made what the form that uses it makes again. */
function isOfForm(entry: Replayable): boolean {
  return entry.kind === 'action' && ['tokenize', 'authenticate'].includes(entry.name);
}

/** Returns the texts that may be ids of objects that an entry needs. */
function textsOf(entry: Replayable): readonly string[] {
  return textsIn(entry.kind === 'action' ? entry.details : [entry.path, sentBodyOf(entry)]);
}

/** Collects the entries of a story, and all others that it depends on. */
class Choice implements ChosenEntries {
  readonly #source: StorySource;
  readonly #chosen = new Map<number, Replayable>();
  readonly #earlier = new Map<string, EarlierObject>();
  /** The number of the story's last entry. */
  #last = 0;
  /** The changes of each object, oldest first. */
  readonly #changes: ReadonlyMap<string, readonly RecordedChange[]>;

  constructor(source: StorySource) {
    this.#source = source;
    this.#changes = groupBy(source.recorded.filter(isChange), ({ object }) => object.id);
  }

  get entries(): readonly Replayable[] {
    return [...this.#chosen.values()].toSorted((one, other) => one.number - other.number);
  }

  get earlier(): readonly EarlierObject[] {
    return [...this.#earlier.values()];
  }

  chooseStory(): void {
    const { own, recorded } = this.#source;
    const causes = causesOf(own);
    const ids = deliverableIds(this.#source);
    const ownNumbers = new Set(own.map(({ number }) => number));
    const numbers = [...ownNumbers, ...causes];
    const first = Math.min(...numbers);
    this.#last = Math.max(...numbers);
    const isRead = isReadByVelocity(this.#source);
    for (const entry of recorded) {
      const { kind, number } = entry;
      if (number > this.#last) break;
      if (kind === 'action' && number >= first && this.#isReplayedAction(entry, causes, ids))
        this.#choose(entry);
      if (kind !== 'request') continue;
      const isOwn = ownNumbers.has(number) && isReplayedRequest(entry, causes);
      if (isOwn || (isRead && isFormOperation(entry.operation))) this.#choose(entry);
    }
    for (const change of own.filter(isChange)) this.#require(change.object.id, Number.POSITIVE_INFINITY);
    if (isRead && this.#source.story.isCut) {
      throw notReplayable('velocity rules count earlier payments, and the first entries were dropped.');
    }
  }

  #isReplayedAction(
    { name, number, details }: RecordedAction,
    causes: ReadonlySet<number>,
    ids: ReadonlySet<unknown>,
  ): boolean {
    if (name === 'clock.advance') return true;
    return name === 'webhooks.replay' ? ids.has(details['id']) : causes.has(number);
  }

  #choose(entry: Replayable): void {
    if (this.#chosen.has(entry.number) || isOfForm(entry)) return;
    this.#chosen.set(entry.number, entry);
    for (const text of textsOf(entry)) this.#require(text, entry.number);
  }

  /** Makes sure that the object with an id is as it was before an entry. */
  #require(id: string, before: number): void {
    const [first, ...later] = this.#changes.get(id) ?? [];
    const isEarlier = first === undefined || first.before !== null;
    const known = first?.before
      ? { ...first.object, fields: first.before }
      : objectNow(this.#source.state, id);
    if (isEarlier && known !== undefined) this.#addEarlier(known);
    if (first === undefined || first.number > before) return;
    if (!isEarlier) this.#chooseCause(first);
    // Entries of the story change the objects of its order. A price or a customer belongs to many, and its next state counts too.
    if (isOwnKind(first.object.kind)) return;
    for (const change of isEarlier ? [first, ...later] : later) {
      if (change.number < this.#last) this.#chooseCause(change);
    }
  }

  #chooseCause({ cause, object, before }: RecordedChange): void {
    const entry = this.#source.recorded.find(({ number }) => number === cause);
    if (entry?.kind !== 'request' && entry?.kind !== 'action') return;
    if (before === null || textsOf(entry).includes(object.id)) this.#choose(entry);
  }

  #addEarlier({ kind, id, fields }: EarlierObject): void {
    if (this.#earlier.has(id) || kind === 'webhook_endpoint') return;
    if (isOwnKind(kind) && this.#source.story.isCut) {
      throw notReplayable(`its first entries were dropped, and '${id}' is older than the oldest one left.`);
    }
    if (!isShownKind(kind) || kind === 'transaction') {
      throw notReplayable(`'${id}' existed before the recording began, and only a request makes a ${kind}.`);
    }
    const kept = withoutDefaults(fields);
    // Reserves the place, since two objects may refer to each other.
    this.#earlier.set(id, { kind, id, fields: kept });
    for (const text of textsIn(kept)) if (text !== id) this.#require(text, 0);
    this.#earlier.delete(id);
    this.#earlier.set(id, { kind, id, fields: kept });
  }
}

/**
 * Returns the entries that a test of a story replays.
 *
 * @throws Problem when they were not recorded.
 */
export function chosenEntries(source: StorySource): ChosenEntries {
  const choice = new Choice(source);
  choice.chooseStory();
  if (choice.entries.length > 0) return choice;
  throw notReplayable('the requests behind it were not recorded.');
}
