/** What `openapi.json` says of the form endpoint `/api/transact.php`. */

import { isRecord } from '../../src/base/json.ts';
import { avsCodes } from '../../src/fraud/avs.ts';
import { cvvCodes } from '../../src/fraud/cvv.ts';
import { riskBands, riskDecisions } from '../../src/fraud/risk.ts';
import { transactionSchemas } from '../../src/transact/params.ts';
import { described } from './described.ts';
import { type Json, refTo, toJsonSchema } from './json-schema.ts';
import { fieldsOf } from './source-types.ts';

/** Codes with their meanings, as a list in words. */
const listed = (meanings: readonly (readonly [string, string])[]) =>
  meanings.map(([code, meaning]) => `\`${code}\` ${meaning}`).join('; ');

const meaningsOf = (codes: Readonly<Record<string, { readonly meaning: string }>>) =>
  Object.entries(codes).map(([code, { meaning }]) => [code, meaning] as const);

const openCodes = (values: readonly string[]): Json => ({
  anyOf: [{ type: 'string', enum: values }, { type: 'string' }],
});

const shownField = (description: string, schema: Json): Json => ({
  description,
  'x-source': 'shown',
  ...schema,
});

const text = { type: 'string' };

/** The fields of a response. */
const response: Json = {
  type: 'object',
  properties: {
    response: shownField('`1` means approved, any other value declined.', openCodes(['1'])),
    responsetext: shownField('The reason, where the transaction was declined.', text),
    transactionid: shownField('The id of the transaction.', text),
    avsresponse: shownField(
      `The address check: ${listed(meaningsOf(avsCodes))}.`,
      openCodes(Object.keys(avsCodes)),
    ),
    cvvresponse: shownField(
      `The security-code check: ${listed(meaningsOf(cvvCodes))}.`,
      openCodes(Object.keys(cvvCodes)),
    ),
    risk_score: shownField(
      `The fraud score: ${riskBands.map(({ from, to, advice }) => `${from} to ${to} ${advice}`).join('; ')}.`,
      { type: 'integer', minimum: 0, maximum: 100 },
    ),
    risk_decision: shownField(
      `The decision of the fraud scoring: ${listed(Object.entries(riskDecisions))}.`,
      openCodes(Object.keys(riskDecisions)),
    ),
  },
  required: ['response'],
  additionalProperties: {},
};

/** The form as it is sent. The SDK's parameters have no credential: the SDK adds it. */
function form(): Json {
  const { properties, required, ...schema } = toJsonSchema(transactionSchemas.decimal.submit);
  const fields = [
    ...fieldsOf('transact/params.ts', 'SaleParams'),
    ...fieldsOf('transact/params.ts', 'SubmitParams'),
  ];
  const credential = shownField('The credential.', { type: 'string', minLength: 1, writeOnly: true });
  return described(
    {
      ...schema,
      properties: { ...(isRecord(properties) && properties), security_key: credential },
      required: [...(Array.isArray(required) ? required : []), 'security_key'],
    },
    fields,
  );
}

/** The form and its response, as components. */
export const formComponents = (): Json => ({ transaction: form(), transaction_response: response });

const encodings = ['application/x-www-form-urlencoded', 'application/json'];
const notShown = { 'x-source': 'inferred' };

/** The path of the form endpoint. The credential is a field of the form, and every answer is a 200. */
export const formPath: Json = {
  post: {
    operationId: 'transact_submit',
    description:
      'Makes a transaction. `type` is `sale`; other types are not shown. It takes no idempotency key.',
    security: [],
    tags: ['transact'],
    'x-source': 'shown',
    'x-moves-money': true,
    requestBody: {
      required: true,
      content: {
        'application/x-www-form-urlencoded': { schema: refTo('schemas', 'transaction') },
        'multipart/form-data': { schema: refTo('schemas', 'transaction') },
      },
    },
    responses: {
      200: {
        description:
          'Approved where the field `response` is 1. The encoding is not shown: each of these is possible.',
        content: {
          ...Object.fromEntries(
            encodings.map((type) => [
              type,
              { ...notShown, schema: refTo('schemas', 'transaction_response') },
            ]),
          ),
          'text/html': { ...notShown, schema: { type: 'string' } },
        },
      },
    },
  },
};
