/** Whether a value is an absolute address of HTTP, as text. */
export function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

/** Whether an address names a user or a password, with which `fetch` sends nothing. */
export function isWithUser(address: string): boolean {
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
}
