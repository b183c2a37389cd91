import type { State } from '../../domain/state.ts';
import { readEndpoint } from '../../webhooks/endpoint.ts';
import type { Entry, RecordedDelivery } from '../entry.ts';
import { call, toCode, write } from './code-text.ts';

const indent = '  ';

/** Returns an endpoint's responses by type and in order, without trailing successes. 0 stands for no response. */
function answersOf(deliveries: readonly RecordedDelivery[]): ReadonlyMap<string, readonly number[]> {
  const byType = new Map<string, number[]>();
  for (const { event, responseStatus } of deliveries) {
    byType.set(event.type, [...(byType.get(event.type) ?? []), responseStatus ?? 0]);
  }
  const isSuccess = (status: number) => status >= 200 && status < 300;
  const failing = [...byType].map(([type, statuses]) => {
    const last = statuses.findLastIndex((status) => !isSuccess(status));
    return [type, statuses.slice(0, last + 1)] as const;
  });
  return new Map(failing.filter(([, statuses]) => statuses.length > 0));
}

function typesOf(state: State, endpointId: string): readonly string[] {
  const endpoint = readEndpoint(state.objects.webhook_endpoint.get(endpointId));
  return endpoint?.events.includes('*') === false ? endpoint.events : [];
}

/** Returns the code of a function that replaces an endpoint and responds from a table. */
function handlerLines(name: string, isUnreachable: boolean): readonly string[] {
  return [
    'async (request) => {',
    '  const { type } = JSON.parse(await request.text());',
    `  const status = ${name}[type]?.shift() ?? 200;`,
    ...(isUnreachable ? ["  if (status === 0) throw new Error('The endpoint is unreachable.');"] : []),
    '  return new Response(null, { status });',
    '}',
  ];
}

function endpointText(
  state: State,
  endpointId: string,
  deliveries: readonly RecordedDelivery[],
  name: string,
): string {
  const answers = answersOf(deliveries);
  const types = typesOf(state, endpointId);
  const options = types.length === 0 ? [] : [toCode({ events: types })];
  if (answers.size === 0) {
    return `${indent}${write(call('sandbox.webhooks.deliverTo', ['() => new Response()', ...options]), indent, 1)};\n`;
  }
  const isUnreachable = [...answers.values()].some((statuses) => statuses.includes(0));
  const lines = handlerLines(name, isUnreachable);
  const inner = options.length === 0 ? indent : `${indent}  `;
  const handler = lines.join(`\n${inner}`);
  const registration =
    options.length === 0
      ? `sandbox.webhooks.deliverTo(${handler})`
      : `sandbox.webhooks.deliverTo(\n${inner}${handler},\n${inner}${options.map((one) => write(one, inner, 1)).join('')},\n${indent})`;
  const meaning = isUnreachable ? '; 0 is no response' : '';
  return [
    `${indent}// What the endpoint answers, by type and in order; 200 after that${meaning}.\n`,
    `${indent}const ${name}: Record<string, number[]> = ${write(toCode(Object.fromEntries(answers)), indent, 40)};\n`,
    `${indent}${registration};\n`,
  ].join('');
}

/** Returns the endpoints of a story's deliveries, as functions that repeat the recorded responses. */
export function endpointsCode(own: readonly Entry[], state: State): string {
  const byEndpoint = new Map<string, RecordedDelivery[]>();
  for (const entry of own) {
    if (entry.kind !== 'delivery') continue;
    byEndpoint.set(entry.endpointId, [...(byEndpoint.get(entry.endpointId) ?? []), entry]);
  }
  return [...byEndpoint]
    .map(([id, deliveries], index) =>
      endpointText(state, id, deliveries, index === 0 ? 'answers' : `answers${index + 1}`),
    )
    .join('');
}
