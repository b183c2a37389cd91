import type { Entry, RecordedAction, RecordedChange } from '../../../stories/entry.ts';
import { heading, moneyText, words } from '../kit/format.ts';

type Snapshot = RecordedChange['after'];

/** Returns a text field of an object; `undefined` if it has no such field. */
function textOf(object: Snapshot, name: string): string | undefined {
  const value = object?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the state of an object, which most kinds call `status`. */
export function stateOf(object: Snapshot): string | undefined {
  return textOf(object, 'status') ?? textOf(object, 'state');
}

/** Returns the amount of an object as text; `undefined` if it has none. */
export function amountOf(object: Snapshot): string | undefined {
  const amount = object?.['amount'] ?? object?.['amount_total'];
  const currency = textOf(object, 'currency');
  return typeof amount === 'number' && currency !== undefined ? moneyText(amount, currency) : undefined;
}

function changeText({ object, before, after }: RecordedChange): string {
  const kind = heading(object.kind);
  if (before === null) return `${kind} created`;
  if (after === null) return `${kind} removed`;
  const [from, to] = [stateOf(before), stateOf(after)];
  return from !== undefined && to !== undefined && from !== to ? `${kind} ${words(to)}` : `${kind} changed`;
}

const actions: Readonly<Record<RecordedAction['name'], string>> = {
  'clock.advance': 'Clock advanced',
  'faults.inject': 'Fault armed',
  'faults.clear': 'Faults cleared',
  'webhooks.replay': 'Delivery replayed',
  pay: 'Buyer paid',
  settle: 'Batch settled',
  trigger: 'Event triggered',
  add: 'Object added',
  update: 'Object updated',
  seed: 'Sample data created',
  restore: 'Snapshot restored',
  reset: 'Sandbox reset',
};

function actionText({ name, details }: RecordedAction): string {
  const detail = Object.values(details).find(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
  return detail === undefined ? actions[name] : `${actions[name]}: ${detail}`;
}

/** Returns a short description of an entry. */
export function entryText(entry: Entry): string {
  switch (entry.kind) {
    case 'request':
      return entry.operation ?? `${entry.method} ${entry.path}`;
    case 'change':
      return changeText(entry);
    case 'delivery':
      return entry.event.type;
    case 'action':
      return actionText(entry);
  }
}
