import type { Entry } from '../entry.ts';
import { bodyFields } from '../facts.ts';
import { type Code, call, quote, toCode } from './code-text.ts';
import { type EarlierObject, EarlierObjects } from './earlier-objects.ts';
import type { ExportContext } from './export-context.ts';
import { notReplayable } from './not-replayable.ts';
import type { Result, Script } from './test-script.ts';

/** An object that an entry of the story created. */
interface CreatedObject {
  readonly kind: string;
  readonly id: string;
  readonly number: number;
}

/** Fields that may be null. */
const nullable: readonly string[] = ['latest_charge_id', 'customer', 'payment_intent', 'refund'];

/** Returns the name of a kind's client collection. */
function collectionOf(kind: string): string {
  return `${kind.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}s`;
}

function createdBy(own: readonly Entry[]): readonly CreatedObject[] {
  return own.flatMap((entry) => {
    if (entry.kind !== 'change' || entry.before !== null || entry.object.kind === 'chargeback') return [];
    return [{ ...entry.object, number: entry.number }];
  });
}

/** Returns code for ids, since every object has another id in the test than in the story. */
export class IdCodes {
  readonly #script: Script;
  readonly #created: readonly CreatedObject[];
  readonly #earlier: EarlierObjects;
  readonly #prefixes: readonly string[];
  /** The code of objects that existed before the story, by id. */
  readonly #placed = new Map<string, string>();
  /** The number of the current entry. */
  #number = 0;

  constructor(context: ExportContext, script: Script) {
    this.#script = script;
    this.#created = createdBy(context.own);
    this.#earlier = new EarlierObjects(context);
    const { payment_method: _, ...prefixes } = context.state.settings.forms.prefixes;
    this.#prefixes = Object.values(prefixes);
  }

  /** Sets the current entry: code may refer to objects that were created before it. */
  moveTo(number: number): void {
    this.#number = number;
  }

  /**
   * Returns the code of a text: an expression for the id of an object, else the text.
   *
   * @throws Problem when it refers to an earlier object that cannot be recreated.
   */
  readonly codeOf = (text: string): string => {
    // The name of a payment method alone decides whether it pays or declines.
    if (text.startsWith('pm_')) return quote(text);
    return this.#resultWith(text) ?? this.#lookup(text) ?? this.#earlierCode(text) ?? quote(text);
  };

  /**
   * Returns the same for a request that the service accepted.
   *
   * @throws Problem when it refers to an unknown object.
   */
  readonly acceptedCodeOf = (text: string): string => {
    const code = this.codeOf(text);
    const isId = this.#prefixes.some((prefix) => text.startsWith(prefix) && /^\w{8,}$/.test(text));
    if (isId && code === quote(text) && !this.#placed.has(text)) {
      throw notReplayable(`it refers to '${text}', which the sandbox no longer knows.`);
    }
    return code;
  };

  /** Recreates all earlier objects that the story changes. */
  recreateEarlier(own: readonly Entry[]): void {
    const created = new Set(this.#created.map(({ id }) => id));
    for (const entry of own) {
      if (entry.kind !== 'change' || entry.before === null || created.has(entry.object.id)) continue;
      this.#earlierCode(entry.object.id);
    }
  }

  /** Returns the result that has an id, as its own or in a field. */
  #resultWith(id: string): string | undefined {
    const { results } = this.#script;
    const own = results.find(({ fields }) => fields['id'] === id || fields['transactionid'] === id);
    if (own !== undefined) return this.#fieldOf(own, own.fields['id'] === id ? 'id' : 'transactionid');
    if (!this.#isKnown(id)) return undefined;
    for (const result of results) {
      const [name] = Object.entries(result.fields).find(([, value]) => value === id) ?? [];
      if (name !== undefined) return this.#fieldOf(result, name);
    }
    return undefined;
  }

  /** Whether a text is the id of an object, not just a similar word. */
  #isKnown(id: string): boolean {
    return this.#created.some((created) => created.id === id) || this.#earlier.get(id) !== undefined;
  }

  #fieldOf(result: Result, name: string): string {
    const { isOptional = false, kind } = result;
    const isNullable = nullable.includes(name) || (kind === 'checkout_session' && name !== 'id');
    const field = `${this.#script.variableOf(result)}${isOptional ? '?.' : '.'}${name}`;
    return isOptional || isNullable ? `${field} ?? ''` : field;
  }

  /** Looks up an object that no response contains: the app found it in a list, or received it in an event. */
  #lookup(id: string): string | undefined {
    const object = this.#created.find((created) => created.id === id && created.number <= this.#number);
    if (object === undefined) return undefined;
    const { kind } = object;
    const alike = this.#created.filter((created) => created.kind === kind && created.number <= this.#number);
    const newer = alike.length - 1 - alike.indexOf(object);
    if (kind === 'transaction') return `sandbox.transactions.at(-${newer + 1})?.id ?? ''`;
    const result = { kind, fields: { id }, isOptional: true };
    const code = call(`payments.${collectionOf(kind)}.list().toArray`, [toCode({ max: newer + 1 })]);
    const around = [`[${', '.repeat(newer)}`, ']'] as const;
    this.#script.add({ code, isAwaited: true, result, around });
    return this.#fieldOf(result, 'id');
  }

  #earlierCode(id: string): string | undefined {
    const placed = this.#placed.get(id);
    if (placed !== undefined) return placed;
    const isCreated = this.#created.some((created) => created.id === id);
    const object = isCreated ? undefined : this.#earlier.get(id);
    return object && (this.#create(object) ?? this.#place(object));
  }

  /** Creates an object with the app's recorded request. */
  #create(object: EarlierObject): string | undefined {
    const request = this.#earlier.creationOf(object);
    if (request === undefined) return undefined;
    const params = toCode(bodyFields(request), this.codeOf);
    const result = { kind: object.kind, fields: { id: object.id } };
    const code = call(`payments.${collectionOf(object.kind)}.create`, [params]);
    this.#script.add({ code, isAwaited: true, result });
    return this.#fieldOf(result, 'id');
  }

  /** Adds an object with its own id, since others may refer to it. */
  #place(object: EarlierObject): string {
    const { id, kind } = object;
    const code = quote(id);
    this.#placed.set(id, code);
    const fields = this.#earlier.fieldsOf(object);
    for (const value of Object.values(fields)) if (typeof value === 'string') this.#placeReferred(value);
    const add: Code = call('sandbox.add', [quote(kind), toCode({ id, ...fields })]);
    this.#script.prepare({ code: add });
    return code;
  }

  #placeReferred(id: string): void {
    if (this.#placed.has(id) || id.startsWith('pm_')) return;
    const object = this.#earlier.get(id);
    if (object !== undefined) this.#place(object);
  }
}
