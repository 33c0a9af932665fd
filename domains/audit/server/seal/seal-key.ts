import { createHash, createPrivateKey, createPublicKey, hkdfSync, sign, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

/** Signs seals. Whoever holds the public key can check them; nobody can make one without the installation's seal key. */
export type SealKey = { private_key: KeyObject; public_key: string }

const info = 'campus.audit.seal'
/** DER of a PKCS#8 Ed25519 key up to its 32 secret bytes (RFC 8410). */
const pkcs8_head = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The signing key of an installation, derived from its seal key. */
export function sealKeyOf(secrets: { seal_key: Buffer }): SealKey {
  const seed = Buffer.from(hkdfSync('sha256', secrets.seal_key, '', info, 32))
  const private_key = createPrivateKey({ key: Buffer.concat([pkcs8_head, seed]), format: 'der', type: 'pkcs8' })
  return { private_key, public_key: createPublicKey(private_key).export({ format: 'der', type: 'spki' }).toString('base64') }
}

/** Signature of a root, hex. */
export function signRoot(key: SealKey, root_hash: string): string {
  return sign(null, Buffer.from(root_hash, 'hex'), key.private_key).toString('hex')
}

/** Was the root signed with the key behind this public key? A public key that is none says no. */
export function isSignedBy(public_key: string, root_hash: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(public_key, 'base64'), format: 'der', type: 'spki' })
    return verify(null, Buffer.from(root_hash, 'hex'), key, Buffer.from(signature, 'hex'))
  } catch {
    return false
  }
}

/** What people compare of a public key: the first 16 hex digits of its hash, in fours. */
export function fingerprintOf(public_key: string): string {
  const digits = createHash('sha256').update(Buffer.from(public_key, 'base64')).digest('hex').slice(0, 16)
  return digits.replace(/(.{4})(?=.)/g, '$1 ')
}
