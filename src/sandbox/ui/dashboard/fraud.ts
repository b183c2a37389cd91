import type { FraudMetricReport, FraudStatus } from '../../../fraud/metrics.ts';
import type { Activity } from '../../control/activity.ts';
import type { FraudDay, FraudFigures } from '../../control/fraud-figures.ts';
import { get } from './api.ts';
import { chartOf, type Point } from './chart.ts';
import { badge, el } from './element.ts';
import { List } from './list.ts';
import { fail } from './show-problem.ts';
import { Table } from './table.ts';
import { oncePerFrame, oneAtATime, type View } from './view.ts';

const states: Readonly<
  Record<FraudStatus, readonly [text: string, mood: 'good' | 'warn' | 'bad' | 'plain']>
> = {
  on_target: ['on target', 'good'],
  watch: ['between target and threshold', 'warn'],
  action: ['action', 'bad'],
  no_data: ['no data', 'plain'],
};

/** A figure with its value on each day that has one, and the time. */
interface Card {
  readonly metric: FraudMetricReport;
  readonly points: readonly Point[];
  readonly now: number;
}

function written(value: number | null | undefined, unit: FraudMetricReport['unit']): string {
  if (typeof value !== 'number') return '–';
  return unit === 'share' ? `${(value * 100).toFixed(2)} %` : value.toFixed(1);
}

function sentenceOf({ better, target, threshold, unit, action, sample }: FraudMetricReport): string {
  const [good, bad] = better === 'lower' ? ['below', 'Above'] : ['above', 'Below'];
  const aim = `Target: ${good} ${written(target, unit)}. ${bad} ${written(threshold, unit)}: ${action}.`;
  return `${aim} Counted: ${sample}.`;
}

function pointsOf({ metric }: FraudMetricReport, days: readonly FraudDay[]): readonly Point[] {
  return days.flatMap(({ start, values }) => {
    const value = values[metric];
    return typeof value === 'number' ? [{ start, value }] : [];
  });
}

function cardOf({ metric, points, now }: Card): HTMLElement {
  const { name, value, unit, status } = metric;
  const card = el(
    'section',
    { className: 'card', ariaLabel: name },
    el('h3', {}, name),
    el('p', { className: 'figure' }, written(value, unit), ' ', badge(...states[status])),
  );
  card.append(chartOf(metric, points, now), el('p', { className: 'soft' }, sentenceOf(metric)));
  return card;
}

function tableOf(metrics: readonly FraudMetricReport[]): Table<FraudDay> {
  return new Table<FraudDay>({
    name: 'Figures of each day, newest first',
    columns: [{ name: 'Day' }, ...metrics.map(({ name }) => ({ name, end: true }))],
    keyOf: (day) => JSON.stringify(day),
    cellsOf: ({ start, values }) => [
      el('time', {}, new Date(start).toISOString().slice(0, 10)),
      ...metrics.map(({ metric, unit }) => written(values[metric], unit)),
    ],
  });
}

/** The fraud monitor of the sandbox: the figures that the interface says to watch, over the last 30 days. */
export class FraudView implements View {
  readonly element = el('section', { ariaLabel: 'Fraud' });
  readonly #now: () => number;
  readonly #figures = el('div', { className: 'figures' });
  readonly #cards = new List<Card>(this.#figures, {
    // The chart moves along with the days.
    keyOf: ({ metric, points, now }) => JSON.stringify([metric, points, Math.floor(now / 86_400_000)]),
    build: cardOf,
  });
  readonly #place = el('div');
  #table: Table<FraudDay> | undefined;
  readonly #reload = oneAtATime(() => this.#load());
  readonly #reloadSoon = oncePerFrame(() => void this.#reload().catch(fail));

  /** @param now The time of the sandbox. */
  constructor(now: () => number) {
    this.#now = now;
    const legend =
      'Card sales of the last 30 days. Dashed: the target. Dotted: where something is to be done.';
    this.element.append(
      el('h2', {}, 'Fraud monitor'),
      el('p', { className: 'soft' }, legend),
      this.#figures,
      el('h3', {}, 'Day by day'),
      this.#place,
    );
  }

  show(): Promise<void> {
    return this.#reload();
  }

  hear({ kind }: Activity): void {
    if (kind !== 'delivery') this.#reloadSoon();
  }

  async #load(): Promise<void> {
    const { metrics, days } = await get<FraudFigures>('fraud');
    const now = this.#now();
    this.#cards.show(metrics.map((metric) => ({ metric, points: pointsOf(metric, days), now })));
    if (this.#table === undefined) {
      // What its columns are, the sandbox says.
      this.#table = tableOf(metrics);
      this.#place.append(this.#table.element);
    }
    this.#table.show(days.toReversed(), 'Nothing was counted.');
  }
}
