import { micros, perSecond } from './row.ts';

/** How the same thing is done many times, and how rows say it. */
export interface Way {
  readonly inFlight: number;
  readonly count: number;
  /** @param things What is done, in the plural. */
  readonly what: (things: string) => string;
  readonly sign: '≤' | '≥';
  /** The figure of what takes so many times as long. */
  readonly figureOf: (ratio: number) => number;
  readonly unit: (seconds: number) => string;
}

export const alone: Way = {
  inFlight: 1,
  count: 150,
  what: () => 'one in flight, time',
  sign: '≤',
  figureOf: (ratio) => ratio,
  unit: micros,
};

export const together: Way = {
  inFlight: 32,
  count: 480,
  what: (things) => `32 in flight, ${things}/s`,
  sign: '≥',
  figureOf: (ratio) => 1 / ratio,
  unit: (seconds) => perSecond(1 / seconds),
};
