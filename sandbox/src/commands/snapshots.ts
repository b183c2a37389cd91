import type { SandboxSnapshot } from '../store/contents.ts';

/** Each is a list of objects that later ones mostly share. */
const capacity = 100;

/** The latest 100 snapshots, by their names. */
export class Snapshots {
  readonly #byName = new Map<string, SandboxSnapshot>();
  #count = 0;

  /** Keeps a snapshot, also in place of another one of its name. Returns its name. */
  keep(snapshot: SandboxSnapshot, name?: string): string {
    this.#count += 1;
    const own = name ?? `snapshot-${this.#count}`;
    this.#byName.delete(own);
    this.#byName.set(own, snapshot);
    const [oldest = ''] = this.#byName.keys();
    if (this.#byName.size > capacity) this.#byName.delete(oldest);
    return own;
  }

  find(name: string): SandboxSnapshot | undefined {
    return this.#byName.get(name);
  }

  get names(): readonly string[] {
    return [...this.#byName.keys()];
  }
}
