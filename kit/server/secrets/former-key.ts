import { createHash } from 'node:crypto'

/** Keys that a key has replaced and whose sealed texts may still lie somewhere; newest first. Belongs to the bytes in use, never to a module. */
const formers = new WeakMap<Buffer, readonly Buffer[]>()

/** Remembers the keys that `key` has replaced. */
export function keepFormer(key: Buffer, former: readonly Buffer[]): void {
  formers.set(key, former)
}

/** The keys that `key` has replaced and that are still kept. */
export function formerKeys(key: Buffer): readonly Buffer[] {
  return formers.get(key) ?? []
}

/** Opens with the key, else with one it has replaced. @throws what opening with the key itself has thrown, when none of them opens */
export function withFormer<R>(key: Buffer, open: (key: Buffer) => R): R {
  try {
    return open(key)
  } catch (error) {
    for (const former of formerKeys(key)) {
      const opened = attempt(() => open(former))
      if (opened) return opened.value
    }
    throw error
  }
}

function attempt<R>(open: () => R): { value: R } | null {
  try {
    return { value: open() }
  } catch {
    return null
  }
}

/** Tells keys apart and opens nothing: the first 16 hex digits of the hash. */
export function markOfKey(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16)
}
