import { inScope } from '@campus/people/server'
import { sql } from 'kysely'
import { validOn } from './day.ts'
import type { Db } from './db.ts'
import type { Asked } from './roll.queries.ts'

/** Staff in office with a department inside the scope, or everybody. */
function staff(db: Db, { school_id, on, scope }: Asked) {
  const member = sql<boolean>`exists (select from staff_membership m where m.school_id = ${school_id} and m.user_id = l.user_id
    and ${validOn('m', on)} and ${inScope('m.dept_id', scope)})`
  return db.selectFrom('live_staff as l').where('l.school_id', '=', school_id).$if(scope !== 'all', query => query.where(member))
}

/** How many people are on the staff. */
export async function countStaff(db: Db, asked: Asked): Promise<number> {
  const { total } = await staff(db, asked).select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  return total
}

/** The staff by own department, the largest first; null = without one. */
export function staffByDept(db: Db, asked: Asked): Promise<{ dept_id: string | null; total: number }[]> {
  return staff(db, asked)
    .select(['l.primary_dept_id as dept_id', sql<number>`count(*)::int`.as('total')])
    .groupBy('l.primary_dept_id')
    .orderBy('total', 'desc')
    .orderBy('dept_id')
    .execute()
}

/** One page of the staff by number: all, those of one department, or with null those without one. */
export async function pageStaff(db: Db, asked: Asked, dept_id: string | null | undefined, page: { limit: number; offset: number }) {
  const found = staff(db, asked)
    .$if(typeof dept_id === 'string', query => query.where('l.primary_dept_id', '=', dept_id ?? null))
    .$if(dept_id === null, query => query.where('l.primary_dept_id', 'is', null))
  const list = await found
    .select(['l.user_id', 'l.user_name', 'l.teacher_no', 'l.primary_dept_id'])
    .orderBy('l.teacher_no')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  const { total } = await found.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  return { list, total }
}
