/**
 * Requests to the sandbox with any body succeed or are rejected as by the service. They never make the sandbox fail, and leave
 * only objects that the SDK accepts.
 */

import { crc32 } from 'node:zlib';
import type { PaymentsClient } from 'payments-client';
import { createSandbox, type Sandbox } from 'payments-client-sandbox';
import { describe, expect, it } from 'vitest';
import { routes } from '../../src/resources/routes.ts';
import { everyCollection } from '../support/every-collection.ts';
import { clientOf, startSandbox } from '../support/sandbox.ts';
import { size } from '../support/size.ts';
import { runCampaign, seed } from './campaign.ts';
import { corpusOf } from './corpus.ts';

const startsAt = Date.UTC(2026, 0, 1);
const securityKey = 'security-key-fuzz-0001';

const commandsPath = '/_sandbox/commands#';

/** Every path that accepts a body: the writing methods, and commands, whose names are fragments. */
const paths: readonly string[] = [
  ...Object.values(routes).flatMap(({ method, path }) => (method === 'POST' ? [path] : [])),
  ...[
    'trigger',
    'clock.advance',
    'webhooks.replay',
    'webhooks.add',
    'faults.inject',
    'add',
    'pay',
    'settle',
  ].map((name) => commandsPath + name),
];

/** The bytes of the body; of a command they are its arguments. */
function bytesFor(path: string, body: Buffer): Buffer {
  if (!path.startsWith(commandsPath)) return body;
  const name = path.slice(commandsPath.length);
  return Buffer.concat([Buffer.from(`{"name":"${name}","args":`), body, Buffer.from('}')]);
}

/** A sandbox with one object of every kind, under the ids in the corpus. */
function furnished(): Sandbox {
  const sandbox = createSandbox({ startsAt, securityKey });
  for (const { object, id } of everyCollection) {
    Reflect.apply(sandbox.add, sandbox, [object, { id }]);
  }
  return sandbox;
}

function filled(path: string): string {
  const [, plural] = path.split('/').slice(1);
  const collection = everyCollection.find((one) => one.plural === plural) ?? everyCollection[0];
  return path.replace('{id}', collection?.id ?? '');
}

interface Post {
  readonly path: string;
  readonly body: Buffer;
  readonly type: string;
}

function post({ url, secretKey }: Sandbox, { path, body, type }: Post): Request {
  const headers = { authorization: `Bearer ${secretKey}`, 'content-type': type };
  return new Request(url + path, { method: 'POST', headers, body: new Uint8Array(bytesFor(path, body)) });
}

function codeIn(body: unknown): unknown {
  return Object(Object(body).error).code;
}

/** Checks that a response is a result or a refusal. */
async function checkResponse(response: Response): Promise<string> {
  const body: unknown = await response.json();
  if (response.status === 200) return 'done';
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(codeIn(body)).not.toBe('SANDBOX_FAILURE');
  expect(response.status).toBeLessThan(500);
  expect(codeIn(body)).toMatch(/^[A-Z_]+$/);
  return 'refused';
}

/** Checks that the SDK accepts every stored object. */
async function expectSound(payments: PaymentsClient): Promise<void> {
  for (const { of } of everyCollection) {
    for await (const item of of(payments).list({ limit: 100 })) expect(item.id).not.toBe('');
  }
}

const types = [
  'application/json',
  'application/json',
  'application/json',
  'application/json; charset=x',
  'text/plain',
];

/** Returns some of the paths, starting at one chosen by the body. */
function pathsFor(sum: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => paths[(sum + index) % paths.length] ?? '/');
}

describe('the JSON API of the sandbox', () => {
  it(`executes or refuses any bytes (seed ${seed})`, async () => {
    let sandbox = furnished();
    let requests = 0;
    const tally = await runCampaign({
      parser: 'request-bodies',
      vocabulary: [
        '"amount"',
        '"currency"',
        '"usd"',
        '"metadata"',
        '"customer"',
        '"cus_1"',
        '"payment_intent_id"',
        '"pi_1"',
        '"line_items"',
        '"items"',
        '"price_1"',
        '"type"',
        '"fields"',
        '"kind"',
        '"advance"',
        '"times"',
        '"x"',
        '{',
        '}',
        '[',
        ']',
        ':',
        ',',
        '"',
        'null',
        '1200',
        '1e21',
        '9007199254740991',
        'true',
      ],
      caseCount: 600,
      check: async (body, entry) => {
        const sum = crc32(body);
        const tried = pathsFor(sum, entry === undefined ? 1 : size === 'long' ? paths.length : 8);
        const endings = new Set<string>();
        for (const path of tried) {
          // Armed faults would change the responses.
          if (path.endsWith('faults')) sandbox.faults.clear();
          const type = types[(sum >>> 8) % types.length] ?? '';
          const request = post(sandbox, {
            path: filled(path),
            body,
            type: entry === undefined ? type : 'application/json',
          });
          const ending = await checkResponse(await sandbox.fetch(request)).catch((cause: unknown) => {
            throw new Error(`POST ${path}: ${cause}`, { cause });
          });
          endings.add(ending);
          sandbox.faults.clear();
        }
        requests += 1;
        if (requests % 100 === 0) {
          await expectSound(clientOf(sandbox, { fetch: sandbox.fetch }));
          sandbox = furnished();
        }
        return [...endings].sort().join(' and ');
      },
    });
    expect([...tally.keys()]).toEqual(expect.arrayContaining(['done', 'refused']));
  });
});

describe('the form endpoint of the sandbox', () => {
  it(`treats any bytes as a form (seed ${seed})`, async () => {
    const sandbox = furnished();
    const tally = await runCampaign({
      parser: 'request-forms',
      vocabulary: [
        'security_key=',
        securityKey,
        'type=sale',
        'amount=',
        '1.00',
        'payment_token=t',
        'ccnumber=',
        '4111111111111111',
        '&',
        '=',
        '%',
        '+',
        '%00',
        '--b',
        '\r\n',
        'Content-Disposition: form-data; name="type"',
        'transactionid=1',
      ],
      caseCount: 600,
      check: async (body, entry) => {
        const isMultipart = entry?.name.startsWith('multipart.') ?? body.subarray(0, 3).toString() === '--b';
        const type = isMultipart ? 'multipart/form-data; boundary=b' : 'application/x-www-form-urlencoded';
        const response = await sandbox.fetch(post(sandbox, { path: '/api/transact.php', body, type }));
        const text = await response.text();
        expect(response.status, text).toBe(200);
        const fields = new URLSearchParams(text);
        expect(fields.getAll('response')).toHaveLength(1);
        expect(fields.get('response')).toMatch(/^[123]$/);
        return fields.get('response') ?? '';
      },
    });
    expect([...tally.keys()]).toEqual(expect.arrayContaining(['1', '3']));
  });
});

describe('a listening sandbox', () => {
  it('still responds after every body of the corpus', async () => {
    const sandbox = await startSandbox({ securityKey });
    const bodies = [
      ...corpusOf('request-bodies').map((entry) => ({
        ...entry,
        path: '/v1/payment_intents',
        type: 'application/json',
      })),
      ...corpusOf('request-forms').map((entry) => ({
        ...entry,
        path: '/api/transact.php',
        type: 'application/x-www-form-urlencoded',
      })),
    ];
    for (const { name, bytes, path, type } of bodies) {
      const response = await fetch(post(sandbox, { path, body: bytes, type }));
      await response.arrayBuffer();
      expect(response.status, name).toBeLessThan(500);
    }
    await expectSound(clientOf(sandbox));
  });
});
