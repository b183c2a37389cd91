/** The output of the program: JSON lines for programs, text for people. */

import { tmpdir } from 'node:os';
import { PaymentsClient } from 'payments-client';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../../../test/support/serve.ts';
import { endAll, launch, parse, run, runSandbox } from './support.ts';

afterEach(endAll);

describe('--json', () => {
  test('every command writes JSON lines of one shape only', async () => {
    const shop = await serve((_, response) => void response.writeHead(204).end());
    onTestFinished(() => shop.close());
    const { call, url } = await runSandbox(['--forward-to', shop.url]);
    const event = parse((await call('trigger', 'customer.created')).stdout);
    expect(event).toMatchObject({ type: 'customer.created', data: { object: { object: 'customer' } } });
    await fetch(`${url}/v1/customers`);
    const shapes: readonly (readonly [args: readonly string[], shape: object])[] = [
      [['events'], { kind: 'event', at: expect.any(Number), event: { id: event['id'] } }],
      [['requests'], { kind: 'request', at: expect.any(Number), path: '/v1/customers' }],
      [['faults', 'inject', 'drop_delivery'], { id: expect.stringMatching(/^dflt_/) }],
      [['faults', 'list'], { id: expect.any(String), fault: { kind: 'drop_delivery' }, left: 1 }],
      [['faults', 'clear'], { message: 'Removed all faults.' }],
      [
        ['webhooks', 'replay', String(event['id'])],
        { id: expect.stringMatching(/^dlv_/), eventId: event['id'] },
      ],
      [['clock', 'advance', '1 day'], { now: expect.any(Number), summary: { text: expect.any(String) } }],
      [['seed', '--customers', '1', '--intents', '1', '--months', '1'], { customers: 1 }],
    ];
    for (const [args, shape] of shapes) {
      const { code, stdout, stderr } = await call(...args);
      expect([args, code, stderr]).toEqual([args, 0, '']);
      for (const line of stdout.trimEnd().split('\n'))
        expect(parse(line), args.join(' ')).toMatchObject(shape);
    }
    expect(parse((await run(['completion', 'bash', '--json'])).stdout)).toEqual({
      script: expect.any(String),
    });
  });

  test('is accepted before a command too', async () => {
    const { url } = await runSandbox();
    const { stdout } = await run(['--json', 'faults', 'inject', 'hold', '--url', url]);
    expect(parse(stdout)).toEqual({ id: 'fault_1' });
  });

  test('errors have a code', async () => {
    const { url, call } = await runSandbox();
    const page = await serve((_, response) => void response.end('<!doctype html>'));
    onTestFinished(() => page.close());
    const gone = await serve(() => {});
    gone.close();
    for (const [code, args] of [
      ['NO_SANDBOX', ['events', '--url', gone.url]],
      ['NO_SANDBOX', ['events', '--url', page.url]],
      ['PORT_NOT_USABLE', ['sandbox', '--port', new URL(url).port]],
      ['FILE_NOT_USABLE', ['sandbox', '--port', '0', '--data', tmpdir()]],
      ['INVALID_PARAMETER', ['clock', 'advance', 'x', '--url', url]],
    ] as const) {
      const { code: exitCode, stdout, stderr } = await run([...args, '--json']);
      expect([exitCode, stdout]).toEqual([1, '']);
      expect(parse(stderr)).toEqual({ error: { code, message: expect.any(String) } });
    }
    expect(parse((await call('events', '--limit', '0')).stderr)).toMatchObject({ error: { code: 'USAGE' } });
  });
});

test('without --json, every command writes text, also in a pipe', async () => {
  const shop = await serve((_, response) => void response.writeHead(204).end());
  onTestFinished(() => shop.close());
  const { url } = await runSandbox(['--forward-to', shop.url]);
  const said = async (...args: readonly string[]) => {
    const { stdout, stderr } = await run([...args, '--url', url]);
    return stdout + stderr;
  };
  expect(await said('requests')).toBe('There are no requests yet.\n');
  expect(await said('faults')).toBe('No faults are pending.\n');
  expect(await said('faults', 'inject', 'hold')).toBe('Added hold: fault_1.\n');
  expect(await said('faults', 'clear')).toBe('Removed all faults.\n');
  const [, id = ''] =
    /^Triggered customer\.created: (evt_\w+) for cus_\w+\.\n$/.exec(
      await said('trigger', 'customer.created'),
    ) ?? [];
  expect(await said('webhooks', 'replay', id)).toBe(`Delivers customer.created to ${shop.url} again.\n`);
  expect(await said('clock', 'advance', '1 h')).toMatch(/^It is 20\d\d-\S+Z\. .+\.\n$/);
  expect(await said('seed', '--customers', '1', '--intents', '0', '--months', '1')).toMatch(
    /^Made 1 customers, 0 payment intents, .*\.\n$/,
  );
});

test('an advance of the clock says what happened to each order, in at most ten lines', async () => {
  const { url, ready } = await runSandbox();
  const payments = new PaymentsClient({ baseUrl: url, secretKey: String(ready['secret_key']) });
  const refund = async (operationId: string) => {
    const { id } = await payments.paymentIntents.create({ amount: 1200, currency: 'usd' }, { operationId });
    await payments.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }, { operationId });
    await payments.refunds.create({ payment_intent_id: id, amount: 500 }, { operationId });
    await payments.refunds.create(
      { payment_intent_id: id, amount: 700 },
      { operationId: `${operationId}/second` },
    );
  };
  for (let number = 101; number <= 112; number += 1) await refund(`order-${number}`);
  const { stdout } = await run(['clock', 'advance', '1 hour', '--url', url]);
  const [first, ...lines] = stdout.trimEnd().split('\n');
  expect(first).toMatch(/^It is \S+Z\. 24 events happened\.$/);
  expect(lines.slice(0, 2)).toEqual([
    '  order-101: refund.succeeded × 2',
    '  order-102: refund.succeeded × 2',
  ]);
  expect([lines.length, lines.at(-1)]).toEqual([11, '  and 2 more']);
  await refund('order-113');
  const json = await run(['clock', 'advance', '1 hour', '--json', '--url', url]);
  expect(parse(json.stdout)).toMatchObject({
    changed: [{ id: 'order-113', events: ['refund.succeeded', 'refund.succeeded'] }],
  });
});

test('following ends with the sandbox and a message', async () => {
  const sandbox = await runSandbox();
  const follower = launch(['events', '--follow', '--url', sandbox.url]);
  await follower.message('Following. Press Ctrl+C to stop.');
  await sandbox.stop();
  expect(await follower.ended).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/\nThe sandbox stopped\.\n$/),
  });
});
