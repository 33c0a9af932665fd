import { sql } from 'kysely'
import { oneOf, validOn } from '../dated.ts'
import { schoolDay } from '../day.ts'
import type { Db } from '../db.ts'

type Where = { db: Db; school_id: number; now: Date }
type DelegateState = 'ahead' | 'live' | 'over' | 'revoked'
/** `whose`: only delegations from or to this person; null = all of the school. */
type Asked = { whose: string | null; state: DelegateState | undefined; page_index: number; page_size: number }

/** Delegations, the newest first, with the names of both people. */
export async function delegationsOf({ db, school_id, now }: Where, { whose, state, page_index, page_size }: Asked) {
  const from = db
    .selectFrom('delegate_dept as g')
    .where('g.school_id', '=', school_id)
    .where(sql<boolean>`(${whose}::bigint is null or g.from_user_id = ${whose} or g.to_user_id = ${whose})`)
    .where(sql<boolean>`(${state ?? null}::text is null or ${stateAt(now)} = ${state ?? null})`)
  const { total } = await from.select(eb => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await from
    .innerJoin('person as f', join => join.onRef('f.school_id', '=', 'g.school_id').onRef('f.user_id', '=', 'g.from_user_id'))
    .innerJoin('person as t', join => join.onRef('t.school_id', '=', 'g.school_id').onRef('t.user_id', '=', 'g.to_user_id'))
    .select(['g.id', 'g.dept_id', 'g.from_user_id', 'g.to_user_id', 'g.valid_from', 'g.valid_to', 'g.reason', 'g.revoked_at', 'g.row_version'])
    .select(['f.user_name as from_user_name', 't.user_name as to_user_name', stateAt(now).as('state')])
    .orderBy('g.id', 'desc')
    .limit(page_size)
    .offset((page_index - 1) * page_size)
    .execute()
  return { rows, total: Number(total) }
}

function stateAt(now: Date) {
  return sql<DelegateState>`case when g.status = 'revoked' then 'revoked' when g.valid_to <= ${now} then 'over' when g.valid_from > ${now} then 'ahead' else 'live' end`
}

/** What somebody acts for now, the first to end first. */
export function actingNow({ db, school_id, now }: Where, to_user_id: string) {
  return db
    .selectFrom('delegate_dept as g')
    .innerJoin('person as f', join => join.onRef('f.school_id', '=', 'g.school_id').onRef('f.user_id', '=', 'g.from_user_id'))
    .where('g.school_id', '=', school_id)
    .where('g.to_user_id', '=', to_user_id)
    .where('g.status', '=', 'active')
    .where('g.valid_from', '<=', now)
    .where('g.valid_to', '>', now)
    .select(['g.id', 'g.dept_id', 'g.from_user_id', 'f.user_name as from_user_name', 'g.valid_to'])
    .orderBy('g.valid_to')
    .orderBy('g.id')
    .execute()
}

/** One delegation, locked until the end of the transaction. */
export function lockDelegation({ db, school_id }: Pick<Where, 'db' | 'school_id'>, id: string) {
  return db
    .selectFrom('delegate_dept')
    .select(['id', 'dept_id', 'from_user_id', 'to_user_id', 'valid_from', 'valid_to', 'status', 'row_version'])
    .where('school_id', '=', school_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Who of these people is staff of the school today. */
export async function staffAmong({ db, school_id, now }: Where, user_ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('staff_span as t')
    .innerJoin('person as p', join => join.onRef('p.school_id', '=', 't.school_id').onRef('p.user_id', '=', 't.user_id'))
    .select('t.user_id')
    .where('t.school_id', '=', school_id)
    .where('p.status', '=', 'live')
    .where(oneOf('t.user_id', user_ids))
    .where(validOn('t', schoolDay(now)))
    .execute()
  return rows.map(row => row.user_id)
}

/** Does the person lead this department, or one above it, by a duty of his own today? */
export async function hasDuty({ db, school_id, now }: Where, user_id: string, dept_id: string): Promise<boolean> {
  const on = schoolDay(now)
  const { rows } = await sql`
    select from dept_duty y
    join dept_version o on o.school_id = y.school_id and o.dept_id = y.dept_id and ${validOn('o', on)}
    join dept_version v on v.school_id = y.school_id and v.dept_id = ${dept_id} and ${validOn('v', on)}
    where y.school_id = ${school_id} and o.school_id = ${school_id} and v.school_id = ${school_id} and y.user_id = ${user_id} and ${validOn('y', on)}
      and v.node_path >= o.node_path and v.node_path < left(o.node_path, -1) || '0' limit 1`.execute(db)
  return rows.length > 0
}
