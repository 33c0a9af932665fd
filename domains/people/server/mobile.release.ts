import { archive } from '@campus/audit/server'
import type { FileNotice } from '@campus/people/contract'
import { maskMobile, maskName } from '@kit/contract/checks'
import { sql } from 'kysely'
import { oneOf } from './dated.ts'
import type { Db, PeopleCtx } from './db.ts'
import { operatorOf } from './operator.ts'
import { lockPeople } from './student-file.queries.ts'

/** Somebody who has left and still holds the number of this field. */
export type Departed = { field: string; user_id: string; user_name: string }

const update_op = 4

/** Who of these has no place in the school any more: no state as pupil or staff, today or to come, and no child on the roll. */
export async function departedOf(db: Db, school_id: number, user_ids: readonly string[], today: string): Promise<ReadonlySet<string>> {
  if (user_ids.length === 0) return new Set()
  const open = (table: string, column: string) => sql`exists (select from ${sql.table(table)} t where t.school_id = ${school_id} and ${sql.ref(`t.${column}`)} = p.user_id and (t.valid_to is null or t.valid_to > ${today}::date))`
  const { rows } = await sql<{ user_id: string }>`
    select p.user_id from person p where p.school_id = ${school_id} and p.status = 'live' and ${oneOf('p.user_id', user_ids)}
      and not (${open('student_span', 'user_id')} or ${open('staff_span', 'user_id')} or ${open('guardian_link', 'parent_user_id')})`.execute(db)
  return new Set(rows.map(row => row.user_id))
}

/** What is confirmed before somebody who left loses his number to another one (chapter 20 rule 16). */
export function releaseNotice({ field, user_name }: Departed): FileNotice {
  return { field, msg: `手机号登记在离校人员${maskName(user_name)}名下，确认后从其档案中移除` }
}

/** Takes their numbers from people who have left; the journal keeps them, masked. Confirmed by whoever saves the file. */
export async function releaseMobiles(ctx: PeopleCtx, departed: readonly Departed[]): Promise<void> {
  const { db, school_id, me, now } = ctx
  if (departed.length === 0) return
  const ids = departed.map(one => one.user_id)
  await lockPeople(db, school_id, ids)
  const held = await db.selectFrom('person').select(['user_id', 'user_name', 'mobile']).where('school_id', '=', school_id).where(oneOf('user_id', ids)).where('mobile', 'is not', null).execute()
  const kinds = await db.selectFrom('staff').select('user_id').where('school_id', '=', school_id).where(oneOf('user_id', ids)).execute()
  await db.updateTable('person').set({ mobile: null, row_version: sql<number>`row_version + 1`, updated_at: now, updated_by: me.user_id }).where('school_id', '=', school_id).where(oneOf('user_id', ids)).execute()
  await archive(db, operatorOf(ctx), held.map(({ user_id, user_name, mobile }) => ({
    op_type: update_op, source: 'typed' as const, person_kind: kinds.some(one => one.user_id === user_id) ? 2 : 3, person_id: user_id, person_name: user_name,
    changes: [{ field: 'mobile', label: '手机号', before: mobile === null ? null : maskMobile(mobile), after: null }],
  })))
}
