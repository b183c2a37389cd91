/** Reaches inside: the names are those of any caller's fields, so all spellings are tested here. */

import { describe, expect, it } from 'vitest';
import { isCardSecretName } from '../../src/base/redact.ts';

describe('the name of a card secret', () => {
  it.each([
    'cvv',
    'CVV2',
    'cvc',
    'cvc2',
    'cvn',
    'ccv',
    'cvv_code',
    'cvc-number',
    'cvv2_value',
    'card_cvc',
    'card[cvv]',
    'payment.cvc',
    'security_code',
    'securityCode',
    'card_security_code',
    'card_verification_code',
    'credit_card_verification_value',
    'verification_value',
    'csc',
    'card_csc',
    'card_code',
    'ccexp',
    'cc_exp_date',
    'card_exp',
    'card_expiry',
    'payment_card_expiration_date',
  ])('may be %s', (name) => {
    expect(isCardSecretName(name)).toBe(true);
  });

  it.each([
    '',
    'cvvresponse',
    'cvc_check',
    'cvv3',
    'security_codes',
    'verification_code',
    'verification_value_2',
    'my_verification_value',
    'subscsc',
    'cscs',
    'gift_card_code',
    'card_codes',
    'exp',
    'acc_exp',
    'expires_at',
    'card_expired',
    'card_exp_days',
    'card_verification',
    'amount',
  ])('is not %s', (name) => {
    expect(isCardSecretName(name)).toBe(false);
  });
});
