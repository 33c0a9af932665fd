import { eraseFile } from '@campus/files/server'
import type { Place } from '@campus/files/server'
import type { Erase, MovedRow, Precheck, Rekey, RekeyConflict } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { LeaveDb } from './db.ts'

const title = '请假'
const tables = ['leave_member', 'leave_span', 'leave_apply', 'leave_version', 'leave_task', 'leave_follow', 'leave_form_version', 'leave_quota_entry'] as const
const journal = '请假流程记录不改写'
const stays = {
  leave_apply: '请假单的申请人和接送人为当时的记录', leave_version: journal, leave_task: journal, leave_form_version: '表单发布记录不改写',
} as const
const moved_tables = ['leave_member', 'leave_span', 'leave_follow'] as const

/** Leaves, when two files turn out to be one person; times that overlap have to be settled first (chapter 70 §7 rekey). */
export const leaveRekey: Rekey = {
  domain: 'leave',
  title,
  tables: [...tables],
  stays,
  async preview({ db, school_id, keep_user_id, drop_user_id }) {
    const { rows } = await sql<{ n: number; overlaps: number }>`
      select (select count(*)::int from leave_member m where m.school_id = ${school_id} and m.user_id = ${drop_user_id}) as n,
        (select count(*)::int from leave_span s join leave_span o on o.school_id = ${school_id} and o.user_id = ${keep_user_id} and o.live and o.begin_at < s.end_at and o.end_at > s.begin_at
          where s.school_id = ${school_id} and s.user_id = ${drop_user_id} and s.live) as overlaps`.execute(db)
    const { n = 0, overlaps = 0 } = rows[0] ?? {}
    const conflicts: RekeyConflict[] = overlaps === 0 ? [] : [{ code: 'leave.overlap', title: '请假时间重叠', keep: '保留此人的请假', drop: '保留此人的请假' }]
    return { moves: n > 0 ? [{ title, count: n }] : [], conflicts }
  },
  async apply({ db: handle, school_id, keep_user_id, drop_user_id, chosen }) {
    const db = asTables<LeaveDb>(handle)
    const loser = chosen.get('leave.overlap') === 'drop' ? keep_user_id : drop_user_id
    await sql`update leave_span s set live = false where s.school_id = ${school_id} and s.user_id = ${loser} and s.live and exists (
      select 1 from leave_span o where o.school_id = ${school_id} and o.user_id in (${keep_user_id}, ${drop_user_id}) and o.user_id <> ${loser} and o.live and o.begin_at < s.end_at and o.end_at > s.begin_at)`.execute(db)
    const moved: MovedRow[] = []
    const members = await db.selectFrom('leave_member').select('leave_id').where('school_id', '=', school_id).where('user_id', '=', drop_user_id).orderBy('leave_id').execute()
    const shared = await db.selectFrom('leave_member').select('leave_id').where('school_id', '=', school_id).where('user_id', '=', keep_user_id).where('leave_id', 'in', ['0', ...members.map(one => one.leave_id)]).execute()
    const leave_ids = members.map(one => one.leave_id).filter(leave_id => !shared.some(one => one.leave_id === leave_id))
    await moveLeaves(db, school_id, leave_ids, drop_user_id, keep_user_id)
    moved.push(...(await moveQuotas(db, school_id, drop_user_id, keep_user_id)))
    for (const leave_id of leave_ids) moved.push({ table_name: 'leave_member', row_key: leave_id, column_name: 'user_id', old_user_id: drop_user_id })
    return moved
  },
  async undo({ db, school_id, keep_user_id, drop_user_id }, rows) {
    const keysOf = (table: string) => rows.filter(row => row.table_name === table).map(row => row.row_key)
    await moveLeaves(asTables<LeaveDb>(db), school_id, keysOf('leave_member'), keep_user_id, drop_user_id)
    await asTables<LeaveDb>(db).updateTable('leave_quota_entry').set({ user_id: drop_user_id }).where('school_id', '=', school_id).where('entry_id', 'in', ['0', ...keysOf('leave_quota_entry')]).execute()
    return []
  },
  mark: () => Promise.resolve(null),
}

async function moveQuotas(db: ReturnType<typeof asTables<LeaveDb>>, school_id: number, from: string, to: string): Promise<MovedRow[]> {
  const rows = await db.updateTable('leave_quota_entry').set({ user_id: to }).where('school_id', '=', school_id).where('user_id', '=', from).returning('entry_id').execute()
  return rows.map(({ entry_id }) => ({ table_name: 'leave_quota_entry', row_key: entry_id, column_name: 'user_id', old_user_id: from }))
}

/** Members, their spans and follow-ups go to another person: a copy of the member first, which the spans name. */
async function moveLeaves(db: ReturnType<typeof asTables<LeaveDb>>, school_id: number, leave_ids: readonly string[], from: string, to: string): Promise<void> {
  if (leave_ids.length === 0) return
  await sql`insert into leave_member (school_id, leave_id, user_id, dept_id, state, out_at, back_at, back_basis, overdue_at)
    select m.school_id, m.leave_id, ${to}::bigint, m.dept_id, m.state, m.out_at, m.back_at, m.back_basis, m.overdue_at
    from leave_member m where m.school_id = ${school_id} and m.user_id = ${from} and m.leave_id = any(${[...leave_ids]}::bigint[]) returning leave_id`.execute(db)
  for (const table of moved_tables.filter(one => one !== 'leave_member')) await sql`update ${sql.table(table)} set user_id = ${to}::bigint where school_id = ${school_id} and user_id = ${from} and leave_id = any(${[...leave_ids]}::bigint[])`.execute(db)
  await db.deleteFrom('leave_member').where('school_id', '=', school_id).where('user_id', '=', from).where('leave_id', 'in', [...leave_ids]).execute()
}

/** Reasons, destinations and files of the person go, his leaves stay as counts (chapter 70 §7 erase). */
export const leaveErase: Erase = {
  domain: 'leave',
  title,
  stage: 'rows',
  tables: [...tables],
  stays: { ...stays, leave_member: '只留编号，供统计', leave_span: '只留起止时间，供统计', leave_quota_entry: '只留天数，供统计' },
  async erase({ app, db: handle, school_id, user_id, now }) {
    const db = asTables<LeaveDb>(handle)
    await eraseProofs({ app, db, school_id, now }, user_id)
    const own = sql`leave_id in (select m.leave_id from leave_member m where m.school_id = ${school_id} and m.user_id = ${user_id})`
    const { numAffectedRows = 0n } = await sql`update leave_apply set reason = '已清除', attach_keys = '{}', dest = null, contact_mobile = null, void_reason = null
      where school_id = ${school_id} and not group_leave and ${own} and reason <> '已清除'`.execute(db)
    await sql`update leave_version set reason = null where school_id = ${school_id} and ${own} and reason is not null`.execute(db)
    const follows = await db.updateTable('leave_follow').set({ note: '已清除', cert_keys: [] }).where('school_id', '=', school_id).where('user_id', '=', user_id).where('note', '<>', '已清除').executeTakeFirstOrThrow()
    const count = Number(numAffectedRows) + Number(follows.numUpdatedRows)
    return count === 0 ? [] : [{ store: 'db:leave', title, action: 'anonymised', acked: true, evidence: `${count} 行` }]
  },
}

/** Proofs of leaves of this person alone go at once, with their bytes. */
async function eraseProofs(place: Omit<Place, 'db'> & { db: ReturnType<typeof asTables<LeaveDb>> }, user_id: string): Promise<void> {
  const { db, school_id } = place
  const { rows } = await sql<{ file_key: string }>`
    select unnest(a.attach_keys) as file_key from leave_apply a join leave_member m on m.school_id = ${school_id} and m.leave_id = a.leave_id
    where a.school_id = ${school_id} and m.user_id = ${user_id} and not a.group_leave`.execute(db)
  for (const { file_key } of rows) await eraseFile(place, file_key)
}

/** 未完成审批: what a deletion has to settle first (chapter 70 §7). */
export const leavePrecheck: Precheck = {
  code: 'leave.open',
  title: '未完成的请假',
  level: 'warn',
  async find({ db, school_id }, user_ids) {
    const { rows } = await sql<{ user_id: string; n: number }>`
      select m.user_id::text as user_id, count(*)::int as n from leave_member m
      where m.school_id = ${school_id} and m.user_id = any(${[...user_ids]}::bigint[]) and m.state in (1, 2, 6, 8) group by m.user_id`.execute(db)
    return rows.map(({ user_id, n }) => ({ user_id, action: `有${n}张未结束的请假单`, link: '/StuLeaveRecord' }))
  },
}
