import type { SignRow } from '@campus/people/contract'
import { pageTotal } from '@kit/server/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { beginsWith, isIn, oneOf, validOn } from '../dated.ts'
import type { Db } from '../db.ts'
import { numberBegins, parseKeyword, personFits } from '../keyword.ts'
import { inScope } from '../scope.ts'
import type { DeptScope } from '../scope.ts'

/** Whose contracts: those of pupils, or of staff. */
export type Who = 'student' | 'staff'
export type SignFilter = {
  who: Who
  school_id: number
  on: string
  scope: DeptScope
  /** path of the department whose subtree counts */
  path?: string | undefined
  keyword?: string | undefined
  channel?: string | undefined
  product?: string | undefined
  state?: SignRow['state'] | undefined
}
/** A contract, or somebody without one, as it is stored. */
export type StoredSign = {
  sign_id: string | null
  user_id: string
  user_name: string
  user_no: string
  home: string | null
  signer_name: string | null
  channel: string | null
  product: string | null
  contract_no: string | null
  signed_at: Date | null
  state: string
  needs_check: boolean
  fail_msg: string | null
}

/** What keeps a person from being unsigned. */
const live_states = sql`('signing', 'signed', 'terminating')`

/** Pupils or staff of today whom the reader may see: `user_id`, `user_no`, `home`, and of pupils the grade. */
function peopleOf({ who, school_id, on, scope, path }: SignFilter): RawBuilder<unknown> {
  const below = sql`select v.dept_id from dept_version v where v.school_id = ${school_id} and ${validOn('v', on)} and ${beginsWith('v.node_path', path ?? '/')}`
  if (who === 'student') {
    return sql`select s.user_id, s.user_name, s.student_no as user_no, s.dept_id as home, s.grade_dept_id from live_student s
      where s.school_id = ${school_id} and ${inScope('s.dept_id', scope)} and ${path === undefined ? sql`true` : isIn('s.dept_id', below)}`
  }
  const members = sql`select m.user_id from dept_member m
    where m.school_id = ${school_id} and m.member_kind = 'staff' and ${validOn('m', on)} and ${inScope('m.dept_id', scope)} and ${path === undefined ? sql`true` : isIn('m.dept_id', below)}`
  return sql`select s.user_id, s.user_name, s.teacher_no as user_no, s.primary_dept_id as home, null::bigint as grade_dept_id from live_staff s
    where s.school_id = ${school_id} and ${scope === 'all' && path === undefined ? sql`true` : isIn('s.user_id', members)}`
}

/** A page of contracts and of people who have none: what waits for somebody first, then by number. */
export async function pageSigns(db: Db, filter: SignFilter, { limit, offset }: { limit: number; offset: number }): Promise<{ rows: StoredSign[]; total: number }> {
  const read = async (most: number, from: number) => (await sql<StoredSign & { total: number }>`
    with people as (${peopleOf(filter)})
    select r.*, count(*) over ()::int as total from (${contractsOf(filter)} union all ${unsignedOf(filter)}) r
    order by r.needs_check desc, r.user_no, r.sign_id limit ${most} offset ${from}`.execute(db)).rows
  const rows = await read(limit, offset)
  return { rows, total: await pageTotal(rows, offset === 0 ? 1 : 2, () => read(1, 0)) }
}

function contractsOf({ who, school_id, scope, path, keyword, channel, product, state }: SignFilter): RawBuilder<unknown> {
  const number = who === 'student' ? sql`t.student_no` : sql`t.teacher_no`
  const stands = state === undefined ? sql`true` : state === 'check' ? sql`c.needs_check` : sql`c.state = ${state} and not c.needs_check`
  return sql`
    select c.id as sign_id, c.user_id, p.user_name, ${number} as user_no, l.home, y.user_name as signer_name, c.channel, c.product, c.contract_no, c.signed_at, c.state, c.needs_check, c.fail_msg
    from sign_contract c
    join person p on p.school_id = c.school_id and p.user_id = c.user_id
    join person y on y.school_id = c.school_id and y.user_id = c.signer_user_id
    join ${who === 'student' ? sql`student` : sql`staff`} t on t.school_id = c.school_id and t.user_id = c.user_id
    left join people l on l.user_id = c.user_id
    where c.school_id = ${school_id} and p.school_id = ${school_id} and y.school_id = ${school_id} and t.school_id = ${school_id}
      and c.person_kind ${who === 'student' ? sql`= 1` : sql`<> 1`} and ${scope === 'all' && path === undefined ? sql`true` : sql`l.user_id is not null`} and ${stands} and ${state === 'unsigned' ? sql`false` : sql`true`}
      and ${channel === undefined ? sql`true` : sql`c.channel = ${channel}`} and ${product === undefined ? sql`true` : sql`c.product = ${product}`} and ${fits(who, keyword)}`
}

function unsignedOf({ who, school_id, keyword, channel, product, state }: SignFilter): RawBuilder<unknown> {
  const asked = channel === undefined && product === undefined && (state === undefined || state === 'unsigned')
  return sql`
    select null::bigint as sign_id, l.user_id, l.user_name, l.user_no, l.home, null as signer_name, null as channel, null as product, null as contract_no, null::timestamptz as signed_at, 'unsigned' as state,
      false as needs_check, null as fail_msg
    from people l join person p on p.user_id = l.user_id join ${who === 'student' ? sql`student` : sql`staff`} t on t.school_id = p.school_id and t.user_id = l.user_id
    where p.school_id = ${school_id} and t.school_id = ${school_id} and ${asked ? sql`true` : sql`false`} and ${fits(who, keyword)} and not exists (${liveOf(school_id, sql`l.user_id`)})`
}

function fits(who: Who, text: string | undefined): RawBuilder<unknown> {
  const keyword = parseKeyword(text)
  if (keyword === null) return sql`true`
  const number = keyword.kind === 'words' ? keyword.number : null
  return number === null ? personFits(keyword) : sql`(${personFits(keyword)} or ${numberBegins(who === 'student' ? 't.student_no' : 't.teacher_no', number)})`
}

function liveOf(school_id: number, user_id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select from sign_contract c where c.school_id = ${school_id} and c.user_id = ${user_id} and c.state in ${live_states}`
}

export type SignCount = { grade_dept_id: string | null; signed: number; terminating: number; unsigned: number }

/** How the people of each grade stand; staff are one group. Whoever has one contract that holds is signed. */
export async function countSigns(db: Db, filter: SignFilter): Promise<SignCount[]> {
  const { rows } = await sql<SignCount>`
    with people as (${peopleOf(filter)}), best as (
      select c.user_id, bool_or(c.state = 'signed') as is_signed, bool_or(c.state = 'terminating') as is_ending from sign_contract c where c.school_id = ${filter.school_id} and c.state in ${live_states} group by c.user_id)
    select l.grade_dept_id, (count(*) filter (where b.is_signed))::int as signed, (count(*) filter (where not b.is_signed and b.is_ending))::int as terminating,
      (count(*) filter (where b.user_id is null or not (b.is_signed or b.is_ending)))::int as unsigned
    from people l left join best b on b.user_id = l.user_id group by l.grade_dept_id`.execute(db)
  return rows
}

/** People who have no contract, by number. */
export async function unsignedPeople(db: Db, filter: SignFilter): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    with people as (${peopleOf(filter)}) select l.user_id from people l where not exists (${liveOf(filter.school_id, sql`l.user_id`)}) order by l.user_no`.execute(db)
  return rows.map(row => row.user_id)
}

/** Contracts by id with what names them in a result. */
export function contractsById(db: Db, school_id: number, ids: readonly string[]) {
  return db
    .selectFrom('sign_contract as c')
    .innerJoin('person as p', join => join.onRef('p.school_id', '=', 'c.school_id').onRef('p.user_id', '=', 'c.user_id'))
    .select(['c.id', 'c.user_id', 'c.channel', 'c.product', 'c.contract_no', 'c.state', 'c.fail_msg', 'p.user_name'])
    .where('c.school_id', '=', school_id)
    .where('p.school_id', '=', school_id)
    .where(oneOf('c.id', ids))
    .execute()
}
