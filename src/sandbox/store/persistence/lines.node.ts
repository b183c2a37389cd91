import { readSync } from 'node:fs';
import { crc32 } from 'node:zlib';

const newline = 0x0a;
const checksumLength = 8;
const chunkSize = 1 << 20;

function checksum(data: string | Buffer): string {
  return crc32(data).toString(16).padStart(checksumLength, '0');
}

/** A text as a line with its checksum. */
export function toLine(text: string): string {
  return `${checksum(text)} ${text}\n`;
}

/** The text of a line; `undefined` where it is not as it was written. */
export function fromLine(line: Buffer): string | undefined {
  const text = line.subarray(checksumLength + 1);
  const expected = line.subarray(0, checksumLength + 1).toString('latin1');
  return expected === `${checksum(text)} ` ? text.toString('utf8') : undefined;
}

/** A line of a file. */
export interface Line {
  /** Its bytes, without the end of the line. */
  readonly bytes: Buffer;
  /** Where the next one begins. */
  readonly end: number;
}

/** The lines of a file, in parts that fit into memory. What follows the last end of a line is not given. */
export function* readLines(descriptor: number): Iterable<Line> {
  let rest = Buffer.alloc(0);
  let position = 0;
  let lineStart = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(chunkSize);
    const length = readSync(descriptor, chunk, 0, chunkSize, position);
    if (length === 0) return;
    position += length;
    const data = Buffer.concat([rest, chunk.subarray(0, length)]);
    let start = 0;
    for (let end = data.indexOf(newline); end >= 0; end = data.indexOf(newline, start)) {
      const bytes = data.subarray(start, end);
      lineStart += bytes.length + 1;
      start = end + 1;
      yield { bytes, end: lineStart };
    }
    rest = data.subarray(start);
  }
}
