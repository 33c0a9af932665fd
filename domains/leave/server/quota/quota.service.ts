import { quota_day_minutes } from '@campus/leave/contract'
import type { quotaApi, QuotaRow } from '@campus/leave/contract'
import { selfScope } from '@campus/people/server'
import type { Input, Reply } from '@kit/contract'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import { inDept } from '../apply/list.service.ts'
import { lockPeople } from '../apply/prepare.ts'
import type { LeaveCtx } from '../db.ts'
import { requireSubjects, scopesOf, staffInScope } from '../people.ts'
import { leftOfAll } from './settle.ts'

const [granted, corrected] = [1, 5] as const
const days = (minutes: number) => Math.round((minutes / quota_day_minutes) * 100) / 100

/** 假期额度: one line a person and kind of leave that was ever granted. */
export async function pageQuotas(
  ctx: LeaveCtx,
  { keyword, dept_id, page_index, page_size }: Input<typeof quotaApi.page>,
): Promise<Reply<typeof quotaApi.page>> {
  const { db, school_id, now } = ctx
  const { staff } = await scopesOf(ctx)
  const where = [sql`q.school_id = ${school_id}`, staffInScope(staff)]
  if (keyword !== undefined) where.push(sql`(${nameHas(nameKeyOf('l.user_name'), keyword)} or l.user_no = ${keyword})`)
  if (dept_id !== undefined) where.push(await inDept(db, school_id, dept_id, 'l.label_dept_id'))
  const from = sql`(select distinct e.school_id, e.user_id, e.quota_code from leave_quota_entry e where e.school_id = ${school_id}) q
    join live_person l on l.school_id = ${school_id} and l.user_id = q.user_id and l.person_kind in (2, 6, 7)
    left join dept_now d on d.school_id = ${school_id} and d.id = l.label_dept_id where ${sql.join(where, sql` and `)}`
  const { rows } = await sql<Pick<QuotaRow, 'user_id' | 'user_name' | 'user_no' | 'dept_name' | 'quota_code'>>`
    select q.user_id::text as user_id, l.user_name, l.user_no, d.dept_name, q.quota_code from ${from}
    order by l.user_no, q.user_id, q.quota_code limit ${page_size} offset ${(page_index - 1) * page_size}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*)::int as total from ${from}`.execute(db)
  const states = await leftOfAll(
    db,
    school_id,
    rows.map(row => row.user_id),
    now,
  )
  const list = rows.map(row => {
    const row_id = `${row.user_id} ${row.quota_code}`
    const { granted: all = 0, left = 0, expire_on = null } = states.get(row_id) ?? {}
    return { ...row, row_id, granted: days(all), used: days(all - left), left: days(left), expire_on }
  })
  return { list, total: counted.rows[0]?.total ?? 0 }
}

/** What is left to oneself. */
export async function readBalance(ctx: LeaveCtx): Promise<Reply<typeof quotaApi.balance>> {
  const { db, school_id, me, now } = ctx
  await selfScope(ctx)
  const states = await leftOfAll(db, school_id, [me.user_id], now)
  return { list: [...states.values()].map(({ quota_code, left }) => ({ quota_code, left: days(left) })) }
}

type Entry = { user_id: string; quota_code: string; days: number; note: string; expire_on?: string | null }

async function addEntry(ctx: LeaveCtx, kind: number, { user_id, quota_code, days: count, note, expire_on = null }: Entry): Promise<string> {
  const { db, school_id, now, me } = ctx
  const [subject] = await requireSubjects(db, school_id, [user_id], { ...(await scopesOf(ctx)), student: [] })
  await lockPeople(db, school_id, [user_id])
  const { entry_id } = await db
    .insertInto('leave_quota_entry')
    .values({ school_id, user_id, quota_code, minutes: count * quota_day_minutes, kind, expire_on, note, by_user_id: me.user_id, at: now })
    .returning('entry_id')
    .executeTakeFirstOrThrow()
  ctx.note({
    target_kind: 'leave.quota',
    target_id: user_id,
    target_name: subject?.user_name ?? '',
    after: { quota_code, days: count, expire_on },
  })
  return entry_id
}

/** @throws Refusal 404 for somebody who is no staff in sight */
export async function grantQuota(ctx: LeaveCtx, asked: Input<typeof quotaApi.give>): Promise<Reply<typeof quotaApi.give>> {
  return { entry_id: await addEntry(ctx, granted, asked) }
}

/** @throws Refusal 404 for somebody who is no staff in sight */
export async function correctQuota(ctx: LeaveCtx, asked: Input<typeof quotaApi.correct>): Promise<Record<string, never>> {
  await addEntry(ctx, corrected, asked)
  return {}
}
