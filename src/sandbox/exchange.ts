import type { HonoRequest } from 'hono';
import type { FaultQueue, Visit } from './fault-queue.ts';
import type { Operation } from './operation.ts';
import { errorReply } from './problem.ts';
import { type Reply, toResponse } from './reply.ts';
import type { RequestLog } from './request-log.ts';

/** A reply, and whether it was sent before. */
export interface Answer {
  /** The reply. */
  readonly reply: Reply;
  /** Whether it is an earlier one, sent again. */
  readonly replayed: boolean;
}

/** Takes requests in and sends replies out: meets the faults, numbers the requests and logs them. */
export class Exchange {
  readonly #faults: FaultQueue;
  readonly #log: RequestLog;
  #count = 0;

  constructor(faults: FaultQueue, log: RequestLog) {
    this.#faults = faults;
    this.#log = log;
  }

  /**
   * One request from its arrival to its response.
   *
   * @throws ConnectionDropped when a fault breaks the connection.
   */
  async run(
    request: HonoRequest,
    operation: Operation | undefined,
    answer: (visit: Visit) => Promise<Answer>,
  ): Promise<Response> {
    this.#count += 1;
    const requestId = `req_${String(this.#count).padStart(12, '0')}`;
    const visit = this.#faults.visit(operation);
    let sent: Answer | undefined;
    let dropped = true;
    try {
      const scripted = visit.arrive();
      sent =
        scripted === undefined ? await answer(visit).catch(refusal) : { reply: scripted, replayed: false };
      visit.depart();
      dropped = false;
      return toResponse(sent.reply, headersOf(sent, requestId));
    } finally {
      this.#log.add({
        operation,
        method: request.method,
        path: request.path,
        idempotencyKey: request.header('idempotency-key'),
        status: sent?.reply.status,
        replayed: sent?.replayed ?? false,
        dropped,
      });
    }
  }
}

function refusal(error: unknown): Answer {
  return { reply: errorReply(error), replayed: false };
}

function headersOf({ replayed }: Answer, requestId: string): Record<string, string> {
  const headers = { 'x-request-id': requestId };
  return replayed ? { ...headers, 'idempotent-replayed': 'true' } : headers;
}
