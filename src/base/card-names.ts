/** Names of fields with the security code or the expiry of a card. Their few digits look like any other number. */

/** A name without `_`, `-`, brackets and dots, in lower case. `cvvresponse` is a result, and `gift_card_code` no code of a payment card. */
const ofCode =
  /(?:cvv|cvc|cvn|ccv)2?(?:code|number|value)?$|securitycode$|cardverification(?:code|value)$|^(?:verificationvalue|(?:card)?csc|cardcode)$/;
const ofExpiry = /^(?:.*card|cc)exp(?:iry|iration)?(?:date)?$/;

/** Whether a field of this name holds what no store may keep of a card, whatever its value looks like. */
export function isCardSecretName(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z\d]/g, '');
  return ofCode.test(plain) || ofExpiry.test(plain);
}
