import { createSandbox } from 'payments-client-sandbox';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';

const startsAt = Date.UTC(2020, 0, 1);
const day = 24 * 60 * 60 * 1000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a clock stands still by default', async () => {
  const sandbox = createSandbox({ startsAt });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sandbox.clock.now()).toBe(startsAt);
});

test('a running clock follows real time, and runs due work, until the sandbox is closed', async () => {
  const sandbox = createSandbox({ startsAt, clock: 'running' });
  const { id } = sandbox.add('checkout_session', { expires_at: startsAt / 1000 + 30 });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(sandbox.clock.now()).toBe(startsAt + 20_000);
  expect(sandbox.get('checkout_session', id)?.status).toBe('open');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(sandbox.get('checkout_session', id)?.status).toBe('expired');
  await sandbox.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sandbox.clock.now()).toBe(startsAt + 40_000);
});

test('a running clock keeps the lead of a manual advance', async () => {
  const sandbox = createSandbox({ clock: 'running' });
  const begin = Date.now();
  await sandbox.clock.advance(3 * day);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(Math.abs(sandbox.clock.now() - (begin + 3 * day + 10_000))).toBeLessThan(1_000);
  await sandbox.close();
});

test.each([
  ['stands apart from real time', { startsAt }],
  ['follows real time', {}],
])('a running clock that %s, and waits for an endpoint, catches up once', async (_, options) => {
  vi.setSystemTime(Date.UTC(2026, 0, 1));
  const sandbox = createSandbox({ ...options, clock: 'running' });
  const begin = sandbox.clock.now();
  let answer = () => {};
  const answered = new Promise<Response>((resolve) => {
    answer = () => resolve(new Response());
  });
  sandbox.webhooks.deliverTo(() => answered);
  sandbox.add('customer');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sandbox.clock.now()).toBe(begin);
  answer();
  await sandbox.settled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sandbox.clock.now()).toBe(begin + 2_000);
  await sandbox.close();
});

test.each([[7], [{}]])("a running clock works with a timer that is %j, unlike Node's", async (timer) => {
  const ticks: (() => void)[] = [];
  vi.stubGlobal('setInterval', (tick: () => void) => {
    ticks.push(tick);
    return timer;
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const sandbox = createSandbox({ startsAt, clock: 'running' });
  vi.setSystemTime(Date.now() + 1_000);
  for (const tick of ticks) tick();
  await sandbox.settled();
  expect(sandbox.clock.now()).toBe(startsAt + 1_000);
});

test('a running clock catches up after the machine slept', async () => {
  const sandbox = createSandbox({ clock: 'running' });
  vi.setSystemTime(Date.now() + 5 * day);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sandbox.clock.now()).toBeGreaterThanOrEqual(Date.now() - 1_000);
  await sandbox.close();
});
