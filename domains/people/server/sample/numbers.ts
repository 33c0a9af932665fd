import { parseIdCard } from '@kit/contract/checks'
import type { Draw } from './draw.ts'
import type { Sex } from './names.ts'

const check_signs = '0123456789X'
/** Prefectures: numbers with such a region are not given to persons as a rule. */
const regions = [['370200', 80], ['370100', 4], ['370600', 4], ['370700', 4], ['320500', 3], ['410100', 3], ['650100', 1], ['540100', 1]] as const

/** Blocks of mobile numbers that no public operator serves, as far as known. */
const mobile_blocks = { parents: '1690', staff: '1691' } as const

/** Makes numbers nobody has: every one once. */
export type Inventor = {
  /** a resident number that fits birthday and sex; `region` is where it says the person was born, a prefecture */
  id_no(birthday: string, sex: Sex): { id_no: string; region: string }
  mobile(block: keyof typeof mobile_blocks): string
}

/** Identity numbers of prefecture regions with a right check sign; mobiles that look scattered and never meet. */
export function inventor(draw: Draw, mobiles_before: number): Inventor {
  const used = new Set<string>()
  const mobiles = { parents: 0, staff: mobiles_before }
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
    mobile(block) {
      mobiles[block] += 1
      return mobile_blocks[block] + String((mobiles[block] * 7_919_993) % 9_999_991).padStart(7, '0')
    },
  }
}

function checkSign(body: string): string {
  return [...check_signs].find(sign => parseIdCard(body + sign)?.checksum_ok) ?? 'X'
}
