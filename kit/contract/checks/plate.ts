import { matches } from './verdict.ts'

const PROVINCES = '京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼'
// GA 36-2018: letters I and O are not used; A–E pure electric, F–K other new energy.
const LETTER = 'A-HJ-NP-Z'
const ENERGY = 'A-HJK'

/** Licence plate: 7 signs, or 8 for new energy, small or large (GA 36-2018, platform rule V1). Upper case, no separator. */
export const checkPlate = matches(
  new RegExp(`^[${PROVINCES}][${LETTER}](?:`
    + `[${LETTER}0-9]{4}[${LETTER}0-9挂学警港澳]|[${ENERGY}][${LETTER}0-9][0-9]{4}|[0-9]{5}[${ENERGY}])$`),
  '车牌号不合法', 8)
