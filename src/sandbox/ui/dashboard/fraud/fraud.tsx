import type { FraudMetricReport, FraudStatus } from '../../../../fraud/metrics.ts';
import type { FraudDay, FraudFigures } from '../../../control/fraud-figures.ts';
import { Loaded, Page, Part } from '../kit/page.tsx';
import { sandboxState } from '../kit/sandbox-state.ts';
import { useStore } from '../kit/shared-value.ts';
import { type Column, Table } from '../kit/table.tsx';
import type { Tone } from '../kit/tone.ts';
import { useLoad } from '../kit/use-load.ts';
import { Badge } from '../kit/values.tsx';
import { FigureChart } from './figure-chart.tsx';

const states: Readonly<Record<FraudStatus, readonly [text: string, tone: Tone]>> = {
  on_target: ['on target', 'good'],
  watch: ['between target and threshold', 'warn'],
  action: ['action needed', 'bad'],
  no_data: ['no data', 'plain'],
};

function valueText(value: number | null | undefined, unit: FraudMetricReport['unit']): string {
  if (typeof value !== 'number') return '–';
  return unit === 'share' ? `${(value * 100).toFixed(2)} %` : value.toFixed(1);
}

function sentenceOf({ better, target, threshold, unit, action, sample }: FraudMetricReport): string {
  const [good, bad] = better === 'lower' ? ['below', 'Above'] : ['above', 'Below'];
  const targetText = `Target: ${good} ${valueText(target, unit)}. ${bad} ${valueText(threshold, unit)}: ${action}.`;
  return `${targetText} Counted: ${sample}.`;
}

interface FigureProps {
  readonly metric: FraudMetricReport;
  readonly days: readonly FraudDay[];
  readonly now: number;
}

function Figure({ metric, days, now }: FigureProps) {
  const { name, value, unit, status } = metric;
  const [text, tone] = states[status];
  const points = days.flatMap(({ start, values }) => {
    const point = values[metric.metric];
    return typeof point === 'number' ? [{ start, value: point }] : [];
  });
  return (
    <section class="card stack" aria-label={name}>
      <h3>{name}</h3>
      <p class="line">
        <span class="figure">{valueText(value, unit)}</span> <Badge tone={tone}>{text}</Badge>
      </p>
      <FigureChart metric={metric} points={points} now={now} />
      <p class="soft">{sentenceOf(metric)}</p>
    </section>
  );
}

function columnsOf(metrics: FraudFigures['metrics']): readonly Column<FraudDay>[] {
  return [
    { name: 'Day', cell: ({ start }) => <time>{new Date(start).toISOString().slice(0, 10)}</time> },
    ...metrics.map(({ metric, name, unit }) => ({
      name,
      end: true,
      cell: ({ values }: FraudDay) => valueText(values[metric], unit),
    })),
  ];
}

function Monitor({ metrics, days }: FraudFigures) {
  const now = useStore(sandboxState)?.clock.now;
  return (
    <>
      <p class="soft">
        Card sales of the last 30 days. Dashed line: the target. Dotted line: the threshold for action.
      </p>
      <div class="figures">
        {now !== undefined &&
          metrics.map((metric) => <Figure key={metric.metric} metric={metric} days={days} now={now} />)}
      </div>
      <Part title="Day by day">
        {days.length === 0 ? (
          <p class="soft">No data.</p>
        ) : (
          <Table
            name="Daily figures, newest first"
            columns={columnsOf(metrics)}
            rows={days.toReversed()}
            keyOf={({ start }) => start}
          />
        )}
      </Part>
    </>
  );
}

/** Shows the fraud monitor: the metrics that the interface says to watch, over the last 30 days. */
export function Fraud() {
  const load = useLoad<FraudFigures>('fraud');
  return (
    <Page title="Fraud monitor">
      <Loaded load={load}>{(figures) => <Monitor {...figures} />}</Loaded>
    </Page>
  );
}
