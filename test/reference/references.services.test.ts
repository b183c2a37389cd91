import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { generatedFiles } from '../../scripts/reference/generated-files.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('the generated file', () => {
  it.each(Object.entries(generatedFiles))(
    '%s is current (npm run generate updates it)',
    async (path, write) => {
      expect(read(path) === (await write())).toBe(true);
    },
  );
});
