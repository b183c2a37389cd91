import { requestFaultKinds } from '../api/faults/fault-kinds.ts';
import type { Fault } from '../api/faults/faults.ts';
import { type Operation, operations } from '../api/operation.ts';
import { objectNotFound } from '../domain/problem.ts';
import { deliveryFaultKinds } from '../domain/records/delivery.ts';
import { withdrawDeliveryFault } from '../webhooks/delivery-faults.ts';
import { choice, optional, text } from './argument.ts';
import { Command, type Nothing } from './command.ts';
import type { World } from './world.ts';

const kinds = [...requestFaultKinds, ...deliveryFaultKinds];
const methods = { what: "an operation such as 'refunds.create'", words: operations };

interface Args {
  readonly kind: string;
  readonly operation?: Operation | undefined;
}

/** Fields of faults with a number that may have decimals. */
const decimals: readonly string[] = ['probability', 'ms'];

/** Returns the arguments with numbers for such texts as `0.50`: the shell cannot know that this field has none. */
function withNumbers(args: Args): Args {
  const read = ([name, value]: [string, unknown]): [string, unknown] => {
    const isNumber = decimals.includes(name) && typeof value === 'string' && /^\d+\.\d+$/.test(value);
    return [name, isNumber ? Number(value) : value];
  };
  return { ...args, ...Object.fromEntries(Object.entries(args).map(read)) };
}

export const injectCommand = new Command({
  name: 'faults.inject',
  summary: 'Adds a fault to the next requests or webhook deliveries.',
  examples: [
    'faults inject drop_reply --operation refunds.create',
    'faults inject latency --set ms=2000 --set times=5',
    'faults inject duplicate_delivery --set times=3',
  ],
  args: {
    kind: choice('The kind of the fault.', { what: 'a kind of fault', words: kinds }),
    operation: optional(choice('The SDK method whose requests it hits. Default: any request.', methods)),
  },
  rest: 'Sets a field of the fault, such as route, times or ms, or types for deliveries.',
  read: withNumbers,
  // `inject` checks the fields of the kind.
  run: ({ faults }, fault: Args) => faults.inject(fault as Fault),
  // A hold is of use in this process only.
  show: ({ id }) => ({ id }),
  tell: ({ id }, { kind }) => `Added ${kind}: ${id}.`,
});

export const clearCommand = new Command<Nothing, void>({
  name: 'faults.clear',
  summary: 'Removes all faults, and releases the requests that they pause. Delayed deliveries keep waiting.',
  examples: ['faults clear'],
  args: {},
  run: ({ faults }) => faults.clear(),
  tell: () => 'Removed all faults.',
});

function withdraw({ queue, state }: World, id: string): void {
  const ofDeliveries = state.objects.delivery_fault.get(id);
  if (ofDeliveries !== undefined) state.unit(() => withdrawDeliveryFault(state, ofDeliveries));
  else if (!queue.withdraw(id)) throw objectNotFound('fault', id);
}

export const withdrawCommand = new Command({
  name: 'faults.withdraw',
  summary: 'Removes one fault.',
  examples: ['faults withdraw fault_1'],
  args: { id: text("The id of the fault, which 'faults' shows.") },
  run: (world, { id }: { readonly id: string }) => withdraw(world, id),
  tell: (_, { id }) => `Removed ${id}.`,
});
