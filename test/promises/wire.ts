import { PaymentsClient, type PaymentsClientOptions } from 'payments-client';
import { response, startWireServer } from '../support/socket-server.ts';

/** Breaks the connection instead of answering. */
export const broken = Symbol('broken');

/** The raw bytes of a response, or `broken`. */
export type Answer = string | typeof broken;

/** A response of JSON. */
export const json = (status: string, body: unknown): string =>
  response(status, JSON.stringify(body), 'content-type: application/json\r\n');

export const ok = (body: unknown): string => json('200 OK', body);

/** A server that answers each request in turn with these bytes, the last ones again and again, and options of a client of it. */
export async function wireService(...answers: readonly Answer[]) {
  const server = await startWireServer((connection, number) => {
    const answer = answers[Math.min(number, answers.length) - 1];
    if (answer === undefined || answer === broken) connection.reset();
    else connection.write(answer);
  });
  const options: PaymentsClientOptions = {
    baseUrl: server.url,
    secretKey: 'sk_v1_test_promises01',
    securityKey: 'security-key-promises',
  };
  return { options, requests: server.requests };
}

/** A client of such a server. */
export async function wireClient(...answers: readonly Answer[]) {
  const { options, requests } = await wireService(...answers);
  return { payments: new PaymentsClient(options), requests };
}
