import fc from 'fast-check';
import { FraudMonitor, mergeFraudStates, readAvs, readCvv, readRisk } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';
import { day, hour, monitorAt, start } from './monitors.ts';

const approved = { approved: true };

type Event = {
  readonly monitor: number;
  readonly at: number;
  readonly record: (monitor: FraudMonitor, at: number) => void;
};

const anyRecord = fc.oneof(
  fc
    .record({
      approved: fc.boolean(),
      avs: fc.constantFrom('X', 'A', 'N', 'U', 'B', 'Q', ''),
      cvv: fc.constantFrom('M', 'N', 'P', ''),
      score: fc.integer({ min: 0, max: 100 }),
    })
    .map(({ approved: isApproved, avs, cvv, score }) => (monitor: FraudMonitor, at: number) => {
      const checks = { avs: readAvs(avs), cvv: readCvv(cvv), risk: readRisk(String(score), '') };
      monitor.recordTransaction({ approved: isApproved, ...checks }, at);
    }),
  fc.boolean().map((authenticated) => (monitor: FraudMonitor, at: number) => {
    monitor.recordThreeDSecure({ authenticated }, at);
  }),
  fc.constantFrom('10.4', '13.1').map((reason_code) => (monitor: FraudMonitor, at: number) => {
    monitor.recordChargeback({ reason_code }, at);
  }),
  fc.constant((monitor: FraudMonitor, at: number) => monitor.recordFraud(at)),
);

/** Events of three processes, some too old and some from the future. */
const anyEvents: fc.Arbitrary<Event[]> = fc.array(
  fc.record({
    monitor: fc.integer({ min: 0, max: 2 }),
    at: fc.integer({ min: start - 30 * hour, max: start + 2 * hour }),
    record: anyRecord,
  }),
  { maxLength: 60 },
);

const times = { windowMs: 24 * hour, bucketMs: hour, now: () => start };

function split(events: readonly Event[]): [FraudMonitor, FraudMonitor, FraudMonitor] {
  const monitors: [FraudMonitor, FraudMonitor, FraudMonitor] = [
    new FraudMonitor(times),
    new FraudMonitor(times),
    new FraudMonitor(times),
  ];
  for (const { monitor, at, record } of events) record(monitors[monitor] ?? monitors[0], at);
  return monitors;
}

describe('merging', () => {
  it('gives one report, however the events were split and in whichever order they are merged', () => {
    const order = fc.shuffledSubarray([0, 1, 2], { minLength: 3 });
    fc.assert(
      fc.property(anyEvents, order, (events, indices) => {
        const whole = new FraudMonitor(times);
        for (const { at, record } of events) record(whole, at);
        const parts = split(events);
        const merged = new FraudMonitor(times);
        for (const index of indices) merged.merge(JSON.parse(JSON.stringify(parts[index]?.state())));
        expect(merged.state()).toEqual(whole.state());
        expect(merged.report()).toEqual(whole.report());
      }),
    );
  });

  it('is commutative and associative, has a neutral state, and changes none of its inputs', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const [a, b, c] = split(events).map((monitor) => monitor.state());
        const empty = new FraudMonitor(times).state();
        if (a === undefined || b === undefined || c === undefined) return;
        const before = JSON.stringify([a, b, c]);
        expect(mergeFraudStates(a, b)).toEqual(mergeFraudStates(b, a));
        expect(mergeFraudStates(mergeFraudStates(a, b), c)).toEqual(
          mergeFraudStates(a, mergeFraudStates(b, c)),
        );
        expect(mergeFraudStates(a, empty)).toEqual(a);
        expect(JSON.stringify([a, b, c])).toBe(before);
      }),
    );
  });

  it('forgets what is too old by the clock of the monitor', () => {
    const { monitor, at } = monitorAt(times);
    monitor.recordTransaction(approved, start);
    const state = monitor.state();
    let now = start + 23 * hour;
    const other = new FraudMonitor({ ...times, now: () => now });
    other.merge(state);
    expect(other.report()[0]?.sample).toBe(1);
    now += hour;
    other.merge(state);
    expect(other.report()[0]?.sample).toBe(0);
    at(0);
  });

  it.each([
    [undefined, 'state: expected an object, got nothing'],
    [{ version: 2 }, 'state.version: expected 1, got the number 2'],
    [{ version: 1, windowMs: 1, bucketMs: 1 }, 'state.buckets: expected an array, got nothing'],
    [
      { version: 1, windowMs: -1, bucketMs: 1, buckets: [] },
      'state.windowMs: expected an integer from 0, got the number -1',
    ],
    [
      { version: 1, windowMs: day, bucketMs: 1000, buckets: [] },
      'state.bucketMs: expected 3600000, got the number 1000',
    ],
    [
      { version: 1, windowMs: hour, bucketMs: hour, buckets: [] },
      'state.windowMs: expected 86400000, got the number 3600000',
    ],
    [
      { version: 1, windowMs: day, bucketMs: hour, buckets: [7] },
      'state.buckets[0]: expected an object, got the number 7',
    ],
    [
      { version: 1, windowMs: day, bucketMs: hour, buckets: [{ start: 0 }] },
      'state.buckets[0].transactions: expected an integer from 0, got nothing',
    ],
  ])('refuses what is no state of its kind: %j', (state, message) => {
    const monitor = new FraudMonitor(times);
    // @ts-expect-error: that is what is wrong with it
    expect(() => monitor.merge(state)).toThrow(message);
    expect(monitor.state().buckets).toEqual([]);
  });

  it('refuses states of other times', () => {
    const state = new FraudMonitor(times).state();
    expect(() => mergeFraudStates(state, { ...state, bucketMs: 1000 })).toThrow(
      new RangeError('b.bucketMs: expected 3600000, got the number 1000'),
    );
  });
});
