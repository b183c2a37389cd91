import { inside, onEscape, reportHeight } from '../frames/inside.ts';
import { tell } from '../frames/messages.ts';
import { CardForm } from './form.ts';
import { listTestCards } from './test-cards.ts';

const { dataset } = inside('main');
const origin = dataset['origin'] ?? '';
const form = new CardForm((token) => tell(origin, { kind: 'token', token }));

listTestCards((number) => {
  inside('details').removeAttribute('open');
  form.fill({ ccnumber: number, ccexp: dataset['expiry'] ?? '', cvv: '123' });
});
onEscape(() => tell(origin, { kind: 'close' }));
reportHeight(origin);
// A dialog takes the focus; in a page it is the buyer who puts it there.
if (new URLSearchParams(location.search).get('focus') === 'first') form.focus();
