import { examErrors } from '@campus/exams/contract'
import type { PaperRow, planApi } from '@campus/exams/contract'
import { requireDept } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { insertMany, nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import { renewRights } from '../control/rights.ts'
import type { Db, ExamsCtx } from '../db.ts'
import { sits } from '../exam/clash.ts'
import { lockExam, lockOpenPlan, readPapers, requireExam, states } from '../exam/exam.queries.ts'
import { touch } from '../exam/plan.service.ts'
import { randomOf, shuffled } from '../seat/random.ts'
import { resettle } from './resettle.ts'

const [most_named, serial_width] = [50, 2] as const
const random_numbers = 900_000

/** Candidates by class and number. @throws Refusal 404 */
export async function listCandidates(ctx: ExamsCtx, { exam_id, page_index, page_size, keyword,
  dept_id }: Input<typeof planApi.candidates>): Promise<Reply<typeof planApi.candidates>> {
  const { db, school_id, now } = ctx
  await requireExam(db, school_id, now, exam_id)
  await requireDept(ctx, dept_id)
  const named = keyword === undefined || keyword === '' ? sql`true` : sql`(${nameHas(nameKeyOf('p.display_name'), keyword)} or c.exam_no = ${keyword} or s.student_no = ${keyword})`
  const which = sql`c.school_id = ${school_id} and c.exam_id = ${exam_id} and ${dept_id === undefined ? sql`true` : sql`c.dept_id = ${dept_id}`} and ${named}`
  const from = sql`exam_candidate c
    join person_label p on p.school_id = ${school_id} and p.user_id = c.user_id
    left join live_student s on s.school_id = ${school_id} and s.user_id = c.user_id
    left join dept_now d on d.school_id = ${school_id} and d.id = c.dept_id`
  const { rows } = await sql<Reply<typeof planApi.candidates>['list'][number]>`
    select c.user_id::text as user_id, p.display_name as user_name, coalesce(s.student_no, '') as student_no, c.dept_id::text as dept_id, coalesce(d.dept_name, '') as dept_name, c.exam_no,
      cardinality(c.papers) as papers, c.front_row, c.extra_minutes::int as extra_minutes, c.state::int as state,
      (select count(*)::int from exam_seat t where t.school_id = ${school_id} and t.exam_id = ${exam_id} and t.user_id = c.user_id) as seats
    from ${from} where ${which} order by d.grade, d.class_no, c.exam_no, s.student_no, c.user_id limit ${page_size} offset ${(page_index - 1) * page_size}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*)::int as total from ${from} where ${which}`.execute(db)
  return { list: rows, total: counted.rows[0]?.total ?? 0 }
}

type Roster = { user_id: string; user_name: string; dept_id: string; papers: string[] }

/** The roll of the grades today, with the papers of each pupil. */
async function readRoster(db: Db, school_id: number, grades: readonly string[], papers: readonly PaperRow[]): Promise<Roster[]> {
  const rows = await db.selectFrom('live_student').select(['user_id', 'user_name', 'dept_id', 'grade']).where('school_id', '=', school_id).where('grade', 'in', [...grades]).orderBy('student_no').execute()
  return rows.map(row => ({ ...row, papers: papers.filter(paper => sits(paper, { dept_id: row.dept_id, grade: row.grade ?? '' })).map(paper => paper.paper_id) })).filter(row => row.papers.length > 0)
}

/**
 * The candidates as the roll has them today; a preview says what would change. Who comes later takes a free seat, who leaves leaves a hole (chapter 55 rule 26).
 * @throws Refusal 404, 409 closed, 422 notReady
 */
export async function refreshCandidates(ctx: ExamsCtx, { exam_id, preview }: Input<typeof planApi.refresh>): Promise<Reply<typeof planApi.refresh>> {
  const { db, school_id, now } = ctx
  const exam = await lockExam(db, school_id, now, exam_id)
  if (exam.state >= states.sitting) throw fail(examErrors.closed)
  const papers = await readPapers(db, school_id, exam_id)
  if (papers.length === 0) throw fail(examErrors.notReady)
  const roster = await readRoster(db, school_id, exam.grades, papers)
  const before = new Map((await db.selectFrom('exam_candidate').select(['user_id', 'dept_id', 'papers', 'state']).where('school_id', '=', school_id).where('exam_id', '=', exam_id).execute()).map(row => [row.user_id, row]))
  const on_roll = new Set(roster.map(one => one.user_id))
  const added = roster.filter(one => !before.has(one.user_id))
  const removed = [...before.values()].filter(one => one.state === 0 && !on_roll.has(one.user_id)).map(one => one.user_id)
  const moved = roster.filter(one => { const known = before.get(one.user_id); return known && (known.dept_id !== one.dept_id || known.papers.join() !== one.papers.join()) })
  const answer = { added: added.length, removed: removed.length, moved: moved.length, names: [...added, ...moved].slice(0, most_named).map(one => one.user_name) }
  if (preview) return { ...answer, seated: 0, unseated: 0 }
  await insertMany(db, 'exam_candidate', [...added, ...moved].map(one => ({ school_id, exam_id, user_id: one.user_id, dept_id: one.dept_id, papers: one.papers })), { columns: ['school_id', 'exam_id', 'user_id'], set: ['dept_id', 'papers'] })
  if (removed.length > 0) await db.updateTable('exam_candidate').set({ state: 1 }).where('school_id', '=', school_id).where('exam_id', '=', exam_id).where('user_id', 'in', removed).execute()
  const settled = await resettle(db, school_id, exam_id)
  if (exam.state >= states.published) await renewRights(ctx, exam_id, true)
  await touch(db, school_id, exam_id, now)
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: `${exam.exam_name} 考生`, after: { ...answer, names: undefined } })
  return { ...answer, ...settled }
}

/** Exam numbers: grade, class and serial, or numbers drawn by a seed; numbers that are given stay (chapter 55 rule 27). @throws Refusal 404, 409 published */
export async function numberCandidates(ctx: ExamsCtx, { exam_id, scheme, seed }: Input<typeof planApi.renumber>): Promise<Reply<typeof planApi.renumber>> {
  const { db, school_id, now } = ctx
  const exam = await lockOpenPlan(db, school_id, now, exam_id)
  const { rows } = await sql<{ user_id: string; grade: string; class_no: number; serial: number }>`
    select c.user_id::text as user_id, coalesce(d.grade, '00') as grade, coalesce(d.class_no, 0)::int as class_no,
      (row_number() over (partition by c.dept_id order by s.student_no, c.user_id))::int as serial
    from exam_candidate c
    left join dept_now d on d.school_id = ${school_id} and d.id = c.dept_id
    left join live_student s on s.school_id = ${school_id} and s.user_id = c.user_id
    where c.school_id = ${school_id} and c.exam_id = ${exam_id} and c.state = 0 order by c.user_id`.execute(db)
  const pad = (n: number) => String(n).padStart(serial_width, '0')
  const drawn = shuffled(Array.from({ length: rows.length }, (_, at) => at), randomOf(seed))
  const step = Math.max(1, Math.floor(random_numbers / Math.max(1, rows.length)))
  const numbered = rows.map((row, at) => ({ user_id: row.user_id, exam_no: scheme === 'class' ? `${row.grade}${pad(row.class_no)}${pad(row.serial)}` : String(100_000 + (drawn[at] ?? 0) * step) }))
  await db.updateTable('exam_candidate').set({ exam_no: null }).where('school_id', '=', school_id).where('exam_id', '=', exam_id).execute()
  await sql`
    update exam_candidate c set exam_no = n.exam_no from unnest(${numbered.map(one => one.user_id)}::bigint[], ${numbered.map(one => one.exam_no)}::text[]) as n(user_id, exam_no)
    where c.school_id = ${school_id} and c.exam_id = ${exam_id} and c.user_id = n.user_id`.execute(db)
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: `${exam.exam_name} 考号 ${numbered.length}` })
  return { numbered: numbered.length }
}

/** What one candidate needs, or that he does not sit; his seat becomes free then. @throws Refusal 404, 409 closed */
export async function saveCandidate(ctx: ExamsCtx, { exam_id, user_id, ...facts }: Input<typeof planApi.candidate>): Promise<Record<string, never>> {
  const { db, school_id, now } = ctx
  const exam = await lockExam(db, school_id, now, exam_id)
  if (exam.state >= states.reviewing) throw fail(examErrors.closed)
  const { numUpdatedRows } = await db.updateTable('exam_candidate').set(facts).where('school_id', '=', school_id).where('exam_id', '=', exam_id).where('user_id', '=', user_id).executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw fail(commonErrors.notFound)
  await resettle(db, school_id, exam_id)
  if (exam.state >= states.published) await renewRights(ctx, exam_id, true)
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: `${exam.exam_name} 考生 ${user_id}`, after: facts })
  return {}
}
