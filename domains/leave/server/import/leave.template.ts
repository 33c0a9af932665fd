import { FormDesign, LEAVE_STAFF, LEAVE_STUDENT } from '@campus/leave/contract'
import { importTemplate, missingCells } from '@campus/jobs/server'
import type { AppliedRow, ApplyRow, ApplyStep, Cells, Checked, Issue, Judgement, ReadStep, TemplateColumn } from '@campus/jobs/server'
import { inScope, visibleDepts } from '@campus/people/server'
import { Refusal } from '@kit/contract'
import { foldFullWidth } from '@kit/contract/checks'
import { sql } from 'kysely'
import { voidLeave } from '../apply/acts.ts'
import { open } from '../apply/open.ts'
import type { ReasonFacts } from '../apply/prepare.ts'
import { lockLeave } from '../apply/store.ts'
import type { Act, LeaveDb } from '../db.ts'
import { staffInScope } from '../people.ts'
import { day_ms } from '../span/measure.ts'

type Parsed = { no: string; name: string; type: string; reason_name: string; begin: string; end: string; note: string }
type Person = { user_id: string; person_kind: number; user_name: string; user_no: string }
type Snapshot = {
  people: ReadonlyMap<string, Person>
  reasons: ReadonlyMap<string, ReasonFacts>
  forms: readonly { person_kind: number; design: FormDesign }[]
  taken: readonly Taken[]
  now: number
  is_free: boolean
}
type Taken = { user_id: string; leave_no: string; begin: number; end: number }

const pupil = 1
const in_bulk = 6
const instant = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})[ T]+(\d{1,2}):(\d{2})(?::\d{2})?$/u
const withdrawn = 4
const time_msg = '时间格式不正确，例如2026-11-20 10:00'

const columns: TemplateColumn[] = [
  { label: '学号/工号', prop: 'no', required: true, options: null, text: true, sample: '20190101' },
  { label: '姓名', prop: 'name', required: true, options: null, text: false, sample: '王子涵' },
  {
    label: '假别',
    prop: 'type',
    required: true,
    options: [...new Set([...Object.values(LEAVE_STUDENT.names), ...Object.values(LEAVE_STAFF.names)])],
    text: false,
    sample: '病假',
  },
  { label: '原因', prop: 'reason_name', required: true, options: null, text: false, sample: '就医', note: '与离校原因页面的名称一致' },
  { label: '开始时间', prop: 'begin', required: true, options: null, text: true, sample: '2026-11-20 10:00' },
  { label: '结束时间', prop: 'end', required: true, options: null, text: true, sample: '2026-11-20 12:00' },
  { label: '说明', prop: 'note', required: false, options: null, text: false },
]

/** 请假补录导入: each line is a leave that is agreed to, entered by the importer (chapter 70 §6). */
export const leaveTemplate = importTemplate<LeaveDb, TemplateColumn[], Parsed, Snapshot>({
  code: 'leave',
  page: '/StuLeaveRecord',
  title: '请假补录',
  file_name: '请假补录模板.xlsx',
  sheet: '请假补录',
  notes: ['填写说明：一行一次请假，导入后直接生效，不再审批。', '补录的天数以请假表单的补假期限为准。'],
  need: 'leave.apply.import',
  words: () => Promise.resolve(columns),
  columns: words => words,
  check: (_words, cells) => checkLine(cells),
  keys: ({ no, begin }) => [{ prop: 'no', key: `${no} ${begin}` }],
  load: (step, rows) =>
    loadSnapshot(
      step,
      rows.map(row => row.parsed),
    ),
  judge: ({ parsed }, snapshot) => judgeLine(parsed, snapshot),
  apply: (step, rows, snapshot) => applyLines(step, rows, snapshot),
  undo: {
    async marks({ db, school_id }, keys, lock) {
      const found = await db
        .selectFrom('leave_apply')
        .select(['leave_id', 'fact_version'])
        .where('school_id', '=', school_id)
        .where('leave_id', 'in', ['0', ...keys])
        .orderBy('leave_id')
        .$if(lock, query => query.forUpdate())
        .execute()
      return new Map(found.map(({ leave_id, fact_version }) => [leave_id, String(fact_version)]))
    },
    reason: () => '请假已变更，不能撤销',
    async undo(step, rows, kept) {
      const act = actOf(step)
      for (const { target_id } of rows.filter(row => !kept.has(row.target_id))) {
        const leave = await lockLeave(step.db, step.school_id, target_id)
        if (leave.state !== withdrawn) await voidLeave(act, leave, { reason: '撤销导入' })
      }
    },
  },
})

function checkLine(cells: Cells): Checked<Parsed> {
  const errors = missingCells(columns, cells)
  const { no = '', name = '', type = '', reason_name = '', note = '' } = cells
  const [begin, end] = [instantOf(cells.begin ?? ''), instantOf(cells.end ?? '')]
  if (cells.begin && begin === null) errors.push({ prop: 'begin', msg: time_msg })
  if (cells.end && end === null) errors.push({ prop: 'end', msg: time_msg })
  if (begin !== null && end !== null && end <= begin) errors.push({ prop: 'end', msg: '结束时间必须晚于开始时间' })
  if (note.length > 200) errors.push({ prop: 'note', msg: '超过200个字' })
  if (begin === null || end === null || errors.length > 0) return { parsed: null, errors, warnings: [] }
  return { parsed: { no: foldFullWidth(no), name, type, reason_name, begin, end, note }, errors, warnings: [] }
}

/** 2026-11-20T10:00:00+08:00 of what is written in a cell; null when it is no time. */
function instantOf(text: string): string | null {
  const [, year = '', month = '', day = '', hour = '', minute = ''] = instant.exec(foldFullWidth(text)) ?? []
  const at = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T${hour.padStart(2, '0')}:${minute}:00+08:00`
  const ms = Date.parse(at)
  const is_same_day = Number.isFinite(ms) && new Date(ms + 8 * 3_600_000).toISOString().slice(8, 10) === day.padStart(2, '0')
  return is_same_day ? at : null
}

function codeOf({ person_kind }: Person, type: string): string | undefined {
  const names = person_kind === pupil ? LEAVE_STUDENT.names : LEAVE_STAFF.names
  return Object.entries(names).find(([, name]) => name === type)?.[0]
}

function judgeLine(parsed: Parsed, { people, reasons, forms, taken, now, is_free }: Snapshot): Judgement {
  const errors: Issue[] = []
  const person = people.get(parsed.no)
  const reason = reasons.get(parsed.reason_name)
  const code = person && codeOf(person, parsed.type)
  const form = forms.find(one => one.person_kind === person?.person_kind && code !== undefined && one.design.leave_types.includes(code))
  const [begin, end] = [Date.parse(parsed.begin), Date.parse(parsed.end)]
  if (!person) errors.push({ prop: 'no', msg: '人员不存在' })
  else if (person.user_name !== parsed.name) errors.push({ prop: 'name', msg: '姓名与编号不一致' })
  if (person && code === undefined) errors.push({ prop: 'type', msg: '字典值不存在' })
  else if (person && !form) errors.push({ prop: 'type', msg: '没有启用该假别的请假表单' })
  const fits =
    reason &&
    person &&
    reason.person_kinds.includes(person.person_kind) &&
    (reason.leave_types.length === 0 || reason.leave_types.includes(code ?? ''))
  if (!reason) errors.push({ prop: 'reason_name', msg: '原因不存在或已停用' })
  else if (person && !fits) errors.push({ prop: 'reason_name', msg: '该原因不适用于所选人员或假别' })
  if (end - begin > 180 * day_ms) errors.push({ prop: 'end', msg: '一次请假不能超过180天' })
  if (form && !is_free && begin < now - form.design.backdate_days * day_ms)
    errors.push({ prop: 'begin', msg: `只能补请${form.design.backdate_days}天内的假` })
  const other = taken.find(one => one.user_id === person?.user_id && one.begin < end && one.end > begin)
  if (other) errors.push({ prop: 'begin', msg: `与请假单${other.leave_no}时间重叠` })
  return {
    verdict: 'new',
    target_id: null,
    basis: person?.user_id ?? null,
    diff: [{ prop: 'type', before: '', after: parsed.type }],
    errors,
    warnings: [],
  }
}

/** People by their numbers as far as the importer sees them. */
export async function peopleByNumber(step: ReadStep<LeaveDb>, numbers: readonly string[]): Promise<Map<string, Person>> {
  const { db, school_id } = step
  const [student, staff] = [await visibleDepts(step, 'student'), await visibleDepts(step, 'staff')]
  const { rows } = await sql<Person>`
    select l.user_id::text as user_id, case l.person_kind when 7 then 2 else l.person_kind end::int as person_kind, l.user_name, l.user_no from live_person l
    where l.school_id = ${school_id} and l.user_no = any(${[...new Set(numbers)]}::text[])
      and ((l.person_kind = 1 and ${inScope('l.label_dept_id', student)}) or (${staffInScope(staff)})) order by l.user_id, l.person_kind`.execute(
    db,
  )
  return new Map(rows.map(row => [row.user_no, row]))
}

async function loadSnapshot(step: ReadStep<LeaveDb>, parsed: readonly Parsed[]): Promise<Snapshot> {
  const { db, school_id, me, now } = step
  const people = await peopleByNumber(
    step,
    parsed.map(row => row.no),
  )
  const reasons = await db
    .selectFrom('leave_reason')
    .select(['reason_code', 'reason_name', 'person_kinds', 'leave_types', 'need_attach', 'need_pickup'])
    .where('school_id', '=', school_id)
    .where('status', '=', 1)
    .execute()
  const forms = await db
    .selectFrom('leave_form as f')
    .innerJoin('leave_form_version as v', join =>
      join.onRef('v.form_id', '=', 'f.form_id').onRef('v.version', '=', 'f.current_version').on('v.school_id', '=', school_id),
    )
    .select(['f.person_kind', 'v.design'])
    .where('f.school_id', '=', school_id)
    .where('f.status', '=', 1)
    .orderBy('f.form_id')
    .execute()
  const spans = await db
    .selectFrom('leave_span as s')
    .innerJoin('leave_apply as a', join => join.onRef('a.leave_id', '=', 's.leave_id').on('a.school_id', '=', school_id))
    .select(['s.user_id', 'a.leave_no', 's.begin_at', 's.end_at'])
    .where('s.school_id', '=', school_id)
    .where('s.live', '=', true)
    .where('s.user_id', 'in', ['0', ...[...people.values()].map(one => one.user_id)])
    .execute()
  return {
    people,
    now: now.getTime(),
    is_free: me.codes.has('leave.apply.backdate'),
    reasons: new Map(reasons.map(one => [one.reason_name, one])),
    forms: forms.map(({ person_kind, design }) => ({ person_kind, design: FormDesign.parse(design) })),
    taken: spans.map(({ user_id, leave_no, begin_at, end_at }) => ({
      user_id,
      leave_no,
      begin: begin_at.getTime(),
      end: end_at.getTime(),
    })),
  }
}

/** Each line in a savepoint: one that lost a race, or overlaps another line of the file, is left out and looked at again. */
async function applyLines(
  step: ApplyStep<LeaveDb>,
  rows: readonly ApplyRow<Parsed>[],
  { people, reasons }: Snapshot,
): Promise<AppliedRow[]> {
  const { app, db, school_id, now, me } = step
  const by = { user_id: me.user_id, user_name: me.user_name }
  const applied: AppliedRow[] = []
  for (const { row_no, parsed } of rows) {
    const person = people.get(parsed.no)
    const code = person && codeOf(person, parsed.type)
    const reason = reasons.get(parsed.reason_name)
    if (!person || code === undefined || !reason) continue
    await sql`savepoint one_line`.execute(db)
    try {
      const words = parsed.note.length < 2 ? `补录：${parsed.reason_name}` : parsed.note
      const asked = {
        user_id: person.user_id,
        leave_type: code,
        reason_code: reason.reason_code,
        reason: words,
        begin: new Date(parsed.begin),
        end: new Date(parsed.end),
        by,
        apply_as: in_bulk,
      } as const
      const leave_id = await open({ app, db, school_id, now }, asked)
      applied.push({ row_no, target_id: leave_id, before: null, touched: [{ key: leave_id, mark: '1' }] })
      await sql`release savepoint one_line`.execute(db)
    } catch (error) {
      await sql`rollback to savepoint one_line`.execute(db)
      if (!(error instanceof Refusal)) throw error
    }
  }
  return applied
}

function actOf({ app, db, school_id, now, me }: ApplyStep<LeaveDb>): Act {
  return { app, db, school_id, now, by: { user_id: me.user_id, user_name: me.user_name } }
}
