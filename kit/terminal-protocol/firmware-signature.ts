import { createPublicKey, verify } from 'node:crypto'

const [key_bytes, signature_bytes] = [32, 64]

/** Whether the maker of a package has signed it: Ed25519 over the text of its SHA-256 (64 hexadecimal digits, lower case). Key and signature are raw bytes in Base64 (32 and 64 bytes). Never throws. */
export function isSignedPackage(sha256: string, signature: string, key: string): boolean {
  const [raw, signed] = [Buffer.from(key, 'base64'), Buffer.from(signature, 'base64')]
  if (raw.length !== key_bytes || signed.length !== signature_bytes) return false
  return verify(null, Buffer.from(sha256), createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') } }), signed)
}
