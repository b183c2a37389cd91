import type { FraudMetricReport, FraudStatus } from '../../../../fraud/metrics.ts';
import type { Activity } from '../../../control/activity.ts';
import type { FraudFigures } from '../../../control/fraud-figures.ts';
import { get } from './api.ts';
import { chartOf } from './chart.ts';
import { badge, el } from './el.ts';
import { fail } from './problem.ts';
import { oncePerFrame, oneAtATime, type View } from './view.ts';

const states: Readonly<
  Record<FraudStatus, readonly [text: string, mood: 'good' | 'warn' | 'bad' | 'plain']>
> = {
  on_target: ['on target', 'good'],
  watch: ['between target and threshold', 'warn'],
  action: ['action', 'bad'],
  no_data: ['no data', 'plain'],
};

function written(value: number, unit: FraudMetricReport['unit']): string {
  return unit === 'share' ? `${(value * 100).toFixed(2)} %` : value.toFixed(1);
}

function sentenceOf({ better, target, threshold, unit, action }: FraudMetricReport): string {
  const [good, bad] = better === 'lower' ? ['below', 'above'] : ['above', 'below'];
  return `Target: ${good} ${written(target, unit)}. ${bad[0]?.toUpperCase()}${bad.slice(1)} ${written(threshold, unit)}: ${action}.`;
}

/** The fraud monitor of the sandbox: the figures that the interface says to watch, over the last 30 days. */
export class FraudView implements View {
  readonly element = el('section', { ariaLabel: 'Fraud' });
  readonly #now: () => number;
  readonly #reload = oneAtATime(() => this.#load());
  readonly #reloadSoon = oncePerFrame(() => void this.#reload().catch(fail));

  /** @param now The time of the sandbox. */
  constructor(now: () => number) {
    this.#now = now;
  }

  show(): Promise<void> {
    return this.#reload();
  }

  hear({ kind }: Activity): void {
    if (kind !== 'delivery') this.#reloadSoon();
  }

  async #load(): Promise<void> {
    const figures = await get<FraudFigures>('fraud');
    const cards = figures.metrics.map((metric) => this.#card(metric, figures));
    this.element.replaceChildren(
      el('h2', {}, 'Fraud monitor'),
      el(
        'p',
        { className: 'soft' },
        'Card sales of the last 30 days. Dashed: the target. Dotted: where something is to be done.',
      ),
      el('div', { className: 'figures' }, ...cards),
    );
  }

  #card(metric: FraudMetricReport, { days }: FraudFigures): HTMLElement {
    const { name, value, unit, sample, status } = metric;
    const points = days.flatMap(({ start, values }) => {
      const value = values[metric.metric];
      return typeof value === 'number' ? [{ start, value }] : [];
    });
    const card = el(
      'section',
      { className: 'card', ariaLabel: name },
      el('h3', {}, name),
      el(
        'p',
        { className: 'figure' },
        value === undefined ? '–' : written(value, unit),
        ' ',
        badge(...states[status]),
      ),
    );
    card.append(
      chartOf(metric, points, this.#now()),
      el('p', { className: 'soft' }, `${sentenceOf(metric)} Of ${sample}.`),
    );
    return card;
  }
}
