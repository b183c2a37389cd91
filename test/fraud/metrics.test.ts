import { fraudMetrics } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';

describe('monitoring targets', () => {
  it('are those of the interface', () => {
    expect(
      fraudMetrics.map(({ name, better, target, threshold, action }) => [
        name,
        better === 'lower' ? '<' : '>',
        target,
        better === 'lower' ? '>' : '<',
        threshold,
        action,
      ]),
    ).toEqual([
      ['Fraud rate', '<', 0.005, '>', 0.01, 'review settings'],
      ['Chargeback rate', '<', 0.009, '>', 0.01, 'risk of penalties'],
      ['3-D Secure authentication success', '>', 0.95, '<', 0.9, 'review flow'],
      ['AVS match rate', '>', 0.85, '<', 0.8, 'review requirements'],
      ['CVV match rate', '>', 0.95, '<', 0.9, 'review requirements'],
      ['Average fraud score', '<', 30, '>', 40, 'tighten rules'],
    ]);
  });
});
