import { addDays, countDays } from '@campus/calendar/contract'
import { leaveErrors } from '@campus/leave/contract'
import type { recordApi, recoverApi, RecoverRow } from '@campus/leave/contract'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { requireSeen } from '../apply/store.ts'
import type { Db, LeaveCtx } from '../db.ts'
import { isSeen, namesOf, scopesOf } from '../people.ts'
import { chainsOf } from './chain.ts'
import type { Chain, SickLeave } from './chain.ts'

const rest_reason = '7'
/** Days between follow-ups; school days above which a suspension is proposed; days of an ordinary look back (chapter 70 L16). */
const [follow_every, suspend_above, usual_days, most_days] = [3, 60, 180, 366] as const
const most_leaves = 20_000
const [followed, resumed] = [1, 2] as const

type Row = SickLeave & { user_id: string; user_name: string; user_no: string; dept_name: string | null; person_kind: number }

/** 疗养请假记录: chains of sick leaves with their follow-ups, the longest first. @throws Refusal 422 for a span of more than a year */
export async function pageRecover(ctx: LeaveCtx, query: Input<typeof recordApi.recover>): Promise<Reply<typeof recordApi.recover>> {
  const { db, school_id, now } = ctx
  const today = schoolDay(now)
  const to = query.to ?? today
  const from = query.from ?? addDays(to, -usual_days)
  if (from > to) throw fail(commonErrors.rangeReversed, { errors: [{ field: 'to', msg: commonErrors.rangeReversed.msg }] })
  if (countDays(from, to) > most_days) throw fail(commonErrors.rangeTooLong, { params: { n: most_days } })
  const seen = isSeen(await scopesOf(ctx))
  const { rows } = await sql<Row>`
    with sick as (
      select m.user_id, m.dept_id, a.leave_id, a.person_kind, a.reason_code = ${rest_reason} as is_rest, cardinality(a.attach_keys) > 0 as has_proof,
        (min(s.begin_at) at time zone 'Asia/Shanghai')::date as from_day, (max(s.end_at) at time zone 'Asia/Shanghai' - interval '1 microsecond')::date as to_day, sum(s.school_days)::float8 as school_days, sum(s.lessons)::int as lessons
      from leave_span s
      join leave_member m on m.school_id = ${school_id} and m.leave_id = s.leave_id and m.user_id = s.user_id
      join leave_apply a on a.school_id = ${school_id} and a.leave_id = s.leave_id
      where s.school_id = ${school_id} and s.live and m.state in (2, 5, 6, 7, 8) and (a.leave_type in ('2', '02') or a.reason_code = ${rest_reason})
        and s.end_at > ${new Date(`${from}T00:00:00+08:00`)}::timestamptz and s.begin_at < ${new Date(`${addDays(to, 1)}T00:00:00+08:00`)}::timestamptz
        and a.person_kind = ${Number(query.kind ?? 1)} and ${seen}
      group by m.user_id, m.dept_id, a.leave_id, a.person_kind, a.reason_code, a.attach_keys
      limit ${most_leaves}
    ), ordered as (select k.*, lag(k.to_day) over (partition by k.user_id order by k.from_day, k.leave_id) as before from sick k)
    select o.leave_id::text as leave_id, o.user_id::text as user_id, p.display_name as user_name, coalesce(l.user_no, '') as user_no, d.dept_name, o.person_kind::int as person_kind, o.is_rest, o.has_proof, o.from_day::text as from, o.to_day::text as to, o.school_days, o.lessons,
      coalesce((select count(*)::int from school_day_v y where y.school_id = ${school_id} and y.grade = '00' and y.is_school_day and y.date > o.before and y.date < o.from_day), 0) as gap_days
    from ordered o
    join person_label p on p.school_id = ${school_id} and p.user_id = o.user_id
    left join live_person l on l.school_id = ${school_id} and l.user_id = o.user_id and l.person_kind = o.person_kind
    left join dept_now d on d.school_id = ${school_id} and d.id = o.dept_id
    where ${query.keyword === undefined ? sql`true` : sql`(strpos(p.display_name, ${query.keyword}) > 0 or l.user_no = ${query.keyword})`}
    order by o.user_id, o.from_day, o.leave_id`.execute(db)
  const follows = await followsOf(db, school_id, rows.map(row => row.user_id))
  const chains = [...Map.groupBy(rows, row => row.user_id).values()].flatMap(of => chainsOf(of).map(chain => rowOf(of[0], chain, follows, today)))
  const shown = chains.flatMap(row => row ?? []).filter(row => query.state === undefined || row.state === query.state).toSorted((one, other) => other.school_days - one.school_days || one.row_id.localeCompare(other.row_id))
  const offset = (query.page_index - 1) * query.page_size
  return { list: shown.slice(offset, offset + query.page_size), total: shown.length }
}

type Follow = RecoverRow['follows'][number] & { user_id: string }

async function followsOf(db: Db, school_id: number, user_ids: readonly string[]): Promise<Follow[]> {
  const rows = await db.selectFrom('leave_follow').selectAll().where('school_id', '=', school_id).where('user_id', 'in', ['0', ...new Set(user_ids)]).orderBy('at').orderBy('follow_id').execute()
  const names = await namesOf(db, school_id, rows.map(one => one.by_user_id))
  return rows.map(one => ({ follow_id: one.follow_id, user_id: one.user_id, kind: one.kind, note: one.note, next_on: one.next_on, on: schoolDay(one.at), by_name: names.get(one.by_user_id ?? '') ?? null }))
}

function rowOf(person: Row | undefined, chain: Chain, all: readonly Follow[], today: string): RecoverRow | null {
  const [first, last] = [chain.leaves[0], chain.leaves.at(-1)]
  if (!person || !first || !last) return null
  const { user_id, user_name, user_no, dept_name, person_kind } = person
  const follows = all.filter(one => one.user_id === user_id && one.on >= first.from && one.on <= addDays(last.to, suspend_above))
  const last_follow = follows.findLast(one => one.kind === followed) ?? null
  const back = follows.some(one => one.kind === resumed)
  const next_follow = back ? null : (last_follow?.next_on ?? addDays(last_follow?.on ?? first.from, follow_every))
  const state = back ? 'resumed' : chain.school_days > suspend_above ? 'suspend' : next_follow !== null && next_follow <= today ? 'due' : 'open'
  return {
    row_id: `${user_id}-${first.leave_id}`, user_id, user_name, user_no, dept_name, person_kind, from: first.from, to: last.to, school_days: chain.school_days, lessons: chain.lessons, calendar_days: countDays(first.from, last.to),
    bars: chain.leaves.map(one => ({ leave_id: one.leave_id, from: one.from, to: one.to, kind: one.is_rest ? 'rest' : 'sick', days: one.school_days })),
    follows: follows.map(({ user_id: _user, ...one }) => one), last_follow: last_follow?.on ?? null, next_follow, state, has_proof: chain.leaves.some(one => one.has_proof), last_leave_id: last.leave_id,
  }
}

/** @throws Refusal 404 for a leave out of sight or of somebody else, nextTooEarly */
export async function addFollow(ctx: LeaveCtx, { leave_id, user_id, note, next_on }: Input<typeof recoverApi.follow>): Promise<Reply<typeof recoverApi.follow>> {
  if (next_on !== null && next_on < schoolDay(ctx.now)) throw fail(leaveErrors.nextTooEarly, { errors: [{ field: 'next_on', msg: leaveErrors.nextTooEarly.msg }] })
  return enter(ctx, { leave_id, user_id, note, kind: followed, next_on, cert_keys: [] })
}

/** 办理复课: the chain is over. @throws Refusal 404 */
export function resumeSchool(ctx: LeaveCtx, { leave_id, user_id, note, cert_keys }: Input<typeof recoverApi.resume>): Promise<Reply<typeof recoverApi.resume>> {
  return enter(ctx, { leave_id, user_id, note, kind: resumed, next_on: null, cert_keys })
}

type NewFollow = { leave_id: string; user_id: string; note: string; kind: number; next_on: string | null; cert_keys: string[] }

async function enter(ctx: LeaveCtx, { leave_id, user_id, ...facts }: NewFollow): Promise<Record<string, never>> {
  const { db, school_id, me, now } = ctx
  await requireSeen(db, school_id, leave_id, await scopesOf(ctx))
  const member = await db.selectFrom('leave_member').select('user_id').where('school_id', '=', school_id).where('leave_id', '=', leave_id).where('user_id', '=', user_id).executeTakeFirst()
  if (!member) throw fail(commonErrors.notFound)
  await db.insertInto('leave_follow').values({ school_id, leave_id, user_id, ...facts, by_user_id: me.user_id, at: now }).execute()
  ctx.note({ target_kind: 'leave.recover', target_id: user_id, after: { kind: facts.kind, next_on: facts.next_on } })
  return {}
}
