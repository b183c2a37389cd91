/** An object of whatever kind. */
export interface Item {
  readonly id: string;
  readonly [field: string]: unknown;
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}

/** The state of an object, where its kind has any. */
export function stateOf(item: Item): string {
  return textOf(item['status'] ?? item['reconciliation_status']);
}

/** Its amount with the currency, as the service writes it. */
export function amountOf(item: Item): string {
  const amount = item['amount'] ?? item['amount_total'] ?? item['total'];
  return `${textOf(amount)} ${textOf(item['currency'])}`.trim();
}

/** When it was made, in milliseconds since 1970. */
export function createdOf(item: Item): number | undefined {
  const seconds = item['created_at'] ?? item['created'];
  if (typeof seconds === 'number') return seconds * 1000;
  return typeof item['createdAt'] === 'number' ? item['createdAt'] : undefined;
}
