import type { student_missing, student_sorts } from '@campus/people/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { beginsWith, oneOf, validOn } from './dated.ts'
import type { Db } from './db.ts'
import { inScope } from './scope.ts'
import type { DeptScope } from './scope.ts'

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
  study_method?: string
  missing?: (typeof student_missing)[number]
  keyword?: RawBuilder<boolean>
}
export type PupilSort = (typeof student_sorts)[number]
export type PageOf = { page_index: number; page_size: number }

const in_school = '01'

/** Fields of the registry that a complete file holds; photo and guardian make two more. */
const person_registry = ['id_no_mask', 'birthday', 'nation', 'country', 'gatqw', 'tel', 'address', 'mail_address', 'home_address', 'postcode']
const student_registry = [
  'health', 'birth_division', 'hukou_division', 'hukou', 'entry_way', 'study_method', 'only_child', 'preschool', 'left_behind', 'migrant_child',
  'orphan', 'martyr_child', 'need_aid', 'boarding_aid', 'disability', 'distance_km', 'commute',
]
const registry_size = person_registry.length + student_registry.length + 2

function pupils(db: Db, filter: PupilFilter) {
  const { school_id, on, state = in_school, scope } = filter
  return db
    .selectFrom('student_span as t')
    .innerJoin('student as s', join => join.onRef('s.school_id', '=', 't.school_id').onRef('s.user_id', '=', 't.user_id'))
    .innerJoin('person as p', join => join.onRef('p.school_id', '=', 't.school_id').onRef('p.user_id', '=', 't.user_id'))
    .leftJoin('dept_member as m', join =>
      join.onRef('m.school_id', '=', 't.school_id').onRef('m.user_id', '=', 't.user_id').on('m.member_kind', '=', 'student').on(validOn('m', on)),
    )
    .leftJoin('dept_version as v', join => join.onRef('v.school_id', '=', 'm.school_id').onRef('v.dept_id', '=', 'm.dept_id').on(validOn('v', on)))
    .where('t.school_id', '=', school_id)
    .where('t.state', '=', state)
    .where(validOn('t', on))
    .where('p.status', '=', 'live')
    .where(inScope('m.dept_id', scope))
    // In school means in a class; who is kept on the roll may have none.
    .$if(state === in_school, query => query.where('m.dept_id', 'is not', null))
    .$if(filter.path !== undefined, query => query.where(beginsWith('v.node_path', filter.path ?? '')))
    .$if(filter.dept_id !== undefined, query => query.where('m.dept_id', '=', filter.dept_id ?? null))
    .$if(filter.sex !== undefined, query => query.where('p.sex', '=', filter.sex ?? ''))
    .$if(filter.grade !== undefined, query => query.where('v.grade', '=', filter.grade ?? null))
    .$if(filter.study_method !== undefined, query => query.where('s.study_method', '=', filter.study_method ?? null))
    .$if(filter.missing !== undefined, query => query.where(isMissing(filter)))
    .$if(filter.keyword !== undefined, query => query.where(filter.keyword ?? sql<boolean>`true`))
}

/** How many pupils pass the filter; exact. */
export async function countPupils(db: Db, filter: PupilFilter): Promise<number> {
  const { total } = await pupils(db, filter).select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  return total
}

/** One page of the pupils that pass the filter. */
export function pagePupils(db: Db, filter: PupilFilter, sort: PupilSort, page: PageOf) {
  return pupils(db, filter)
    .select([
      's.user_id', 'p.user_name', 's.student_no', 'm.dept_id', 'v.grade', 'p.sex', 'p.id_type', 'p.id_no_mask', 's.study_method', 't.state', 't.state_until',
      'p.photo_file_key', 'p.row_version', 'p.updated_at',
    ])
    .select(completeness(filter).as('completeness'))
    .orderBy(pupilOrder(sort))
    .orderBy('s.user_id')
    .limit(page.page_size)
    .offset((page.page_index - 1) * page.page_size)
    .execute()
}

function pupilOrder(sort: PupilSort): RawBuilder<unknown> {
  if (sort === 'name_py') return sql`p.name_py, s.student_no`
  if (sort === 'dept') return sql`v.grade, v.show_order, v.dept_id, s.student_no`
  return sort === 'updated' ? sql`p.updated_at desc` : sql`s.student_no`
}

function completeness({ school_id, on }: PupilFilter): RawBuilder<number> {
  const person = person_registry.map(name => sql.ref(`p.${name}`))
  const student = student_registry.map(name => sql.ref(`s.${name}`))
  const filled = sql`num_nonnulls(${sql.join([...person, ...student, sql.ref('p.photo_file_key')])}) + ${hasGuardian(school_id, on)}::int`
  return sql<number>`round(100.0 * (${filled}) / ${registry_size}::int)::int`
}

function isMissing({ missing, school_id, on }: PupilFilter): RawBuilder<boolean> {
  if (missing === 'guardian') return sql<boolean>`not ${hasGuardian(school_id, on)}`
  return missing === 'photo' ? sql<boolean>`p.photo_file_key is null` : sql<boolean>`p.id_no_idx is null`
}

function hasGuardian(school_id: number, on: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select from guardian_link g where g.school_id = ${school_id} and g.student_user_id = s.user_id and ${validOn('g', on)})`
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
