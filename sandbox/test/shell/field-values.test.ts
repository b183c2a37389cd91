import { afterEach, describe, expect, it } from 'vitest';
import { endAll, parse, runSandbox } from './support.ts';

afterEach(endAll);

describe('--set', () => {
  it('writes a text where the field has one, also if it reads as a number', async () => {
    const { call } = await runSandbox();
    const make = async (line: string) => {
      const { stdout, stderr } = await call(...line.split(' '));
      expect(stderr).toBe('');
      return parse(stdout);
    };
    const chargeback = await make('trigger chargeback.received --set amount=49.90 --set reason_code=10.4');
    expect(chargeback).toMatchObject({ data: { object: { amount: '49.90', reason_code: '10.4' } } });
    const named = await make('trigger customer.created --set phone=5550100 --set last_name=true');
    expect(named).toMatchObject({ data: { object: { phone: '5550100', last_name: 'true' } } });
    const seats = await make(
      'add customer --set metadata.table=12 --set metadata.half=1e3 --set metadata.order="7"',
    );
    expect(seats).toMatchObject({ metadata: { table: '12', half: '1e3', order: '7' } });
    const words = await make('add customer --set metadata.note=null --set metadata.tags=["a"]');
    expect(words).toMatchObject({ metadata: { note: 'null', tags: '["a"]' } });
    const product = await make('add product --set unit_amount=12 --set metadata.shelf=12');
    expect(product).toMatchObject({ unit_amount: 12, metadata: { shelf: '12' } });
    const { id } = await make('add checkout_session --set client_reference_id=1042');
    expect(await make(`update checkout_session ${id} --set locale=1`)).toMatchObject({
      client_reference_id: '1042',
      locale: '1',
    });
  });

  it('reads a number with decimals for a fault', async () => {
    const { call } = await runSandbox();
    const line = 'faults inject latency --set ms=10.0 --set probability=0.50';
    expect(await call(...line.split(' '))).toMatchObject({ code: 0 });
    const { stdout } = await call('faults');
    expect(parse(stdout)).toMatchObject({ fault: { kind: 'latency', ms: 10, probability: 0.5 } });
  });

  it('keeps numbers where the field has one, and is checked before anything is emitted', async () => {
    const { call } = await runSandbox();
    const failed = await call('trigger', 'refund.failed', '--set', 'amount=500');
    expect(parse(failed.stdout)).toMatchObject({ data: { object: { amount: 500 } } });
    const before = await call('events');
    const refused = await call('trigger', 'refund.failed', '--set', 'amount=12.00');
    expect(refused).toMatchObject({ stdout: '', code: 1 });
    expect(refused.stderr).toContain('amount: expected an integer, got a string of 5 characters.');
    expect(await call('events')).toEqual(before);
  });
});
