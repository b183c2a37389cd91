import type { RecordedRequest } from '../../../stories/entry.ts';
import { Code } from '../kit/code.tsx';
import { Body } from '../kit/json.tsx';
import { Facts, Id, Status } from '../kit/values.tsx';
import { faultText } from './fault-text.ts';
import { ForkButton } from './fork-button.tsx';
import { Headers } from './headers.tsx';
import { errorOf, meaningOf } from './reply-error.ts';
import { curlOf } from './samples/curl.ts';
import { sdkOf } from './samples/sdk.ts';
import { vitestOf } from './samples/vitest.ts';

function samplesOf(request: RecordedRequest) {
  const { origin } = location;
  const texts = [
    { name: 'SDK', text: sdkOf(request, origin) },
    { name: 'curl', text: curlOf(request, origin) },
    { name: 'Vitest', text: vitestOf(request) },
  ];
  return texts.flatMap(({ name, text }) => (text === undefined ? [] : [{ name, text }]));
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
    ...(requestId === null ? [] : [['Request id', <Id key="" id={requestId} href={null} />] as const]),
    ['Duration', `${Math.max(1, Math.round(duration))} ms`] as const,
  ];
}

/** Shows a request with its response, the reason of a failure, and code that sends it. */
export function RequestDetail({ request }: { readonly request: RecordedRequest }) {
  const { method, path, query, fault, number, isWhole } = request;
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
        <h4>Code</h4>
        {!isWhole && (
          <p class="soft">Parts of the body were not recorded. Fill them in before you run the code.</p>
        )}
        <Code samples={samplesOf(request)} name="Code that sends the request" />
      </section>
      <div class="actions">
        <ForkButton number={number} />
      </div>
    </div>
  );
}
