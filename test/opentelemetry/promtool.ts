/** Evaluates rules of Prometheus in virtual time, on series that continue the scrapes of a real exporter. */

import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { temporaryFile } from '../support/temporary-file.ts';

/** The samples of a scrape, by their series. */
interface Scrape {
  readonly samples: ReadonlyMap<string, number>;
  readonly isGauge: (series: string) => boolean;
}

/** What Prometheus reads from one program. */
export interface Scrapes {
  /** Two scrapes, a minute of usual traffic apart. */
  readonly usual: readonly [string, string];
  /** The scrape after what may cause an alarm. */
  readonly after: string;
  /** What follows: the usual traffic, no traffic, the usual traffic of a new process, or no scrapes for a while. */
  readonly next: 'usual' | 'silence' | 'restart' | 'gap';
}

/** Minutes of usual traffic until the cause. The past is over, and what is usual is known, after some of them. */
const before = 75;
const settled = 70;
/** Minutes after the cause. Silence takes 2 hours to notice. */
const afterwards = { usual: 20, silence: 140, restart: 20, gap: 40 };
const gap = 20;

export function hasPromtool(): boolean {
  return spawnSync('promtool', ['--version']).status === 0;
}

/** Writes names with units, as the Collector does, and bounds with a decimal point, as Prometheus 3 does. */
function withUnits(text: string): string {
  const inSeconds = [...text.matchAll(/^# UNIT (\w+) s$/gm)].map(([, name]) => name);
  const names = new RegExp(`^(# TYPE )?(${inSeconds.join('|')})(_bucket|_count|_sum)?(?=[ {])`, 'gm');
  return text
    .replace(names, (_all, type = '', name, part = '') => `${type}${name}_seconds${part}`)
    .replace(/le="(\d+)"/g, 'le="$1.0"');
}

function parse(text: string, job: string): Scrape {
  const gauges = new Set([...text.matchAll(/^# TYPE (\w+) gauge$/gm)].map(([, name]) => name));
  const lines = text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm);
  const samples = [...lines].map(([, name, labels = '', value]): [string, number] => {
    const all = [labels, `job="${job}"`, 'instance="shop-1"'].filter((each) => each !== '');
    return [`${name}{${all.join(',')}}`, Number(value)];
  });
  return { samples: new Map(samples), isGauge: (series) => gauges.has(series.replace(/\{.*/s, '')) };
}

/** A run of values that grow by the same step, in promtool's notation. */
const run = (from: number, step: number, minutes: number) => `${from}+${step}x${minutes - 1}`;

function valuesOf(series: string, [first, second, last]: readonly Scrape[], next: Scrapes['next']): string {
  const [start, later, end] = [first, second, last].map((scrape) => scrape?.samples.get(series));
  const isGauge = last?.isGauge(series) ?? false;
  const step = isGauge ? 0 : (later ?? 0) - (start ?? 0);
  const reached = isGauge ? (later ?? 0) : (start ?? 0) + step * before;
  const early = later === undefined ? `_x${before}` : run(reached - step * before, step, before);
  if (end === undefined) return early;
  const caused = next === 'restart' ? (start ?? 0) : reached + end - (later ?? 0);
  const late = run(caused, next === 'silence' ? 0 : step, afterwards[next]);
  return next === 'gap' ? `${early} _x${gap} ${late}` : `${early} ${late}`;
}

/** How two programs write the same names. Prometheus gets one or the other. */
const namings: Readonly<Record<'exported' | 'collected', (text: string) => string>> = {
  exported: (text) => text,
  collected: withUnits,
};

/** The scrapes of two programs, by the way they write names. */
export type Programs = Readonly<Record<keyof typeof namings, Scrapes>>;

function seriesOf(job: keyof typeof namings, { usual, after, next }: Scrapes) {
  const scrapes = [...usual, after].map((text) => parse(namings[job](text), job));
  const names = new Set(scrapes.flatMap(({ samples }) => [...samples.keys()]));
  return [...names].map((series) => ({ series, values: valuesOf(series, scrapes, next) }));
}

/**
 * Returns what promtool reports if other alarms than the expected ones ring in either program, or none; `undefined` if exactly
 * these ring.
 *
 * @param expected Labels of alarms, which ring after the cause. Without any, none may ring before either.
 */
export async function differenceOf(
  ruleFile: string,
  { exported, collected }: Programs,
  expected: readonly string[],
): Promise<string | undefined> {
  const end = before + afterwards[exported.next];
  const ringing = `ALERTS{alertstate="firing"}[${end - (expected.length === 0 ? settled : before)}m]`;
  const test = {
    interval: '1m',
    input_series: [...seriesOf('exported', exported), ...seriesOf('collected', collected)],
    promql_expr_test: [
      {
        expr: `group by (job, alertname, messaging_destination_name) (max_over_time(${ringing}))`,
        eval_time: `${end}m`,
        exp_samples: Object.keys(namings).flatMap((job) =>
          expected.map((labels) => ({ labels: `{${labels}, job="${job}"}`, value: 1 })),
        ),
      },
    ],
  };
  const file = await temporaryFile();
  // JSON is YAML.
  await writeFile(file, JSON.stringify({ rule_files: [ruleFile], evaluation_interval: '1m', tests: [test] }));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  return status === 0 ? undefined : `${stdout}${stderr}`;
}
