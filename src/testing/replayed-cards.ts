import { refuseValue } from '../base/refuse.ts';
import { type Sandbox, testCards } from '../sandbox/index.ts';
import { type NamedCard, readCardText, readTokenText } from '../sandbox/stories/card-text.ts';
import type { CardDetails } from '../sandbox/transact/card-reader.ts';

const securityCode = '123';
const latestExpiry = '1299';
/** Before any clock. */
const pastExpiry = '0100';

function numberOf(name: string): string {
  const card = Object.entries(testCards).find(([one]) => one === name)?.[1];
  return (
    card?.number ?? refuseValue('replay.entries.card', 'the name of a test card', name, 'Correct the entry.')
  );
}

function detailsOf({ name, isExpired, hasCvv }: NamedCard): CardDetails {
  const ccexp = isExpired ? pastExpiry : latestExpiry;
  return { ccnumber: numberOf(name), ccexp, ...(hasCvv && { cvv: securityCode }) };
}

/** Returns what a buyer types for a test card. */
export function cardForm(name: string): Readonly<Record<string, string>> {
  return { ccnumber: numberOf(name), ccexp: latestExpiry, cvv: securityCode };
}

/** Returns a value of a form, with a token or a number in place of the name of a card. */
async function sentValue(sandbox: Sandbox, name: string, value: string): Promise<string> {
  const token = readTokenText(value);
  if (token !== undefined) return token;
  const card = readCardText(value);
  if (card === undefined) return value;
  const details = detailsOf(card);
  return name === 'ccnumber' ? details.ccnumber : sandbox.tokenize(details);
}

/** Returns the fields of a form, with tokens and numbers in place of the names of cards. */
export async function sentForm(
  sandbox: Sandbox,
  form: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const sent = new Map<string, string>();
  for (const [name, value] of Object.entries(form)) sent.set(name, await sentValue(sandbox, name, value));
  const card = readCardText(form['ccnumber'] ?? '');
  // The other fields of a card are not recorded.
  if (card !== undefined) {
    const { ccexp, cvv } = detailsOf(card);
    sent.set('ccexp', ccexp);
    if (cvv !== undefined) sent.set('cvv', cvv);
  }
  return Object.fromEntries(sent);
}
