import type { changeApi, CoverNeed, DayLesson, Proposal } from '@campus/teaching/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { Db, TeachingCtx } from '../db.ts'
import { readDayLessons } from '../lesson/lesson.service.ts'
import { teacherNames } from '../plan/plan.queries.ts'
import { assignBest, impossible } from './assign.ts'
import { readCandidates } from './candidates.queries.ts'
import { coverChain, findChains, readDay } from './chain.service.ts'
import { coverLesson } from './change.service.ts'
import { propose } from './proposal.ts'
import type { Candidate, Wanted } from './proposal.ts'

type Need = { date: string; lesson_day_id: string; teacher_id: string; state: number; order_id: string | null; to_id: string | null }
const most_needs = 500
const most_proposals = 30
const auto_reason = '请假代课'

/** Lessons of absent teachers, by date and time. */
export async function listNeeds({ db, school_id, now }: TeachingCtx,
  { from, to, state }: Input<typeof changeApi.needs>): Promise<Reply<typeof changeApi.needs>> {
  const { rows } = await sql<Need>`
    select n.date::text as date, n.lesson_day_id::text as lesson_day_id, n.teacher_id::text as teacher_id, n.state::int as state, i.order_id::text as order_id, i.to_teacher_id::text as to_id
    from cover_need n left join change_item i on i.school_id = ${school_id} and i.date = n.date and i.lesson_day_id = n.lesson_day_id and i.open
    where n.school_id = ${school_id} and n.date between ${from}::date and ${to}::date and (${state} = 'all' or n.state = 0)
    order by n.date, n.lesson_day_id limit ${most_needs}`.execute(db)
  const lessons = await lessonsOf(db, school_id, rows)
  const names = await teacherNames(db, school_id, rows.flatMap(row => [row.teacher_id, row.to_id ?? []].flat()))
  const list = rows.flatMap((row): CoverNeed[] => {
    const lesson = lessons.get(row.lesson_day_id)
    if (!lesson) return []
    return [{
      key: `${row.lesson_day_id} ${row.teacher_id}`, lesson,
        teacher: { user_id: row.teacher_id, user_name: names.get(row.teacher_id) ?? '' }, state: row.state,
      cover_name: row.to_id === null ? null : (names.get(row.to_id) ?? ''), order_id: row.order_id,
        begun: Date.parse(lesson.begin_at) <= now.getTime(),
    }]
  })
  return { list: list.toSorted((a, b) => a.lesson.begin_at.localeCompare(b.lesson.begin_at)), open: list
    .filter(one => one.state === 0 && !one.begun).length }
}

/** Lessons of dates by their id. */
export async function lessonsOf(db: Db, school_id: number, rows: readonly { date: string; lesson_day_id: string }[]): Promise<Map<string,
  DayLesson>> {
  if (rows.length === 0) return new Map()
  const which = sql`d.date = any(${[...new Set(rows.map(row => row.date))]}::date[]) and d.lesson_day_id = any(${rows.map(row => row.lesson_day_id)}::bigint[])`
  return new Map((await readDayLessons(db, school_id, which)).map(lesson => [lesson.lesson_day_id, lesson]))
}

async function wantedOf(db: Db, school_id: number, lesson: DayLesson): Promise<Wanted> {
  const course = await db.selectFrom('course').select('subject').where('school_id', '=', school_id).where('id', '=', lesson.course_id)
    .executeTakeFirst()
  const own = await db.selectFrom('teaching_class').select('grade').where('school_id', '=', school_id).where('id', '=', lesson.class_id)
    .executeTakeFirst()
  return { lesson, subject: course?.subject ?? '', grade: own?.grade ?? '' }
}

function ranked(wanted: Wanted, candidates: readonly Candidate[]): Proposal[] {
  return candidates.flatMap(one => propose(wanted, one) ?? [])
    .toSorted((a, b) => b.score - a.score || Number(a.user_id) - Number(b.user_id))
}

/** Free and present teachers for a lesson, the fittest first, each with reasons. @throws Refusal 404 */
export async function listProposals({ db, school_id }: TeachingCtx,
  { date, lesson_day_id }: Input<typeof changeApi.proposals>): Promise<Reply<typeof changeApi.proposals>> {
  const lesson = (await lessonsOf(db, school_id, [{ date, lesson_day_id }])).get(lesson_day_id)
  if (!lesson) throw fail(commonErrors.notFound)
  const [wanted, candidates] = [await wantedOf(db, school_id, lesson), await readCandidates(db, school_id, date)]
  const list = ranked(wanted, candidates).slice(0, most_proposals)
  return { lesson, list, chains: list.length > 0 ? [] : findChains(wanted, candidates, await readDay(db, school_id, date)) }
}

/**
 * 一键安排: all open needs of a day at once, lesson by lesson of the clock the best assignment; for what nobody is free a chain is tried; the
 * rest stays, with its reason. What it arranged is taken back together (chapter 50 rule 31).
 */
export async function autoCover(ctx: TeachingCtx, { date }: Input<typeof changeApi.autoCover>): Promise<Reply<typeof changeApi.autoCover>> {
  const { db, school_id } = ctx
  const { list } = await listNeeds(ctx, { from: date, to: date, state: 'open' })
  const candidates = await readCandidates(db, school_id, date)
  const left: string[] = []
  const orders: string[] = []
  for (const group of together(list.filter(need => !need.begun && need.order_id === null))) {
    const wanted = []
    for (const need of group) wanted.push(await wantedOf(db, school_id, need.lesson))
    const chosen = assignBest(wanted.map(one => candidates.map(candidate => propose(one, candidate)?.score ?? impossible)))
    const uncovered: [CoverNeed, Wanted][] = []
    for (const [at, need] of group.entries()) {
      const candidate = candidates[chosen[at] ?? -1]
      const [{ lesson }, one] = [need, wanted[at]]
      if (!candidate && one) uncovered.push([need, one])
      if (!candidate) continue
      const asked = { date, lesson_day_id: lesson.lesson_day_id, kind: 1 as const, teacher_id: candidate.user_id,
        absent_id: need.teacher.user_id, reason: auto_reason, ask: false }
      orders.push((await coverLesson(ctx, asked)).order_id)
      const busy = { begin: Date.parse(lesson.begin_at), end: Date.parse(lesson.end_at), lesson_day_id: lesson.lesson_day_id, state: 2 }
      candidates[chosen[at] ?? -1] = { ...candidate, today: [...candidate.today, busy], net: candidate.net + 1 }
    }
    for (const [need, one] of uncovered) {
      const order_id = await coverByChain(ctx, need, one)
      if (order_id === null) left.push(`第${need.lesson.section}节 ${need.lesson.class_name} ${need.lesson.course_name}：没有空闲教师，也没有可用的链式代课`)
      else orders.push(order_id)
    }
  }
  const [command_id = null] = orders
  if (command_id !== null) await db.updateTable('change_order').set({ command_id }).where('school_id', '=', school_id)
    .where('id', 'in', orders).execute()
  ctx.note({ target_kind: 'teaching.change', target_name: `一键安排 ${date} ${orders.length}节` })
  return { arranged: orders.length, left, command_id }
}

/** The best chain for a lesson that nobody is free for, on the day as it is by now; null: there is none. */
async function coverByChain(ctx: TeachingCtx, { lesson, teacher }: CoverNeed, wanted: Wanted): Promise<string | null> {
  const { db, school_id } = ctx
  const { date, lesson_day_id } = lesson
  const [best] = findChains(wanted, await readCandidates(db, school_id, date), await readDay(db, school_id, date))
  if (!best) return null
  return (await coverChain(ctx, { date, lesson_day_id, absent_id: teacher.user_id, teacher_ids: best.teacher_ids,
    reason: auto_reason, ask: false })).order_id
}

/** Needs that share minutes, so that nobody may take two of them. */
function together(needs: readonly CoverNeed[]): CoverNeed[][] {
  const groups: CoverNeed[][] = []
  let until = ''
  for (const need of needs) {
    const last = groups.at(-1)
    if (last && need.lesson.begin_at < until) last.push(need)
    else groups.push([need])
    until = need.lesson.end_at > until ? need.lesson.end_at : until
  }
  return groups
}
