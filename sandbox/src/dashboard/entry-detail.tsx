import type {
  Entry,
  RecordedAction,
  RecordedChange,
  RecordedDelivery,
  RecordedRequest,
} from '../stories/entry.ts';
import { curlOf } from './curl.ts';
import { errorOf, meaningOf } from './entry-text.ts';
import { faultText } from './fault-text.ts';
import { Body, CodeText, Diff, Json } from './kit/code.tsx';
import { Badge, Facts, Id, State, Status, words } from './kit/values.tsx';

/** Shows the arguments of an action. */
function ActionDetail({ action: { details } }: { readonly action: RecordedAction }) {
  return (
    <div class="detail">
      <Json value={details} name="details" />
    </div>
  );
}

/** Shows an object before and after a change, and the events that the change emitted. */
function ChangeDetail({ change }: { readonly change: RecordedChange }) {
  const { object, before, after, events } = change;
  return (
    <div class="detail">
      <p class="line">
        <Id id={object.id} href={`#/objects/${object.kind}/${encodeURIComponent(object.id)}`} />
      </p>
      {before !== null && after !== null && (
        <section>
          <h4>Difference</h4>
          <Diff before={before} after={after} />
        </section>
      )}
      <div class="sides">
        <section>
          <h4>Before</h4>
          {before === null ? (
            <p class="soft">The object did not exist.</p>
          ) : (
            <Json value={before} name="object before" />
          )}
        </section>
        <section>
          <h4>After</h4>
          {after === null ? (
            <p class="soft">The object was removed.</p>
          ) : (
            <Json value={after} name="object after" />
          )}
        </section>
      </div>
      {events.length > 0 && (
        <p class="line">
          Emitted{' '}
          {events.map(({ id, type }) => (
            <a key={id} href={`#/activity/${id}`}>
              {type}
            </a>
          ))}
        </p>
      )}
    </div>
  );
}

/** Shows the headers of a message, collapsed at first. */
export function Headers({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  const names = Object.entries(headers);
  if (names.length === 0) return null;
  return (
    <details class="headers">
      <summary>Headers ({names.length})</summary>
      <dl>
        {names.map(([name, value]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <code>{value}</code>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Shows a delivery attempt: the signed request, and the endpoint's response. */
function DeliveryDetail({ delivery }: { readonly delivery: RecordedDelivery }) {
  const { url, event, deliveryId, attempt, status, request, responseStatus, error, responseText } = delivery;
  return (
    <div class="detail">
      <Facts
        facts={[
          ['Event', <Id key="" id={event.id} />],
          ['Delivery', <Id key="" id={deliveryId} />],
          ['Attempt', attempt],
          ['Status', <State key="" state={status} />],
        ]}
      />
      <div class="sides">
        <section>
          <h4>Sent</h4>
          <p class="line">
            <code>
              <b>POST</b> {url}
            </code>
          </p>
          <Headers headers={request.headers} />
          <Body text={request.body} name="delivery" />
        </section>
        <section>
          <h4>Response</h4>
          <p class="line">
            <Status status={responseStatus} />
          </p>
          {error === null ? <Body text={responseText} name="response" /> : <p>{error}</p>}
        </section>
      </div>
    </div>
  );
}

/** Shows why the service refused a request. */
function Cause({ request }: { readonly request: RecordedRequest }) {
  const error = errorOf(request);
  if (error === undefined) return null;
  const meaning = meaningOf(error);
  return (
    <div class="cause">
      <p>
        <strong>{error.message}</strong>
      </p>
      {meaning !== undefined && <p>{meaning}</p>}
      <p class="soft">
        <code>{error.code}</code>
        {error.param !== undefined && (
          <>
            , field <code>{error.param}</code>
          </>
        )}
      </p>
    </div>
  );
}

function Reply({ request: { reply, arrived } }: { readonly request: RecordedRequest }) {
  if (reply === null) return <p class="soft">None: the connection broke before the reply.</p>;
  return (
    <>
      <p class="line">
        <Status status={reply.status} />
        {!arrived && <strong class="lost">Your app did not receive this reply.</strong>}
      </p>
      <Headers headers={reply.headers} />
      <Body text={reply.body} name="reply" />
    </>
  );
}

function factsOf({ idempotencyKey, operationId, requestId, duration }: RecordedRequest) {
  return [
    ...(operationId === null ? [] : [['Operation id', <Id key="" id={operationId} href={null} />] as const]),
    ...(idempotencyKey === null
      ? []
      : [['Idempotency key', <Id key="" id={idempotencyKey} href={null} />] as const]),
    ['Request id', <Id key="" id={requestId} href={null} />] as const,
    ['Duration', `${Math.max(1, Math.round(duration))} ms`] as const,
  ];
}

/** Shows a request with its response, the reason of a failure, and a command that sends it. */
function RequestDetail({ request }: { readonly request: RecordedRequest }) {
  const { method, path, query, fault, isWhole } = request;
  return (
    <div class="detail">
      <Cause request={request} />
      {fault !== null && <p class="fault">Fault: {faultText(fault)}</p>}
      <Facts facts={factsOf(request)} />
      <div class="sides">
        <section>
          <h4>Request</h4>
          <p class="line">
            <code>
              <b>{method}</b> {path}
              {query !== '' && `?${query}`}
            </code>
          </p>
          <Headers headers={request.request.headers} />
          <Body text={request.request.body} name="request" />
        </section>
        <section>
          <h4>Reply</h4>
          <Reply request={request} />
        </section>
      </div>
      <section>
        <h4>Send it again</h4>
        {!isWhole && (
          <p class="soft">Parts of the body were not recorded. Fill them in before you run the command.</p>
        )}
        <CodeText name="curl" text={curlOf(request, location.origin)} />
      </section>
    </div>
  );
}

/** Shows all details of an entry. */
export function EntryDetail({ entry }: { readonly entry: Entry }) {
  switch (entry.kind) {
    case 'request':
      return <RequestDetail request={entry} />;
    case 'change':
      return <ChangeDetail change={entry} />;
    case 'delivery':
      return <DeliveryDetail delivery={entry} />;
    case 'action':
      return <ActionDetail action={entry} />;
  }
}

/** Shows the badges of a request: its sender, a lost or replayed response, a fault. */
export function Marks({ request }: { readonly request: RecordedRequest }) {
  const { source, fault, replayed, arrived } = request;
  // The badge for a lost response says it already.
  const isOtherFault = fault !== null && fault.kind !== 'drop_reply';
  if (source === 'app' && !replayed && arrived && !isOtherFault) return null;
  return (
    <span class="line">
      {source !== 'app' && <Badge>{source}</Badge>}
      {replayed && <Badge tone="info">replayed</Badge>}
      {!arrived && <Badge tone="bad">reply lost</Badge>}
      {isOtherFault && <Badge tone="warn">{words(fault.kind)}</Badge>}
    </span>
  );
}
