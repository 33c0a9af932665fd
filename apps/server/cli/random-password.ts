import { randomInt } from 'node:crypto'

/** Signs that nobody mistakes for another when he reads them aloud or copies them from paper. */
const kinds = ['abcdefghijkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789'] as const
const length = 14

/** A password that every rule of the product accepts: 14 signs, at least two each of lower case, upper case and digits. */
export function randomPassword(): string {
  for (;;) {
    const text = Array.from({ length }, () => pick(kinds.join(''))).join('')
    if (kinds.every(kind => [...text].filter(sign => kind.includes(sign)).length >= 2)) return text
  }
}

function pick(signs: string): string {
  return signs.charAt(randomInt(signs.length))
}
