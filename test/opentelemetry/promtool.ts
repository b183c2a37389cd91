/** Evaluates rules of Prometheus in virtual time, on series that continue the scrapes of a real exporter. */

import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { temporaryFile } from '../support/temporary-file.ts';

/** The samples of a scrape, by their series. */
interface Scrape {
  readonly samples: ReadonlyMap<string, number>;
  readonly isGauge: (series: string) => boolean;
}

/** Minutes of which each is the same. */
export interface Phase {
  readonly minutes: number;
  /** Scrapes before and after what happens. Counters grow by their difference, gauges have the values of the second. */
  readonly scrapes: readonly [string, string];
  /** How often it happens, in minutes. Default: 1. */
  readonly every?: number;
  /** Whether Prometheus gets no samples. The program goes on. Default: false. */
  readonly isHidden?: boolean;
  /** Whether a new process takes the place of the old one, so that counters start anew. Default: false. */
  readonly isNewProcess?: boolean;
}

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
  return {
    samples: new Map([...samples, [`up{job="${job}",instance="shop-1"}`, 1]]),
    isGauge: (series) => series.startsWith('up{') || gauges.has(series.replace(/\{.*/s, '')),
  };
}

/** A phase whose scrapes are parsed. */
type ReadPhase = Omit<Phase, 'scrapes'> & { readonly scrapes: readonly [Scrape, Scrape] };

/** Returns the value of each minute, and the value at the end; without one, the series is not there yet. */
function minutesOf(
  series: string,
  { minutes, scrapes: [before, after], every = 1, isHidden, isNewProcess }: ReadPhase,
  last: number | undefined,
): { readonly values: readonly string[]; readonly end: number | undefined } {
  const value = after.samples.get(series);
  const reached = isNewProcess ? undefined : (last ?? before.samples.get(series));
  const step = (value ?? 0) - (before.samples.get(series) ?? 0);
  const at = (minute: number) => {
    if (value === undefined) return reached;
    if (after.isGauge(series)) return value;
    const times = Math.floor((minute + 1) / every);
    return reached === undefined && times === 0 ? undefined : (reached ?? 0) + step * times;
  };
  const shown = (minute: number) => (isHidden ? '_' : String(at(minute) ?? '_'));
  return { values: Array.from({ length: minutes }, (_, minute) => shown(minute)), end: at(minutes - 1) };
}

/** Writes equal values in a row as one. */
function shortened(values: readonly string[]): string {
  const runs: { value: string; more: number }[] = [];
  for (const value of values) {
    const run = runs.at(-1);
    if (run?.value === value) run.more += 1;
    else runs.push({ value, more: 0 });
  }
  return runs.map(({ value, more }) => (value === '_' ? `_x${more + 1}` : `${value}x${more}`)).join(' ');
}

function seriesOf(job: Naming, phases: readonly Phase[]) {
  const read = phases.map(({ scrapes: [before, after], ...phase }): ReadPhase => {
    return { ...phase, scrapes: [parse(namings[job](before), job), parse(namings[job](after), job)] };
  });
  const names = new Set(read.flatMap(({ scrapes }) => scrapes.flatMap(({ samples }) => [...samples.keys()])));
  return [...names].map((series) => {
    let last: number | undefined;
    const values = read.flatMap((phase) => {
      const { values, end } = minutesOf(series, phase, last);
      last = end;
      return values;
    });
    return { series, values: shortened(values) };
  });
}

/** How two programs write the same names. Prometheus gets one or the other. */
const namings = {
  exported: (text: string) => text,
  collected: withUnits,
};

type Naming = keyof typeof namings;

/** What one or two programs do, by the way they write names. */
export type Programs = Readonly<Partial<Record<Naming, readonly Phase[]>>>;

/** What an expression must be at the end of a minute. The job is added to the labels of each program. */
interface Expectation {
  readonly expr: string;
  readonly minute: number;
  readonly samples: readonly (readonly [labels: string, value: number])[];
}

/** Returns what promtool reports if an expression is not as expected; `undefined` if all are. */
export async function differenceOf(
  ruleFile: string,
  programs: Programs,
  expectations: readonly Expectation[],
): Promise<string | undefined> {
  const jobs = (['exported', 'collected'] as const).filter((job) => programs[job] !== undefined);
  const test = {
    interval: '1m',
    input_series: jobs.flatMap((job) => seriesOf(job, programs[job] ?? [])),
    promql_expr_test: expectations.map(({ expr, minute, samples }) => ({
      expr,
      eval_time: `${minute}m`,
      exp_samples: jobs.flatMap((job) =>
        samples.map(([labels, value]) => ({ labels: `{${labels}job="${job}"}`, value })),
      ),
    })),
  };
  const file = await temporaryFile();
  // JSON is YAML.
  await writeFile(file, JSON.stringify({ rule_files: [ruleFile], evaluation_interval: '1m', tests: [test] }));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  return status === 0 ? undefined : `${stdout}${stderr}`;
}

/** Returns an expression for the alarms that rang within some minutes, by job, name and consumer. */
export function rangWithin(minutes: number): string {
  const ringing = `ALERTS{alertstate="firing"}[${minutes}m]`;
  return `group by (job, alertname, messaging_destination_name) (max_over_time(${ringing}))`;
}
