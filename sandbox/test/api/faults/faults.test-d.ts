import { createSandbox } from 'payments-client-sandbox';
import { expectTypeOf, test } from 'vitest';

const { faults } = createSandbox();

interface Hold {
  readonly reached: Promise<void>;
  release(): void;
}

test('a fault has no field of another kind', () => {
  faults.inject({ kind: 'respond', status: 500, headers: { a: 'b' }, body: {}, committed: true, times: 2 });
  faults.inject({ kind: 'delay_delivery', by: '1 hour', types: ['refund.failed'] });
  // @ts-expect-error it holds one request
  faults.inject({ kind: 'hold', times: 2 });
  // @ts-expect-error only latency has a delay
  faults.inject({ kind: 'drop_reply', ms: 5 });
  // @ts-expect-error the request is executed in any case
  faults.inject({ kind: 'drop_reply', committed: true });
  // @ts-expect-error only respond has a status
  faults.inject({ kind: 'unavailable', status: 500 });
  // @ts-expect-error it is a fault of requests
  faults.inject({ kind: 'drop_reply', types: ['refund.failed'] });
  // @ts-expect-error it is a fault of deliveries
  faults.inject({ kind: 'drop_delivery', operation: 'refunds.create' });
  // @ts-expect-error only delay_delivery has a delay
  faults.inject({ kind: 'duplicate_delivery', by: 5 });
  // @ts-expect-error misspelt
  faults.inject({ kind: 'drop_reply', opertion: 'refunds.create' });
});

test('a fault has the fields that its kind requires', () => {
  // @ts-expect-error no ms
  faults.inject({ kind: 'latency' });
  // @ts-expect-error no status
  faults.inject({ kind: 'respond' });
  // @ts-expect-error no code
  faults.inject({ kind: 'idempotency_error' });
  // @ts-expect-error no such kind
  faults.inject({ kind: 'drop' });
});

test('only a fault that holds a request gives a hold', () => {
  expectTypeOf(faults.inject({ kind: 'hold', ms: 5 })).toEqualTypeOf<Hold>();
  expectTypeOf(faults.inject({ kind: 'drop_during' })).toEqualTypeOf<Hold>();
  expectTypeOf(faults.inject({ kind: 'drop_reply' })).toEqualTypeOf<undefined>();
  const either = Math.random() < 0.5 ? ({ kind: 'hold' } as const) : ({ kind: 'drop_reply' } as const);
  expectTypeOf(faults.inject(either)).toEqualTypeOf<Hold | undefined>();
});
