import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Cost, compile } from '../compilation.ts';
import { type RowGroup, times } from '../row.ts';
import { median, middleHalf, ratios } from '../statistics.ts';

const rounds = 7;
const folder = fileURLToPath(new URL('..', import.meta.url));

/** Ten lines each, in the surroundings that the declarations ask for: stripe-node's refer to the types of Node, ours to none. */
const programs = {
  ours: `import { PaymentsClient, PaymentsError } from 'payments-client';

const payments = new PaymentsClient({ baseUrl: 'https://payments.example.com', secretKey: 'sk_v1_test_types' });

try {
  const params = { amount: 1200, currency: 'usd' };
  const intent = await payments.paymentIntents.create(params, { operationId: 'order-1042' });
  const status: string = intent.status;
} catch (error) {
  if (error instanceof PaymentsError) throw new Error(error.outcome);
}
`,
  stripe: `import Stripe from 'stripe';

const stripe = new Stripe('sk_test_types');

try {
  const params = { amount: 1200, currency: 'usd' };
  const intent = await stripe.paymentIntents.create(params, { idempotencyKey: 'order-1042' });
  const status: string = intent.status;
} catch (error) {
  if (error instanceof Stripe.errors.StripeError) throw new Error(error.type);
}
`,
};

function writeProjects(): void {
  mkdirSync(`${folder}/.tmp`, { recursive: true });
  for (const [name, program] of Object.entries(programs)) {
    writeFileSync(`${folder}/.tmp/${name}.mts`, program);
    const compilerOptions = {
      noEmit: true,
      strict: true,
      target: 'ES2022',
      lib: ['ES2022'],
      module: 'nodenext',
      types: [],
      skipLibCheck: true,
    };
    const project = { compilerOptions, files: [`${name}.mts`] };
    writeFileSync(`${folder}/.tmp/${name}.json`, JSON.stringify(project));
  }
}

const costOf = (name: keyof typeof programs) => compile(folder, `${folder}/.tmp/${name}.json`);

export const types: RowGroup = {
  name: 'types',
  measure: async () => {
    writeProjects();
    const pairs = Array.from({ length: rounds }, () => ({ ours: costOf('ours'), stripe: costOf('stripe') }));
    const row = (what: string, measure: keyof Cost, unit: string) => {
      const own = pairs.map(({ ours }) => ours[measure]);
      const other = pairs.map(({ stripe }) => stripe[measure]);
      const each = ratios(own, other);
      return {
        what: `\`tsc\` on a 10-line consumer, ${what}`,
        target: '≤ 0.7 × stripe',
        figure: times(median(each)),
        isMet: median(each) <= 0.7,
        spread: middleHalf(each),
        measured: [
          ['payments-client', `${median(own).toFixed(2)} ${unit}`],
          ['stripe', `${median(other).toFixed(2)} ${unit}`],
        ] as const,
      };
    };
    return [row('time', 'CPU s', 's CPU'), row('memory', 'memory MB', 'MB')];
  },
};
