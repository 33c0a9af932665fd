import { importTemplate, missingCells } from '@campus/jobs/server'
import type { AppliedRow, ApplyRow, ApplyStep, Cells, Checked, Issue, Judgement, TemplateColumn } from '@campus/jobs/server'
import { foldFullWidth } from '@kit/contract/checks'
import { sql } from 'kysely'
import type { ExamsDb } from '../db.ts'
import { lockOpenPlan, states } from '../exam/exam.queries.ts'
import { schoolMinute } from '../exam/minute.ts'
import { besides, cellsOf } from '../seat/room.ts'
import { readPlans } from './room.queries.ts'
import type { Known, Snapshot } from './room.queries.ts'

type Parsed = { exam: string; session: string; exam_no: string; no: string; name: string; room: string; seat: number; watcher: string }
type Seat = { room_id: string; seat: number; cell: number }
type Before = { session_id: string; user_id: string; exam_no: string | null; seat: Seat | null }
const most_seats = 60

const column = (prop: string, label: string, sample: string, more: { required?: boolean; note?: string } = {}): TemplateColumn => (
  { label, prop, required: false, options: null, text: true, sample, ...more })
const columns: TemplateColumn[] = [
  column('exam', '考试名称', '高一12月月考', { required: true, note: '与考试管理中的名称一致' }),
  column('session', '场次', '第1场', { required: true }),
  column('exam_no', '考号', '31010001', { note: '数字，不填则保留原考号' }),
  column('no', '学号', '20190101', { required: true }),
  column('name', '姓名', '王子涵', { required: true }),
  column('room', '考场名称', 'A101', { required: true, note: '已选为考场的场所名称' }),
  column('seat', '座位号', '1', { required: true }),
  column('watcher', '监考教师工号', 'T0001', { note: '主监考，不填则不变' }),
]

/** 考场安排导入: a seat of a session a line, with the number and the invigilator (chapter 55 §6). */
export const roomTemplate = importTemplate<ExamsDb, TemplateColumn[], Parsed, Snapshot>({
  code: 'exam_room',
  page: '/ExamPlan',
  title: '考场安排导入',
  file_name: '考场安排导入模板.xlsx',
  sheet: '考场安排',
  notes: ['填写说明：一行一名考生的一个场次。', '安排发布后不能导入；考生须已在考生名单中，考场须已选定。'],
  need: 'exams.plan.import',
  words: () => Promise.resolve(columns),
  columns: words => words,
  check: (_words, cells) => checkLine(cells),
  keys: ({ exam, session, no, room, seat }) => [
    { prop: 'no', key: `p ${exam} ${session} ${no}` }, { prop: 'seat', key: `s ${exam} ${session} ${room} ${seat}` },
  ],
  load: (step, rows) => readPlans(step, rows.map(row => row.parsed)),
  judge: ({ parsed }, snapshot) => judgeLine(parsed, snapshot),
  apply: (step, rows, snapshot) => applyLines(step, rows, snapshot),
  undo: {
    async marks({ db, school_id }, keys) {
      const pairs = keys.map(key => key.split(':'))
      const { rows } = await sql<{ session_id: string; user_id: string; room_id: string; seat: number }>`
        select t.session_id::text as session_id, t.user_id::text as user_id, t.room_id::text as room_id,
          t.seat::int as seat from exam_seat t
        join unnest(${pairs.map(pair => pair[0] ?? '0')}::bigint[], ${pairs.map(pair => pair[1] ?? '0')}::bigint[]) as k(session_id,
          user_id)
          on k.session_id = t.session_id and k.user_id = t.user_id
        where t.school_id = ${school_id}`.execute(db)
      return new Map(rows.map(row => [`${row.session_id}:${row.user_id}`, markOf(row)]))
    },
    reason: () => '该座位后来被调整过，不能撤销',
    async undo(step, rows, kept) {
      for (const { before } of rows) if (isBefore(before) && !kept.has(`${before.session_id}:${before.user_id}`)) await putBack(step,
        before)
    },
  },
})

const markOf = ({ room_id, seat }: { room_id: string; seat: number }) => `${room_id}.${seat}`

function isBefore(value: unknown): value is Before {
  return typeof value === 'object' && value !== null && 'session_id' in value && 'user_id' in value && 'seat' in value
}

function checkLine(cells: Cells): Checked<Parsed> {
  const errors = missingCells(columns, cells)
  const { exam = '', session = '', name = '', room = '' } = cells
  const [exam_no, no, watcher] = [foldFullWidth(cells.exam_no ?? ''), foldFullWidth(cells.no ?? ''), foldFullWidth(cells.watcher ?? '')]
  const seat = Number(foldFullWidth(cells.seat ?? ''))
  if (cells.seat && (!Number.isInteger(seat) || seat < 1 || seat > most_seats)) errors.push({ prop: 'seat', msg: '座位号应为1-60' })
  if (exam_no !== '' && !/^\d{1,12}$/u.test(exam_no)) errors.push({ prop: 'exam_no', msg: '考号为不超过12位的数字' })
  if (errors.length > 0) return { parsed: null, errors, warnings: [] }
  return { parsed: { exam, session, exam_no, no, name, room, seat, watcher }, errors, warnings: [] }
}

/** What a line means in its exam: null where something of it is not there. */
function placeOf({ session, no, room, seat }: Parsed, { sessions, candidates, rooms }: Known) {
  const [of_session, candidate, of_room] = [sessions.get(session), candidates.get(no), rooms.get(room)]
  const cell = of_room && cellsOf(of_room)[seat - 1]
  return of_session && candidate && of_room && cell !== undefined ? { session: of_session, candidate, room: of_room, cell } : null
}

function judgeLine(parsed: Parsed, snapshot: Snapshot): Judgement {
  const wrong = (prop: string, msg: string): Judgement => ({ verdict: 'same', target_id: null, diff: [], errors: [{ prop, msg }],
    warnings: [] })
  const known = snapshot.exams.get(parsed.exam)
  if (!known) return wrong('exam', '考试不存在，请核对名称')
  if (known.exam.state >= states.published) return wrong('exam', '安排已发布，只能调整单个考生')
  if (!known.sessions.has(parsed.session)) return wrong('session', '场次不存在')
  const candidate = known.candidates.get(parsed.no)
  if (!candidate) return wrong('no', '不在本次考试名单，请先更新考生名单')
  if (candidate.user_name !== parsed.name) return wrong('name', '姓名与编号不一致')
  if (!known.rooms.has(parsed.room)) return wrong('room', '考场名称不存在')
  const place = placeOf(parsed, known)
  if (!place) return wrong('seat', '该考场没有这个座位号')
  const { session, room, cell } = place
  const errors: Issue[] = []
  const warnings: Issue[] = []
  if (!candidate.papers.some(id => session.paper_ids.includes(id))) errors.push({ prop: 'session', msg: '该生不参加这个场次' })
  const other = known.seats.find(one => one.session_id === session.session_id && one.room_id === room.room_id && one.seat === parsed.seat)
  if (other && other.user_id !== candidate.user_id) errors.push({ prop: 'seat', msg: `座位已被${known.names.get(other.user_id) ?? '他人'}占用` })
  const owner = parsed.exam_no === '' ? undefined : known.numbers.get(parsed.exam_no)
  if (owner !== undefined && owner !== candidate.user_id) errors.push({ prop: 'exam_no', msg: '考号重复' })
  errors.push(...watcherIssues(parsed.watcher, session, snapshot))
  const near = besides(cell, room)
  const mate = known.seats.find(one => one.session_id === session.session_id && one.room_id === room.room_id && near.includes(one.cell)
    && one.user_id !== candidate.user_id && known.depts.get(one.user_id) === candidate.dept_id)
  if (mate) warnings.push({ prop: 'seat', msg: `同班相邻：与${known.names.get(mate.user_id) ?? ''}` })
  const own = known.seats.find(one => one.session_id === session.session_id && one.user_id === candidate.user_id)
  const old_room = own && [...known.rooms.values()].find(one => one.room_id === own.room_id)
  const before = own ? `${old_room?.place_name ?? ''} ${own.seat}号` : ''
  const after = `${parsed.room} ${parsed.seat}号`
  const is_same = before === after && (parsed.exam_no === '' || parsed.exam_no === candidate.exam_no) && parsed.watcher === ''
  return {
    verdict: is_same ? 'same' : own ? 'change' : 'new', target_id: candidate.user_id, basis: own ? markOf(own) : '',
    diff: [{ prop: 'seat', before, after }], errors, warnings,
  }
}

function watcherIssues(watcher: string, session: { session_id: string; begin_at: string; end_at: string }, { teachers }: Snapshot): Issue[] {
  if (watcher === '') return []
  const teacher = teachers.get(watcher)
  if (!teacher) return [{ prop: 'watcher', msg: '监考教师不存在或已离校' }]
  const is_busy = teacher.busy.some(one => one.session_id !== session.session_id && one.begin_at < new Date(session.end_at)
    && one.end_at > new Date(session.begin_at))
  return is_busy ? [{ prop: 'watcher', msg: `监考教师在${schoolMinute(new Date(session.begin_at))}已有监考或上课` }] : []
}

/** All lines of an exam leave their seats before they take the new ones; whose seat was taken meanwhile is left out. */
async function applyLines(step: ApplyStep<ExamsDb>, rows: readonly ApplyRow<Parsed>[], snapshot: Snapshot): Promise<AppliedRow[]> {
  const { db, school_id, now } = step
  const applied: AppliedRow[] = []
  for (const [name, own] of Map.groupBy(rows, row => row.parsed.exam)) {
    const known = snapshot.exams.get(name)
    if (!known) continue
    const { exam_id } = await lockOpenPlan(db, school_id, now, known.exam.exam_id)
    const placed = own.flatMap(({ row_no, parsed }) => { const place = placeOf(parsed, known); return place ? [{ row_no, parsed,
      ...place }] : [] })
    for (const { row_no, parsed, session, candidate, room, cell } of placed) {
      const { session_id } = session
      const span = spanOf(session)
      const old = known.seats.find(one => one.session_id === session_id && one.user_id === candidate.user_id)
      await db.deleteFrom('exam_seat').where('school_id', '=', school_id).where('session_id', '=', session_id).where('user_id', '=',
        candidate.user_id).execute()
      const seat: Seat = { room_id: room.room_id, seat: parsed.seat, cell }
      const made = await db.insertInto('exam_seat').values({ ...seat, school_id, exam_id, session_id, ...span,
        user_id: candidate.user_id })
        .onConflict(clash => clash.doNothing()).returning('user_id').executeTakeFirst()
      if (!made && old) await takeSeat(step, exam_id, session, candidate.user_id, old)
      if (!made) continue
      await openRoom(step, exam_id, session, room)
      if (parsed.exam_no !== '') await number(step, exam_id, candidate.user_id, parsed.exam_no)
      const teacher = snapshot.teachers.get(parsed.watcher)
      if (teacher) await putWatcher(step, exam_id, session, room.room_id, teacher.user_id)
      const before: Before = { session_id, user_id: candidate.user_id, exam_no: candidate.exam_no, seat: old ? { room_id: old.room_id,
        seat: old.seat, cell: old.cell } : null }
      applied.push({ row_no, target_id: candidate.user_id, before, touched: [{ key: `${session_id}:${candidate.user_id}`,
        mark: markOf(seat) }] })
    }
  }
  return applied
}

type Session = { session_id: string; begin_at: string; end_at: string }
const spanOf = ({ begin_at, end_at }: Omit<Session, 'session_id'>) => ({ begin_at: new Date(begin_at), end_at: new Date(end_at) })

async function takeSeat({ db, school_id }: ApplyStep<ExamsDb>, exam_id: string, session: Session,
  user_id: string, { room_id, seat, cell }: Seat): Promise<void> {
  await db.insertInto('exam_seat').values({ room_id, seat, cell, school_id, exam_id, session_id: session.session_id,
    ...spanOf(session), user_id })
    .onConflict(clash => clash.doNothing()).execute()
}

async function openRoom({ db, school_id }: ApplyStep<ExamsDb>, exam_id: string, session: Session, { room_id,
  place_id }: { room_id: string; place_id: string }): Promise<void> {
  await db.insertInto('exam_room_session').values({ school_id, exam_id, session_id: session.session_id, room_id, place_id,
    ...spanOf(session) })
    .onConflict(clash => clash.columns(['school_id', 'session_id', 'room_id']).doNothing()).execute()
}

/** Gives a candidate his number, unless another one has it by now. */
async function number({ db, school_id }: ApplyStep<ExamsDb>, exam_id: string, user_id: string, exam_no: string): Promise<void> {
  await sql`
    update exam_candidate c set exam_no = ${exam_no} where c.school_id = ${school_id} and c.exam_id = ${exam_id} and c.user_id = ${user_id}
      and not exists (select 1 from exam_candidate o where o.school_id = ${school_id} and o.exam_id = ${exam_id} and o.exam_no = ${exam_no}
        and o.user_id <> ${user_id})`.execute(db)
}

/** The first invigilator of a room; the one who stood there before makes room. */
async function putWatcher({ db, school_id }: ApplyStep<ExamsDb>, exam_id: string, session: Session,
  room_id: string, user_id: string): Promise<void> {
  const role = 1
  const { session_id } = session
  const span = spanOf(session)
  await db.deleteFrom('exam_invigilator').where('school_id', '=', school_id).where('session_id', '=', session_id).where(eb => eb.or([
    eb('user_id', '=', user_id), eb.and([eb('room_id', '=', room_id), eb('role', '=', role)]),
  ])).execute()
  const minutes = Math.round((span.end_at.getTime() - span.begin_at.getTime()) / 60_000)
  await db.insertInto('exam_invigilator').values({ school_id, exam_id, session_id, room_id, user_id, role, ...span, minutes,
    source: 'manual', reason: '导入' }).execute()
}

async function putBack(step: ApplyStep<ExamsDb>, { session_id, user_id, exam_no, seat }: Before): Promise<void> {
  const { db, school_id, now } = step
  const { rows: [session] } = await sql<Session & { exam_id: string }>`
    select exam_id::text as exam_id, session_id::text as session_id, begin_at::text as begin_at, end_at::text as end_at from exam_session
    where school_id = ${school_id} and session_id = ${session_id}`.execute(db)
  if (!session) return
  await lockOpenPlan(db, school_id, now, session.exam_id)
  await db.deleteFrom('exam_seat').where('school_id', '=', school_id).where('session_id', '=', session_id).where('user_id', '=',
    user_id).execute()
  if (seat) await takeSeat(step, session.exam_id, session, user_id, seat)
  await db.updateTable('exam_candidate').set({ exam_no }).where('school_id', '=', school_id).where('exam_id', '=',
    session.exam_id).where('user_id', '=', user_id).execute()
}
