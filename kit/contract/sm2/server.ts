import { sm2 } from 'sm-crypto-v2'

const C1C3C2 = 1
// 04, the point (64 bytes), the digest (32 bytes), at least one byte of text; 4 KiB of text is far more than any field.
const cipherShape = /^v1:([A-Za-z0-9_.-]{1,64}):04([0-9a-f]{194,8192})$/

/** A decrypted field: `v` the text, `k` the captcha key it is bound to (platform rule C1). */
export interface OpenedField {
  v: string
  k: string
}

/** A key pair in hex: the private key 64 signs, the public key 130 with leading 04. */
export interface Sm2KeyPair {
  private_key: string
  public_key: string
}

/** A fresh key pair; the private key belongs into the secret store only (platform rule C2). */
export function generateKeyPair(): Sm2KeyPair {
  const { privateKey, publicKey } = sm2.generateKeyPairHex()
  return { private_key: privateKey, public_key: publicKey }
}

/** The key id of a `v1:` field, to find its private key; null when the field is not of that shape (plain text included). */
export function keyIdOf(cipher: string): string | null {
  return cipherShape.exec(cipher)?.[1] ?? null
}

/**
 * Opens a field of `encryptField`. Null for whatever does not open: wrong shape, wrong key, a changed byte, a point off the
 * curve, other content. One answer on purpose: the sender learns nothing about which of them it was.
 */
export function decryptField(cipher: string, private_key: string): OpenedField | null {
  const hex = cipherShape.exec(cipher)?.[2]
  if (!hex || hex.length % 2 === 1) return null
  try {
    const bytes = sm2.doDecrypt(hex, private_key, C1C3C2, { output: 'array' })
    return opened(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch {
    return null
  }
}

function opened(content: unknown): OpenedField | null {
  if (typeof content !== 'object' || content === null || !('v' in content) || !('k' in content)) return null
  const { v, k } = content
  return typeof v === 'string' && typeof k === 'string' ? { v, k } : null
}
