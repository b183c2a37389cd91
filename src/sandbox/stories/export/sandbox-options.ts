import { usualMoney } from '../../domain/money-settings.ts';
import { type Code, quote, toCode } from './code-text.ts';
import { notReplayable } from './not-replayable.ts';

/** The defaults of the options that decide the result of a payment. */
const usual: Readonly<Record<string, unknown>> = {
  seed: 'sandbox',
  unknownTokens: 'approve',
  onlyShownFields: false,
  velocityRules: [],
  ...usualMoney,
};

function isPlain(value: unknown): boolean {
  if (typeof value === 'function') return false;
  return typeof value !== 'object' || value === null || Object.values(value).every(isPlain);
}

/** Returns a time as ISO text in code. */
function timeCode(ms: number): string {
  return `Date.parse(${quote(new Date(ms).toISOString().replace('.000Z', 'Z'))})`;
}

/**
 * Returns the options of the new sandbox: its start time, and the values that differ from the defaults.
 *
 * @throws Problem when one of them is a function.
 */
export function sandboxOptions(given: Readonly<Record<string, unknown>>, startsAt: number): Code {
  const fields = Object.keys(usual).flatMap((name) => {
    const value = given[name] ?? usual[name];
    if (JSON.stringify(value) === JSON.stringify(usual[name])) return [];
    if (!isPlain(value)) throw notReplayable(`the option '${name}' of its sandbox holds a function.`);
    return [[name, toCode(value)] as const];
  });
  const forms = given['interface'] === undefined ? [] : [['interface', 'serviceInterface'] as const];
  return { kind: 'object', fields: [['startsAt', timeCode(startsAt)], ...fields, ...forms] };
}
