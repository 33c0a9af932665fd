import { rowHash } from './hash.ts'

const id_length = 20
/** Base 32 without signs that look alike. */
const signs = '0123456789abcdefghjkmnpqrstvwxyz'
const bits = 5n

/** The name of a permission is its content: the same times are one permission and a change is another one (chapter 31 §5.7.3). Letters and digits alone. */
export function permissionId(content: unknown): string {
  // Two hashes of 64 bits make 100 bits of name.
  let left = BigInt(`0x${rowHash(content)}${rowHash(['permission', content])}`)
  let text = ''
  while (text.length < id_length) {
    text += signs[Number(left & (2n ** bits - 1n))] ?? '0'
    left >>= bits
  }
  return `P${text}`
}
