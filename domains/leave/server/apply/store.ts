import { leaveChannel, leave_states } from '@campus/leave/contract'
import type { LeaveStateReply } from '@campus/leave/contract'
import { commonErrors, fail } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import { push } from '@kit/server/realtime'
import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Act, Db, LeaveDb } from '../db.ts'
import { isSeen } from '../people.ts'
import type { Scopes } from '../people.ts'
import type { MemberSpans } from './prepare.ts'

export type Leave = Selectable<LeaveDb['leave_apply']>
export type Member = Selectable<LeaveDb['leave_member']>
export type SpanRow = Selectable<LeaveDb['leave_span']>

/** The spans of a version as they are kept: instants of each member. */
export const KeptSpans = z.array(z.object({ user_id: z.string(), begin_at: z.string(), end_at: z.string(), minutes: z.number(), school_days: z.number(), lessons: z.number() }))
export type KeptSpans = z.output<typeof KeptSpans>

const { asked, out, overdue, agreed, back, ended, withdrawn } = leave_states

/** Takes a leave for changing. @throws Refusal 404 for one that is not there or, with `scopes`, of nobody in them */
export async function lockLeave(db: Db, school_id: number, leave_id: string, scopes: Scopes | null = null): Promise<Leave> {
  const leave = await db.selectFrom('leave_apply').selectAll().where('school_id', '=', school_id).where('leave_id', '=', leave_id).forUpdate().executeTakeFirst()
  if (!leave) throw fail(commonErrors.notFound)
  if (scopes !== null) await requireSeen(db, school_id, leave_id, scopes)
  return leave
}

/** @throws Refusal 404 unless somebody of the leave lies in the scopes */
export async function requireSeen(db: Db, school_id: number, leave_id: string, scopes: Scopes): Promise<void> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from leave_member m join leave_apply a on a.school_id = ${school_id} and a.leave_id = m.leave_id
    where m.school_id = ${school_id} and m.leave_id = ${leave_id} and ${isSeen(scopes)}`.execute(db)
  if ((rows[0]?.n ?? 0) === 0) throw fail(commonErrors.notFound)
}

/** Members of a leave, by user id. */
export function membersOf(db: Db, school_id: number, leave_id: string): Promise<Member[]> {
  return db.selectFrom('leave_member').selectAll().where('school_id', '=', school_id).where('leave_id', '=', leave_id).orderBy('user_id').execute()
}

/** Spans of a leave in their order, live ones alone where asked. */
export function spansOf(db: Db, school_id: number, leave_id: string): Promise<SpanRow[]> {
  return db.selectFrom('leave_span').selectAll().where('school_id', '=', school_id).where('leave_id', '=', leave_id).where('live', '=', true).orderBy('user_id').orderBy('no').execute()
}

/** Spans as a version keeps them. */
export function keptSpans(spans: MemberSpans): KeptSpans {
  return [...spans].flatMap(([user_id, of]) => of.map(({ begin, end, minutes, school_days, lessons }) => ({
    user_id, begin_at: new Date(begin).toISOString(), end_at: new Date(end).toISOString(), minutes, school_days, lessons,
  })))
}

/** Puts the spans of a version in the place of the former ones. */
export async function replaceSpans({ db, school_id }: Pick<Act, 'db' | 'school_id'>, leave_id: string, spans: KeptSpans): Promise<void> {
  await db.deleteFrom('leave_span').where('school_id', '=', school_id).where('leave_id', '=', leave_id).execute()
  const rows = [...Map.groupBy(spans, one => one.user_id)].flatMap(([user_id, of]) => of.map(({ begin_at, end_at, minutes, school_days, lessons }, at) => ({
    school_id, leave_id, user_id, no: at + 1, begin_at, end_at, asked_begin_at: begin_at, asked_end_at: end_at, live: true, minutes, school_days, lessons,
  })))
  await insertMany(db, 'leave_span', rows)
}

/** Spans that block nothing any more: refused, withdrawn, cancelled, void. */
export async function dropSpans({ db, school_id }: Pick<Act, 'db' | 'school_id'>, leave_id: string): Promise<void> {
  await db.updateTable('leave_span').set({ live: false }).where('school_id', '=', school_id).where('leave_id', '=', leave_id).execute()
}

/** Sets the state of the leave and of all its members. */
export async function setState({ db, school_id }: Pick<Act, 'db' | 'school_id'>, leave_id: string, state: number, more: Partial<Pick<Leave, 'void_reason' | 'ended_by' | 'decided_at' | 'cur_seq'>> = {}): Promise<void> {
  await db.updateTable('leave_member').set({ state }).where('school_id', '=', school_id).where('leave_id', '=', leave_id).execute()
  await db.updateTable('leave_apply').set({ state, ...more, row_version: sql<number>`row_version + 1` }).where('school_id', '=', school_id).where('leave_id', '=', leave_id).execute()
  await push({ db, school_id }, leaveChannel, [{ leave_id }])
}

/** The state of a leave by those of its members: the one that needs somebody first. */
function stateOf(members: readonly Pick<Member, 'state'>[]): number {
  return [asked, overdue, out, agreed, back, ended].find(state => members.some(one => one.state === state)) ?? members[0]?.state ?? withdrawn
}

/** Brings the state of the leave to what its members say. */
export async function settleState(act: Act, leave_id: string): Promise<number> {
  const { db, school_id } = act
  const state = stateOf(await membersOf(db, school_id, leave_id))
  await db.updateTable('leave_apply').set({ state, row_version: sql<number>`row_version + 1` }).where('school_id', '=', school_id).where('leave_id', '=', leave_id).execute()
  await push(act, leaveChannel, [{ leave_id }])
  return state
}

/** The next version of the fact: what is in force is another thing now. */
export async function bumpFact({ db, school_id }: Pick<Act, 'db' | 'school_id'>, leave_id: string): Promise<number> {
  const { fact_version } = await db.updateTable('leave_apply').set({ fact_version: sql<number>`fact_version + 1` }).where('school_id', '=', school_id).where('leave_id', '=', leave_id).returning('fact_version').executeTakeFirstOrThrow()
  await push({ db, school_id }, leaveChannel, [{ leave_id }])
  return fact_version
}

type NewVersion = { kind: number; spans: KeptSpans; plan?: unknown; reason: string | null; state: number }

/** Enters what was asked or done as the next version. */
export async function addVersion({ db, school_id, now, by }: Act, leave_id: string, { kind, spans, plan = [], reason, state }: NewVersion): Promise<number> {
  const last = await db.selectFrom('leave_version').select('version').where('school_id', '=', school_id).where('leave_id', '=', leave_id).orderBy('version', 'desc').limit(1).executeTakeFirst()
  const version = (last?.version ?? 0) + 1
  const row = { school_id, leave_id, version, kind, spans: JSON.stringify(spans), plan: JSON.stringify(plan), by_user_id: by?.user_id ?? null, reason, state, at: now }
  await db.insertInto('leave_version').values(row).execute()
  return version
}

/** What an act answers. */
export async function stateReply(db: Db, school_id: number, leave_id: string): Promise<LeaveStateReply> {
  return db.selectFrom('leave_apply').select(['leave_id', 'state', 'fact_version']).where('school_id', '=', school_id).where('leave_id', '=', leave_id).executeTakeFirstOrThrow()
}

/** Stands in the place of the number until the leave has its id. */
export const draft_no = sql<string>`left('N' || replace(gen_random_uuid()::text, '-', ''), 16)`
const no_digits = 5

/** Gives a new leave its number: L, day, five digits. */
export async function numberLeave({ db, school_id, now }: Pick<Act, 'db' | 'school_id' | 'now'>, leave_id: string): Promise<string> {
  const day = new Date(now.getTime() + 8 * 3_600_000).toISOString().slice(2, 10).replaceAll('-', '')
  const leave_no = `L${day}${leave_id.slice(-no_digits).padStart(no_digits, '0')}`
  await db.updateTable('leave_apply').set({ leave_no }).where('school_id', '=', school_id).where('leave_id', '=', leave_id).execute()
  return leave_no
}
