import { createHash } from 'node:crypto'

/** Numbers drawn from a seed: the same seed draws the same numbers. */
export type Lot = { /** a whole number from 0 to `below` - 1 */ draw(below: number): number; shuffled<T>(list: readonly T[]): T[] }

const word_bytes = 4
const words_of_hash = 8

/** Draws by counting: each block is the hash of the seed and its number, so that anybody can draw again. */
export function lotOf(seed: string): Lot {
  let block = Buffer.alloc(0)
  let at = 0
  const word = () => {
    const place = at % words_of_hash
    if (place === 0) block = createHash('sha256').update(`${seed}:${at / words_of_hash}`).digest()
    at += 1
    return block.readUInt32BE(place * word_bytes)
  }
  const draw = (below: number) => word() % below
  return {
    draw,
    shuffled(list) {
      const left = [...list]
      return list.map(() => left.splice(draw(left.length), 1)).flat()
    },
  }
}
