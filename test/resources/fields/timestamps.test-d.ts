import { type Charge, type Invoice, toDate, type UntypedResource, unknownField } from 'payments-client';
import { expectTypeOf, test } from 'vitest';

test('a date may be missing if its timestamp may', () => {
  expectTypeOf(toDate(1, { timestamps: 'seconds' })).toEqualTypeOf<Date>();
  expectTypeOf<ReturnType<typeof toDate<null>>>().toEqualTypeOf<Date | null>();
  const dates = (charge: Charge, invoice: Invoice) => ({
    created: toDate(charge.created_at),
    settled: toDate(charge.settled_at),
    paid: toDate(invoice.paid_at),
  });
  expectTypeOf(dates).returns.toEqualTypeOf<{
    created: Date;
    settled: Date | null;
    paid: Date | null | undefined;
  }>();
});

test('only a number is a timestamp', () => {
  // @ts-expect-error the envelope of an event has a string
  () => toDate('2026-12-31T23:59:59Z');
  // @ts-expect-error a field of unknown type
  (price: UntypedResource) => toDate(unknownField(price, 'created_at'));
  // @ts-expect-error an unknown unit
  () => toDate(1, { timestamps: 'ms' });
});
