import type { OverviewDay } from '../../../control/overview-routes.ts';
import { moneyText } from '../kit/format.ts';

const step = 10;
const height = 100;

/** Formats the day of a time: `2026-01-31`. */
function dayText(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

interface GrossChartProps {
  readonly currency: string;
  readonly days: readonly OverviewDay[];
}

/** Charts the gross volume of each day, with a table of the same values for screen readers. */
export function GrossChart({ currency, days }: GrossChartProps) {
  const bars = days.map(({ start, gross }) => ({ day: dayText(start), amount: gross[currency] ?? 0 }));
  const best = Math.max(0, ...bars.map(({ amount }) => amount));
  const heightOf = (amount: number): number => (Math.max(0, amount) / (best || 1)) * height;
  return (
    <figure class="gross">
      <figcaption>
        {best === 0
          ? `Nothing was charged in the last ${days.length} days`
          : `Gross volume of the last ${days.length} days; best day: ${moneyText(best, currency)}`}
      </figcaption>
      <svg
        class="chart"
        viewBox={`0 0 ${days.length * step} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {bars.map(({ day, amount }, index) => (
          <rect
            key={day}
            x={index * step + 1}
            y={height - heightOf(amount)}
            width={step - 2}
            height={heightOf(amount)}
          >
            <title>{`${day}: ${moneyText(amount, currency)}`}</title>
          </rect>
        ))}
      </svg>
      <p class="axis soft">
        <span>{bars[0]?.day}</span>
        <span>{bars.at(-1)?.day}</span>
      </p>
      <details>
        <summary>Daily figures</summary>
        <dl class="days" aria-label={`Gross in ${currency}`}>
          {bars
            .filter(({ amount }) => amount !== 0)
            .toReversed()
            .map(({ day, amount }) => (
              <div key={day}>
                <dt>{day}</dt>
                <dd>{moneyText(amount, currency)}</dd>
              </div>
            ))}
        </dl>
      </details>
    </figure>
  );
}
