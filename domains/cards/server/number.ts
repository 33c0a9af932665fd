import { foldFullWidth } from '@kit/contract/checks'
import { readCard, uidOf, writeCard } from '@kit/terminal-protocol/card'
import type { CardFormat } from '@kit/terminal-protocol/card'

/** How numbers are written where the school has chosen nothing: ten digits in the order of the air. */
export const usual_format: CardFormat = { input: 'dec10', byte_order: 'as_is', truncation: 'none', pad: true, upper: true }

const ten_digits = /^\d{10}$/u
/** Digits of a UID of 4, 7, 8 or 10 bytes. */
const uid_lengths: readonly number[] = [8, 14, 16, 20]
const short_uid = 8

/**
 * The UID that a typed, read or imported number names: ten digits are a decimal in the format's byte order, 8, 14, 16 or 20 signs are hexadecimal in
 * the order of the air; blanks, case and full width do not count (chapter 40 rule 2).
 * @returns canonical upper-case hex, null for what is no number of a card
 */
export function parseCard(text: string, format: CardFormat): string | null {
  const folded = foldFullWidth(text).replace(/[\s:-]/gu, '')
  if (ten_digits.test(folded)) return readCard(folded, { input: 'dec10', byte_order: format.byte_order })
  const uid = uidOf(folded)
  return uid !== null && uid_lengths.includes(uid.length) ? uid : null
}

/** The number that people see: as the format writes it; a UID of more than four bytes stays hexadecimal, since ten digits could not tell it from another. */
export function numberOf(uid_hex: string, format: CardFormat): string {
  return uid_hex.length > short_uid && format.truncation === 'none' ? uid_hex : writeCard(uid_hex, format)
}

/** The UIDs from one number to another, both included; null when they are no ten-digit or 8-hex numbers in that order. */
export function uidsBetween(from: string, to: string, format: CardFormat, most: number): string[] | null | 'too_many' {
  const ends = [from, to].map(text => parseCard(text, format))
  const [first, last] = ends.map(uid => (uid?.length === short_uid ? BigInt(`0x${inOrder(uid, format)}`) : null))
  if (first === null || last === null || first === undefined || last === undefined || last < first) return null
  if (last - first >= BigInt(most)) return 'too_many'
  return Array.from({ length: Number(last - first) + 1 }, (_, at) => inOrder((first + BigInt(at)).toString(16).toUpperCase().padStart(short_uid, '0'), format))
}

/** The bytes as the format counts them; its own inverse. */
function inOrder(uid: string, { byte_order }: CardFormat): string {
  return byte_order === 'as_is' ? uid : (uid.match(/../gu) ?? []).toReversed().join('')
}
