import type { Issue } from '@campus/jobs/server'
import { agreeWithIdNo, required_msg } from '../import/read-cells.ts'
import type { Values } from '../import/read-cells.ts'
import type { Season } from './season.queries.ts'

const resident = '1'
const resident_signs = 18

/** Resident numbers have 18 signs here, and say what sex and birthday say beside them (chapter 20 rule 14). */
export function numberErrors(values: Values): Issue[] {
  const { id_no, id_type } = values
  const short = id_no && id_type === resident && id_no.length !== resident_signs ? [{ prop: 'id_no', msg: '身份证号格式不正确' }] : []
  return [...short, ...agreeWithIdNo(values, id_no, id_type)]
}

/** A child outside the days of the season; one whose number is wrong already is not judged by it. */
export function birthdayErrors({ min_birthday, max_birthday }: Pick<Season, 'min_birthday' | 'max_birthday'>, birthday: string | null | undefined, wrong: readonly { prop: string }[]): Issue[] {
  if (wrong.some(({ prop }) => prop === 'birthday' || prop === 'id_no')) return []
  const prop = 'birthday'
  if (!birthday) return min_birthday || max_birthday ? [{ prop, msg: required_msg }] : []
  if (min_birthday && birthday < min_birthday) return [{ prop, msg: `出生日期须在${min_birthday}或之后` }]
  return max_birthday && birthday > max_birthday ? [{ prop, msg: `出生日期须在${max_birthday}或之前` }] : []
}
