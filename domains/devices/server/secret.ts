import { createHash, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto'

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

/** Rounds and sizes of Mosquitto's own `mosquitto_passwd`; the secrets are random, so that more rounds protect nothing more. */
const broker_rounds = 101
const [broker_salt_bytes, broker_hash_bytes] = [12, 64]

/** What an outside Mosquitto keeps of a secret, as it stands in its password file: PBKDF2 with SHA-512. */
export function brokerHash(secret: string, salt: Uint8Array = randomBytes(broker_salt_bytes)): string {
  return `$7$${broker_rounds}$${Buffer.from(salt).toString('base64')}$${pbkdf2Sync(secret, salt, broker_rounds, broker_hash_bytes, 'sha512').toString('base64')}`
}

/** All that is kept of a secret. */
export function hashesOf(secret: string): { secret_hash: string; broker_hash: string } {
  return { secret_hash: hashSecret(secret), broker_hash: brokerHash(secret) }
}

/** Whether a secret is the one of a hash, in a time that tells nothing. */
export function isSecret(secret: string, hash: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(secret), 'hex'), Buffer.from(hash, 'hex'))
}
