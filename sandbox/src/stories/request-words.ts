import { isFormOperation, type PageOperation } from '../api/operation.ts';
import { toMilliseconds } from '../store/clock.ts';
import type { RecordedAction, RecordedRequest } from './entry.ts';

const pageWords: Readonly<Record<PageOperation, string>> = {
  'scripts.load': 'script',
  'risk.collectDeviceData': 'device data',
  'threeDSecure.authenticate': '3-D Secure',
  'threeDSecure.challenge': '3-D Secure page',
  'cardFields.show': 'card fields',
  'cardFields.tokenize': 'tokenize',
  'checkout.show': 'checkout page',
  'checkout.pay': 'checkout',
};

const isPage = (operation: string): operation is PageOperation => Object.hasOwn(pageWords, operation);

/** Splits a name in camelCase: `creditNotes` becomes `credit notes`. */
function wordsOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function methodWords(collection: string, method: string): string {
  if (collection === 'paymentIntents') return method.startsWith('retry') ? 'retry' : wordsOf(method);
  const nouns = wordsOf(collection).replace(/^checkout /, '');
  if (method === 'list') return `list ${nouns}`;
  const noun = nouns.replace(/(?<=ch)es$|s$/, '');
  return method === 'create' ? noun : `${wordsOf(method)} ${noun}`;
}

/** Names what a request does, in a word or two: `confirm`, `refund`, `sale`. */
export function requestWords({ operation, method, path, request: { body } }: RecordedRequest): string {
  if (operation === null) return `${method} ${path}`;
  if (isFormOperation(operation)) return new URLSearchParams(body ?? '').get('type') || 'form';
  if (isPage(operation)) return pageWords[operation];
  const [collection = '', name = ''] = operation.split('.');
  return methodWords(collection, name);
}

/** Formats a time: `16 Jan 2026 09:00`. */
function timeText(at: number): string {
  const text = new Date(at).toLocaleString('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return text.replace(',', '');
}

/** Longer than what most actions name. */
const longest = 60;

/** Names an action, with what it is about: `trigger refund.failed`, `clock +1 day → 16 Jan 2026 09:00`. */
export function actionWords({ name, details, at }: RecordedAction): string {
  const { advance } = details;
  if (name === 'clock.advance' && (typeof advance === 'string' || typeof advance === 'number')) {
    const by = typeof advance === 'number' ? '' : ` +${advance}`;
    return `clock${by} → ${timeText(at + toMilliseconds(name, advance))}`;
  }
  // The order of a payment is in the log already.
  if (name === 'pay') return name;
  const about = Object.values(details).filter((value) => typeof value === 'string');
  return [name.replace('.', ' '), ...about].join(' ').slice(0, longest);
}
