import { createHash } from 'node:crypto'
import { asTables, insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { Db, ExamsDb } from './db.ts'
import { instantAt } from './exam/minute.ts'
import { randomOf } from './seat/random.ts'
import { cellsOf } from './seat/room.ts'
import { seat } from './seat/seat.ts'

type PlannedPaper = { subject: string; full_score: number; minutes: number; assign: 'none' | '3+1+2'; /** classes that sit it; none: all */ dept_ids: string[] }
/** An exam of a grade: `held` with scores and published, or a plan that is being worked on; the same for the same seed. */
export type PlannedExam = {
  exam_name: string; exam_kind: string; semester_id: number; grade: string; begin_date: string; days: readonly string[]; papers: readonly PlannedPaper[]; place_ids: readonly string[]; held: boolean; seed: number; by: string
}
type From = { db: QueryExecutorProvider; school_id: number; now: Date }
type Pupil = { user_id: string; dept_id: string; class_no: number }

const [cols, rows, first_min, gap_min, a_day] = [5, 6, 510, 20, 3] as const
const [absent_share, mean_share, spread] = [0.015, 0.68, 0.14] as const
/** Families that ask for a re-check (chapter 55 §8). */
const reviews = 5

/** Writes an exam with papers, sessions, candidates and rooms; a held one with seats, scores from a model of ability, and its publication (chapter 55 §8). */
export async function createExam({ db: handle, school_id, now }: From, plan: PlannedExam): Promise<void> {
  const db = asTables<ExamsDb>(handle)
  const { papers, days, held } = plan
  const end_date = days.at(-1) ?? plan.begin_date
  const head = { exam_name: plan.exam_name, exam_kind: plan.exam_kind, semester_id: plan.semester_id, begin_date: plan.begin_date, end_date, grades: [plan.grade], score_mode: 'score', show_rank: held ? 'self_band' : 'none', absent_as: 'exclude' }
  const done = held ? { state: 6, plan_version: 1, publish_version: 1, reviewed_at: now, reviewed_by: plan.by, seat_seed: plan.seed } : { state: 1 }
  const { exam_id } = await db.insertInto('exam').values({ ...head, ...done, school_id, created_by: plan.by, created_at: now, updated_at: now }).returning('exam_id').executeTakeFirstOrThrow()
  await insertMany(db, 'exam_paper', papers.map(paper => ({ ...paper, school_id, exam_id, grade: plan.grade, exam_way: '1' })))
  const ids = new Map((await db.selectFrom('exam_paper').select(['subject', 'paper_id']).where('school_id', '=', school_id).where('exam_id', '=', exam_id).execute()).map(row => [row.subject, row.paper_id]))
  await insertMany(db, 'exam_session', sessionsOf(plan, ids).map(one => ({ ...one, school_id, exam_id })))
  const pupils = await readPupils(db, school_id, plan.grade)
  const papersOf = ({ dept_id }: Pupil) => papers.filter(paper => paper.dept_ids.length === 0 || paper.dept_ids.includes(dept_id)).map(paper => ids.get(paper.subject) ?? '')
  const serial = new Map<string, number>()
  const pad = (n: number) => String(n).padStart(2, '0')
  await insertMany(db, 'exam_candidate', pupils.map(one => {
    serial.set(one.dept_id, (serial.get(one.dept_id) ?? 0) + 1)
    return { school_id, exam_id, user_id: one.user_id, dept_id: one.dept_id, papers: papersOf(one), exam_no: `${plan.grade}${pad(one.class_no)}${pad(serial.get(one.dept_id) ?? 0)}` }
  }))
  await insertMany(db, 'exam_room', plan.place_ids.map((place_id, at) => ({ school_id, exam_id, number: at + 1, place_id, col_count: cols, row_count: rows, path: 'S' })))
  if (held) await holdExam(db, { school_id, exam_id, now }, plan, pupils, papersOf)
}

async function readPupils(db: Db, school_id: number, grade: string): Promise<Pupil[]> {
  const { rows: found } = await sql<Pupil>`
    select s.user_id::text as user_id, s.dept_id::text as dept_id, coalesce(d.class_no, 1)::int as class_no
    from live_student s join dept_now d on d.school_id = ${school_id} and d.id = s.dept_id
    where s.school_id = ${school_id} and s.grade = ${grade} order by d.class_no, s.student_no`.execute(db)
  return found
}

/** Three sessions a day; papers that different classes sit share one. */
function sessionsOf({ papers, days }: PlannedExam, ids: ReadonlyMap<string, string>): { session_name: string; begin_at: string; end_at: string; paper_ids: string[] }[] {
  const whole = papers.filter(paper => paper.dept_ids.length === 0).map(paper => [paper])
  const parts = papers.filter(paper => paper.dept_ids.length > 0)
  const blocks: PlannedPaper[][] = []
  for (const paper of parts) {
    const host = blocks.find(block => block.every(one => !one.dept_ids.some(id => paper.dept_ids.includes(id))))
    if (host) host.push(paper)
    else blocks.push([paper])
  }
  let clock: number = first_min
  return [...whole, ...blocks].flatMap((block, at) => {
    const day = days[Math.floor(at / a_day)]
    if (day === undefined) return []
    if (at % a_day === 0) clock = first_min
    const minutes = Math.max(...block.map(paper => paper.minutes))
    const from = clock
    clock += minutes + gap_min
    return [{ session_name: `第${at + 1}场`, begin_at: instantAt(day, from), end_at: instantAt(day, from + minutes), paper_ids: block.map(paper => ids.get(paper.subject) ?? '') }]
  })
}

type Held = { school_id: number; exam_id: string; now: Date }

async function holdExam(db: Db, { school_id, exam_id, now }: Held, plan: PlannedExam, pupils: readonly Pupil[], papersOf: (one: Pupil) => string[]): Promise<void> {
  const stored = await db.selectFrom('exam_room').select(['room_id', 'number', 'place_id', 'blocked']).where('school_id', '=', school_id).where('exam_id', '=', exam_id).orderBy('number').execute()
  const rooms = stored.map(({ room_id, number, blocked }) => ({ room_id, number, blocked, col_count: cols, row_count: rows, path: 'S' as const }))
  const sessions = await db.selectFrom('exam_session').select(['session_id', 'begin_at', 'end_at', 'paper_ids']).where('school_id', '=', school_id).where('exam_id', '=', exam_id).execute()
  for (const { session_id, begin_at, end_at, paper_ids } of sessions) {
    const sitting = pupils.filter(one => papersOf(one).some(id => paper_ids.includes(id)))
    const used = rooms.slice(0, Math.ceil(sitting.length / Math.max(1, (rooms[0] ? cellsOf(rooms[0]).length : 1) - 1)))
    const made = seat({ candidates: sitting.map(one => ({ ...one, exam_no: null, front: false })), rooms: used, mode: 'random', seed: plan.seed })
    if (!('seats' in made)) continue
    await insertMany(db, 'exam_seat', made.seats.map(one => ({ ...one, school_id, exam_id, session_id, begin_at, end_at })))
    await insertMany(db, 'exam_room_session', stored.slice(0, used.length).map(({ room_id, place_id }) => ({ school_id, exam_id, session_id, room_id, place_id, begin_at, end_at })))
  }
  await insertScores(db, { school_id, exam_id, now }, plan, pupils, papersOf)
  await db.insertInto('exam_release').values({ school_id, exam_id, publish_version: 1, audiences: [1, 2, 3], score_mode: 'score', show_rank: 'self_band', score_hash: createHash('sha256').update(exam_id).digest('hex'), at: now, by_user_id: plan.by }).execute()
  const asked = pupils.slice(0, reviews).flatMap(one => papersOf(one).slice(0, 1).map(paper_id => ({ paper_id, user_id: one.user_id })))
  await insertMany(db, 'exam_review', asked.map(one => ({ ...one, school_id, exam_id, asked_by: one.user_id, asked_at: now,
    reason: '与答题卡分数不一致，请复查' })))
}

/** Scores of a model: an ability for each pupil, a little luck in each paper, 1.5 % absent. */
async function insertScores(db: Db, { school_id, exam_id, now }: Held, plan: PlannedExam, pupils: readonly Pupil[], papersOf: (one: Pupil) => string[]): Promise<void> {
  const papers = await db.selectFrom('exam_paper').select(['paper_id', 'full_score']).where('school_id', '=', school_id).where('exam_id', '=', exam_id).execute()
  const full = new Map(papers.map(paper => [paper.paper_id, Number(paper.full_score)]))
  const random = randomOf(plan.seed)
  const normal = () => Array.from({ length: 6 }, random).reduce((sum, one) => sum + one, 0) / 3 - 1
  const by = { updated_by: plan.by, updated_at: now }
  const scores = pupils.flatMap(one => {
    const ability = mean_share + spread * 1.6 * normal()
    return papersOf(one).map(paper_id => {
      const most = full.get(paper_id) ?? 0
      const score = Math.max(0, Math.min(most, Math.round((ability + spread * 0.6 * normal()) * most * 2) / 2))
      const facts = random() < absent_share ? { score: null, score_state: 1 } : { score, score_state: 0 }
      return { ...facts, ...by, school_id, exam_id, paper_id, user_id: one.user_id, full_score: most }
    })
  })
  await insertMany(db, 'exam_score', scores)
  const slices = new Map(pupils.flatMap(one => papersOf(one).map(paper_id => [`${paper_id} ${one.dept_id}`, { paper_id, dept_id: one.dept_id }])))
  await insertMany(db, 'exam_entry_task', [...slices.values()].map(slice => ({ ...slice, school_id, exam_id, submitted_by: plan.by, submitted_at: now })))
}
