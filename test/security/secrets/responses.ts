/** Every response and every failure of a service, with a text in each position that can contain one. */

import { cardNumbers } from './canaries.ts';

/** Returns a response that repeats the text, or throws. */
type Repeat = (text: string) => Response;

/** Responses and failures by name. Those that begin with 200 may be a result, by the method. */
export type Answers = Readonly<Record<string, Repeat>>;

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers });

/** A header allows fewer characters than a body, so other characters are percent-encoded. */
const inHeader = (text: string) => text.replace(/[^ -~]/g, encodeURIComponent);

const echoHeaders = (text: string) => ({
  'request-id': inHeader(text),
  'set-cookie': `seen=${encodeURIComponent(text)}`,
  location: `https://payments.test/?seen=${encodeURIComponent(text)}`,
  'retry-after': '0',
  'x-seen': inHeader(text),
});

const escapeHtml = (text: string) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
const html = (text: string) =>
  `<!DOCTYPE html><html><head><title>${escapeHtml(text)}</title></head><body>${text}</body></html>`;

/** The positions in a JSON error. */
const bodies: Readonly<Record<string, (text: string) => unknown>> = {
  nested: (text) => ({ error: { code: 'bad', message: text, param: text } }),
  flat: (text) => ({ code: text, message: text, detail: text }),
  listed: (text) => ({ errors: [{ type: text, description: text }, text] }),
  'problem+json': (text) => ({ type: `https://x.test/${text}`, title: text, detail: text }),
  'a JSON string': (text) => text,
  'one field': (text) => ({ error: text }),
  'by field': (text) => ({ cvv: [text], ccnumber: [text, { [text]: text }] }),
  'a number as its code': (text) => ({ code: Number(cardNumbers.find((one) => text.includes(one)) ?? 7) }),
  deep: (text) => ({ error: { error: { errors: [{ [text]: text, message: `it was {"is": "${text}"}` }] } } }),
};

const statuses = [302, 400, 401, 402, 403, 404, 409, 418, 422, 429, 500];

const codes: Readonly<Record<string, number>> = {
  IDEMPOTENCY_KEY_TOO_LONG: 400,
  IDEMPOTENCY_KEY_IN_PROGRESS: 409,
  IDEMPOTENCY_BODY_MISMATCH: 422,
  IDEMPOTENCY_ROUTE_CONFLICT: 422,
  IDEMPOTENCY_STORE_UNAVAILABLE: 503,
};

function answersOf<Row>(
  rows: Readonly<Record<string, Row>>,
  answerOf: (row: Row, name: string) => Repeat,
): Answers {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, answerOf(row, name)]));
}

const coded = (message: string, code: string) => Object.assign(new TypeError(message), { code });

function fail(error: unknown): never {
  throw error;
}

const length = 64 * 1024;

/** Responses and failures of the JSON API and of the form endpoint. */
export const answers: Answers = {
  ...Object.fromEntries(
    statuses.map((status) => [
      `${status}, with headers`,
      (text: string) => json(status, bodies['nested']?.(text), echoHeaders(text)),
    ]),
  ),
  ...answersOf(
    codes,
    (status, code) => (text) => json(status, { error: { code, message: text } }, { 'retry-after': '0' }),
  ),
  ...answersOf(bodies, (body) => (text) => json(422, body(text))),
  '400 in words': (text) => new Response(`Refused: ${text}.`, { status: 400 }),
  // Line breaks become one space, so the text at the cut is shown.
  '400 cut in the middle of the text': (text) =>
    new Response(`x${'\n'.repeat(length - 1 - Math.ceil(text.length / 2))}${text}`, { status: 400 }),
  '502 with an HTML page': (text) =>
    new Response(html(text), { status: 502, headers: { 'retry-after': '0' } }),
  '200 in words': (text) => new Response(text),
  '200 with an HTML page': (text) => new Response(html(text), { headers: echoHeaders(text) }),
  '200 with broken JSON': (text) => new Response(`{"id": "${text}`),
  '200 with a JSON string': (text) => json(200, text),
  '200 with an array': (text) => json(200, [text, { [text]: text }]),
  '200 with another object': (text) => json(200, { [text]: text, data: [{ id: text }] }),
  'a broken connection': (text) => fail(coded(`fetch failed: ${text}`, 'ECONNRESET')),
  // Such a code is shown, so that it must not be one.
  'a network code with a card number': (text) =>
    fail(coded(text, `UND_ERR_${cardNumbers.find((one) => text.includes(one)) ?? 'SOCKET'}`)),
  'no connection, with causes and fields': (text) => {
    const inner = Object.assign(coded(text, 'ECONNREFUSED'), { request: { text }, [text]: text });
    return fail(new TypeError(text, { cause: new AggregateError([inner], text, { cause: inner }) }));
  },
  'an error with a name, a code and a stack': (text) =>
    fail(Object.assign(new Error(text), { name: text, code: `ECONN_${text}`, stack: text })),
  'a thrown text': fail,
  'a broken body': (text) =>
    new Response(new ReadableStream({ start: (controller) => controller.error(new Error(text)) })),
};

const form = (fields: Record<string, string>) => new Response(String(new URLSearchParams(fields)));

/** Results of the form endpoint. */
export const approvals: Answers = {
  escaped: (text) => form({ response: '1', responsetext: text, [text]: text }),
  'not escaped': (text) => new Response(`response=1&responsetext=${text}`),
  'in JSON': (text) => json(200, { response: 1, responsetext: text, fields: { [text]: text } }),
  'with headers': (text) => new Response('response=1', { headers: echoHeaders(text) }),
};

/** Failures of the form endpoint only. */
export const declines: Answers = {
  'a decline, escaped': (text) => form({ response: '2', responsetext: text }),
  'a decline, not escaped': (text) => new Response(`response=3&responsetext=${text} REFID:316`),
  'a refused key': (text) => form({ response: '3', responsetext: `Authentication Failed ${text}` }),
  'an unknown result': (text) => json(200, { response: text, responsetext: 'NO' }),
  'two results': (text) => new Response(`response=1&response=2&responsetext=${text}`),
};
