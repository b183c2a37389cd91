import type { Attributes, Context, Counter, MeterProvider } from '@opentelemetry/api';
import { meterOf } from './instrumentation-scope.ts';

/** Counts a message delivered to the application. */
export type CountMessage = (attributes: Attributes, context: Context) => void;

/** Creates the conventional counter lazily, as for the histograms. */
export function consumedMessages(meterProvider: MeterProvider): CountMessage {
  let counter: Counter | undefined;
  return (attributes, context) => {
    counter ??= meterOf(meterProvider).createCounter('messaging.client.consumed.messages', {
      description: 'Number of messages that were delivered to the application.',
      unit: '{message}',
    });
    counter.add(1, attributes, context);
  };
}
