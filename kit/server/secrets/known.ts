import { createHash } from 'node:crypto'

/** Words that stand for a secret in examples, whose hash looks like one. */
const words = ['', 'secret', 'changeme', 'password', '123456', '12345678', 'test', 'campus', 'admin', 'hello', 'your-256-bit-secret']
/** Sample keys of standards: private keys of GM/T 0003, the AES-256 keys of FIPS 197 and SP 800-38A. */
const samples = [
  '3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8',
  '128b2fa8bd433c6c068c8d803dff79792a519a55171b1b650c23661d15897263',
  '1649ab77a00637bd5e2efe283fbf353534aa7f7cb89463f208ddbc2920bb0da0',
  '603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4',
]
const fewest_distinct = 12
const longest_repeat = 8

/**
 * Whether somebody who never saw this installation could know a 32-byte key: few distinct bytes, a run that counts, text that a keyboard
 * writes, a piece that repeats, a sample of a standard, or the hash of a word found in examples. A random key is none of these.
 */
export function isPubliclyKnown(key: Buffer): boolean {
  if (new Set(key).size < fewest_distinct || counts(key, 1) || counts(key, 255)) return true
  if (key.every(byte => byte >= 0x20 && byte < 0x7f) || repeats(key)) return true
  const text = key.toString('hex')
  return samples.includes(text) || words.some(word => createHash('sha256').update(word).digest('hex') === text)
}

function counts(key: Buffer, step: number): boolean {
  return key.every((byte, at) => at === 0 || (byte - (key[at - 1] ?? 0) + 256) % 256 === step)
}

/** The same eight bytes at two places: chance does that once in 2^55 keys, a hand that fills up does it always. */
function repeats(key: Buffer): boolean {
  const pieces = Array.from({ length: key.length - longest_repeat + 1 }, (_, at) => key.subarray(at, at + longest_repeat).toString('hex'))
  return new Set(pieces).size < pieces.length
}
