import { placeholder } from '../../../base/redact.ts';
import { toMilliseconds } from '../../store/clock.ts';
import type { RecordedAction, RecordedRequest } from '../entry.ts';
import type { ChosenEntries } from './chosen-entries.ts';
import { notReplayable } from './not-replayable.ts';
import { pageStep } from './page-payments.ts';
import { payingTypes, requestFault } from './request-faults.ts';
import { type Replayable, type StorySource, sentBodyOf } from './story-source.ts';
import { deliveryFaultSteps, endpointSteps } from './webhook-steps.ts';

/** A step of a replay, with the recorded ids. */
export interface Step {
  /** The number of the recorded entry; for an endpoint, of the one that made it. */
  readonly position: number;
  /** The recorded entry, whose changes are those of the step; `undefined` for a preparation. */
  readonly entry?: Replayable;
  /** The id of the endpoint that it makes. */
  readonly endpointId?: string;
  /** The time of the sandbox's clock, in ms since 1970; `undefined` for any. */
  readonly at?: number;
  /** How far it advances the clock, in ms. */
  readonly advance: number;
  /** The effect, for a step whose changes do not show it. */
  readonly comment?: string;
  /** The fields of the entry, without its number and `after`. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Fields of a form that name its card. */
const cardNames: readonly string[] = ['payment_token', 'ccnumber'];

function requireTestCard(
  { number }: RecordedRequest,
  form: Readonly<Record<string, string>> | undefined,
): void {
  const isPaying = payingTypes.includes(form?.['type'] ?? '');
  if (!isPaying || !cardNames.some((name) => form?.[name] === placeholder)) return;
  throw notReplayable(
    `the card of request ${number} is no test card, so it was not recorded. Pay with one of testCards.`,
  );
}

/** Returns the fields that were recorded. A replay adds its own key, and what belongs to a card number. */
function withoutRedacted(form: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== placeholder));
}

function requestStep(request: RecordedRequest): Step {
  const { number, at, method, path, query, idempotencyKey, source, arrived, reply } = request;
  const { form, ...sent } = sentBodyOf(request);
  requireTestCard(request, form);
  const fields = {
    request: `${method} ${path}${query === '' ? '' : `?${query}`}`,
    ...(idempotencyKey !== null && { key: idempotencyKey }),
    ...(form !== undefined && { form: withoutRedacted(form) }),
    ...sent,
    ...(source === 'dashboard' && { from: source }),
    status: arrived ? (reply?.status ?? null) : null,
  };
  return { position: number, entry: request, at, advance: 0, fields };
}

function requestSteps(request: RecordedRequest, source: StorySource): readonly Step[] {
  const { number: position, at } = request;
  const fault = requestFault(request, source);
  const fields = { command: 'faults.inject', args: fault };
  const comment = 'The next request meets this fault.';
  const injection = fault === undefined ? [] : [{ position, at, advance: 0, comment, fields }];
  return [...injection, requestStep(request)];
}

function pageSteps(request: RecordedRequest, source: StorySource): readonly Step[] {
  const step = pageStep(request, source);
  if (step === undefined) return [];
  const { number, at, path, reply } = request;
  const page = path.split('/').at(-1) ?? '';
  return [
    { position: number, entry: request, at, advance: 0, fields: { page, ...step, status: reply?.status } },
  ];
}

function durationOf({ name, details: { advance } }: RecordedAction): number {
  const isDuration = typeof advance === 'string' || typeof advance === 'number';
  return name === 'clock.advance' && isDuration ? toMilliseconds('clock.advance', advance) : 0;
}

function actionStep(action: RecordedAction): Step {
  const { number, at, name, details } = action;
  const fields = { command: name, args: details };
  return { position: number, entry: action, at, advance: durationOf(action), fields };
}

function stepsOf(entry: Replayable, source: StorySource): readonly Step[] {
  if (entry.kind === 'action') return [actionStep(entry)];
  return entry.source === 'buyer' ? pageSteps(entry, source) : requestSteps(entry, source);
}

function preparations(source: StorySource, entries: readonly Replayable[]): readonly Step[] {
  const endpoints = endpointSteps(source).map(({ position, id, endpoint, responses }) => ({
    position,
    endpointId: id,
    advance: 0,
    comment: 'An endpoint, with its recorded responses.',
    fields: { endpoint, responses },
  }));
  const faults = deliveryFaultSteps(source, entries).map(({ position, at, fault }) => ({
    position,
    at,
    advance: 0,
    comment: 'The next deliveries meet this fault.',
    fields: { command: 'faults.inject', args: fault },
  }));
  return [...endpoints, ...faults];
}

/**
 * Returns the steps that replay a story, in order.
 *
 * @throws Problem when one cannot be replayed.
 */
export function replaySteps({ entries }: ChosenEntries, source: StorySource): readonly Step[] {
  const steps = [...preparations(source, entries), ...entries.flatMap((entry) => stepsOf(entry, source))];
  return steps.toSorted((one, other) => one.position - other.position);
}
