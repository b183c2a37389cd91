/** What a request consists of at least, for the clients that know of no payments. */

let count = 0;

export const body = JSON.stringify({ amount: 1200, currency: 'usd' });

export function headersOfOne(): Record<string, string> {
  count += 1;
  return {
    authorization: 'Bearer sk_test_bench',
    'content-type': 'application/json',
    'content-length': String(body.length),
    'idempotency-key': `order-${process.pid}-${count}`,
  };
}
