/** Reaches inside: fifty thousand calls would take a minute, so the history of a process is filled directly. What a full history still says. */

import { InvalidRequestError, RateLimitError, ResponseValidationError, ServerError } from 'payments-client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { History } from '../../../src/http/past/history.ts';
import { anything } from '../../support/anything.ts';
import { failureOf } from '../../support/failure.ts';
import { useScriptedService } from '../../support/scripted-service.ts';

const capacity = 50_000;

const service = useScriptedService();
const params = { charge_id: 'ch_1' } as const;
const refused = () => Response.json({ error: { code: 'RATE_LIMITED' } }, { status: 429 });
const failed = () => new Response('', { status: 500 });
describe('the memory of a process', () => {
  it('forgets no doubt whose call is under way', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    onTestFinished(() => void vi.useRealTimers());
    const history = new History(60_000, 'https://other.test', undefined);
    const first = history.begin('key', 'refunds.create', 'first');
    for (let count = 0; count <= capacity; count += 1)
      history.begin('key', 'refunds.create', `${count}`).end('unknown', false);
    vi.setSystemTime(60_000);
    const outcome = (key: string) => history.pastOf('key', 'refunds.create', key).outcome;
    expect([outcome('first'), outcome('0'), outcome('1'), outcome('50000')]).toEqual([
      'unknown',
      'not_executed',
      'not_executed',
      'unknown',
    ]);
    expect(first.end('not_executed', false)).toBe('not_executed');
  });

  it('forgets successes first, and doubts what it does not hold once it has forgotten a doubt', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    const payments = service.createClient({ keyLifetime: 60_000 });
    const { refunds } = payments;
    const others = new History(60_000, 'https://other.test', undefined);
    let filled = 0;
    const fill = (count: number) => {
      for (const end = filled + count; filled < end; filled += 1)
        others.begin('key', 'refunds.create', `${filled}`).end('unknown', false);
    };
    const ask = (operationId: string) => failureOf(refunds.create(params, { operationId }), RateLimitError);
    // The success was in doubt before, and takes one place all the same.
    const half = new Response('{"id":', { headers: { 'content-type': 'application/json' } });
    service.answers(failed(), half, failed(), Response.json({}), refused());
    const success = () => refunds.create(params, { operationId: 'success' });
    await failureOf(success(), ServerError);
    expect((await failureOf(success(), ResponseValidationError)).outcome).toBe('executed');
    await failureOf(refunds.create(params, { operationId: 'doubt-0' }), ServerError);
    fill(capacity - 2);
    // A read takes no place.
    await payments.request({ method: 'GET', path: '/v1/payouts' }, anything({ operationId: 'read' }));
    expect((await ask('success')).outcome).toBe('executed');
    fill(1);
    expect((await ask('success')).outcome).toBe('not_executed');
    expect((await ask('doubt-0')).outcome).toBe('unknown');
    expect((await ask('new')).outcome).toBe('not_executed');
    fill(1);
    expect((await ask('doubt-0')).outcome).toBe('unknown');
    expect((await ask('new')).outcome).toBe('unknown');
    const wrong = refunds.create(params, { operationId: 'new', timeout: -1 });
    expect((await failureOf(wrong, InvalidRequestError)).outcome).toBe('unknown');
    vi.setSystemTime(60_000);
    expect((await ask('new')).outcome).toBe('not_executed');
    vi.useRealTimers();
  });
});
