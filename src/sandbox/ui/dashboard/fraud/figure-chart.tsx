import type { FraudMetricReport } from '../../../../fraud/metrics.ts';

interface FigureChartProps {
  readonly metric: FraudMetricReport;
  /** The value of each day that has one. A day begins at `start`, in ms since 1970. */
  readonly points: readonly { readonly start: number; readonly value: number }[];
  readonly now: number;
}

const day = 86_400_000;
const days = 30;
const width = 320;
const height = 96;
const edge = 6;

/** Returns a function that maps a time to its x position; today is at the right. */
function across(now: number): (time: number) => number {
  const first = Math.floor(now / day) * day - (days - 1) * day;
  return (time) => edge + ((time - first) / ((days - 1) * day)) * (width - 2 * edge);
}

/** Returns a function that maps a value to its y position. The scale leaves some room above the maximum. */
function upward({
  metric: { target, threshold, unit },
  points,
}: FigureChartProps): (value: number) => number {
  const greatest = Math.max(target, threshold, ...points.map(({ value }) => value));
  const most = Math.min(unit === 'share' ? 1 : 100, greatest * 1.2);
  return (value) => height - edge - (value / most) * (height - 2 * edge);
}

/** Charts a metric over the last days, with its target and threshold. The table below has the same values. */
export function FigureChart(props: FigureChartProps) {
  const { metric, points, now } = props;
  const x = across(now);
  const y = upward(props);
  const level = (value: number, name: string) => (
    <line x1={0} x2={width} y1={y(value)} y2={y(value)} class={name} />
  );
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`${metric.name} on each of the last ${days} days, as in the table below`}
      class="chart"
    >
      {level(metric.target, 'target')}
      {level(metric.threshold, 'threshold')}
      <polyline points={points.map(({ start, value }) => `${x(start)},${y(value)}`).join(' ')} />
      {points.map(({ start, value }) => (
        <circle key={start} cx={x(start)} cy={y(value)} r={3} />
      ))}
    </svg>
  );
}
