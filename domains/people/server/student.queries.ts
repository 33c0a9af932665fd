import type { student_sorts, StudentMissing } from '@campus/people/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { beginsWith, isIn, oneOf, validOn } from './dated.ts'
import type { Db } from './db.ts'
import { anyOf } from './keyword.ts'
import { inScope } from './scope.ts'
import type { DeptScope } from './scope.ts'
import { completeness, lacks } from './student.complete.ts'

/** Which pupils: those in the state on the day, inside the scope, that pass every given filter. */
export type PupilFilter = {
  school_id: number
  on: string
  /** absent: in school, with a class */
  state?: string
  scope: DeptScope
  dept_id?: string
  /** path of the department whose subtree counts */
  path?: string
  sex?: string
  grade?: string
  stage?: string
  study_method?: string
  /** lacks one of these in his file */
  missing?: readonly StudentMissing[]
  /** fits in one of these ways */
  keyword?: readonly RawBuilder<boolean>[]
  /** only these of them */
  among?: readonly string[]
  /** has one of the asked tags */
  tagged?: RawBuilder<boolean>
  /** has the asked value of a custom field */
  ext?: RawBuilder<boolean>
  /** is in a class with the asked remark */
  remarked?: RawBuilder<boolean>
}
export type PupilSort = (typeof student_sorts)[number]
export type PageOf = { page_index: number; page_size: number }

const in_school = '01'
/** So many pupils are a few. */
const few = 500
/** So many pupils, in the order of their numbers, are looked at one by one before all are read. */
const looked_at = 2000
/** So many pupils whom a search finds are asked for state and class one by one; for more of them both are read whole. */
const most_found = 5000

/**
 * Pupils who pass the filter. Single tables, asked one inside the other: a badly known table cannot make a bad join.
 */
export function pupils(db: Db, filter: PupilFilter) {
  return pupilsWhere(db, filter, isIn('s.user_id', sql`select t.user_id from student_span t where ${inState(filter)}`), isIn('s.user_id', membersOf(filter)))
}

function pupilsWhere(db: Db, filter: PupilFilter, in_state: RawBuilder<boolean>, has_class: RawBuilder<boolean>) {
  const { school_id } = filter
  return db
    .selectFrom('student as s')
    .innerJoin('person as p', join => join.onRef('p.school_id', '=', 's.school_id').onRef('p.user_id', '=', 's.user_id'))
    .where('s.school_id', '=', school_id)
    .where('p.school_id', '=', school_id)
    .where('p.status', '=', 'live')
    .where(in_state)
    .$if(needsClass(filter), query => query.where(has_class))
    .$if(filter.sex !== undefined, query => query.where('p.sex', '=', filter.sex ?? ''))
    .$if(filter.study_method !== undefined, query => query.where('s.study_method', '=', filter.study_method ?? null))
    .$if(filter.missing !== undefined, query => query.where(lacks(filter, filter.missing ?? [])))
    .$if(filter.keyword !== undefined, query => query.where(anyOf(filter.keyword ?? [])))
    .$if(filter.among !== undefined, query => query.where(oneOf('s.user_id', filter.among ?? [])))
    .$if(filter.tagged !== undefined, query => query.where(filter.tagged ?? sql<boolean>`true`))
    .$if(filter.remarked !== undefined, query => query.where(filter.remarked ?? sql<boolean>`true`))
    .$if(filter.ext !== undefined, query => query.where(filter.ext ?? sql<boolean>`true`))
}

/** Is the column one of the pupils who pass the filter? */
export function isPupil(db: Db, column: string, filter: PupilFilter): RawBuilder<boolean> {
  return isIn(column, sql`${pupils(db, filter).select('s.user_id')}`)
}

function inState({ school_id, on, state = in_school }: PupilFilter): RawBuilder<boolean> {
  return sql<boolean>`t.school_id = ${school_id} and t.state = ${state} and ${validOn('t', on)}`
}

/** In school means in a class; who is kept on the roll may have none. */
function needsClass({ state = in_school, scope, dept_id, path, grade, stage }: PupilFilter): boolean {
  return state === in_school || scope !== 'all' || [dept_id, path, grade, stage].some(asked => asked !== undefined)
}

function isMember({ school_id, on, scope, dept_id, path, grade, stage }: PupilFilter): RawBuilder<boolean> {
  const below = path === undefined ? sql`true` : beginsWith('v.node_path', path)
  const of_grade = grade === undefined ? sql`true` : sql`v.grade = ${grade}`
  const of_stage = stage === undefined ? sql`true` : isIn('v.dept_id', sql`select d.id from dept d where d.school_id = ${school_id} and d.stage = ${stage}`)
  const classes = sql`select v.dept_id from dept_version v where v.school_id = ${school_id} and ${validOn('v', on)} and ${below} and ${of_grade} and ${of_stage}`
  const any_class = [path, grade, stage].every(asked => asked === undefined)
  return sql<boolean>`
    m.school_id = ${school_id} and m.member_kind = 'student' and ${validOn('m', on)} and ${inScope('m.dept_id', scope)}
      and ${any_class ? sql`true` : isIn('m.dept_id', classes)} and ${dept_id === undefined ? sql`true` : sql`m.dept_id = ${dept_id}`}`
}

function membersOf(filter: PupilFilter): RawBuilder<unknown> {
  return sql`select m.user_id from dept_member m where ${isMember(filter)}`
}

/**
 * The whole roll, each pupil asked for state and class by an index, among the first numbers only: where others fill these, looking for each
 * of them takes longer than reading all. `limit` keeps the planner from making joins of it.
 */
function firstOfRoll(db: Db, filter: PupilFilter) {
  return pupilsOneByOne(db, filter).where(sql<boolean>`s.student_no <= (
    select b.student_no from student b where b.school_id = ${filter.school_id} order by b.student_no offset ${looked_at} limit 1)`)
}

/** The same pupils as `pupils`, each asked for state and class by an index: quicker where few are asked. */
function pupilsOneByOne(db: Db, filter: PupilFilter) {
  const in_state = sql<boolean>`(select true from student_span t where ${inState(filter)} and t.user_id = s.user_id limit 1)`
  const has_class = sql<boolean>`(select true from dept_member m where ${isMember(filter)} and m.user_id = s.user_id limit 1)`
  return pupilsWhere(db, filter, in_state, has_class)
}

/** Whom the search text alone finds, whatever their state and class; null: too many to be asked one by one. */
async function foundBy(db: Db, { school_id, keyword = [] }: PupilFilter): Promise<string[] | null> {
  const [first, ...others] = keyword.map(way =>
    db
      .selectFrom('student as s')
      .innerJoin('person as p', join => join.onRef('p.school_id', '=', 's.school_id').onRef('p.user_id', '=', 's.user_id'))
      .select('s.user_id')
      .where('s.school_id', '=', school_id)
      .where('p.school_id', '=', school_id)
      .where('p.status', '=', 'live')
      .where(way),
  )
  if (!first) return null
  const all = others.reduce((found, one) => found.union(one), first)
  const found = await db.selectFrom(all.as('f')).select('f.user_id').limit(most_found + 1).execute()
  return found.length > most_found ? null : found.map(row => row.user_id)
}

/** How many pupils pass the filter; exact. */
export async function countPupils(db: Db, filter: PupilFilter): Promise<number> {
  if (!asksThePerson(filter)) return countRoll(db, filter)
  return (await pupils(db, filter).select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()).total
}

function isWholeRoll(filter: PupilFilter): boolean {
  const { state = in_school, scope, dept_id, path, grade, stage } = filter
  return state === in_school && scope === 'all' && [dept_id, path, grade, stage].every(asked => asked === undefined) && !asksThePerson(filter)
}

function asksThePerson({ sex, study_method, missing, keyword, tagged, ext, remarked }: PupilFilter): boolean {
  return [sex, study_method, missing, keyword, tagged, ext, remarked].some(asked => asked !== undefined)
}

/**
 * How many pupils where nothing of the person or the registry is asked, from one table: who is in school is a member of a class, who is in
 * another state has one span on a day. The few who are not (gone, or a member in another state) are looked for rather than all who are.
 */
async function countRoll(db: Db, filter: PupilFilter): Promise<number> {
  const { school_id, on, state = in_school } = filter
  const total = sql<number>`count(*)::int`.as('total')
  const gone = sql`select p.user_id from person p where p.school_id = ${school_id} and p.status <> 'live'`
  const not_in_school = sql`select t.user_id from student_span t where t.school_id = ${school_id} and t.state <> ${sql.lit(in_school)} and ${validOn('t', on)}`
  const in_class = db.selectFrom('dept_member as m').where(isMember(filter))
    .where(sql<boolean>`not ${isIn('m.user_id', gone)}`).where(sql<boolean>`not ${isIn('m.user_id', not_in_school)}`)
  const in_state = db.selectFrom('student_span as t').where(inState(filter)).where(sql<boolean>`not ${isIn('t.user_id', gone)}`)
    .$if(needsClass(filter), query => query.where(isIn('t.user_id', membersOf(filter))))
  const counted = state === in_school ? in_class.select(total) : in_state.select(total)
  return (await counted.executeTakeFirstOrThrow()).total
}

/**
 * One page of the pupils that pass the filter, in order, with state and class of the day, and how many there are in all. A search reads everybody
 * it finds anyway, so the page brings the total; who is on the roll is counted from narrower tables beside it.
 */
export async function pagePupils(db: Db, filter: PupilFilter, sort: PupilSort, { page_index, page_size }: PageOf) {
  const part = { limit: page_size, offset: (page_index - 1) * page_size }
  if (!asksThePerson(filter)) {
    const [user_ids, total] = await Promise.all([orderedPupils(db, filter, sort, part), countPupils(db, filter)])
    return { rows: await pupilsOf(db, filter, user_ids), total }
  }
  const among = filter.among === undefined ? await foundBy(db, filter) : null
  if (among?.length === 0) return { rows: [], total: 0 }
  const asked = among === null ? pupils(db, filter) : pupilsOneByOne(db, { ...filter, keyword: undefined, among })
  const found = await (await inOrder(db, asked, filter, sort)).select(sql<number>`(count(*) over ())::int`.as('total')).limit(part.limit).offset(part.offset).execute()
  const total = found[0]?.total ?? (page_index === 1 ? 0 : await countPupils(db, filter))
  return { rows: await pupilsOf(db, filter, found.map(row => row.user_id)), total }
}

/** User ids of the pupils that pass the filter, in order. */
export async function orderedPupils(db: Db, filter: PupilFilter, sort: PupilSort, { limit, offset }: { limit: number; offset: number }): Promise<string[]> {
  const is_quick = isWholeRoll(filter) && sort === 'student_no' && offset + limit <= few
  const first = is_quick ? await firstOfRoll(db, filter).select('s.user_id').orderBy('s.student_no').limit(limit).offset(offset).execute() : []
  const chosen = first.length === limit ? first : await (await inOrder(db, pupils(db, filter), filter, sort)).limit(limit).offset(offset).execute()
  return chosen.map(row => row.user_id)
}

async function inOrder(db: Db, asked: ReturnType<typeof pupils>, filter: PupilFilter, sort: PupilSort) {
  const order = sort === 'dept' ? await classOrder(db, filter) : plain_orders[sort]
  return asked.select('s.user_id').orderBy(order).orderBy('s.student_no')
}

/** These pupils in the order of the ids, with state and class of the day. */
export async function pupilsOf(db: Db, filter: Pick<PupilFilter, 'school_id' | 'on'>, user_ids: readonly string[]) {
  if (user_ids.length === 0) return []
  const rows = new Map((await detailsOf(db, filter, user_ids)).map(row => [row.user_id, row]))
  return user_ids.flatMap(user_id => rows.get(user_id) ?? [])
}

const plain_orders = { student_no: sql`s.student_no`, name_py: sql`p.name_py`, updated: sql`p.updated_at desc` }

/** Place of the pupil's class among the classes of the day: by grade, then as the tree shows them. */
async function classOrder(db: Db, { school_id, on }: PupilFilter): Promise<RawBuilder<unknown>> {
  const classes = await db
    .selectFrom('dept_version as v')
    .select('v.dept_id')
    .where('v.school_id', '=', school_id)
    .where('v.grade', 'is not', null)
    .where(validOn('v', on))
    .orderBy('v.grade')
    .orderBy('v.show_order')
    .orderBy('v.dept_id')
    .execute()
  return sql`array_position(${classes.map(one => one.dept_id)}::bigint[], (
    select m.dept_id from dept_member m
    where m.school_id = ${school_id} and m.user_id = s.user_id and m.member_kind = 'student' and ${validOn('m', on)}))`
}

function detailsOf(db: Db, filter: Pick<PupilFilter, 'school_id' | 'on'>, user_ids: readonly string[]) {
  const { school_id, on } = filter
  return db
    .selectFrom('student as s')
    .innerJoin('person as p', join => join.onRef('p.school_id', '=', 's.school_id').onRef('p.user_id', '=', 's.user_id'))
    .innerJoin('student_span as t', join => join.onRef('t.school_id', '=', 's.school_id').onRef('t.user_id', '=', 's.user_id').on(validOn('t', on)))
    .leftJoin('dept_member as m', join =>
      join.onRef('m.school_id', '=', 's.school_id').onRef('m.user_id', '=', 's.user_id').on('m.member_kind', '=', 'student').on(validOn('m', on)),
    )
    .leftJoin('dept_version as v', join => join.onRef('v.school_id', '=', 'm.school_id').onRef('v.dept_id', '=', 'm.dept_id').on(validOn('v', on)))
    .select([
      's.user_id', 'p.user_name', 's.student_no', 'm.dept_id', 'v.grade', 'p.sex', 'p.id_type', 'p.id_no_mask', 's.study_method', 't.state', 't.state_until',
      'p.photo_file_key', 'p.row_version', 'p.updated_at',
    ])
    .select(completeness(filter).as('completeness'))
    .where('s.school_id', '=', school_id)
    .where(oneOf('s.user_id', user_ids))
    .execute()
}

/** The guardians of these pupils on a day, first contact first. */
export function guardiansOf(db: Db, school_id: number, student_user_ids: readonly string[], on: string) {
  return db
    .selectFrom('guardian_link as g')
    .innerJoin('person as q', join => join.onRef('q.school_id', '=', 'g.school_id').onRef('q.user_id', '=', 'g.parent_user_id'))
    .select(['g.student_user_id', 'q.user_id', 'q.user_name', 'q.mobile', 'g.relation', 'g.is_first', 'g.is_guardian'])
    .where('g.school_id', '=', school_id)
    .where('q.status', '=', 'live')
    .where(oneOf('g.student_user_id', student_user_ids))
    .where(validOn('g', on))
    .orderBy('g.is_first', 'desc')
    .orderBy('g.order_no')
    .orderBy('g.id')
    .execute()
}
