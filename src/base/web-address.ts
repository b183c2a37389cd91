/** Whether a value is the text of an absolute HTTP URL. */
export function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

/** Whether an address has a user name or a password, which `fetch` refuses. */
export function isWithUser(address: string): boolean {
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
}
