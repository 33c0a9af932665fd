import { leaveErrors, leave_states, leaveTypeName, quota_day_minutes } from '@campus/leave/contract'
import { schoolDay } from '@campus/school/server'
import { fail } from '@kit/contract'
import { sql } from 'kysely'
import type { MemberSpans } from '../apply/prepare.ts'
import { membersOf, spansOf } from '../apply/store.ts'
import type { Leave } from '../apply/store.ts'
import type { Act, Db } from '../db.ts'
import { designOf } from '../form/version.ts'
import { quotaLeft } from './left.ts'
import type { QuotaEntry } from './left.ts'

const [taken, given_back] = [2, 3] as const
const free_states: readonly number[] = [leave_states.draft, leave_states.refused, leave_states.withdrawn]
type Counted = Pick<Leave, 'leave_id' | 'person_kind' | 'leave_type'> & { version: number }

/** What is left of a quota, in minutes. */
async function leftOf(db: Db, school_id: number, user_id: string, quota_code: string, now: Date): Promise<number> {
  return (await leftOfAll(db, school_id, [user_id], now)).get(`${user_id} ${quota_code}`)?.left ?? 0
}

type QuotaState = { user_id: string; quota_code: string; granted: number; left: number; expire_on: string | null }

/** Every quota of these people, by `user_id quota_code`; minutes. */
export async function leftOfAll(db: Db, school_id: number, user_ids: readonly string[], now: Date): Promise<Map<string, QuotaState>> {
  const today = schoolDay(now)
  const { rows } = await sql<QuotaEntry & { user_id: string; quota_code: string }>`
    select q.user_id::text as user_id, q.quota_code, q.minutes, q.kind::int as kind, q.leave_id::text as leave_id, q.expire_on::text as expire_on, (q.at at time zone 'Asia/Shanghai')::date::text as day
    from leave_quota_entry q where q.school_id = ${school_id} and q.user_id = any(${[...user_ids]}::bigint[]) order by q.entry_id`.execute(
    db,
  )
  const states = [...Map.groupBy(rows, row => `${row.user_id} ${row.quota_code}`)].map(([key, entries]): [string, QuotaState] => {
    const grants = entries.filter(one => one.leave_id === null && (one.expire_on ?? today) >= today)
    const ends = grants.flatMap(one => one.expire_on ?? []).toSorted()
    const [first] = entries
    return [
      key,
      {
        user_id: first?.user_id ?? '',
        quota_code: first?.quota_code ?? '',
        granted: grants.reduce((sum, one) => sum + one.minutes, 0),
        left: quotaLeft(entries, today),
        expire_on: ends[0] ?? null,
      },
    ]
  })
  return new Map(states)
}

/** The sentence when a quota does not reach for these spans; null when it does or none is counted. `leave_id`: what it holds already counts as left. */
export async function quotaShort(
  { db, school_id, now }: Pick<Act, 'db' | 'school_id' | 'now'>,
  { quota_code, leave_type }: { quota_code: string | null; leave_type: string },
  person_kind: number,
  spans: MemberSpans,
  leave_id = '0',
) {
  if (quota_code === null || quota_code !== leave_type) return null
  for (const [user_id, of] of spans) {
    const left = (await leftOf(db, school_id, user_id, quota_code, now)) + (await heldBy(db, school_id, leave_id, user_id))
    if (left < minutesOf(of)) return fail(leaveErrors.quotaShort, shortParams(person_kind, leave_type, left))
  }
  return null
}

/**
 * Brings what a leave holds of its quota to its fact: taken while it is asked for or in force, given back for what is refused, cancelled or cut (chapter 70 §2.1).
 * @throws Refusal quotaShort
 */
export async function settleQuota(act: Act, leave_id: string): Promise<void> {
  const { db, school_id } = act
  const leave = await db
    .selectFrom('leave_apply')
    .select(['leave_id', 'person_kind', 'leave_type', 'form_id', 'form_version'])
    .where('school_id', '=', school_id)
    .where('leave_id', '=', leave_id)
    .executeTakeFirstOrThrow()
  const { quota_code } = await designOf(db, school_id, leave.form_id, leave.form_version)
  if (quota_code === null || quota_code !== leave.leave_type) return
  const last = await db
    .selectFrom('leave_version')
    .select('version')
    .where('school_id', '=', school_id)
    .where('leave_id', '=', leave_id)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const spans = await spansOf(db, school_id, leave_id)
  for (const { user_id, state } of await membersOf(db, school_id, leave_id)) {
    const wanted = free_states.includes(state)
      ? 0
      : minutesOf(spans.filter(one => one.user_id === user_id).map(one => ({ school_days: Number(one.school_days) })))
    await enter(act, { ...leave, version: last.version }, user_id, wanted)
  }
}

async function enter(
  { db, school_id, now, by }: Act,
  { leave_id, person_kind, leave_type, version }: Counted,
  user_id: string,
  wanted: number,
): Promise<void> {
  const minutes = (await heldBy(db, school_id, leave_id, user_id)) - wanted
  if (minutes === 0) return
  if (minutes < 0) {
    const left = await leftOf(db, school_id, user_id, leave_type, now)
    if (left < -minutes) throw fail(leaveErrors.quotaShort, shortParams(person_kind, leave_type, left))
  }
  await db
    .insertInto('leave_quota_entry')
    .values({
      school_id,
      user_id,
      quota_code: leave_type,
      minutes,
      kind: minutes < 0 ? taken : given_back,
      leave_id,
      version,
      by_user_id: by?.user_id ?? null,
      at: now,
    })
    .execute()
}

/** Minutes that a leave holds of somebody's quota. */
async function heldBy(db: Db, school_id: number, leave_id: string, user_id: string): Promise<number> {
  const { held } = await db
    .selectFrom('leave_quota_entry')
    .select(({ fn }) => fn.sum<string | null>('minutes').as('held'))
    .where('school_id', '=', school_id)
    .where('leave_id', '=', leave_id)
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  return -Number(held ?? 0)
}

function minutesOf(spans: readonly { school_days: number }[]): number {
  return Math.round(spans.reduce((sum, one) => sum + one.school_days, 0) * quota_day_minutes)
}

function shortParams(person_kind: number, leave_type: string, left: number) {
  const params = { name: leaveTypeName(person_kind, leave_type), n: Math.max(0, left) / quota_day_minutes }
  return {
    params,
    errors: [{ field: 'spans', msg: leaveErrors.quotaShort.msg.replace('{name}', params.name).replace('{n}', String(params.n)) }],
  }
}
