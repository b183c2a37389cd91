import type { HonoRequest } from 'hono';
import type { Forms } from '../domain/forms.ts';
import type { Reply } from '../domain/records/records.ts';
import { cutResponse } from './faults/cut-body.ts';
import { delaysReply } from './faults/fault-kinds.ts';
import type { Departure, FaultQueue, Visit } from './faults/fault-queue.ts';
import type { Operation, PageOperation } from './operation.ts';
import { errorReply, toResponse } from './reply.ts';
import { readText } from './request/request-body.ts';
import type { Exchanged, RequestLog } from './request-log.ts';

export interface Answer {
  readonly reply: Reply;
  /** Whether it is the stored reply of an earlier request. */
  readonly replayed: boolean;
}

export interface Turn {
  /** The request's id, which its changes name as their cause. */
  readonly requestId: string;
  /** Sets the body for the recording, once it was read. */
  received(body: () => string): void;
  /** Called right before execution. Waits while a fault holds the request. */
  proceed(): Promise<void>;
}

const damaging: readonly string[] = ['stall_body', 'truncate_body', 'malformed_body'];

/** Runs requests: applies the faults, and logs the requests. */
export class Exchange {
  readonly #faults: FaultQueue;
  readonly #log: RequestLog;
  readonly #forms: Forms;

  constructor(faults: FaultQueue, log: RequestLog, forms: Forms) {
    this.#faults = faults;
    this.#log = log;
    this.#forms = forms;
  }

  /**
   * Runs one request from its arrival to its response.
   *
   * @param body Returns its body, if it was read before.
   * @throws ConnectionDropped when a fault drops the connection.
   */
  async run(
    request: HonoRequest,
    operation: Operation | undefined,
    answer: (turn: Turn) => Promise<Answer>,
    source: Exchanged['source'] = 'app',
    body?: () => string,
  ): Promise<Response> {
    const startedAt = performance.now();
    const requestId = this.#log.nextId();
    const arrival = {
      operation,
      method: request.method,
      path: request.path,
      idempotencyKey: request.header('idempotency-key'),
    };
    const visit = this.#faults.visit({ ...arrival, requestId });
    let readBody = body;
    const turn: Turn = {
      requestId,
      received: (received) => {
        readBody = received;
      },
      proceed: () => visit.proceed(),
    };
    let sent: Answer | undefined;
    let dropped = true;
    let unread: string | undefined;
    const { raw } = request;
    const logged = () => ({
      ...arrival,
      status: sent?.reply.status,
      replayed: sent?.replayed ?? false,
      dropped,
    });
    const exchanged = (): Exchanged => ({
      source,
      requestId,
      request: raw,
      body: readBody?.() ?? unread,
      reply: sent && withHeaders(sent.reply, this.#headersOf(sent, requestId)),
      fault: visit.fault,
      arrived: !dropped && !raw.signal.aborted && !damaging.includes(visit.fault?.kind ?? ''),
    });
    try {
      sent = await this.#answer(visit, () => answer(turn));
      const departing = visit.depart(sent.reply);
      if (delaysReply(visit.fault)) this.#log.addExecuted(logged(), performance.now() - startedAt, exchanged);
      const departure = await departing;
      if (departure.reply.status !== sent.reply.status) sent = { reply: departure.reply, replayed: false };
      dropped = false;
      return send(departure, this.#headersOf(sent, requestId), raw.signal);
    } finally {
      if (readBody === undefined && this.#log.isWatched) unread = await unreadBody(raw);
      this.#log.add(logged(), performance.now() - startedAt, exchanged);
    }
  }

  /** Runs a request of a buyer's browser. It is logged without its bodies, and no faults apply. */
  async show(
    { method, path, raw }: HonoRequest,
    operation: PageOperation,
    answer: (requestId: string) => Promise<Response>,
  ): Promise<Response> {
    const startedAt = performance.now();
    const requestId = this.#log.nextId();
    const response = await answer(requestId).catch((error: unknown) =>
      toResponse(errorReply(error, this.#forms.errorShape), {}),
    );
    const { status } = response;
    const entry = {
      operation,
      method,
      path,
      idempotencyKey: undefined,
      status,
      replayed: false,
      dropped: false,
    };
    this.#log.add(entry, performance.now() - startedAt, () => ({
      source: 'buyer',
      requestId,
      request: raw,
      body: undefined,
      reply: undefined,
      fault: undefined,
      arrived: true,
    }));
    return response;
  }

  /** Executes a request. A dropped connection does not cancel the work. */
  async #answer(visit: Visit, answer: () => Promise<Answer>): Promise<Answer> {
    const scripted = await visit.arrive();
    if (scripted !== undefined) return { reply: scripted, replayed: false };
    const refusal = (error: unknown) => ({
      reply: errorReply(error, this.#forms.errorShape),
      replayed: false,
    });
    return Promise.race([answer().catch(refusal), visit.broken]);
  }

  #headersOf({ replayed }: Answer, requestId: string): Record<string, string> {
    const headers = { [this.#forms.requestIdHeader]: requestId };
    return replayed ? { ...headers, 'idempotent-replayed': 'true' } : headers;
  }
}

/** Reads the body of a request that a fault hit first. A multipart body is skipped, since it may hold a card. */
async function unreadBody(request: Request): Promise<string | undefined> {
  const type = request.headers.get('content-type') ?? '';
  if (request.bodyUsed || type.includes('multipart')) return undefined;
  return readText(request).catch(() => undefined);
}

function withHeaders(reply: Reply, headers: Readonly<Record<string, string>>): Reply {
  return { ...reply, headers: { ...headers, ...reply.headers } };
}

function send(
  { reply, cutting }: Departure,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Response {
  // A reply without a body cannot be cut.
  if (cutting === undefined || reply.body === '') return toResponse(reply, headers);
  const { status, body } = reply;
  return cutResponse(body, { status, headers: { ...headers, ...reply.headers } }, cutting, signal);
}
