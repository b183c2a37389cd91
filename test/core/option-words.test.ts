/** What is said of an option of the client, or of a request of one's own, that is wrong: its path, what it should be, and what came. */

import { ConfigurationError, InvalidRequestError, PaymentsClient } from 'payments-client';
import { expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { baseUrl, createClient, secretKey } from '../support/mock-service.ts';

const route = (override: unknown) => ({ routes: { 'refunds.retrieve': override } });

function issuesOf(options: object): string {
  try {
    new PaymentsClient(anything({ baseUrl, secretKey, ...options }));
  } catch (error) {
    if (error instanceof ConfigurationError) {
      return error.issues
        .map(({ path, expected, received }) => `${path}: ${expected}, got ${received}`)
        .join('; ');
    }
  }
  return 'accepted';
}

it.each<[options: object, issue: string]>([
  [
    { baseUrl: '' },
    'baseUrl: the URL of the service, as an option or in PAYMENTS_BASE_URL, got a value of type string',
  ],
  [
    { baseUrl: undefined },
    'baseUrl: the URL of the service, as an option or in PAYMENTS_BASE_URL, got nothing',
  ],
  [
    { baseUrl: 5 },
    'baseUrl: the URL of the service, as an option or in PAYMENTS_BASE_URL, got a value of type number',
  ],
  [
    { baseUrl: 'shop' },
    'baseUrl: an absolute URL such as https://payments.example.com, got a string of 4 characters that is not one',
  ],
  [{ baseUrl: 'ftp://payments.test' }, 'baseUrl: an https URL, got ftp://payments.test'],
  [
    { baseUrl: 'sk_v1_test_1:x' },
    'baseUrl: an absolute URL such as https://payments.example.com, got a string of 14 characters that is not one',
  ],
  [{ baseUrl: 'verylong://payments.test' }, 'baseUrl: an https URL, got another scheme'],
  [{ baseUrl: 'a1://payments.test' }, 'baseUrl: an https URL, got another scheme'],
  [
    { baseUrl: 'http://payments.test' },
    'baseUrl: an https URL (http is for loopback hosts, or with allowInsecure: true), got http://payments.test',
  ],
  [
    { baseUrl: 'https://ada@payments.test' },
    'baseUrl: a URL without a user name or password, got https://payments.test',
  ],
  [
    { baseUrl: 'https://:secret@payments.test' },
    'baseUrl: a URL without a user name or password, got https://payments.test',
  ],
  [
    { baseUrl: 'https://payments.test/?a=1' },
    'baseUrl: a URL without a query or fragment, got https://payments.test',
  ],
  [
    { baseUrl: 'https://payments.test/#a' },
    'baseUrl: a URL without a query or fragment, got https://payments.test',
  ],
  [{ headers: 5 }, 'headers: an object of header names to strings, got a value of type number'],
  [{ headers: null }, 'headers: an object of header names to strings, got a value of type object'],
  [{ headers: { 'x-a': 5 } }, "headers['x-a']: a string, got a value of type number"],
  [
    { headers: { 'x a': '1' } },
    "headers['x a']: a header name and a value without line breaks, got a name or value that HTTP does not allow (1 characters)",
  ],
  [{ headers: { Host: '1' } }, "headers['Host']: the baseUrl option, got a header that the SDK sets itself"],
  [{ routes: 5 }, 'routes: an object, got the number 5'],
  [
    { routes: { 'refunds.nothing': 'GET /v1' } },
    "routes['refunds.nothing']: a method's name such as 'refunds.retrieve', got an unknown one",
  ],
  [
    route(5),
    "routes['refunds.retrieve']: a verb and a path such as 'POST /v1/things/{id}', got the number 5",
  ],
  [
    route(''),
    "routes['refunds.retrieve']: a verb and a path such as 'POST /v1/things/{id}', got an empty string",
  ],
  [route('GET'), "routes['refunds.retrieve']: a verb and a path such as 'POST /v1/things/{id}', got 'GET'"],
  [route('GET /v1/refunds'), "routes['refunds.retrieve']: a path with {id}, got a path with none"],
  [
    route('GET /v1/refunds/{id}/{other}'),
    "routes['refunds.retrieve']: a path with {id}, got a path with {id} {other}",
  ],
  [
    route('GET //elsewhere/{id}'),
    "routes['refunds.retrieve']: a verb and a path such as 'POST /v1/things/{id}', got a string of 20 characters",
  ],
  [
    { secretKey: '' },
    'secretKey: a non-empty string or a function that gives one, as an option or in PAYMENTS_SECRET_KEY, got an empty string',
  ],
  [
    { secretKey: undefined },
    'secretKey: a non-empty string or a function that gives one, as an option or in PAYMENTS_SECRET_KEY, got nothing',
  ],
  [
    { secretKey: 5 },
    'secretKey: a non-empty string or a function that gives one, as an option or in PAYMENTS_SECRET_KEY, got a value of type number',
  ],
  [
    { secretKey: 'sk v1' },
    'secretKey: printable ASCII without blanks or line breaks, got a string of 5 characters with others; was it copied whole?',
  ],
])('%j', (options, issue) => {
  expect(issuesOf(options)).toBe(issue);
});

it.each<[request: object, issue: string]>([
  [
    { method: 'FETCH', path: '/v1' },
    "request: method: expected GET, POST, PUT, PATCH or DELETE, got 'FETCH'. Nothing was sent.",
  ],
  [
    { method: 'GET', path: 'v1' },
    "GET v1: path: expected an ASCII path that starts with one '/' and holds no query, blank, backslash or '..' segment, got a string of 2 characters. Nothing was sent.",
  ],
  [
    { method: 'GET', path: 5 },
    "request: path: expected an ASCII path that starts with one '/' and holds no query, blank, backslash or '..' segment, got the number 5. Nothing was sent.",
  ],
  [
    { method: 'GET', path: '/v1', query: { limit: {} } },
    'GET /v1: query.limit: expected a string, a number or a boolean, got an object. Nothing was sent.',
  ],
  [
    { method: 'GET', path: '/v1', body: { a: 1 } },
    'GET /v1: body: expected nothing, since GET carries none, got an object. Nothing was sent.',
  ],
])('request %j', async (request, issue) => {
  const error = await failureOf(createClient().request(anything(request)), InvalidRequestError);
  expect(error.message).toBe(issue);
});
