import { checkOptions } from '../base/check-options.ts';
import { ConfigurationError } from '../base/errors.ts';
import type { Inline } from '../base/inline.ts';
import { isRecord } from '../base/json.ts';
import { functionOf, optionsOf } from '../base/options.ts';
import * as s from '../base/schema.ts';
import { formPath } from '../sandbox/api/operation.ts';
import { Problem } from '../sandbox/domain/problem.ts';
import type { Sandbox } from '../sandbox/index.ts';
import { checkoutPath } from '../sandbox/pages/checkout/path.ts';
import { resolveReferences, resolveText } from '../sandbox/stories/references.ts';
import type {
  ReplayCommand,
  ReplayEndpoint,
  ReplayEntry,
  ReplayPage,
  ReplayRequest,
} from '../sandbox/stories/replay-entry.ts';
import { operationIdOf } from '../sandbox/stories/request-links.ts';
import { checkRequests, otherStatus, type ReplayStep, watchRequests } from './made-requests.ts';
import { cardForm, sentForm } from './replayed-cards.ts';
import { ReplayedObjects } from './replayed-objects.ts';

/** Options of `replay`. */
interface ReplayOptions {
  /**
   * Makes one request of the app with the shop's own code, without retries: each attempt is an entry. Where the recorded
   * request failed, it may throw. Default: the requests are sent again as recorded.
   */
  readonly app?: ((step: ReplayStep) => unknown) | undefined;
}

/** The result of a replay. */
type Replayed = Inline<{
  /**
   * Returns the id of an object that an entry made.
   *
   * @param reference For example `@2.refund`, or `@2.refund#2` for the second refund that entry 2 made.
   * @throws Error when the entry made no such object.
   */
  idOf(reference: string): string;
}>;

const optionsSchema = optionsOf<ReplayOptions>(() => ({
  app: s.optional(functionOf<NonNullable<ReplayOptions['app']>>()),
}));

const forms: readonly string[] = ['request', 'command', 'page', 'endpoint'];
const isEntry = (value: unknown) => isRecord(value) && forms.some((form) => Object.hasOwn(value, form));
const entriesSchema = s.lazily<readonly ReplayEntry[]>(() =>
  s.array(s.custom<ReplayEntry>(isEntry, 'a request, a command, a page or an endpoint')),
);

/**
 * Replays what a sandbox recorded, one entry after the other, in another sandbox. An exported story is a test that calls it.
 * It needs no server: requests go to `sandbox.fetch`.
 *
 * @param entries The entries, as the export of a story wrote them.
 * @returns Once every entry is done, and the deliveries that are due were attempted.
 * @throws ConfigurationError for an invalid option or entry.
 * @throws Error when a request gets another status than the recorded one, or `app` does not send the request.
 *
 * @example
 * const entry = { n: 1, request: 'POST /v1/payment_intents', body: { amount: 1200, currency: 'usd' }, status: 200 };
 * const { idOf } = await replay(sandbox, [entry]);
 * expect(sandbox.story(idOf('@1.payment_intent'))).toMatchObject({ verdict: 'open' });
 */
export async function replay(
  sandbox: Sandbox,
  entries: readonly ReplayEntry[],
  options: ReplayOptions = {},
): Promise<Replayed> {
  checkOptions('replay.entries', entriesSchema, entries, 'Pass the entries of an exported story.');
  checkOptions('replay', optionsSchema, options);
  const objects = await ReplayedObjects.of(sandbox);
  const run = new Replay(sandbox, objects, options.app);
  for (const entry of entries) await run.replay(entry);
  return { idOf: (reference) => objects.idOf(reference) };
}

/** The state of one replay. */
class Replay {
  readonly #sandbox: Sandbox;
  readonly #objects: ReplayedObjects;
  readonly #app: ReplayOptions['app'];

  constructor(sandbox: Sandbox, objects: ReplayedObjects, app: ReplayOptions['app']) {
    this.#sandbox = sandbox;
    this.#objects = objects;
    this.#app = app;
  }

  async replay(entry: ReplayEntry): Promise<void> {
    if (entry.after !== undefined) await this.#sandbox.clock.advance(entry.after);
    await this.#perform(entry);
    await this.#sandbox.settled();
    await this.#objects.collect(entry.n);
  }

  #perform(entry: ReplayEntry): Promise<void> | void {
    if ('request' in entry) return this.#request(entry);
    if ('command' in entry) return this.#command(entry);
    if ('page' in entry) return this.#page(entry);
    return this.#endpoint(entry);
  }

  async #command({ command, args }: ReplayCommand): Promise<void> {
    const result = await perform(this.#sandbox, command, Object(this.#resolved(args)));
    releaseWhenReached(result);
  }

  #endpoint({ endpoint, responses }: ReplayEndpoint): void {
    const left = new Map(Object.entries(responses).map(([type, statuses]) => [type, [...statuses]]));
    const answer = async (request: Request): Promise<Response> => {
      const event: unknown = await request.json();
      const status = left.get(String(Object(event).type))?.shift() ?? 200;
      if (status === 0) throw new Error('The recorded endpoint did not respond.');
      return new Response(null, { status });
    };
    this.#sandbox.webhooks.deliverTo(answer, { events: endpoint });
  }

  async #page({ n, page, card, challenge, answer = 'passed', status }: ReplayPage): Promise<void> {
    const answered = { challenge: this.#text(challenge ?? ''), answer };
    const fields = card === undefined ? answered : cardForm(card);
    const response = await this.#fetch(checkoutPath(this.#text(page)), {
      method: 'POST',
      body: new URLSearchParams({ ...buyer, ...fields }),
    });
    if (response.status !== status) {
      throw new Error(`replay: entry ${n}: ${otherStatus('the page', status, response.status)}`);
    }
  }

  async #request(entry: ReplayRequest): Promise<void> {
    const step = await this.#stepOf(entry);
    const app = entry.from === undefined ? this.#app : undefined;
    const work = () => (app === undefined ? this.#send(entry, step) : app(step));
    const made = await watchRequests(this.#sandbox, step, work);
    checkRequests(step, made, { status: entry.status, isOfApp: app !== undefined });
  }

  async #stepOf({ n, request, key, body, form }: ReplayRequest): Promise<ReplayStep> {
    const [method = '', path = ''] = request.split(' ', 2);
    return {
      n,
      method,
      path: this.#text(path),
      key,
      operationId: operationIdOf(key) ?? undefined,
      body: this.#resolved(body),
      form: form && (await sentForm(this.#sandbox, this.#form(form, path))),
    };
  }

  async #send({ encoding }: ReplayRequest, { method, path, key, body, form }: ReplayStep): Promise<void> {
    const headers = new Headers({ authorization: `Bearer ${this.#sandbox.secretKey}` });
    if (key !== undefined) headers.set('idempotency-key', key);
    if (body !== undefined) headers.set('content-type', 'application/json');
    const json = typeof body === 'string' ? body : JSON.stringify(body);
    const sent = form === undefined ? json : formBody(form, encoding);
    const response = await this.#fetch(path, { method, headers, ...(sent !== undefined && { body: sent }) });
    await response.text();
  }

  #fetch(path: string, init: RequestInit): Promise<Response> {
    return this.#sandbox.fetch(new Request(this.#sandbox.url + path, init));
  }

  /** Returns the fields of a form, with the key, which is not recorded. */
  #form(form: Readonly<Record<string, string>>, path: string): Readonly<Record<string, string>> {
    const fields = Object.entries(form).map(([name, value]) => [name, this.#text(value)]);
    const key = path === formPath ? { security_key: this.#sandbox.securityKey } : {};
    return { ...Object.fromEntries(fields), ...key };
  }

  #text(text: string): string {
    return resolveText(text, (reference) => this.#objects.idOf(reference));
  }

  #resolved(value: unknown): unknown {
    return resolveReferences(value, (reference) => this.#objects.idOf(reference));
  }
}

/** What a buyer types on any page besides the card. A page ignores what it does not ask for. */
const buyer = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  phone: '+1 415 555 0100',
  ...address('billing'),
  ...address('shipping'),
};

function address(group: string): Readonly<Record<string, string>> {
  const parts = {
    country: 'US',
    line1: '1 Main Street',
    postal_code: '94107',
    city: 'San Francisco',
    state: 'CA',
  };
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [`${group}_${name}`, value]));
}

function formBody(
  form: Readonly<Record<string, string>>,
  encoding: ReplayRequest['encoding'],
): URLSearchParams | FormData {
  if (encoding === undefined) return new URLSearchParams(form);
  const body = new FormData();
  for (const [name, value] of Object.entries(form)) body.append(name, value);
  return body;
}

/** Releases a request as soon as a fault holds it, since nothing else would. */
function releaseWhenReached(result: unknown): void {
  const hold = isRecord(result) ? result['hold'] : undefined;
  if (!isRecord(hold)) return;
  const { reached, release } = hold;
  if (!(reached instanceof Promise) || typeof release !== 'function') return;
  void reached.then(() => Reflect.apply(release, hold, []));
}

/** @throws ConfigurationError for an unknown command, or wrong arguments. */
function perform(sandbox: Sandbox, name: string, args: object): unknown {
  try {
    return sandbox.perform(name, args);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new ConfigurationError(`replay.entries: ${error.message} Correct the entry.`);
  }
}
