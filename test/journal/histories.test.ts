import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faults, follow, start, type World } from '../support/operation-history.ts';
import { bySize } from '../support/size.ts';

const [unknown, unresolved] = ['unknown', 'OperationUnresolvedError unknown'];
const mismatch = (outcome: string) => `OperationMismatchError ${outcome}`;

const histories: Readonly<Record<string, string>> = {
  'a keyed call that succeeded is returned again without a request':
    'create ok: rf_1; create: rf_1 recorded; open: none; sent 1',
  'a sale that succeeded is returned again without a request':
    'sale ok: t1; sale: t1 recorded; open: none; sent 1',
  'a sale that was declined is an end too':
    'sale decline: declined t1; sale: declined t1 recorded; open: none; sent 1',
  'a PUT that succeeded is returned again without a request':
    'put ok: rf_1; put: rf_1 recorded; open: none; sent 1',
  'one id names an operation of each method': 'create ok: rf_1; sale ok: t2; put ok: rf_3; sent 3',
  'the result is remembered for 400 days':
    'create ok: rf_1; pass 9599h; create: rf_1 recorded; pass 1h; create ok: rf_2; sent 2',
  'another body after a success sends nothing': `create ok: rf_1; other create: ${mismatch('executed')}; sent 1; create: rf_1 recorded`,
  'another body of unknown outcome sends nothing': `create lost: ConnectionError unknown; other create: ${mismatch(unknown)}; open: unknown; sent 1`,
  'another body after a decline of a keyed call sends nothing': `create decline: PaymentDeclinedError not_executed; other create: ${mismatch('not_executed')}; sent 1`,
  'another body after a declined sale sends nothing': `sale decline: declined t1; other sale: ${mismatch('not_executed')}; sent 1`,
  'a rejection is remembered, though not open, for 400 days': `create 403: PermissionError not_executed; open: none; pass 9599h; other create: ${mismatch('not_executed')}; pass 9600h; other create ok: rf_1; sent 2`,
  'a keyed call whose answer was lost is sent again with its key':
    'create lost: ConnectionError unknown; open: unknown; create ok: rf_1; open: none; create: rf_1 recorded; sent 2',
  'a keyed call whose answer was lost is resumed with its key':
    'create lost: ConnectionError unknown; resume ok: rf_1; open: none; create: rf_1 recorded; sent 2',
  'a keyed call whose request was lost is executed once':
    'create drop: ConnectionError unknown; create lost: ConnectionError unknown; resume ok: rf_1; sent 3',
  'a keyed call is sent again within the lifetime of the key':
    'create lost: ConnectionError unknown; pass 24h; create ok: rf_1; sent 2',
  'a keyed call is not sent again once the service may have forgotten the key': `create lost: ConnectionError unknown; pass 25h; create: ${unresolved}; resume: ${unresolved}; open: unknown; sent 1`,
  'an operation that was settled as not executed is sent anew':
    'create drop: ConnectionError unknown; pass 25h; not_executed; open: none; create ok: rf_1; sent 2',
  'an operation that was settled as executed is not sent again':
    'create lost: ConnectionError unknown; executed; open: none; create: PaymentsError executed; sent 1',
  'a repeat that is refused before the key is checked proves nothing':
    'create lost: ConnectionError unknown; create 429: RateLimitError unknown; open: unknown; create 403: PermissionError unknown; open: unknown; create ok: rf_1; sent 4',
  'a replayed decline ends an unknown outcome':
    'create drop: ConnectionError unknown; create decline: PaymentDeclinedError not_executed; open: none; sent 2',
  'a page of a proxy with the status 402 proves nothing':
    'create page: ApiError unknown; open: unknown; create ok: rf_1; sent 2',
  'a success without its object proves no end':
    'create empty: ResponseValidationError unknown; open: unknown; resume ok: rf_1; open: none; sent 2',
  'a success that breaks off proves no end':
    'create half: ResponseValidationError executed; open: unknown; create ok: rf_1; sent 2',
  'a server error leaves a keyed call open':
    'create 500: ServerError unknown; open: unknown; create 500: ServerError unknown; create ok: rf_1; sent 3',
  'a connection that was never made leaves nothing open':
    'create refused: ConnectionError not_executed; open: none; create ok: rf_1; sent 1',
  'a repeat whose connection was never made leaves the operation open':
    'create lost: ConnectionError unknown; create refused: ConnectionError unknown; open: unknown; create ok: rf_1; sent 2',
  'a sale whose answer was lost is never sent again': `sale lost: ConnectionError unknown; open: unknown; sale: ${unresolved}; resume: ${unresolved}; pass 99h; sale: ${unresolved}; open: unknown; sent 1`,
  'a sale whose request was lost is never sent again': `sale drop: ConnectionError unknown; sale: ${unresolved}; open: unknown; sent 1`,
  'a sale after a server error is never sent again': `sale 500: ServerError unknown; sale: ${unresolved}; sent 1`,
  'a sale after the page of a proxy is never sent again': `sale page: ApiError unknown; sale: ${unresolved}; sent 1`,
  'a sale whose answer breaks off is never sent again': `sale half: ResponseValidationError unknown; open: unknown; sale: ${unresolved}; sent 1`,
  'a sale whose connection was never made is sent':
    'sale refused: ConnectionError not_executed; sale ok: t1; sent 1',
  'a sale that was rejected is sent':
    'sale 429: RateLimitError not_executed; open: none; sale ok: t1; sent 2',
  'a sale that was settled as not executed is sent':
    'sale drop: ConnectionError unknown; not_executed sale; sale ok: t1; sent 2',
  'a sale that was settled as executed is not sent':
    'sale lost: ConnectionError unknown; executed sale; sale: PaymentsError executed; open: none; sent 1',
  'a PUT of unknown outcome is never sent again': `put lost: ConnectionError unknown; put: ${unresolved}; resume: ${unresolved}; open: unknown; sent 1`,
  'an empty body is the result of a request':
    'put empty: undefined; put: undefined recorded; open: none; sent 1',
  'a planned operation is not sent until its call':
    'plan; open: planned; sent 0; create ok: rf_1; create: rf_1 recorded; open: none; sent 1',
  'a planned operation is not sent until it is resumed':
    'plan; resume ok: rf_1; open: none; create: rf_1 recorded; sent 1',
  'a planned operation can be planned again':
    'plan; plan; open: planned; create ok: rf_1; plan; open: none; sent 1',
  'planning changes no unknown outcome':
    'create lost: ConnectionError unknown; plan; open: unknown; create ok: rf_1; sent 2',
  'a planned operation stays open after a rejection':
    'plan; resume 429: RateLimitError not_executed; open: planned; create 403: PermissionError not_executed; open: planned; create decline: PaymentDeclinedError not_executed; open: planned',
  'a planned operation that was settled as not executed can be planned again':
    'plan; not_executed create; open: none; plan; open: planned; sent 0',
  'a planned operation that was settled and rejected is not open':
    'plan; not_executed create; create 429: RateLimitError not_executed; open: none',
  'a planned operation is unknown after a lost answer, however long ago it was planned':
    'plan; pass 99h; resume lost: ConnectionError unknown; open: unknown; pass 24h; create ok: rf_1; sent 2',
  'a planned operation refuses another body': `plan; other create: ${mismatch('not_executed')}; open: planned; sent 0`,
  'what is refused before the record is read says what the record says':
    'bad create: InvalidRequestError not_executed; create ok: rf_1; bad create: InvalidRequestError executed; bad sale: InvalidRequestError not_executed; sale decline: declined t2; bad sale: InvalidRequestError not_executed; sale: declined t2 recorded',
  'what is refused before a record in doubt is read is in doubt':
    'create lost: ConnectionError unknown; bad create: InvalidRequestError unknown; sale lost: ConnectionError unknown; bad sale: InvalidRequestError unknown; put refused: ConnectionError not_executed; bad put: InvalidRequestError not_executed',
  'there is nothing to settle before the first call, nor after the end':
    'executed create: InvalidRequestError not_an_operation; pass 1h; create ok: rf_1; executed create: InvalidRequestError not_an_operation; create: rf_1 recorded; sent 1',
};

const [oneKey = '', otherKey = ''] = [7, 8].map((byte) => Buffer.alloc(32, byte).toString('base64'));

/** Journals of one account, of which each writes with another member of the ring than the one before, and reads all. */
let ring = [oneKey, 'plain', otherKey];
const rotating = {
  account: 'shop-1',
  get encryptionKey() {
    const [first = '', ...others] = ring;
    ring = [...others, first];
    return ring;
  },
};

describe.each<[where: string, world: World]>([
  ['in one process', { journal: {}, isRestarted: false }],
  ['in a new process for each call', { journal: {}, isRestarted: true }],
  [
    'with records of an account, whose key rotates before each call',
    { journal: rotating, isRestarted: true },
  ],
])('%s', (_where, world) => {
  it.each(Object.entries(histories))('%s', (_promise, history) => follow(world, history));
});

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(fc.constantFrom('call', 'other', 'resume', 'plan'), fc.constantFrom('ok', ...faults)),
  },
  { weight: 2, arbitrary: fc.tuple(fc.constant('pass'), fc.constantFrom('1h', '23h', '25h')) },
);

it.each(['create', 'sale', 'put'])(
  'whatever happens to it, %s has one effect, its result is returned, and no error denies it',
  async (name) => {
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 2, maxLength: 12 }),
      fc.boolean(),
      async (steps, isRestarted) => {
        const { service, take } = start({ journal: {}, isRestarted });
        let known: string | undefined;
        for (const [verb, answer] of steps) {
          if (verb === 'plan' && name !== 'create') continue;
          const before = service.requests.length;
          const end =
            verb === 'other'
              ? await take('other', `${name} ${answer}`)
              : await take(verb === 'call' ? name : verb, answer);
          // Only another body after a final rejection is a new operation.
          expect(service.executed.length).toBeLessThanOrEqual(1);
          if (service.executed.length > 0) expect(end).not.toMatch(/Error not_executed$/);
          if (known !== undefined && verb !== 'resume') expect(service.requests.length).toBe(before);
          if (verb === 'call' && /^(rf_|t|declined)/.test(end)) {
            if (known !== undefined) expect(end).toBe(`${known} recorded`);
            known ??= end.replace(' recorded', '');
          }
        }
      },
    );
    await fc.assert(property, { numRuns: bySize({ short: 30, all: 300, long: 3000 }) });
  },
);
