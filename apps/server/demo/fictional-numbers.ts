import { parseIdCard } from '@kit/contract/checks'
import type { Sex } from './person-names.ts'
import type { Dice } from './random.ts'

/** Prefecture codes ending in 00: not issued to persons as a rule. */
const regions = ['370100', '370200', '370300', '370600', '370700', '371000', '320100', '330100', '410100', '210200'] as const
const check_signs = '0123456789X'

/** Blocks of mobile numbers that no public operator serves, as far as known. */
export const mobile_blocks = { parents: '1690', staff: '1691' } as const

/** A resident number in good form that belongs to nobody; the serial (1–499) tells people of one day and place apart. */
export function fictionalIdNo(dice: Dice, birthday: string, sex: Sex, serial: number): string {
  const number = 2 * ((serial - 1) % 499) + (sex === '1' ? 1 : 2)
  const body = dice.pick(regions) + birthday.replaceAll('-', '') + String(number).padStart(3, '0')
  const sign = [...check_signs].find(candidate => parseIdCard(body + candidate)?.checksum_ok)
  return body + (sign ?? 'X')
}

/** The mobile number of the n-th person of a block; the numbers look scattered and never meet. */
export function fictionalMobile(block: keyof typeof mobile_blocks, n: number): string {
  const scattered = (n * 7_919_993) % 9_999_991
  return mobile_blocks[block] + String(scattered).padStart(7, '0')
}
