import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { beginsWith, isIn, oneOf, validOn } from '../dated.ts'
import type { Db } from '../db.ts'
import type { Keyword } from '../keyword.ts'
import type { PageOf, PupilFilter, PupilSort } from '../student.queries.ts'

export type RollPage = { user_ids: string[]; total: number }

const in_school = '01'
const orders = { student_no: sql`r.student_no`, name_py: sql`r.name_py, r.student_no` }
const ascii = /^[\p{ASCII}]*$/u

/**
 * A page and the number of the pupils that pass the filter, from the roll of today.
 * @returns null when the roll is of another day, or when something is asked that it does not hold
 */
export async function rollPage(db: Db, filter: PupilFilter, sort: PupilSort, page: PageOf): Promise<RollPage | null> {
  if (sort !== 'student_no' && sort !== 'name_py') return null
  const { sex, study_method, missing, among, tagged, ext, remarked, keyword, words } = filter
  if ([sex, study_method, missing, among, tagged, ext, remarked].some(asked => asked !== undefined)) return null
  const order = orders[sort]
  if (words === undefined) return keyword === undefined ? wholePage(db, filter, order, page) : null
  return canBeFound(words) ? foundPage(db, { filter, words, order, page }) : null
}

/** Text that this process and the database make lower case in the same way. */
function canBeFound(words: Keyword): words is Extract<Keyword, { kind: 'words' }> {
  return words.kind === 'words' && (ascii.test(words.name) || !/\p{Cased}/u.test(words.name))
}

async function wholePage(db: Db, filter: PupilFilter, order: RawBuilder<unknown>, { page_size, page_index }: PageOf): Promise<RollPage | null> {
  const { school_id, on, state = in_school } = filter
  const { rows: [counted] } = await sql<{ total: number }>`
    select (select coalesce(sum(c.pupils), 0)::int from roll_count c
      where c.school_id = ${school_id} and c.state = ${state} and ${inClasses('c.dept_id', filter)}) as total
    from roll_day d where d.school_id = ${school_id} and d.day = ${on}::date`.execute(db)
  if (!counted) return null
  const { rows } = await sql<{ user_id: string }>`
    select r.user_id from roll_today r where r.school_id = ${school_id} and r.state = ${state} and ${inClasses('r.dept_id', filter)}
    order by ${order} limit ${page_size} offset ${(page_index - 1) * page_size}`.execute(db)
  return { user_ids: rows.map(({ user_id }) => user_id), total: counted.total }
}

type Search = { filter: PupilFilter; words: Extract<Keyword, { kind: 'words' }>; order: RawBuilder<unknown>; page: PageOf }

/** Page and total from one pass; one row with the total stands also where the page is empty. */
async function foundPage(db: Db, { filter, words, order, page: { page_size, page_index } }: Search): Promise<RollPage | null> {
  const { school_id, on, state = in_school } = filter
  const { rows } = await sql<{ user_ids: string[]; total: number }>`
    with found as materialized (${foundBy(words, school_id, on)}),
      hit as materialized (
        select r.user_id, r.student_no, r.name_py from roll_today r
        where r.school_id = ${school_id} and r.state = ${state} and ${inClasses('r.dept_id', filter)} and r.user_id in (select f.user_id from found f))
    select (select count(*)::int from hit) as total,
      array(select r.user_id from hit r order by ${order} limit ${page_size} offset ${(page_index - 1) * page_size}) as user_ids
    from roll_day d where d.school_id = ${school_id} and d.day = ${on}::date`.execute(db)
  return rows[0] ?? null
}

/** In the asked classes; in school means in a class, who is kept on the roll may have none. */
function inClasses(column: string, { school_id, on, state = in_school, scope, dept_id, path, grade, stage }: PupilFilter): RawBuilder<boolean> {
  const asked: RawBuilder<boolean>[] = []
  if (state === in_school || scope !== 'all') asked.push(sql<boolean>`${sql.ref(column)} > 0`)
  if (scope !== 'all') asked.push(oneOf(column, scope))
  if (dept_id !== undefined) asked.push(sql<boolean>`${sql.ref(column)} = ${dept_id}`)
  if ([path, grade, stage].some(one => one !== undefined)) {
    const below = path === undefined ? sql`true` : beginsWith('v.node_path', path)
    const of_grade = grade === undefined ? sql`true` : sql`v.grade = ${grade}`
    const of_stage = stage === undefined ? sql`true` : isIn('v.dept_id', sql`select e.id from dept e where e.school_id = ${school_id} and e.stage = ${stage}`)
    asked.push(isIn(column, sql`select v.dept_id from dept_version v where v.school_id = ${school_id} and ${validOn('v', on)} and ${below} and ${of_grade} and ${of_stage}`))
  }
  return asked.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(asked, sql` and `)}`
}

/** Whom a search text finds: names, pinyin and numbers by the words of the roll, mobiles by those of the pupil and of the guardians. */
function foundBy({ name, pinyin, number, mobile, tail }: Search['words'], school_id: number, on: string): RawBuilder<unknown> {
  const word = (way: string, text: string) => sql`select w.user_id from roll_word w where w.school_id = ${school_id} and w.way = ${way} and ${beginsWith('w.word', text)}`
  const guardian = (held: RawBuilder<boolean>) => sql`
    select k.student_user_id from guardian_link k join person q on q.school_id = k.school_id and q.user_id = k.parent_user_id
    where k.school_id = ${school_id} and q.school_id = ${school_id} and ${validOn('k', on)} and q.status = 'live' and ${held}`
  const own = (held: RawBuilder<boolean>) => sql`select p.user_id from person p where p.school_id = ${school_id} and ${held}`
  const ways = [word('n', name.toLowerCase())]
  if (pinyin) ways.push(word('p', pinyin))
  if (number) ways.push(word('d', number))
  if (mobile) ways.push(own(sql<boolean>`p.tel_tail = right(${mobile}, 4) and p.tel = ${mobile}`), guardian(sql<boolean>`q.mobile = ${mobile}`))
  if (tail) ways.push(own(sql<boolean>`p.tel_tail = ${tail}`), guardian(sql<boolean>`q.mobile_tail = ${tail}`))
  return sql`${sql.join(ways, sql` union `)}`
}
