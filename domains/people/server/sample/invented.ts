import type { Draw } from './draw.ts'
import type { Sex } from './names.ts'

const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
const check_signs = '10X98765432'
/** Prefectures: numbers with such a region are not given to persons as a rule. */
const regions = [['370200', 80], ['370100', 4], ['370600', 4], ['370700', 4], ['320500', 3], ['410100', 3], ['650100', 1], ['540100', 1]] as const

/** Makes numbers nobody has: every one once. */
export type Inventor = {
  id_no(birthday: string, sex: Sex): { id_no: string; region: string }
  mobile(): string
}

/** Identity numbers of prefecture regions with a right check sign, mobiles of the block 1690. */
export function inventor(draw: Draw): Inventor {
  const used = new Set<string>()
  let mobiles = 0
  const fresh = (region: string, birthday: string, sex: Sex): string => {
    const serial = draw.below(499) * 2 + (sex === '1' ? 1 : 2)
    const body = `${region}${birthday.replaceAll('-', '')}${String(serial).padStart(3, '0')}`
    if (used.has(body)) return fresh(region, birthday, sex)
    used.add(body)
    return body + checkSign(body)
  }
  return {
    id_no(birthday, sex) {
      const region = draw.weighted(regions)
      return { id_no: fresh(region, birthday, sex), region }
    },
    mobile: () => `1690${String((mobiles += 1)).padStart(7, '0')}`,
  }
}

function checkSign(body: string): string {
  const sum = weights.reduce((total, weight, at) => total + weight * Number(body[at]), 0)
  return check_signs.charAt(sum % 11)
}
