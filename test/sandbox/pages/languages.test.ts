import { type Sandbox, type TestCard, testCards } from 'payments-client/sandbox';
import { expect, it } from 'vitest';
import { buyer, card, type Session, show, start, submit } from './checkout/support.ts';

const wordsOf = {
  en: ['Checkout', 'Pay $12.00', 'Card number', 'Paid', 'Expired', 'Not found'],
  de: ['Kasse', '12,00 $ bezahlen', 'Kartennummer', 'Bezahlt', 'Abgelaufen', 'Nicht gefunden'],
  fr: ['Paiement de la commande', 'Payer 12,00 $US', 'Numéro de carte', 'Payé', 'Expiré', 'Introuvable'],
  es: ['Pago del pedido', 'Pagar 12,00 US$', 'Número de tarjeta', 'Pagado', 'Caducado', 'No encontrado'],
  ja: ['お支払い手続き', '$12.00 を支払う', 'カード番号', 'お支払い完了', '期限切れ', '見つかりません'],
  ar: ['إتمام الشراء', 'ادفع ', 'رقم البطاقة', 'تم الدفع', 'انتهت المهلة', 'غير موجود'],
} as const;

const languages = Object.keys(wordsOf).filter((name): name is keyof typeof wordsOf => name in wordsOf);

async function read(response: Promise<Response>): Promise<string> {
  return (await (await response).text()).replaceAll(/[\u00a0\u202f]/g, ' ');
}

const everything = {
  address: 'required',
  email: 'required',
  name: 'required',
  phone: 'required',
  require_full_billing_address: true,
  require_phone: true,
  require_shipping_address: true,
  wallet_billing_mode: 'min',
} as const;

/** Returns the text of a page without the shop's name, lines and host, and without the test cards. */
function proseOf(page: string): string {
  return page
    .replaceAll(/<details class="test-cards".*?<\/details>/gs, '')
    .replaceAll(/<bdi>.*?<\/bdi>|data-\w+="[\d/]*"|<[^>]*>/g, ' ')
    .replaceAll(/shop\.example|ada@example\.com|UTC|Tea|Test shop/g, '');
}

it.each(languages)('shows every page of a session in %s', async (locale) => {
  const [heading, pay, number, paid, expired, unknown] = wordsOf[locale];
  const { sandbox, session } = start({ locale });
  const direction = locale === 'ar' ? 'rtl' : 'ltr';
  const open = await read(show(sandbox, session));
  expect(open).toContain(`<html lang="${locale}" dir="${direction}">`);
  for (const text of [heading, pay, number]) expect(open).toContain(text);
  const headers = { 'accept-language': locale };
  expect(await read(show(sandbox, { id: 'cs_nobody' }, headers))).toContain(unknown);
  sandbox.pay(session.id);
  expect(await read(show(sandbox, session))).toContain(paid);
  const late = sandbox.add('checkout_session', { locale, status: 'expired' });
  expect(await read(show(sandbox, late))).toContain(expired);
});

it.each(['ja', 'ar'] as const)('leaves no English text in %s', async (locale) => {
  const whole = start({ locale, mode: 'subscription', collect_config: everything });
  const { sandbox, session } = start({ locale });
  const payWith = ({ number }: TestCard) => submit(sandbox, session, { ...buyer, ...card, ccnumber: number });
  const pages = [
    submit(whole.sandbox, whole.session, {}),
    payWith(testCards.challengeRequired),
    payWith(testCards.authenticationFailed),
    payWith(testCards.insufficientFunds),
  ];
  for (const page of pages) {
    expect(proseOf(await read(page)).match(/[A-Za-z]{4,}(?: [A-Za-z]+)+/g) ?? []).toEqual([]);
  }
});

it.each([
  [null, 'de-AT,de;q=0.9,en;q=0.8', 'de-AT'],
  ['auto', 'fr', 'fr'],
  ['xx', 'xx, es-MX;q=0.5, ja;q=0.9', 'ja'],
  [null, 'de;q=0, es', 'es'],
  ['ar-EG', 'de', 'ar-EG'],
  ['pt_BR', '', 'en'],
  [null, 'nonsense;;;q=,*', 'en'],
  ['no such locale', undefined, 'en'],
  ['de-u-nu-arab', undefined, 'de'],
])('for the session’s locale %j and the browser’s %j, uses %s', async (locale, accepted, expected) => {
  const { sandbox, session } = start({ locale });
  const headers = accepted === undefined ? {} : { 'accept-language': accepted };
  expect(await read(show(sandbox, session, headers))).toContain(`<html lang="${expected}" `);
});

async function shownTo(sandbox: Sandbox, session: Session): Promise<string> {
  return read(show(sandbox, session));
}

it('keeps the letters of a currency in order in right-to-left text', async () => {
  const { sandbox, session } = start({ locale: 'ar' });
  expect(await shownTo(sandbox, session)).toContain('\u2068US$\u2069');
});

it('names the countries in the language, and preselects the one of the locale', async () => {
  const { sandbox, session } = start({ locale: 'de-AT', collect_config: everything });
  const page = await shownTo(sandbox, session);
  expect(page).toContain('<option value="AT" selected>Österreich</option>');
  expect(page.indexOf('Ägypten')).toBeLessThan(page.indexOf('Belgien'));
  expect([...page.matchAll(/<option value="[A-Z]{2}"/g)]).toHaveLength(2 * 249);
});
