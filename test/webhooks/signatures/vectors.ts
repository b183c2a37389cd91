/**
 * Published signatures from the tests or manuals of the named projects, one for each form. None was computed here. Each was read in
 * a stored copy of the named file.
 */

import { bodyHmac, type SignatureScheme, standardWebhooks, timestampedHmac } from 'payments-client/webhooks';

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

/** All three sign the same delivery. */
function standard(source: string, signature: string, secret: string, publicKey = secret): Vector {
  return {
    source,
    make: () => standardWebhooks(published),
    secret,
    publicKey,
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    signedAt: 1614265330_000,
    body: '{"test": 2432232314}',
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': signature,
    },
  };
}

export const standardVectors: readonly Vector[] = [
  standard(
    'standard-webhooks/standard-webhooks libraries/go/webhook_symmetric_test.go, libraries/javascript/src/webhook.test.ts',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  ),
  standard(
    'standard-webhooks/standard-webhooks libraries/go/webhook_asymmetric_test.go (seed of 32 bytes)',
    'v1a,tQ9V2XOqn7jL/DQenEFpqIugdBVtiMmER5mhSkXBNwM0mkATuDe6KYYUuxqtaiHeYGb7KaaBRdM5WqyeFiL8Ag==',
    'whsk_VEVTVFNJR05JTkdLRVlET05PVFVTRVRISVNGT1JBTlk=',
  ),
  standard(
    'svix/svix-webhooks server/svix-server/src/worker.rs (64 bytes: a seed and its public key)',
    'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
    'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==',
    'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=',
  ),
];

const workosBody =
  '{"data":{"id":"directory_user_01FAEAJCR3ZBZ30D8BD1924TVG","state":"active","emails":[{"type":"work","value":"blair@foo-corp.com","primary":true}],"idp_id":"00u1e8mutl6wlH3lL4x7","object":"directory_user","username":"blair@foo-corp.com","last_name":"Lunceford","first_name":"Blair","directory_id":"directory_01F9M7F68PZP8QXP8G7X5QRHS7","raw_attributes":{"name":{"givenName":"Blair","familyName":"Lunceford","middleName":"Elizabeth","honorificPrefix":"Ms."},"title":"Developer Success Engineer","active":true,"emails":[{"type":"work","value":"blair@foo-corp.com","primary":true}],"groups":[],"locale":"en-US","schemas":["urn:ietf:params:scim:schemas:core:2.0:User","urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"],"userName":"blair@foo-corp.com","addresses":[{"region":"CO","primary":true,"locality":"Steamboat Springs","postalCode":"80487"}],"externalId":"00u1e8mutl6wlH3lL4x7","displayName":"Blair Lunceford","urn:ietf:params:scim:schemas:extension:enterprise:2.0:User":{"manager":{"value":"2","displayName":"Kathleen Chung"},"division":"Engineering","department":"Customer Success"}}},"event":"dsync.user.created"}';

/** A delivery with one header, `<name>: <value>`. */
function inOneHeader(
  source: string,
  header: string,
  [secret, body]: readonly [secret: string, body: string],
  make: (options: { readonly header: string }) => SignatureScheme,
  signedAt = 0,
): Vector {
  const [name = '', value = ''] = header.split(': ');
  const headers = { [name.toLowerCase()]: value };
  return {
    source,
    make: () => make({ header: name, ...published }),
    secret,
    id: '',
    signedAt,
    body,
    headers,
  };
}

export const timestampedVectors: readonly Vector[] = [
  inOneHeader(
    'muxinc/mux-node-sdk tests/api-resources/webhooks.test.ts, muxinc/mux-elixir test/mux/webhooks_test.exs',
    'mux-signature: t=1565125718,v1=854ece4c22acef7c66b57d4e504153bc512595e8e9c772ece2a68150548c19a7',
    ['SuperSecret123', '{"test":"body"}'],
    timestampedHmac,
    1565125718_000,
  ),
  inOneHeader(
    'workos/workos-ruby spec/lib/workos/webhooks_spec.rb at 0c97a83 (ms, and a blank between the fields)',
    'WorkOS-Signature: t=1626125972272, v1=80f7ab7efadc306eb5797c588cee9410da9be4416782b497bf1e1bf4175fb928',
    ['FrQWzvMo0eqse22Ceyia2uuww', workosBody],
    timestampedHmac,
    1626125972272,
  ),
];

const gocardlessBody =
  '{"events":[{"id":"EV00BD05S5VM2T","created_at":"2018-07-05T09:13:51.404Z","resource_type":"subscriptions","action":"created","links":{"subscription":"SB0003JJQ2MR06"},"details":{"origin":"api","cause":"subscription_created","description":"Subscription created via the API."},"metadata":{}},{"id":"EV00BD05TB8K63","created_at":"2018-07-05T09:13:56.893Z","resource_type":"mandates","action":"created","links":{"mandate":"MD000AMA19XGEC"},"details":{"origin":"api","cause":"mandate_created","description":"Mandate created via the API."},"metadata":{}}]}';

export const bodyVectors: readonly Vector[] = [
  inOneHeader(
    'github/docs content/webhooks/using-webhooks/validating-webhook-deliveries.md',
    'X-Hub-Signature-256: sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    ["It's a Secret to Everybody", 'Hello, World!'],
    bodyHmac,
  ),
  inOneHeader(
    'octokit/webhooks-methods.js test/verify.test.ts (not ASCII)',
    'X-Hub-Signature-256: sha256=9dacf9003316b09be07df56d86a2d0d6872e42a1e6c72c3bad9ff915a7c5603e',
    [
      'development',
      '{\n  "foo": "Foo\\n\\u001b[34mbar: ♥♥♥♥♥♥♥♥\\nthis-is-lost\\u001b[0m\\u001b[2K"\n}\n'.replaceAll(
        '\\u001b',
        '\\u001B',
      ),
    ],
    bodyHmac,
  ),
  inOneHeader(
    'gocardless/gocardless-pro-ruby spec/webhook_spec.rb, gocardless/gocardless-nodejs src/webhooks.test.ts',
    'Webhook-Signature: 2693754819d3e32d7e8fcb13c729631f316c6de8dc1cf634d6527f1c07276e7e',
    ['ED7D658C-D8EB-4941-948B-3973214F2D49', gocardlessBody],
    bodyHmac,
  ),
  inOneHeader(
    'line/line-bot-sdk-nodejs test/validate-signature.spec.ts',
    'X-Line-Signature: t7Hn4ZDHqs6e+wdvI5TyQIvzie0DmMUmuXEBqyyE/tM=',
    ['test_secret', '{"hello":"world"}'],
    (options) => bodyHmac({ ...options, encoding: 'base64' }),
  ),
];
