import { listTestCards, type OfferedCard } from '../card-form.ts';
import { beginFrame, onEscape, requireElement } from '../frames/framed-page.ts';
import { type PageMessage, sendToPage } from '../frames/messages.ts';
import { readProperties } from './card-fields-options.ts';
import { CardForm } from './form.ts';

const offered: readonly OfferedCard[] = [
  ['fullMatch', 'Pays'],
  ['frictionless', '3-D Secure: passes without a challenge'],
  ['challengeRequired', '3-D Secure: challenge'],
  ['authenticationFailed', '3-D Secure: failed'],
  ['authenticationUnavailable', '3-D Secure: unavailable'],
  ['noMatch', 'Pays: address and security code do not match'],
  ['cvvMismatch', 'Pays: the security code does not match'],
  ['doNotHonor', 'Declined: do not honor'],
  ['insufficientFunds', 'Declined: insufficient funds'],
  ['processingError', 'Processing error'],
];

const { dataset } = requireElement('main');
const origin = dataset['origin'] ?? '';
const form = new CardForm({
  onToken: (token) => sendToPage(origin, { kind: 'token', token }),
  onChange: (change) => sendToPage(origin, { kind: 'change', change }),
});

function handleMessage(message: PageMessage): void {
  if (message.kind === 'submit') form.submit();
  if (message.kind === 'clear') form.clear();
  if (message.kind === 'focus') form.focus();
  if (message.kind === 'resume') form.resume(message.wantsCard);
  if (message.kind !== 'appearance') return;
  form.showButton(message.hasButton);
  // Validated here too, since the frame does not trust the page.
  for (const [name, value] of Object.entries(readProperties(message.appearance))) {
    document.documentElement.style.setProperty(name, value);
  }
}

listTestCards(offered, (number) => {
  requireElement('details').removeAttribute('open');
  form.fill({ ccnumber: number, ccexp: dataset['expiry'] ?? '', cvv: '123' });
});
onEscape(() => sendToPage(origin, { kind: 'close' }));
beginFrame(origin, handleMessage);
// In a dialog the first field takes the focus; inside a page the buyer moves it.
if (new URLSearchParams(location.search).get('focus') === 'first') form.focus();
