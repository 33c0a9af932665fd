/** Ways in which readers and people write the number of a card; `dec8` is the printed 3+5, `wg26` and `wg34` are what controllers send. */
export const card_inputs = ['hex', 'dec10', 'dec8', 'wg26', 'wg34'] as const
export const card_orders = ['as_is', 'reversed'] as const
/** Digits of the number that are kept, from its end (chapter 31 §7). */
export const card_truncations = ['none', '6', '8'] as const

/** How numbers of cards are written; `pad`: a number shorter than its truncation is filled with zeros on the left. */
export type CardFormat = { input: (typeof card_inputs)[number]; byte_order: (typeof card_orders)[number]; truncation: (typeof card_truncations)[number]; pad: boolean; upper: boolean }

const [byte, half, word] = [8n, 16n, 32n]
const three_bytes = 6
const four_bytes = 8
const shapes = { dec10: [10], dec8: [3, 5], wg26: [8], wg34: [5, 5] } as const
/** Digits of the parts of a number, and the bits that each part but the first holds. */
const bits = { dec10: 0n, dec8: half, wg26: 0n, wg34: half } as const
const most = { dec10: (1n << word) - 1n, dec8: (1n << (half + byte)) - 1n, wg26: (1n << (half + byte)) - 1n, wg34: (1n << word) - 1n } as const
const hex_shape = /^([0-9A-F]{2}){3,10}$/u

/** The bytes of a card in the order in which they come through the air: upper case, without blanks or colons; null when it is no such number. */
export function uidOf(text: string): string | null {
  const hex = text.replace(/[\s:-]/gu, '').toUpperCase()
  return hex_shape.test(hex) ? hex : null
}

/** The number of a card as a format writes it. Truncation takes the last digits of the bytes, before they are written as a decimal. */
export function writeCard(uid: string, { input, byte_order, truncation, pad, upper }: CardFormat): string {
  const bytes = truncated(ordered(uid, byte_order), truncation, pad)
  if (input === 'hex') return upper ? bytes : bytes.toLowerCase()
  const kept = input === 'dec10' || input === 'wg34' ? four_bytes : three_bytes
  const value = BigInt(`0x${bytes.slice(-kept)}`)
  const [first, second] = shapes[input]
  if (second === undefined) return String(value).padStart(first, '0')
  const low = value & ((1n << bits[input]) - 1n)
  return String(value >> bits[input]).padStart(first, '0') + String(low).padStart(second, '0')
}

/** The bytes of which a format would write this number, as far as the number tells them; null when the format never writes it. */
export function readCard(text: string, { input, byte_order }: Pick<CardFormat, 'input' | 'byte_order'>): string | null {
  if (input === 'hex') {
    const uid = uidOf(text)
    return uid && ordered(uid, byte_order)
  }
  const digits = text.replace(/[\s,]/gu, '')
  const [first, second = 0] = shapes[input]
  if (!/^\d+$/u.test(digits) || digits.length > first + second) return null
  const whole = digits.padStart(first + second, '0')
  const low = BigInt(second === 0 ? '0' : whole.slice(first))
  const value = (BigInt(whole.slice(0, first)) << bits[input]) + low
  if (value > most[input] || (second > 0 && low >> bits[input] > 0n)) return null
  const kept = input === 'dec10' || input === 'wg34' ? four_bytes : three_bytes
  return ordered(value.toString(16).toUpperCase().padStart(kept, '0'), byte_order)
}

/** Every way of writing one card that is told from the others, with what it comes to. */
export function interpretCard(uid: string): { format: CardFormat; text: string }[] {
  return card_orders.flatMap(byte_order => [
    ...card_truncations.map(truncation => ({ input: 'hex', byte_order, truncation, pad: true, upper: true }) as const),
    ...card_inputs.filter(input => input !== 'hex').map(input => ({ input, byte_order, truncation: 'none', pad: true, upper: true }) as const),
  ]).map(format => ({ format, text: writeCard(uid, format) }))
}

function ordered(uid: string, byte_order: CardFormat['byte_order']): string {
  return byte_order === 'as_is' ? uid : (uid.match(/../gu) ?? []).toReversed().join('')
}

function truncated(bytes: string, truncation: CardFormat['truncation'], pad: boolean): string {
  if (truncation === 'none') return bytes
  const length = Number(truncation)
  const kept = bytes.slice(-length)
  return pad ? kept.padStart(length, '0') : kept
}
