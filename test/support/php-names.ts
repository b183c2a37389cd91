/**
 * Returns the name of the variable that PHP makes of a form's field; `undefined` if it drops the field. Of an array it is the
 * array's name. `test/transact/php.services.test.ts` compares this model with PHP.
 */
export function phpName(name: string): string | undefined {
  const [whole = ''] = name.replace(/^ +/, '').split('\0');
  if (whole === '' || whole.startsWith('[')) return undefined;
  const [, array] = /^([^[]+)\[.*\]/s.exec(whole) ?? [];
  return (array ?? whole).replace(/[ .[]/g, '_');
}
