import { fraudFigures } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';
import fraud from '../interface/tables/fraud.json' with { type: 'json' };

/** Formats a target like the interface: a share in percent, a score unchanged. */
const text = (sign: '<' | '>', value: number, unit: 'share' | 'score') =>
  unit === 'share' ? `${sign} ${Number((value * 100).toFixed(3))}%` : `${sign} ${value}`;

describe('monitoring targets', () => {
  it('are those of the interface', () => {
    expect(
      fraudFigures([]).map(({ name, better, target, threshold, unit, action }) => ({
        metric: name,
        target: text(better === 'lower' ? '<' : '>', target, unit),
        threshold: text(better === 'lower' ? '>' : '<', threshold, unit),
        action,
      })),
    ).toEqual(fraud.targets);
  });
});
