import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const secret_bytes = 32
/** Signs of an enrol code that nobody mistakes for another; typed at the device's own screen. */
const code_signs = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const code_length = 10

/** A device's new secret; only its hash is kept (chapter 31 §1.3). */
export function newSecret(): string {
  return randomBytes(secret_bytes).toString('base64url')
}

/** A new one-time code for a device that nobody has registered yet. */
export function newEnrolCode(): string {
  return [...randomBytes(code_length)].map(byte => code_signs[byte % code_signs.length]).join('')
}

/** What is kept of a secret or code: random texts of this length need no slow hash. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Whether a secret is the one of a hash, in a time that tells nothing. */
export function isSecret(secret: string, hash: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(secret), 'hex'), Buffer.from(hash, 'hex'))
}
