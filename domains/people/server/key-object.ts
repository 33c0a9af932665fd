import { createSecretKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

const known = new WeakMap<Buffer, KeyObject>()

/** A secret as node:crypto keeps it by itself: made once, for handing over the bytes costs more than hashing or sealing a short text. */
export function keyObject(secret: Buffer): KeyObject {
  const found = known.get(secret) ?? createSecretKey(secret)
  known.set(secret, found)
  return found
}
