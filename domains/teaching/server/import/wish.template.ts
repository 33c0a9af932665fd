import { visibleDepts, inScope } from '@campus/people/server'
import { Refusal } from '@kit/contract'
import { foldFullWidth } from '@kit/contract/checks'
import { insertMany } from '@kit/server/db'
import { importTemplate, missingCells } from '@kit/server/excel'
import type { AppliedRow, ApplyRow, ApplyStep, Cells, Checked, ImportColumn, Issue, Judgement, ReadStep } from '@kit/server/excel'
import { sql } from 'kysely'
import { z } from 'zod'
import type { TeachingDb } from '../db.ts'
import { giveBack, takeSeat } from '../elective/pick.service.ts'
import { modes, seats, stored } from '../elective/state.ts'
import { requireTask } from '../elective/task.queries.ts'

type Parsed = { task: string; no: string; name: string; rank: number; offer: string }
type Task = { id: string; name: string; mode: number; state: number; grades: string[]; wishes: number; max_pick: number; is_drawn: boolean }
type Offer = { id: string; title: string; grades: string[]; sex: string | null; left: number }
type Pupil = { user_id: string; user_name: string; grade: string | null; sex: string }
type Seat = { task_id: string; student_id: string; offer_id: string; rank: number; state: number }
type Snapshot = {
  tasks: ReadonlyMap<string, Task>; offers: ReadonlyMap<string, Offer>; pupils: ReadonlyMap<string, Pupil>
  /** seats and wishes by task and pupil */
  held: ReadonlyMap<string, readonly Seat[]>
}

const most_wishes = 10
const plain = { required: true, options: null, text: false }
const columns: ImportColumn[] = [
  { ...plain, prop: 'task', label: '任务', sample: '高一校本选修' },
  { ...plain, prop: 'student_no', label: '学号', text: true, sample: '20260101' },
  { ...plain, prop: 'name', label: '姓名', sample: '王子涵' },
  { ...plain, prop: 'rank', label: '志愿序号', sample: '1', note: '志愿抽签按此顺序；先到先得的任务只作核对，每行选上一门' },
  { ...plain, prop: 'offer', label: '选项', sample: '机器人入门' },
]
const Wishes = z.array(z.string()).nullable()

/** 选课志愿导入: what pupils chose on paper. A lottery takes wishes in their order, any other task gives the seat at once (chapter 50 §6). */
export const wishTemplate = importTemplate<TeachingDb, null, Parsed, Snapshot>({
  code: 'elective_wish', page: '/SelectStudentManage', title: '选课志愿导入', file_name: '选课志愿导入模板.xlsx', sheet: '选课志愿导入',
  notes: ['填写说明：红色列为必填；同一学生同一志愿序号已有志愿时以文件为准，已抽签或已公布的任务不能导入。'],
  need: 'teaching.elective.import',
  words: () => Promise.resolve(null),
  columns: () => columns,
  check: (_words, cells) => checkLine(cells),
  keys: ({ task, no, rank, offer }) => [{ prop: 'rank', key: `${task} ${no} ${rank}` }, { prop: 'offer', key: `${task} ${no} ${offer}` }],
  load: (step, rows) => loadSnapshot(step, rows.map(row => row.parsed)),
  judge: ({ parsed }, snapshot) => judgeLine(parsed, snapshot),
  apply: (step, rows, snapshot) => applyLines(step, rows, snapshot),
  undo: {
    async marks({ db, school_id }, keys) {
      const { rows } = await sql<{ key: string; mark: string }>`
        select key, mark from (
          select 'w' || task_id || ':' || student_id as key, string_agg(offer_id::text, '.' order by rank) as mark
          from elective_seat where school_id = ${school_id} and state = 2 group by task_id, student_id
          union all
          select 's' || task_id || ':' || student_id || ':' || offer_id,
            'has' from elective_seat where school_id = ${school_id} and state in (1, 4)
        ) x where key = any(${[...keys]}::text[])`.execute(db)
      return new Map(rows.map(({ key, mark }) => [key, mark]))
    },
    reason: () => '学生的选课已变化，不能撤销',
    async undo(step, rows, kept) {
      for (const { target_id, before } of rows.filter(row => !kept.has(row.target_id))) await takeBack(step, target_id, before)
    },
  },
})

function checkLine(cells: Cells): Checked<Parsed> {
  const errors = missingCells(columns, cells)
  const { task = '', student_no = '', name = '', rank = '', offer = '' } = cells
  const no = Number(rank)
  if (rank !== '' && (!Number.isInteger(no) || no < 1 || no > most_wishes)) errors.push({ prop: 'rank', msg: '志愿序号为1至10的整数' })
  if (errors.length > 0) return { parsed: null, errors, warnings: [] }
  return { parsed: { task, no: foldFullWidth(student_no), name, rank: no, offer }, errors, warnings: [] }
}

async function loadSnapshot(step: ReadStep<TeachingDb>, parsed: readonly Parsed[]): Promise<Snapshot> {
  const { db, school_id } = step
  const tasks = await db.selectFrom('elective_task').select(['id', 'name', 'mode', 'state', 'grades', 'wishes', 'max_pick', 'drawn_at'])
    .where('school_id', '=', school_id).where('name', 'in', ['', ...new Set(parsed.map(row => row.task))]).where('state', '<>', stored.void)
    .orderBy('id').execute()
  const ids = ['0', ...tasks.map(task => task.id)]
  const offers = await db.selectFrom('elective_offer').select(['id', 'task_id', 'title', 'grades', 'sex', 'capacity', 'taken'])
    .where('school_id', '=', school_id).where('task_id', 'in', ids).execute()
  const pupils = await db.selectFrom('live_student').select(['user_id', 'user_name', 'student_no', 'grade', 'sex']).where('school_id',
    '=', school_id)
    .where('student_no', 'in', ['', ...new Set(parsed.map(row => row.no))]).where(inScope('dept_id', await visibleDepts(step,
      'student'))).execute()
  const held = await db.selectFrom('elective_seat').select(['task_id', 'student_id', 'offer_id', 'rank', 'state']).where('school_id', '=',
    school_id)
    .where('task_id', 'in', ids).where('student_id', 'in', ['0', ...pupils.map(one => one.user_id)]).orderBy('rank').execute()
  return {
    tasks: new Map(tasks.map(({ drawn_at, ...task }) => [task.name, { ...task, is_drawn: drawn_at !== null }])),
    offers: new Map(offers.map(({ task_id, capacity, taken, ...one }) => [`${task_id} ${one.title}`, { ...one, left: capacity - taken }])),
    pupils: new Map(pupils.map(({ student_no, ...one }) => [student_no, one])),
    held: Map.groupBy(held, seat => `${seat.task_id} ${seat.student_id}`),
  }
}

/** What a line names, as far as it is there. */
function resolve(parsed: Parsed, { tasks, offers, pupils, held }: Snapshot) {
  const task = tasks.get(parsed.task)
  const pupil = pupils.get(parsed.no)
  const offer = task && offers.get(`${task.id} ${parsed.offer}`)
  return { task, pupil, offer, own: task && pupil ? (held.get(`${task.id} ${pupil.user_id}`) ?? []) : [] }
}

const has = ({ state }: Seat) => state === seats.has || state === seats.drawn

function judgeLine(parsed: Parsed, snapshot: Snapshot): Judgement {
  const { task, pupil, offer, own } = resolve(parsed, snapshot)
  const errors: Issue[] = []
  const put = (prop: string, msg: string) => errors.push({ prop, msg })
  if (!task) put('task', '任务不存在')
  else if (task.state !== stored.published || task.is_drawn) put('task', '任务未发布、已抽签或已公布，不能导入')
  else if (parsed.rank > (task.mode === modes.lottery ? task.wishes : task.max_pick)) {
    put('rank', task.mode === modes.lottery ? `最多填报${task.wishes}个志愿` : `最多选择${task.max_pick}门`)
  }
  if (!pupil) put('student_no', '学号不存在')
  else if (pupil.user_name !== parsed.name) put('name', '姓名与学号不一致')
  if (task && pupil && !task.grades.includes(pupil.grade ?? '')) put('student_no', '不在本次选课范围')
  if (task && !offer) put('offer', '选项不存在')
  if (offer && pupil && !fits(offer, pupil)) put('offer', '该选项只限指定年级或性别')
  const is_wish = task?.mode === modes.lottery
  const same = own.some(seat => seat.offer_id === offer?.id && (is_wish ? seat.state === seats.wish
    && seat.rank === parsed.rank : has(seat)))
  if (offer && !is_wish && !same && offer.left <= 0) put('offer', '名额已满')
  return { verdict: same ? 'same' : 'new', target_id: null, diff: same ? [] : [{ prop: 'offer', before: '', after: parsed.offer }],
    errors, warnings: [] }
}

function fits({ grades, sex }: Offer, pupil: Pupil): boolean {
  return (grades.length === 0 || grades.includes(pupil.grade ?? '')) && (sex === null || sex === pupil.sex)
}

/** Wishes of a pupil are written together; a seat that is no longer free leaves its line to be looked at again. */
async function applyLines(step: ApplyStep<TeachingDb>, rows: readonly ApplyRow<Parsed>[], snapshot: Snapshot): Promise<AppliedRow[]> {
  const applied: AppliedRow[] = []
  const named = rows.flatMap(row => {
    const { task, pupil, offer } = resolve(row.parsed, snapshot)
    return task && pupil && offer ? [{ ...row, task, pupil, offer }] : []
  })
  for (const own of Map.groupBy(named, row => `${row.task.id}:${row.pupil.user_id}`).values()) {
    const [first] = own
    if (!first) continue
    applied.push(...(first.task.mode === modes.lottery ? await writeLines(step, first, own) : await seatLines(step, own)))
  }
  return applied
}

type Line = ApplyRow<Parsed> & { task: Task; pupil: Pupil; offer: Offer }

async function writeLines(step: ApplyStep<TeachingDb>, { task, pupil }: Line, lines: readonly Line[]): Promise<AppliedRow[]> {
  const target_id = `w${task.id}:${pupil.user_id}`
  const before = await wishesOf(step, task.id, pupil.user_id)
  const asked = new Map(lines.map(line => [line.parsed.rank, line.offer.id]))
  const others = before.filter(id => ![...asked.values()].includes(id))
  const length = Math.max(before.length, ...asked.keys())
  const offers = [...Array.from({ length }, (_, at) => asked.get(at + 1) ?? others.shift()), ...others].flatMap(id => id ?? []).slice(0,
    task.wishes)
  await writeWishes(step, { task_id: task.id, student_id: pupil.user_id }, offers)
  const touched = [{ key: target_id, mark: offers.join('.') }]
  return lines.map(({ row_no }, at) => ({ row_no, target_id, before: at === 0 ? before : null, touched }))
}

async function wishesOf({ db, school_id }: ReadStep<TeachingDb>, task_id: string, student_id: string): Promise<string[]> {
  const rows = await db.selectFrom('elective_seat').select('offer_id').where('school_id', '=', school_id).where('task_id', '=', task_id)
    .where('student_id', '=', student_id).where('state', '=', seats.wish).orderBy('rank').execute()
  return rows.map(row => row.offer_id)
}

type Who = { task_id: string; student_id: string }

/** A pupil's wishes in their order; an empty list takes all of them away. */
async function writeWishes({ db, school_id, me, now }: ApplyStep<TeachingDb>, { task_id, student_id }: Who,
  offer_ids: readonly string[]): Promise<void> {
  const own = { school_id, task_id, student_id }
  await db.insertInto('elective_student').values({ ...own, submitted_at: now })
    .onConflict(on => on.columns(['school_id', 'task_id', 'student_id']).doUpdateSet({ submitted_at: now })).execute()
  await db.deleteFrom('elective_seat').where('school_id', '=', school_id).where('task_id', '=', task_id).where('student_id', '=',
    student_id)
    .where('state', 'in', [seats.wish, seats.dropped]).execute()
  await insertMany(db, 'elective_seat', offer_ids.map((offer_id, at) => ({ ...own, offer_id, rank: at + 1, state: seats.wish, at: now })))
  await insertMany(db, 'elective_event', offer_ids.map(offer_id => ({ ...own, offer_id, action: 'wish', by_id: me.user_id, reason: '导入',
    at: now })))
}

async function seatLines(step: ApplyStep<TeachingDb>, lines: readonly Line[]): Promise<AppliedRow[]> {
  const applied: AppliedRow[] = []
  for (const { row_no, task, pupil, offer } of lines) {
    const target_id = `s${task.id}:${pupil.user_id}:${offer.id}`
    const act = { task: await requireTask(step.db, step.school_id, task.id), offer_id: offer.id, pupil, reason: '导入' }
    const seat = await takeSeat(step, act).catch((cause: unknown) => {
      if (cause instanceof Refusal) return null
      throw cause
    })
    if (seat) applied.push({ row_no, target_id, before: null, touched: [{ key: target_id, mark: 'has' }] })
  }
  return applied
}

async function takeBack(step: ApplyStep<TeachingDb>, target_id: string, before: unknown): Promise<void> {
  const [task_id = '', student_id = '', offer_id] = target_id.slice(1).split(':')
  if (offer_id !== undefined) {
    const task = await requireTask(step.db, step.school_id, task_id)
    await giveBack(step, { task, offer_id, pupil: { user_id: student_id }, reason: '撤销导入' })
    return
  }
  const image = Wishes.parse(before)
  if (image) await writeWishes(step, { task_id, student_id }, image)
}
