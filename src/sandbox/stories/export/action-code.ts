import { isRecord } from '../../../base/json.ts';
import type { Entry, RecordedAction, RecordedChange, RecordedRequest } from '../entry.ts';
import { isOwnKind } from '../links.ts';
import { call, quote, toCode } from './code-text.ts';
import { decodedPart } from './decoded-part.ts';
import type { Result, Statement } from './test-script.ts';

type CodeOf = (text: string) => string;

/** Returns the last object of a kind that an entry changed, after that change. */
function changedBy(number: number, kind: string, own: readonly Entry[]): Result | undefined {
  const isOfIt = (entry: Entry): entry is RecordedChange =>
    entry.kind === 'change' && entry.cause === number && entry.object.kind === kind;
  const fields = own.findLast(isOfIt)?.after;
  return fields ? { kind, fields } : undefined;
}

const isFilled = (value: unknown) => isRecord(value) && Object.keys(value).length > 0;

/** Drops empty arguments at the end. */
function withoutEmpty(values: readonly unknown[], codeOf: CodeOf) {
  const last = values.findLastIndex(isFilled);
  return values.slice(0, last + 1).map((value) => toCode(value ?? {}, codeOf));
}

function payment(id: string, options: object, codeOf: CodeOf, result: Result | undefined): Statement {
  const args = [codeOf(id), ...withoutEmpty([options], codeOf)];
  return { code: call('sandbox.pay', args), result };
}

/** Returns the statement that looks up a delivery or an event by its type and position. */
function webhookReplay(id: string, own: readonly Entry[]): Statement {
  const deliveries = own.flatMap((entry) =>
    entry.kind === 'delivery' && entry.attempt === 1 ? [[entry.deliveryId, entry.event.type] as const] : [],
  );
  const events = own.flatMap((entry) =>
    entry.kind === 'change' ? entry.events.map((event) => [event.id, event.type] as const) : [],
  );
  const isDelivery = deliveries.some(([delivery]) => delivery === id);
  const all = isDelivery ? deliveries : events;
  const type = all.find(([one]) => one === id)?.[1] ?? '';
  const index = all.filter(([, other]) => other === type).findIndex(([one]) => one === id);
  const list = isDelivery ? 'sandbox.webhooks.deliveries()' : 'sandbox.events';
  const found = `${list}.filter((one) => one.type === ${quote(type)})[${index}]?.id ?? ''`;
  return { code: call('sandbox.webhooks.replay', [found]) };
}

/** Returns the statement that repeats an action; `undefined` if it has no effect. */
export function actionCode(
  { name, number, details }: RecordedAction,
  own: readonly Entry[],
  codeOf: CodeOf,
): Statement | undefined {
  const { id, kind, fields, type, options, advance, ...rest } = details;
  switch (name) {
    case 'clock.advance':
      return { code: call('sandbox.clock.advance', [toCode(advance)]), isAwaited: true };
    case 'pay':
      return payment(String(id), rest, codeOf, changedBy(number, 'payment_intent', own));
    case 'trigger':
      return {
        code: call('sandbox.trigger', [toCode(type), ...withoutEmpty([fields ?? {}, options], codeOf)]),
      };
    case 'update':
      return {
        code: call('sandbox.update', [toCode(kind), codeOf(String(id)), toCode(fields, codeOf)]),
      };
    case 'add':
      if (!isOwnKind(String(kind))) return undefined;
      return {
        code: call('sandbox.add', [toCode(kind), ...withoutEmpty([fields], codeOf)]),
        result: changedBy(number, String(kind), own),
      };
    case 'settle':
      return { code: call('sandbox.settle', withoutEmpty([rest], codeOf)) };
    case 'webhooks.replay':
      return webhookReplay(String(id), own);
    default:
      return undefined;
  }
}

/**
 * Returns the payment that a buyer made on a session's page; `undefined` if the page made no attempt.
 *
 * @param seenCharges The charges of earlier pages. This function adds the one of this page.
 */
export function pageCode(
  { path, number }: RecordedRequest,
  own: readonly Entry[],
  seenCharges: Set<string>,
  codeOf: CodeOf,
): Statement | undefined {
  const id = decodedPart(path.split('/').at(-1) ?? '');
  const changes = own.flatMap((entry) =>
    entry.kind === 'change' && entry.cause === null && entry.number < number ? [entry] : [],
  );
  const intentId = changes.findLast(({ object }) => object.id === id)?.after?.['payment_intent_id'];
  const charge = changes.findLast(
    ({ object, before, after }) =>
      object.kind === 'charge' && before === null && after?.['intent_id'] === intentId,
  );
  if (charge === undefined || seenCharges.has(charge.object.id)) return undefined;
  seenCharges.add(charge.object.id);
  const isDeclined = charge.after?.['status'] === 'failed';
  const options = isDeclined ? { payment_method: charge.after?.['payment_method'] } : {};
  const intent = changes.findLast(({ object }) => object.id === intentId)?.after;
  return payment(id, options, codeOf, intent ? { kind: 'payment_intent', fields: intent } : undefined);
}
