import { schoolDay } from '@campus/school/server'
import { normalise, Refusal } from '@kit/contract'
import { checkMobile, checkPersonName, checkPlate, nameKey } from '@kit/contract/checks'
import { asTables } from '@kit/server/db'
import { importTemplate } from '@kit/server/excel'
import type { AppliedRow, ApplyRow, ApplyStep, Cells, Checked, ImportColumn, Issue, Judgement, ReadStep } from '@kit/server/excel'
import { sql } from 'kysely'
import type { AccessDb } from '../db.ts'
import type { PassDb, Work } from '../pass/db.ts'
import { listedOf } from '../visitor/black.service.ts'
import { receiversByNumber } from '../visitor/receiver.ts'
import type { Receiver } from '../visitor/receiver.ts'
import { hashOf } from '../visitor/seal.ts'
import { readReasons, readVisitorSetting } from '../visitor/setting.ts'
import { bookVisit, channels, checkTimes, endVisit, lockVisit } from '../visitor/visit.core.ts'
import { addition, column, LineReader, undoRows, unknownNames } from './sheet.ts'
import { doorNames } from './words.ts'

type Reasons = ReadonlyMap<string, { reason_code: string; need_student: boolean }>
type Words = { columns: ImportColumn[]; reasons: Reasons }
type Parsed = {
  visitor_name: string; mobile: string; company: string; reason_code: string; receiver_no: string; followers: number; plate: string
  begin: string; end: string; gates: string[]; remark: string
}
type Span = { from: number; to: number }
type Snapshot = {
  work: Pick<Work, 'now'>
  setting: Awaited<ReturnType<typeof readVisitorSetting>>
  receivers: ReadonlyMap<string, Receiver>
  gates: ReadonlyMap<string, string>
  /** why somebody may not come, by mobile and by plate */
  listed: ReadonlyMap<string, string>
  /** live visits of a mobile and a name */
  visits: ReadonlyMap<string, readonly Span[]>
  /** visits of a receiver and a day */
  booked: ReadonlyMap<string, number>
}

const live_mark = 'live'
const longest_remark = 100

/** 访客预约导入: each line books a visit as a member of the school would; taken back, who has not come is cancelled (chapter 35 §6). */
export const visitTemplate = importTemplate<AccessDb, Words, Parsed, Snapshot>({
  code: 'access_visit',
  page: '/VisitorPass',
  title: '访客预约导入',
  file_name: '访客导入模板.xlsx',
  sheet: '访客预约导入',
  notes: ['填写说明：一行一次来访，被访人按工号填写；来访时间如2026-11-20 09:00，来访与离开在同一天。导入后按学校的审核方式审核。'],
  need: 'access.visitor.create',
  words: readWords,
  columns: ({ columns }) => columns,
  check: checkLine,
  keys: ({ mobile, begin }) => [{ prop: 'mobile', key: `${mobile} ${begin}` }],
  load: (step, rows) => loadSnapshot(step, rows.map(row => row.parsed)),
  judge: ({ parsed }, snapshot) => judgeLine(parsed, snapshot),
  apply: applyLines,
  undo: undoRows({
    table: 'visitor_apply', id: 'apply_id', mark: sql<string>`case when state in (0, 1) then 'live' else 'state ' || state end`,
    reason: '访客已到访，或来访已结束，不能撤销', undo: undoLines,
  }),
})

async function readWords({ db, school_id }: ReadStep<AccessDb>): Promise<Words> {
  const list = (await readReasons(asTables<PassDb>(db), school_id)).filter(reason => reason.status === 1)
  const reasons = new Map(list.map(reason => [reason.reason_name, reason]))
  const unkept = { required: false, optional: true, note: '系统不保存访客的证件号，可不填' } as const
  return {
    reasons,
    columns: [
      column('访客姓名', 'name', { sample: '张建国' }),
      column('手机号', 'mobile', { text: true, secret: true, sample: '13900000000' }),
      column('身份证件类型', 'id_type', unkept),
      column('身份证件号', 'id_no', { ...unkept, text: true, secret: true }),
      column('来访单位', 'company', { required: false }),
      column('来访事由', 'reason', { options: [...reasons.keys()] }),
      column('被访人工号', 'receiver_no', { text: true, sample: 'T2025001' }),
      column('同行人数', 'followers', { required: false, note: '0到50' }),
      column('车牌号', 'plate', { required: false }),
      column('来访时间', 'begin', { text: true, sample: '2026-11-20 09:00' }),
      column('离开时间', 'end', { text: true, sample: '2026-11-20 11:00' }),
      column('通行门', 'gates', { required: false, note: '多个门用；分隔，不填为默认通行门' }),
      column('备注', 'remark', { required: false }),
    ],
  }
}

function checkLine({ columns, reasons }: Words, cells: Cells): Checked<Parsed> {
  const line = new LineReader(columns, cells)
  const [visitor_name, plate] = [line.text('name'), line.code('plate').toUpperCase()]
  const mobile = normalise({ kind: 'mobile' }, line.code('mobile'))
  line.check('name', visitor_name, checkPersonName)
  line.check('mobile', mobile, checkMobile)
  line.check('plate', plate, checkPlate)
  const reason = line.named('reason', reasons)
  if (reason?.need_student) line.say('reason', '该事由需选择学生，请在页面登记')
  const followers = line.whole('followers', 0, 50, '同行人数为0到50') ?? 0
  const [begin, end] = [line.instant('begin'), line.instant('end')]
  const [company, remark] = [line.text('company'), line.text('remark')]
  if (company.length > 60) line.say('company', '超过60个字')
  if (remark.length > longest_remark) line.say('remark', `超过${longest_remark}个字`)
  if (!reason || begin === null || end === null) return line.done<Parsed>(null)
  const warnings = line.text('id_no') === '' ? [] : [{ prop: 'id_no', msg: '证件号不保存' }]
  const { reason_code } = reason
  const who = { visitor_name, mobile, company, reason_code, receiver_no: line.code('receiver_no'), followers, plate }
  return line.done({ ...who, begin, end, gates: line.names('gates'), remark }, warnings)
}

async function loadSnapshot(step: ReadStep<AccessDb>, parsed: readonly Parsed[]): Promise<Snapshot> {
  const { app, school_id, now } = step
  const work: Work = { app, db: asTables<PassDb>(step.db), school_id, now }
  const hashes = new Map(parsed.map(row => [hashOf(app, school_id, 'mobile', row.mobile), row.mobile]))
  const receivers = await receiversByNumber(work, parsed.map(row => row.receiver_no))
  const doors = await doorNames(step)
  const listed = await listedOf(work, { mobile_hashes: [...hashes.keys()], plates: parsed.flatMap(row => row.plate || []) })
  const found = await sql<{ mobile_hash: string; name_key: string; begin_at: Date; end_at: Date }>`
    select v.mobile_hash, v.name_key, a.begin_at, a.end_at from visitor_apply a
    join visitor v on v.school_id = ${school_id} and v.visitor_id = a.visitor_id
    where a.school_id = ${school_id} and a.state in (0, 1, 4) and v.mobile_hash = any(${[...hashes.keys()]}::text[])`.execute(work.db)
  const visitorOf = (row: { mobile_hash: string; name_key: string }) => `${hashes.get(row.mobile_hash) ?? ''} ${row.name_key}`
  const visits = found.rows.map(row => ({ key: visitorOf(row), from: row.begin_at.getTime(), to: row.end_at.getTime() }))
  const days = await sql<{ user_id: string; day: string; booked: number }>`
    select user_id::text, day::text, booked::int from visitor_receiver_day where school_id = ${school_id} and day >= ${schoolDay(now)}::date
      and user_id = any(${[...receivers.values()].map(one => one.user_id)}::bigint[])`.execute(work.db)
  return {
    work: { now }, receivers, setting: await readVisitorSetting(work.db, school_id), gates: new Map([...doors.in, ...doors.out]),
    listed: new Map([...listed].map(([key, reason]) => [hashes.get(key) ?? key, reason])),
    visits: Map.groupBy(visits, visit => visit.key),
    booked: new Map(days.rows.map(row => [`${row.user_id} ${row.day}`, row.booked])),
  }
}

function wishOf({ begin, end }: Parsed) {
  return { begin_at: new Date(begin), end_at: new Date(end), channel: channels.sheet }
}

function judgeLine(parsed: Parsed, { work, setting, receivers, gates, listed, visits, booked }: Snapshot): Judgement {
  const receiver = receivers.get(parsed.receiver_no)
  const [from, to] = [Date.parse(parsed.begin), Date.parse(parsed.end)]
  const errors: Issue[] = unknownNames('gates', parsed.gates, gates, () => '通行门不存在')
  if (!receiver) errors.push({ prop: 'receiver_no', msg: '人员不存在' })
  else if (!receiver.enabled) errors.push({ prop: 'receiver_no', msg: '被访人未开启接待' })
  else if (isFull(booked, receiver, from)) errors.push({ prop: 'receiver_no', msg: '被访人当日接待已满' })
  if (listed.has(parsed.mobile) || listed.has(parsed.plate)) errors.push({ prop: 'name', msg: '该访客在黑名单中' })
  if (parsed.followers > setting.follower_max) errors.push({ prop: 'followers', msg: `同行人数不能超过${setting.follower_max}人` })
  const wrong = refusalOf(() => checkTimes(work.now, setting, wishOf(parsed)))
  if (wrong !== null) errors.push({ prop: 'begin', msg: wrong })
  const own = visits.get(`${parsed.mobile} ${nameKey(parsed.visitor_name)}`) ?? []
  if (own.some(one => one.from < to && one.to > from)) errors.push({ prop: 'begin', msg: '该访客在此时段已有预约' })
  return addition('name', parsed.visitor_name, receiver?.user_id ?? null, errors)
}

function isFull(booked: Snapshot['booked'], { user_id, day_max }: Receiver, at: number): boolean {
  return (booked.get(`${user_id} ${schoolDay(new Date(at))}`) ?? 0) >= day_max
}

function refusalOf(check: () => void): string | null {
  try {
    check()
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
  return null
}

/** Books line by line, one school at a time: what two lines take of one receiver's day, or of one visitor's time, is seen by the second. */
async function applyLines(step: ApplyStep<AccessDb>, rows: readonly ApplyRow<Parsed>[], snapshot: Snapshot): Promise<AppliedRow[]> {
  const { receivers, gates, visits, booked } = snapshot
  const { app, school_id, now, me } = step
  const work: Work = { app, db: asTables<PassDb>(step.db), school_id, now, me }
  await sql`select pg_advisory_xact_lock(35, ${school_id}::int)`.execute(step.db)
  const [taken, counts] = [new Map(visits), new Map(booked)]
  const applied: AppliedRow[] = []
  for (const { row_no, parsed } of rows) {
    const receiver = receivers.get(parsed.receiver_no)
    const { begin_at, end_at } = wishOf(parsed)
    const [visitor, day] = [`${parsed.mobile} ${nameKey(parsed.visitor_name)}`, `${receiver?.user_id ?? ''} ${schoolDay(begin_at)}`]
    const [own, count] = [taken.get(visitor) ?? [], counts.get(day) ?? 0]
    const [from, to] = [begin_at.getTime(), end_at.getTime()]
    if (!receiver || count >= receiver.day_max || own.some(one => one.from < to && one.to > from)) continue
    const { visitor_name, mobile, company, reason_code, followers, plate, remark } = parsed
    const who = { visitor_name, mobile, company, reason_code, reason_text: remark, receiver, student_id: null, followers, plate }
    const wish = { ...who, ...wishOf(parsed), place_ids: parsed.gates.flatMap(name => gates.get(name) ?? []) }
    const apply_id = await bookVisit(work, wish).then(made => made.apply_id, unlessRefused)
    if (apply_id === null) continue
    taken.set(visitor, [...own, { from, to }])
    counts.set(day, count + 1)
    applied.push({ row_no, target_id: apply_id, before: null, touched: [{ key: apply_id, mark: live_mark }] })
  }
  return applied
}

/** A booking is refused before anything of it is written. */
function unlessRefused(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}

async function undoLines({ app, db, school_id, now, me }: ApplyStep<AccessDb>, ids: readonly string[]): Promise<void> {
  const work: Work = { app, db: asTables<PassDb>(db), school_id, now, me }
  for (const apply_id of ids) await endVisit(work, await lockVisit(work, apply_id), 'cancelled', '撤销导入')
}
