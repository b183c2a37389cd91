import { eventsOf, kindOf } from '../control/entry-kind.ts';
import type { SandboxDelivery } from '../domain/records/delivery.ts';
import type { Entry, RecordedChange, RecordedDelivery } from '../stories/entry.ts';
import { DeliveryMarks, DeliveryResult, Redeliver, statusText } from './delivery-card.tsx';
import { Marks } from './entry-detail.tsx';
import { entryText, stateOf } from './entry-text.ts';
import { Breakable } from './kit/code.tsx';
import type { Column } from './kit/list.tsx';
import { hrefOf } from './kit/route.ts';
import { Badge, heading, Id, State, Status, Time, toneOfState } from './kit/values.tsx';

interface Deliveries {
  readonly deliveries: readonly SandboxDelivery[];
}

/** An entry, with all deliveries of its events. */
export interface EntryRow extends Deliveries {
  readonly entry: Entry;
}

/** Returns the rows of entries, each with its deliveries. */
export function rowsOf(
  entries: readonly Entry[],
  deliveries: readonly SandboxDelivery[],
): readonly EntryRow[] {
  return entries.map((entry) => {
    const events = eventsOf(entry);
    return { entry, deliveries: deliveries.filter(({ eventId }) => events.includes(eventId)) };
  });
}

/** Returns the page of an entry. That of an event is the event's own. */
export function hrefOfRow({ entry }: EntryRow): string {
  const [event] = entry.kind === 'change' ? entry.events : [];
  return hrefOf(['activity', event?.id ?? String(entry.number)]);
}

/** Names a change, its events first. */
function Change({ change }: { readonly change: RecordedChange }) {
  const { events, number, object } = change;
  const changed = <a href={hrefOf(['activity', String(number)])}>{entryText(change)}</a>;
  return (
    <>
      {events.map(({ id, type }) => (
        <p key={id}>
          <a href={hrefOf(['activity', id])}>
            <Breakable text={type} />
          </a>
        </p>
      ))}
      {events.length === 0 && changed}
      <p class="line reason">
        {events.length > 0 && changed}
        <Id id={object.id} copy={false} />
      </p>
    </>
  );
}

function What({ row }: { readonly row: EntryRow }) {
  const { entry } = row;
  const href = hrefOfRow(row);
  switch (entry.kind) {
    case 'request':
      return (
        <>
          <a class="request" href={href}>
            <b>{entry.method}</b> <Breakable text={entry.path} />
          </a>
          <p class="line reason">
            {entry.operation}
            {entry.operationId !== null && <code>{entry.operationId}</code>}
          </p>
        </>
      );
    case 'change':
      return <Change change={entry} />;
    case 'delivery':
      return (
        <>
          <a href={href}>
            <Breakable text={entry.event.type} />
          </a>
          <p class="reason">
            to <code>{entry.url}</code>
          </p>
        </>
      );
    case 'action':
      return <a href={href}>{entryText(entry)}</a>;
  }
}

function EventResult({ deliveries }: Deliveries) {
  return (
    <p class="line">
      {deliveries.map((delivery) => (
        <DeliveryResult key={delivery.id} delivery={delivery} />
      ))}
      {deliveries.length === 0 && <Badge>no endpoint</Badge>}
    </p>
  );
}

/** Shows the result of a delivery attempt. The last one can be repeated if it failed. */
function AttemptResult({ attempt, deliveries }: { readonly attempt: RecordedDelivery } & Deliveries) {
  const { deliveryId, event, responseStatus, status } = attempt;
  const delivery = deliveries.find(({ id }) => id === deliveryId);
  const isOpen = status !== 'delivered' && delivery?.attempts.length === attempt.attempt;
  return (
    <p class="line">
      <Status status={responseStatus} />
      {isOpen && <Badge tone={toneOfState(status)}>{statusText(status)}</Badge>}
      {attempt.attempt > 1 && <Badge>attempt {attempt.attempt}</Badge>}
      {delivery !== undefined && <DeliveryMarks delivery={delivery} deliveries={deliveries} />}
      {isOpen && <Redeliver id={deliveryId} what={event.type} />}
    </p>
  );
}

/** Shows the result of an entry: the response, the state, or the deliveries of an event; and what is unusual. */
export function Result({ row: { entry, deliveries } }: { readonly row: EntryRow }) {
  switch (entry.kind) {
    case 'request':
      return (
        <span class="line">
          <Status status={entry.reply?.status ?? null} />
          <Marks request={entry} />
        </span>
      );
    case 'delivery':
      return <AttemptResult attempt={entry} deliveries={deliveries} />;
    case 'change': {
      const state = stateOf(entry.after);
      if (entry.events.length === 0) return state === undefined ? null : <State state={state} />;
      return entry.events.map(({ id }) => (
        <EventResult key={id} deliveries={deliveries.filter(({ eventId }) => eventId === id)} />
      ));
    }
    case 'action':
      return null;
  }
}

/** The columns of a list of entries. */
export const columns: readonly Column<EntryRow>[] = [
  { name: 'Time (UTC)', cell: ({ entry }) => <Time at={entry.at} /> },
  { name: 'Kind', cell: ({ entry }) => heading(kindOf(entry)) },
  { name: 'Activity', main: true, cell: (row) => <What row={row} /> },
  { name: 'Result', cell: (row) => <Result row={row} /> },
];
