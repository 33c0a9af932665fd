import { foldFullWidth, nameKey, numberKey } from '@kit/contract/checks'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { beginsWith, validOn } from './dated.ts'
import { indexIdNo } from './id-number.ts'
import type { IdKeys } from './id-number.ts'

/** What a search text may mean (chapter 20 rule 33). Several at once: a text of four digits is a number and the end of a mobile. */
export type Keyword =
  | { kind: 'id_no'; id_no: string }
  | { kind: 'words'; name: string; pinyin: string | null; number: string | null; mobile: string | null; tail: string | null }

const resident_number = /^[0-9]{17}[0-9Xx]$/
const whole_mobile = /^1[0-9]{10}$/
const mobile_end = /^[0-9]{4}$/

/** Reads a search text; null when there is nothing to search for. */
export function parseKeyword(text: string | undefined): Keyword | null {
  const name = (text ?? '').trim()
  if (name === '') return null
  const [folded, key] = [foldFullWidth(name), nameKey(name)]
  if (resident_number.test(folded)) return { kind: 'id_no', id_no: folded }
  return {
    kind: 'words',
    name,
    pinyin: /^[a-z ·'’.-]*[a-z][a-z ·'’.-]*$/.test(key) ? key.replaceAll(/[^a-z]/g, '') : null,
    number: /^[A-Za-z0-9_-]+$/.test(folded) ? folded : null,
    mobile: whole_mobile.test(folded) ? folded : null,
    tail: mobile_end.test(folded) ? folded : null,
  }
}

/** Does the pupil (student `s`, person `p`) fit the keyword? Mobiles are those of the guardians on the day, and the contact number. */
export function pupilFits(keyword: Keyword, keys: IdKeys, school_id: number, on: string): RawBuilder<boolean> {
  return anyOf(pupilWays(keyword, keys, school_id, on))
}

/** The ways in which a pupil may fit the keyword, each a condition on one table, so that each may be answered from its own index. */
export function pupilWays(keyword: Keyword, keys: IdKeys, school_id: number, on: string): RawBuilder<boolean>[] {
  if (keyword.kind === 'id_no') return [hasIdNo('p', keyword.id_no, keys)]
  const { number, mobile, tail } = keyword
  const ways = nameWays('p', keyword)
  if (number) ways.push(numberBegins('s.student_no', number))
  if (mobile) ways.push(sql<boolean>`p.tel = ${mobile}`, guardianHas(sql<boolean>`q.mobile = ${mobile}`, school_id, on))
  if (tail) ways.push(sql<boolean>`p.tel_tail = ${tail}`, guardianHas(sql<boolean>`q.mobile_tail = ${tail}`, school_id, on))
  return ways
}

/** Does the parent (person `p`) fit the keyword, by himself or by the name or number of a child? */
export function parentFits(keyword: Keyword, keys: IdKeys, school_id: number, on: string): RawBuilder<boolean> {
  if (keyword.kind === 'id_no') return hasIdNo('p', keyword.id_no, keys)
  const { number, mobile, tail } = keyword
  const ways = nameWays('p', keyword)
  if (mobile) ways.push(sql<boolean>`p.mobile = ${mobile}`)
  if (tail) ways.push(sql<boolean>`p.mobile_tail = ${tail}`)
  const child = [nameHolds('q', keyword.name), ...(number ? [numberBegins('c.student_no', number)] : [])]
  ways.push(sql<boolean>`p.user_id in (
    select k.parent_user_id from guardian_link k
    join student c on c.school_id = k.school_id and c.user_id = k.student_user_id
    join person q on q.school_id = k.school_id and q.user_id = k.student_user_id
    where k.school_id = ${school_id} and ${validOn('k', on)} and ${anyOf(child)})`)
  return anyOf(ways)
}

/** Does the pupil (student `s`, person `p`) fit the keyword by name, pinyin or number? Identity numbers and mobiles find nobody in a chooser. */
export function pupilPicked(keyword: Keyword): RawBuilder<boolean> {
  return pickedBy('s.student_no', keyword)
}

/** Does the member of staff (staff `f`, person `p`) fit the keyword by name, pinyin or number? Identity numbers and mobiles find nobody in a chooser. */
export function staffFits(keyword: Keyword): RawBuilder<boolean> {
  return pickedBy('f.teacher_no', keyword)
}

/** Does the member of staff (staff `s`, person `p`) fit the keyword, by identity number or mobile too? */
export function staffListed(keyword: Keyword, keys: IdKeys): RawBuilder<boolean> {
  if (keyword.kind === 'id_no') return hasIdNo('p', keyword.id_no, keys)
  const { mobile, tail } = keyword
  const by_mobile = [...(mobile ? [sql<boolean>`p.mobile = ${mobile}`] : []), ...(tail ? [sql<boolean>`p.mobile_tail = ${tail}`] : [])]
  return anyOf([pickedBy('s.teacher_no', keyword), ...by_mobile])
}

function pickedBy(number: string, keyword: Keyword): RawBuilder<boolean> {
  if (keyword.kind === 'id_no') return numberBegins(number, keyword.id_no)
  return anyOf([...nameWays('p', keyword), ...(keyword.number ? [numberBegins(number, keyword.number)] : [])])
}

/** Does the person (alias `p`) fit the keyword by name, pinyin or the last four digits of the mobile? */
export function personFits(keyword: Keyword): RawBuilder<boolean> {
  if (keyword.kind === 'id_no') return sql<boolean>`false`
  return anyOf([...nameWays('p', keyword), ...(keyword.tail ? [sql<boolean>`p.mobile_tail = ${keyword.tail}`] : [])])
}

/** Does a number column (of `student` or `staff`) begin so, whatever the case? */
export function numberBegins(column: string, number: string): RawBuilder<boolean> {
  return beginsWith(`${column}_lower`, numberKey(number))
}

function nameWays(alias: string, { name, pinyin }: Extract<Keyword, { kind: 'words' }>): RawBuilder<boolean>[] {
  const ways = [nameHolds(alias, name)]
  return pinyin ? [...ways, beginsWith(`${alias}.name_py`, pinyin), beginsWith(`${alias}.name_initials`, pinyin)] : ways
}

function nameHolds(alias: string, text: string): RawBuilder<boolean> {
  const pattern = `%${nameKey(text).replace(/[\\%_]/g, sign => `\\${sign}`)}%`
  return sql<boolean>`${sql.ref(`${alias}.name_key`)} like ${pattern}`
}

function hasIdNo(alias: string, id_no: string, keys: IdKeys): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${alias}.id_no_idx`)} = ${indexIdNo(keys, id_no)}`
}

function guardianHas(condition: RawBuilder<boolean>, school_id: number, on: string): RawBuilder<boolean> {
  return sql<boolean>`s.user_id in (
    select k.student_user_id from guardian_link k
    join person q on q.school_id = k.school_id and q.user_id = k.parent_user_id
    where k.school_id = ${school_id} and ${validOn('k', on)} and q.status = 'live' and ${condition})`
}

/** Does one of the ways fit? */
export function anyOf(ways: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join(ways, sql` or `)})`
}
