/** Writes the tables of `docs/sandbox-behaviour.md`: test cards, faults and timings. */

import { timings } from '../../sandbox/src/domain/timings.ts';
import { type TestCard, testCards } from '../../sandbox/src/transact/test-cards.ts';
import { day, hour, minute, second } from '../../src/base/time.ts';
import { compiledProgram, partsOf, typeOf } from './compiler.ts';
import { tableOf, withParts } from './page-parts.ts';
import { type Field, fieldsOf, fieldsOfType } from './source-types.ts';

const code = (text: string) => `\`${text}\``;

/** The test cards for 3-D Secure, whose other checks pass. */
const threeDSecureSeries = '9999003';

function outcomeOf({ number, avs, cvv, threeDSecure, decline }: TestCard): string {
  if (decline !== null) {
    const { response, code: responseCode, responsetext } = decline;
    return `${response}, ${responseCode}: ${responsetext}`;
  }
  return number.startsWith(threeDSecureSeries) ? code(threeDSecure) : `${code(avs)}, ${code(cvv)}`;
}

function cardsTable(): string {
  const rows = Object.entries(testCards).map(([name, card]) => [code(name), card.number, outcomeOf(card)]);
  return tableOf(
    ['`testCards`', 'number', 'AVS and CVV; 3-D Secure; or `response`, `response_code` and text'],
    rows,
  );
}

/** The fields that many faults have, with their own table. */
const commonFields: readonly string[] = [
  'kind',
  'operation',
  'route',
  'skip',
  'times',
  'probability',
  'types',
  'endpoint',
];

/** Returns the fields of each member of a union of faults. */
function faultsOf(module: string, name: string): readonly (readonly Field[])[] {
  const { checker } = compiledProgram();
  return partsOf(typeOf(module, name)).map((part) => fieldsOfType(part, checker));
}

const requestFaults = () => faultsOf('sandbox/src/api/faults/fault.ts', 'RequestFault');
const deliveryFaults = () => faultsOf('sandbox/src/webhooks/delivery-faults.ts', 'DeliveryFault');

function faultRow(fields: readonly Field[]): readonly string[] {
  const kind = fields.find(({ name }) => name === 'kind');
  const own = fields.filter(({ name }) => !commonFields.includes(name)).map(({ name }) => code(name));
  return [code(kind?.values[0] ?? ''), [kind?.description ?? '', ...own].join(' ')];
}

function faultsTable(faults: readonly (readonly Field[])[]): string {
  return tableOf(['`kind`', 'effect, and own fields'], faults.map(faultRow));
}

function commonFieldsTable(): string {
  const fields = [...requestFaults(), ...deliveryFaults()].flat();
  const rows = [...commonFields.slice(1), 'committed'].map((name) => [
    code(name),
    fields.find((field) => field.name === name)?.description ?? '',
  ]);
  return tableOf(['field', 'meaning'], rows);
}

const units = [
  [day, 'day'],
  [hour, 'hour'],
  [minute, 'minute'],
  [second, 'second'],
] as const;

/** Returns a duration in its largest whole unit: `30 days`. */
function durationText(ms: number): string {
  const [size, name] = units.find(([unit]) => ms % unit === 0) ?? [1, 'ms'];
  return `${ms / size} ${name}${ms === size ? '' : 's'}`;
}

function timingsTable(): string {
  const times = new Map(Object.entries<number | readonly number[]>(timings));
  const rows = fieldsOf('sandbox/src/domain/timings.ts', 'timings').map(({ name, description }) => [
    [times.get(name) ?? []].flat().map(durationText).join(', '),
    description,
  ]);
  return tableOf(['after', 'what happens'], rows);
}

/** Returns the page with current tables. */
export function writeBehaviourPage(): string {
  return withParts('docs/sandbox-behaviour.md', {
    'test cards': cardsTable(),
    timings: timingsTable(),
    'request faults': faultsTable(requestFaults()),
    'delivery faults': faultsTable(deliveryFaults()),
    'fields of faults': commonFieldsTable(),
  });
}
