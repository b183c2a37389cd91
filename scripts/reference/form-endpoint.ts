/** Describes the form endpoint `/api/transact.php` for `openapi.json`. */

import { isRecord } from '../../src/base/json.ts';
import type { Schema } from '../../src/base/schema/schema.ts';
import { avsCodes } from '../../src/fraud/codes/avs.ts';
import { cvvCodes } from '../../src/fraud/codes/cvv.ts';
import { riskBands, riskDecisions } from '../../src/fraud/codes/risk.ts';
import { transactionSchemas } from '../../src/transact/params.ts';
import { describeParameters, inferredMark } from './describe-fields.ts';
import type { Examples } from './examples.ts';
import { formsOf, withForms } from './exclusive-forms.ts';
import { type Json, refTo, toJsonSchema } from './json-schema.ts';
import { fieldsOf } from './source-types.ts';

/** Returns codes with their meanings as a list in words. */
const joinMeanings = (meanings: readonly (readonly [string, string])[]) =>
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

const response: Json = {
  description: 'The result of a transaction.',
  type: 'object',
  properties: {
    response: shownField('`1` means approved, any other value declined.', openCodes(['1'])),
    responsetext: shownField('The reason, if the transaction was declined.', text),
    transactionid: shownField('The id of the transaction.', text),
    avsresponse: shownField(
      `The address check: ${joinMeanings(meaningsOf(avsCodes))}.`,
      openCodes(Object.keys(avsCodes)),
    ),
    cvvresponse: shownField(
      `The security-code check: ${joinMeanings(meaningsOf(cvvCodes))}.`,
      openCodes(Object.keys(cvvCodes)),
    ),
    risk_score: shownField(
      `The fraud score: ${riskBands.map(({ from, to, advice }) => `${from} to ${to} ${advice}`).join('; ')}.`,
      { type: 'integer', minimum: 0, maximum: 100 },
    ),
    risk_decision: shownField(
      `The decision of the fraud scoring: ${joinMeanings(Object.entries(riskDecisions))}.`,
      openCodes(Object.keys(riskDecisions)),
    ),
  },
  ...inferredMark(['required']),
  required: ['response'],
  additionalProperties: {},
};

const fields = () => [
  ...fieldsOf('src/transact/params.ts', 'SaleParams'),
  ...fieldsOf('src/transact/params.ts', 'SubmitParams'),
];

/** Returns the form as sent. The SDK's parameters have no credential: the SDK adds it. */
function formOf(params: Schema<unknown>, type: Json): Json {
  const { properties, required, ...schema } = toJsonSchema(params);
  const credential = shownField('The credential.', {
    type: 'string',
    ...inferredMark(['minLength']),
    minLength: 1,
    writeOnly: true,
  });
  return describeParameters(
    {
      ...schema,
      properties: { ...(isRecord(properties) && properties), type, security_key: credential },
      required: [...(Array.isArray(required) ? required : []), 'security_key'],
    },
    fields(),
  );
}

/** Whether an example has what a branch requires. */
function matches({ required }: Json, example: unknown): boolean {
  return isRecord(example) && Array.isArray(required) && required.every((name) => name in example);
}

/** Returns a sale, paid with a token or with a card number; each branch has its example. */
function saleOf(examples: readonly unknown[]): Json {
  const sale = formOf(transactionSchemas('currency', undefined).sale, { type: 'string', const: 'sale' });
  const { oneOf, ...schema } = withForms(sale, formsOf('src/transact/params.ts', 'SaleParams'));
  const branches = Array.isArray(oneOf) ? oneOf.filter(isRecord) : [];
  return {
    description: 'A sale, paid with a token or with a card number, never both.',
    ...schema,
    // Postman's importer uses only the example of the first branch for a form.
    oneOf: branches.map((branch) => ({
      ...branch,
      examples: examples.filter((example) => matches(branch, example)),
    })),
  };
}

/** Returns the forms and the response as components. */
export function formComponents({ forms: [token, card, refund] }: Examples): Json {
  return {
    transaction: {
      description: 'The form of a transaction.',
      oneOf: [refTo('schemas', 'sale'), refTo('schemas', 'other_transaction')],
    },
    sale: saleOf([token, card]),
    other_transaction: {
      description: 'A transaction of another type, such as `refund`. The interface names none of them.',
      'x-source': 'inferred',
      ...formOf(transactionSchemas('currency', undefined).submit, { type: 'string', not: { const: 'sale' } }),
      examples: [refund],
    },
    transaction_response: response,
  };
}

const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** Returns the fields of a response with their types, from its form as pairs. */
function responseFields(text: string): Json {
  const pairs = Object.fromEntries(new URLSearchParams(text));
  return { ...pairs, risk_score: Number(pairs['risk_score']) };
}

const inferred = { 'x-source': 'inferred' };

function responseContent({ formResponse: text }: Examples): Json {
  const parsed = {
    ...inferred,
    schema: refTo('schemas', 'transaction_response'),
    example: responseFields(text),
  };
  return {
    'application/x-www-form-urlencoded': parsed,
    'application/json': parsed,
    'text/html': { ...inferred, schema: { type: 'string' }, example: text },
  };
}

/** Returns the path of the form endpoint. The credential is a form field, and every response is a 200. */
export function formPath(examples: Examples): Json {
  const body = { schema: refTo('schemas', 'transaction') };
  return {
    post: {
      operationId: 'transact_submit',
      summary: 'Makes a transaction',
      description:
        'Creates a transaction. `type` is `sale`; other types are not shown. It takes no idempotency key. The credential is a field of the form.',
      security: [],
      tags: ['transact'],
      'x-source': 'shown',
      'x-moves-money': true,
      requestBody: { required: true, content: Object.fromEntries(formTypes.map((type) => [type, body])) },
      responses: {
        200: {
          description:
            'Approved if the field `response` is 1. The encoding is not shown: each of these is possible. An error is a 200 too.',
          content: responseContent(examples),
        },
      },
    },
  };
}
