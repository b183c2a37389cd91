import { useState } from 'preact/hooks';
import type { RequestFault } from '../api/faults/fault.ts';
import type { ListedFaults, WaitingFault } from '../control/endpoint-summary.ts';
import {
  type DeliveryFaultKind,
  deliveryFaultKinds,
  type PendingDeliveryFault,
} from '../domain/records/delivery.ts';
import { faultText } from './fault-text.ts';
import { pageData, perform } from './kit/api.ts';
import { Button, Field, Select } from './kit/controls.tsx';
import { Loaded, Page, Part } from './kit/page.tsx';
import { useLoad } from './kit/use-load.ts';
import { Badge, countText, durationText } from './kit/values.tsx';

/** The `times` of a fault without a limit. JSON has no infinity, and writes that of a fault of code as null. */
const always = Number.MAX_SAFE_INTEGER;

/** How many requests a fault can hit. */
const times = [
  ['1', 'next request'],
  ['2', 'next 2 requests'],
  ['3', 'next 3 requests'],
  ['5', 'next 5 requests'],
  [String(always), 'every request until cleared'],
] as const;

/** The operations that a fault can target. */
const operations = [['', 'any'], ...pageData.operations.map((name) => [name, name] as const)] as const;

/** The conditions of a fault as typed. Empty texts stand for the defaults. */
const anyRequest = { operation: '', times: '1', skip: '', probability: '' };
type Conditions = typeof anyRequest;

/** Returns the condition fields of a fault. The sandbox refuses a text that is not a number. */
function fieldsOf({ operation, ...numbers }: Conditions): object {
  const typed = Object.entries(numbers).filter(([, text]) => text.trim() !== '');
  const read = typed.map(([name, text]) => [name, Number.isNaN(Number(text)) ? text : Number(text)]);
  return { ...Object.fromEntries(read), ...(operation !== '' && { operation }) };
}

interface ConditionFieldsProps {
  readonly conditions: Conditions;
  readonly change: (conditions: Conditions) => void;
}

function ConditionFields({ conditions, change }: ConditionFieldsProps) {
  const set = (name: keyof Conditions) => (value: string) => change({ ...conditions, [name]: value });
  const { operation, skip, probability } = conditions;
  return (
    <div class="filters">
      <Select label="Hits" value={conditions.times} onChange={set('times')} options={times} />
      <Select label="Operation" value={operation} onChange={set('operation')} options={operations} />
      <Field
        label="Requests to skip"
        value={skip}
        onInput={set('skip')}
        inputMode="numeric"
        placeholder="0"
      />
      <Field label="Probability, 0 to 1" value={probability} onInput={set('probability')} placeholder="1" />
    </div>
  );
}

/** The faults that one click arms. Those that hold a request are not among them, since only code can release it. */
const presets: readonly RequestFault[] = [
  { kind: 'drop_reply' },
  { kind: 'drop_request' },
  { kind: 'refuse_connection' },
  { kind: 'latency', ms: 2000 },
  { kind: 'webhook_before_reply' },
  { kind: 'stall_body' },
  { kind: 'truncate_body' },
  { kind: 'malformed_body' },
  { kind: 'bad_gateway' },
  { kind: 'unavailable' },
  { kind: 'rate_limit', retryAfter: 1 },
  { kind: 'idempotency_error', code: 'IDEMPOTENCY_KEY_IN_PROGRESS' },
  { kind: 'idempotency_error', code: 'IDEMPOTENCY_STORE_UNAVAILABLE' },
];

/** The label of each fault of deliveries. */
const deliveryLabels: Readonly<Record<DeliveryFaultKind, string>> = {
  duplicate_delivery: 'Duplicated',
  reorder_delivery: 'Out of order',
  delay_delivery: 'Delayed',
  forge_delivery: 'Signed with a wrong secret',
  tamper_delivery: 'Body changed after signing',
  drop_delivery: 'Dropped',
};

/** Returns how many requests a fault can still hit; `undefined` for no limit. */
function leftOf(fault: RequestFault, hits: number): number | undefined {
  const limit = 'times' in fault ? fault.times : undefined;
  if (limit === always || limit === null) return undefined;
  return limit === undefined && fault.probability !== undefined ? undefined : (limit ?? 1) - hits;
}

/** Returns what a fault of requests still hits: `next 2 refunds.create, after 1 request`. */
function targetText(fault: RequestFault, hits: number): string {
  const { operation, route, skip, probability } = fault;
  const left = leftOf(fault, hits);
  const target = operation ?? route;
  const one = target ?? 'request';
  const several = left === undefined ? `every ${one} until cleared` : `next ${left} ${target ?? 'requests'}`;
  return [
    left === 1 ? `next ${one}` : several,
    ...(skip ? [`after ${countText(skip, 'request')}`] : []),
    ...(probability === undefined ? [] : [`with a probability of ${probability}`]),
  ].join(', ');
}

/** Returns what a fault of deliveries still hits. */
function deliveryText({ left, delay, types, endpoint }: PendingDeliveryFault): string {
  const matching = types === null && endpoint === null ? '' : 'matching ';
  const target = left === 1 ? `next ${matching}delivery` : `next ${left} ${matching}deliveries`;
  return delay > 0 ? `${target}, by ${durationText(delay)}` : target;
}

interface PresetProps {
  readonly label: string;
  readonly fault: object;
  /** The armed faults of this label: what each still hits. */
  readonly armed: readonly { readonly id: string; readonly target: string }[];
}

/** Shows a button that arms a fault, and what the armed ones still hit. */
function Preset({ label, fault, armed }: PresetProps) {
  return (
    <div>
      <Button act={() => perform('faults.inject', fault)}>{label}</Button>
      {armed.map(({ id, target }) => (
        <p key={id} class="line">
          <Badge tone="warn">armed: {target}</Badge>
          <Button act={() => perform('faults.withdraw', { id })} variant="quiet" label={`Clear: ${label}`}>
            Clear
          </Button>
        </p>
      ))}
    </div>
  );
}

/** Shows the presets, then the other faults that code has armed. A new one gets the conditions that are typed. */
function RequestFaults({ armed }: { readonly armed: readonly WaitingFault[] }) {
  const [conditions, setConditions] = useState(anyRequest);
  const labels = presets.map(faultText);
  const others = armed.map(({ fault }) => fault).filter((fault) => !labels.includes(faultText(fault)));
  const byLabel = new Map([...presets, ...others].map((fault) => [faultText(fault), fault]));
  return (
    <Part title="Faults of requests">
      <ConditionFields conditions={conditions} change={setConditions} />
      <div class="presets">
        {[...byLabel].map(([label, fault]) => (
          <Preset
            key={label}
            label={label}
            fault={{ ...fault, ...fieldsOf(conditions) }}
            armed={armed
              .filter((one) => faultText(one.fault) === label)
              .map(({ id, fault, hits }) => ({ id, target: targetText(fault, hits) }))}
          />
        ))}
      </div>
    </Part>
  );
}

function DeliveryFaults({ armed }: { readonly armed: readonly PendingDeliveryFault[] }) {
  return (
    <Part title="Faults of the next webhook delivery">
      <div class="presets">
        {deliveryFaultKinds.map((kind) => (
          <Preset
            key={kind}
            label={deliveryLabels[kind]}
            fault={{ kind, ...(kind === 'delay_delivery' && { by: '1 hour' }) }}
            armed={armed
              .filter((one) => one.kind === kind && one.left > 0)
              .map((one) => ({ id: one.id, target: deliveryText(one) }))}
          />
        ))}
      </div>
    </Part>
  );
}

/** Shows and arms the faults of requests and deliveries. */
export function Faults() {
  const load = useLoad<ListedFaults>('faults');
  return (
    <Page
      title="Faults"
      actions={
        <>
          <a href="#/activity?status=fault">Requests that a fault hit</a>
          <Button act={() => perform('faults.clear')}>Clear all</Button>
        </>
      }
    >
      <Loaded load={load}>
        {({ data, deliveries }) => (
          <>
            <RequestFaults armed={data} />
            <DeliveryFaults armed={deliveries} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
