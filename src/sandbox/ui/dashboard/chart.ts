import type { FraudMetricReport } from '../../../fraud/metrics.ts';

/** A value on a day. */
export interface Point {
  /** When the day begins, in milliseconds since 1970. */
  readonly start: number;
  readonly value: number;
}

const day = 86_400_000;
const days = 30;
const width = 320;
const height = 96;
const edge = 6;

function shape(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** Where a day stands; the present one is at the right. */
function across(now: number): (time: number) => number {
  const first = Math.floor(now / day) * day - (days - 1) * day;
  return (time) => edge + ((time - first) / ((days - 1) * day)) * (width - 2 * edge);
}

/** Where a value stands: the scale reaches a little beyond all that is shown. */
function upward(
  { target, threshold, unit }: FraudMetricReport,
  points: readonly Point[],
): (value: number) => number {
  const greatest = Math.max(target, threshold, ...points.map(({ value }) => value));
  const most = Math.min(unit === 'share' ? 1 : 100, greatest * 1.2);
  return (value) => height - edge - (value / most) * (height - 2 * edge);
}

/** A figure over the last days, with the lines of its target and threshold. What it shows stands in the table below as well. */
export function chartOf(metric: FraudMetricReport, points: readonly Point[], now: number): SVGElement {
  const x = across(now);
  const y = upward(metric, points);
  const level = (value: number, name: string) =>
    shape('line', { x1: 0, x2: width, y1: y(value), y2: y(value), class: name });
  const dots = points.map(({ start, value }) => shape('circle', { cx: x(start), cy: y(value), r: 3 }));
  const path = points.map(({ start, value }) => `${x(start)},${y(value)}`).join(' ');
  const chart = shape('svg', {
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'aria-label': `${metric.name} on each of the last ${days} days, as in the table below`,
    class: 'chart',
  });
  chart.append(
    level(metric.target, 'target'),
    level(metric.threshold, 'threshold'),
    shape('polyline', { points: path }),
    ...dots,
  );
  return chart;
}
