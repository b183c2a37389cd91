import {
  type Attributes,
  type Context,
  context,
  type Link,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { CallEvent, EndEvent, RequestEvent, ResponseEvent } from '../http/client/hooks.ts';
import type { Measure } from './instruments.ts';

/** The result of an attempt: the status of its response, or the type of its error, or both. */
interface AttemptResult extends Partial<Pick<ResponseEvent, 'status' | 'requestId'>> {
  readonly type?: string | undefined;
}

/** The attributes of the service. */
export function serverOf(baseUrl: string): Attributes {
  const { protocol, hostname, port } = new URL(baseUrl);
  return {
    'server.address': hostname,
    'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
  };
}

/** The attributes of the request, without values that differ between objects or callers. */
function attributesOf({ method, baseUrl, route }: RequestEvent): Attributes {
  return {
    'http.request.method': method,
    ...serverOf(baseUrl),
    ...(route && { 'url.template': route }),
  };
}

/** Returns the name of an operation. That of a `payments.request` call is a path written by the user, which contains ids. */
export function operationName(operation: string): string {
  return /^[\w.]+$/.test(operation) ? operation : 'request';
}

/** Returns the id in a path, which has no secrets: the object that a call is about, also if it fails. */
function idIn(path: string, route = ''): string | undefined {
  const at = route.split('/').indexOf('{id}');
  return at === -1 ? undefined : path.split('/')[at];
}

/**
 * The spans of one call: a span for the call, and a child span per attempt unless attempts are not measured. Records no
 * messages, since the service may name persons in them.
 */
export class CallSpans {
  readonly #tracer: Tracer;
  readonly #recordAttempt: Measure | undefined;
  readonly #span: Span;
  readonly #context: Context;
  /** The context in which the attempt is sent. */
  #attemptContext: Context;
  /** Links to the previous attempt. */
  #links: Link[] = [];
  /** Ends the running attempt. */
  #endAttempt: ((result: AttemptResult) => void) | undefined;

  /** @param recordAttempt Measures the attempts; without it they have no spans. */
  constructor(tracer: Tracer, recordAttempt: Measure | undefined, { callId, operation }: CallEvent) {
    this.#tracer = tracer;
    this.#recordAttempt = recordAttempt;
    const name = operationName(operation);
    const attributes = { 'payments.operation': name, 'payments.call_id': callId };
    const parent = context.active();
    this.#span = tracer.startSpan(`payments ${name}`, { attributes }, parent);
    this.#context = trace.setSpan(parent, this.#span);
    this.#attemptContext = this.#context;
  }

  /** Sends an attempt within its span, or within the call's span if it has none. */
  within(send: () => unknown): unknown {
    return context.with(this.#attemptContext, send);
  }

  startAttempt(event: RequestEvent): void {
    const { method, baseUrl, path, route, attempt } = event;
    const objectId = idIn(path, route);
    this.#span.setAttributes({
      'payments.attempts': attempt,
      ...(objectId && { 'payments.object_id': objectId }),
    });
    const record = this.#recordAttempt;
    if (record === undefined) return;
    const startedAt = performance.now();
    const request = attributesOf(event);
    const attributes = {
      ...request,
      'url.full': baseUrl + path,
      ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
    };
    const options = { kind: SpanKind.CLIENT, attributes, links: this.#links };
    const span = this.#tracer.startSpan(route ? `${method} ${route}` : method, options, this.#context);
    this.#attemptContext = trace.setSpan(this.#context, span);
    this.#links = [{ context: span.spanContext() }];
    this.#endAttempt = ({ status, requestId, type }) => {
      const result = {
        ...(status && { 'http.response.status_code': status }),
        ...(type && { 'error.type': type }),
      };
      span.setAttributes({ ...result, ...(requestId && { 'payments.request_id': requestId }) });
      if (type) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
      record((performance.now() - startedAt) / 1000, { ...request, ...result }, this.#context);
    };
  }

  /** Does nothing if the attempt already ended. */
  endAttempt(result: AttemptResult): void {
    const endAttempt = this.#endAttempt;
    // Before, since the user's meter may throw.
    this.#endAttempt = undefined;
    endAttempt?.(result);
  }

  replayed(is: boolean): void {
    this.#span.setAttribute('payments.idempotent_replayed', is);
  }

  end({ error, outcome, operationId, idempotencyKey, objectId }: EndEvent): void {
    this.#span.setAttributes({
      'payments.outcome': outcome,
      ...(operationId && { 'payments.operation_id': operationId }),
      ...(idempotencyKey && { 'payments.idempotency_key': idempotencyKey }),
      ...(objectId && { 'payments.object_id': objectId }),
      ...(error && { 'error.type': error.name }),
    });
    if (error !== undefined) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end();
  }
}
