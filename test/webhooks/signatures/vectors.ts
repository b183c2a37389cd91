/**
 * Published signatures from the tests or manuals of the named projects. None was computed here. Each was read in a stored
 * copy of the named file.
 */

import type { SignatureScheme } from 'payments-client/webhooks';
import { bodyHmac, standardWebhooks, timestampedHmac } from 'payments-client/webhooks';

export interface Vector {
  /** The project, and the file in it. */
  readonly source: string;
  readonly make: () => SignatureScheme;
  readonly secret: string;
  /** The verifying key, if it is not the secret that signed. */
  readonly publicKey?: string;
  readonly id: string;
  /** When it was signed, in ms since 1970. */
  readonly signedAt: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Some published secrets are short. */
const published = { allowShortSecrets: true };

const standard = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', seconds: 1614265330, body: '{"test": 2432232314}' };

function standardVector(
  source: string,
  keys: { secret: string; publicKey?: string },
  signature: string,
  { id, seconds, body } = standard,
): Vector {
  return {
    source,
    make: () => standardWebhooks(published),
    ...keys,
    id,
    signedAt: seconds * 1000,
    body,
    headers: { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signature },
  };
}

export const standardVectors: readonly Vector[] = [
  standardVector(
    'standard-webhooks/standard-webhooks libraries/go/webhook_symmetric_test.go, libraries/javascript/src/webhook.test.ts',
    { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ),
  standardVector(
    'standard-webhooks/standard-webhooks libraries/go/webhook_asymmetric_test.go (seed of 32 bytes)',
    { secret: 'whsk_VEVTVFNJR05JTkdLRVlET05PVFVTRVRISVNGT1JBTlk=' },
    'v1a,tQ9V2XOqn7jL/DQenEFpqIugdBVtiMmER5mhSkXBNwM0mkATuDe6KYYUuxqtaiHeYGb7KaaBRdM5WqyeFiL8Ag==',
  ),
  standardVector(
    'svix/svix-webhooks server/svix-server/src/worker.rs (64 bytes: a seed and its public key)',
    {
      secret: 'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==',
      publicKey: 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=',
    },
    'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
  ),
  standardVector(
    'svix/svix-webhooks rust/src/webhooks.rs',
    { secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' },
    'v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=',
    {
      id: 'msg_27UH4WbU6Z5A5EzD8u03UvzRbpk',
      seconds: 1649367553,
      body: '{"email":"test@example.com","username":"test_user"}',
    },
  ),
  standardVector(
    "Svix's manual (docs.svix.com, how-manual), read as BlindPay's webhook documentation quotes it",
    { secret: 'whsec_plJ3nmyCDGBKInavdOK15jsl' },
    'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
    {
      id: 'msg_loFOjxBNrRLzqYUf',
      seconds: 1731705121,
      body: '{"event_type":"ping","data":{"success":true}}',
    },
  ),
];

const stripeBody = `{
  "id": "evt_123",
  "object": "event",
  "account": "acct_123",
  "api_version": "2017-05-25",
  "created": 1533204620,
  "data": {
    "object": {
      "id": "cus_123",
      "object": "customer",
      "created": 123456789,
      "email": "test@stripe.com",
      "livemode": false,
      "metadata": {}
    }
  },
  "livemode": false,
  "pending_webhooks": 1,
  "request": {
    "id": "req_123",
    "idempotency_key": "idempotency-key-123"
  },
  "type": "customer.created"
}
`;

const workosBody =
  '{"data":{"id":"directory_user_01FAEAJCR3ZBZ30D8BD1924TVG","state":"active","emails":[{"type":"work","value":"blair@foo-corp.com","primary":true}],"idp_id":"00u1e8mutl6wlH3lL4x7","object":"directory_user","username":"blair@foo-corp.com","last_name":"Lunceford","first_name":"Blair","directory_id":"directory_01F9M7F68PZP8QXP8G7X5QRHS7","raw_attributes":{"name":{"givenName":"Blair","familyName":"Lunceford","middleName":"Elizabeth","honorificPrefix":"Ms."},"title":"Developer Success Engineer","active":true,"emails":[{"type":"work","value":"blair@foo-corp.com","primary":true}],"groups":[],"locale":"en-US","schemas":["urn:ietf:params:scim:schemas:core:2.0:User","urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"],"userName":"blair@foo-corp.com","addresses":[{"region":"CO","primary":true,"locality":"Steamboat Springs","postalCode":"80487"}],"externalId":"00u1e8mutl6wlH3lL4x7","displayName":"Blair Lunceford","urn:ietf:params:scim:schemas:extension:enterprise:2.0:User":{"manager":{"value":"2","displayName":"Kathleen Chung"},"division":"Engineering","department":"Customer Success"}}},"event":"dsync.user.created"}';

function timestampedVector(
  source: string,
  header: string,
  { secret, signedAt, body, value }: { secret: string; signedAt: number; body: string; value: string },
): Vector {
  return {
    source,
    make: () => timestampedHmac({ header, ...published }),
    secret,
    id: '',
    signedAt,
    body,
    headers: { [header.toLowerCase()]: value },
  };
}

export const timestampedVectors: readonly Vector[] = [
  timestampedVector(
    'stripe/stripe-dotnet src/StripeTests/Services/Events/EventUtilityTest.cs, src/StripeTests/Resources/event_test_signature.json',
    'Stripe-Signature',
    {
      secret: 'webhook_secret',
      signedAt: 1533204620_000,
      body: stripeBody,
      value:
        't=1533204620,v1=2220f87ef101a04665f11cdf770523143f875572008577fa0f20882ddb9cc3c7,v0=63f3a72374a733066c4be69ed7f8e5ac85c22c9f0a6a612ab9a025a9e4ee7eef',
    },
  ),
  timestampedVector(
    'muxinc/mux-node-sdk tests/api-resources/webhooks.test.ts, muxinc/mux-elixir test/mux/webhooks_test.exs',
    'mux-signature',
    {
      secret: 'SuperSecret123',
      signedAt: 1565125718_000,
      body: '{"test":"body"}',
      value: 't=1565125718,v1=854ece4c22acef7c66b57d4e504153bc512595e8e9c772ece2a68150548c19a7',
    },
  ),
  timestampedVector(
    'muxinc/mux-node-sdk tests/api-resources/webhooks.test.ts (unwrap_times)',
    'mux-signature',
    {
      secret: 'SuperSecret123',
      signedAt: 1565125718_000,
      body: '{"test":{"nested":{"nanos":718234, "seconds":1691711005}}}',
      value: 't=1565125718,v1=bd315c24bce1c2b8ad325696f26530c8ef7d7d830afb7c1381903705d04607be',
    },
  ),
  timestampedVector(
    'workos/workos-ruby spec/lib/workos/webhooks_spec.rb at 0c97a83 (ms, and a blank between the fields)',
    'WorkOS-Signature',
    {
      secret: 'FrQWzvMo0eqse22Ceyia2uuww',
      signedAt: 1626125972272,
      body: workosBody,
      value: 't=1626125972272, v1=80f7ab7efadc306eb5797c588cee9410da9be4416782b497bf1e1bf4175fb928',
    },
  ),
];

const gocardlessBody =
  '{"events":[{"id":"EV00BD05S5VM2T","created_at":"2018-07-05T09:13:51.404Z","resource_type":"subscriptions","action":"created","links":{"subscription":"SB0003JJQ2MR06"},"details":{"origin":"api","cause":"subscription_created","description":"Subscription created via the API."},"metadata":{}},{"id":"EV00BD05TB8K63","created_at":"2018-07-05T09:13:56.893Z","resource_type":"mandates","action":"created","links":{"mandate":"MD000AMA19XGEC"},"details":{"origin":"api","cause":"mandate_created","description":"Mandate created via the API."},"metadata":{}}]}';

const coinbaseBody =
  '{"id":1,"scheduled_for":"2017-01-31T20:50:02Z","attempt_number":1,"event":{"id":"24934862-d980-46cb-9402-43c81b0cdba6","type":"charge:created","api_version":"2018-03-22","created_at":"2017-01-31T20:49:02Z","data":{"code":"66BEOV2A","name":"The Sovereign Individual","description":"Mastering the Transition to the Information Age","hosted_url":"https://commerce.coinbase.com/charges/66BEOV2A","created_at":"2017-01-31T20:49:02Z","expires_at":"2017-01-31T21:04:02Z","timeline":[{"time":"2017-01-31T20:49:02Z","status":"NEW"}],"metadata":{},"pricing_type":"no_price","payments":[],"addresses":{"bitcoin":"0000000000000000000000000000000000","ethereum":"0x0000000000000000000000000000000000000000","litecoin":"3000000000000000000000000000000000","bitcoincash":"bitcoincash:000000000000000000000000000000000000000000"}}}}';

function bodyVector(
  source: string,
  header: string,
  {
    secret,
    body,
    value,
    encoding = 'hex',
  }: { secret: string; body: string; value: string; encoding?: 'hex' | 'base64' },
): Vector {
  return {
    source,
    make: () => bodyHmac({ header, encoding, ...published }),
    secret,
    id: '',
    signedAt: 0,
    body,
    headers: { [header.toLowerCase()]: value },
  };
}

const octokit = 'octokit/webhooks-methods.js test/verify.test.ts';

export const bodyVectors: readonly Vector[] = [
  bodyVector(
    'github/docs content/webhooks/using-webhooks/validating-webhook-deliveries.md',
    'X-Hub-Signature-256',
    {
      secret: "It's a Secret to Everybody",
      body: 'Hello, World!',
      value: 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    },
  ),
  bodyVector(octokit, 'X-Hub-Signature-256', {
    secret: 'mysecret',
    body: '{\n  "foo": "bar"\n}\n',
    value: 'sha256=e3eccac34c43c7dc1cbb905488b1b81347fcc700a7b025697a9d07862256023f',
  }),
  bodyVector('octokit/webhooks-methods.js test/sign.test.ts', 'X-Hub-Signature-256', {
    secret: 'mysecret',
    body: '{"foo":"bar"}',
    value: 'sha256=4864d2759938a15468b5df9ade20bf161da9b4f737ea61794142f3484236bda3',
  }),
  bodyVector(`${octokit} (not ASCII)`, 'X-Hub-Signature-256', {
    secret: 'development',
    body: '{\n  "foo": "Foo\\n\\u001b[34mbar: ♥♥♥♥♥♥♥♥\\nthis-is-lost\\u001b[0m\\u001b[2K"\n}\n'.replaceAll(
      '\\u001b',
      '\\u001B',
    ),
    value: 'sha256=9dacf9003316b09be07df56d86a2d0d6872e42a1e6c72c3bad9ff915a7c5603e',
  }),
  bodyVector(
    'gocardless/gocardless-pro-ruby spec/webhook_spec.rb, gocardless/gocardless-nodejs src/webhooks.test.ts',
    'Webhook-Signature',
    {
      secret: 'ED7D658C-D8EB-4941-948B-3973214F2D49',
      body: gocardlessBody,
      value: '2693754819d3e32d7e8fcb13c729631f316c6de8dc1cf634d6527f1c07276e7e',
    },
  ),
  bodyVector('coinbase/coinbase-commerce-node test/testWebhook.spec.js', 'X-CC-Webhook-Signature', {
    secret: '30291a20-0bd1-4267-9b0f-e6e7b123c0bf',
    body: coinbaseBody,
    value: '8be7742c7d372f08a6a3224edadf18a22b65fa9e28f3f2de97376cdaa092590d',
  }),
  bodyVector('line/line-bot-sdk-nodejs test/validate-signature.spec.ts', 'X-Line-Signature', {
    secret: 'test_secret',
    body: '{"hello":"world"}',
    value: 't7Hn4ZDHqs6e+wdvI5TyQIvzie0DmMUmuXEBqyyE/tM=',
    encoding: 'base64',
  }),
];
