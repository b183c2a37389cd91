import { listTestCards, type OfferedCard } from '../card-form/test-card-buttons.ts';
import { inside, onEscape, reportHeight } from '../frames/inside.ts';
import { tell } from '../frames/messages.ts';
import { CardForm } from './form.ts';

/** The test cards that a shop is tried out with. */
const offered: readonly OfferedCard[] = [
  ['fullMatch', 'Pays'],
  ['frictionless', '3-D Secure: confirmed without a question'],
  ['challengeRequired', '3-D Secure: the bank asks the buyer'],
  ['authenticationFailed', '3-D Secure: failed'],
  ['authenticationUnavailable', '3-D Secure: unavailable'],
  ['noMatch', 'Pays: address and security code do not match'],
  ['cvvMismatch', 'Pays: the security code does not match'],
  ['doNotHonor', 'Declined: do not honor'],
  ['insufficientFunds', 'Declined: insufficient funds'],
  ['processingError', 'Error while it is processed'],
];

const { dataset } = inside('main');
const origin = dataset['origin'] ?? '';
const form = new CardForm((token) => tell(origin, { kind: 'token', token }));

listTestCards(offered, (number) => {
  inside('details').removeAttribute('open');
  form.fill({ ccnumber: number, ccexp: dataset['expiry'] ?? '', cvv: '123' });
});
onEscape(() => tell(origin, { kind: 'close' }));
reportHeight(origin);
// A dialog takes the focus; in a page it is the buyer who puts it there.
if (new URLSearchParams(location.search).get('focus') === 'first') form.focus();
