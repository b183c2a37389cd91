import { isRecord } from '../../../base/json.ts';
import { isShownKind } from '../../domain/shown-kinds.ts';
import { isKind, type State } from '../../domain/state.ts';
import type { Entry, RecordedRequest } from '../entry.ts';
import { isOwnKind } from '../links.ts';
import { redactObject } from '../redact-body.ts';
import type { ExportContext } from './export-context.ts';
import { notReplayable } from './not-replayable.ts';
import { replyObject } from './reply-object.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An object that existed before the story began. */
export interface EarlierObject {
  readonly kind: string;
  readonly id: string;
  /** Its known fields at that time. */
  readonly fields: Fields;
}

/** Kinds that cannot be recreated from their fields alone. */
const unmakable: readonly string[] = ['transaction', 'subscription', 'invoice', 'credit_note'];

/** Fields that every new object has. */
const given: readonly string[] = [
  'object',
  'livemode',
  'created_at',
  'updated_at',
  'merchant_id',
  'client_secret',
];

function isNothing(value: unknown): boolean {
  if (value === null || value === '' || value === false) return true;
  return isRecord(value) && Object.keys(value).length === 0;
}

function objectNow({ objects }: State, id: string): EarlierObject | undefined {
  for (const [kind, collection] of Object.entries(objects)) {
    const object = isKind(kind) && isShownKind(kind) ? collection.get(id) : undefined;
    if (object !== undefined) return { kind, id, fields: redactObject(object) };
  }
  return undefined;
}

/** Objects that a story refers to but did not create. */
export class EarlierObjects {
  readonly #context: ExportContext;
  readonly #before = new Map<string, EarlierObject>();

  constructor(context: ExportContext) {
    this.#context = context;
    const seen = new Set<string>();
    for (const entry of context.own) {
      if (entry.kind !== 'change' || seen.has(entry.object.id)) continue;
      seen.add(entry.object.id);
      if (entry.before !== null) this.#before.set(entry.object.id, { ...entry.object, fields: entry.before });
    }
  }

  /** Returns the object with an id, in its state before the story changed it. */
  get(id: string): EarlierObject | undefined {
    return this.#before.get(id) ?? objectNow(this.#context.state, id);
  }

  /** Returns the recorded request that created an object; `undefined` without one. */
  creationOf({ id }: EarlierObject): RecordedRequest | undefined {
    const isCreation = (entry: Entry): entry is RecordedRequest =>
      entry.kind === 'request' &&
      entry.operation?.endsWith('.create') === true &&
      entry.arrived &&
      replyObject(entry)['id'] === id;
    return this.#context.recorded.find(isCreation);
  }

  /**
   * Returns the fields that recreate an object.
   *
   * @throws Problem when they are not sufficient.
   */
  fieldsOf({ kind, id, fields }: EarlierObject): Fields {
    if (isOwnKind(kind) && this.#context.story.isCut) {
      throw notReplayable(
        `its first entries were dropped, and '${id}' is older than the oldest remaining one.`,
      );
    }
    if (unmakable.includes(kind)) {
      throw notReplayable(`'${id}' existed before it began, and cannot be recreated in a new sandbox.`);
    }
    const kept = Object.entries(fields).filter(([name, value]) => !given.includes(name) && !isNothing(value));
    return Object.fromEntries(kept);
  }
}
