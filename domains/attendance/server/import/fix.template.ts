import { ATTEND_STATE, attend_states, correctable_states } from '@campus/attendance/contract'
import { importTemplate, missingCells } from '@campus/jobs/server'
import type { AppliedRow, ApplyRow, ApplyStep, Cells, Checked, Issue, Judgement, TemplateColumn } from '@campus/jobs/server'
import { dayOf } from '@kit/contract'
import { foldFullWidth } from '@kit/contract/checks'
import { sql } from 'kysely'
import type { AttendanceDb } from '../db.ts'
import { applyCorrection, liftCorrection } from '../result/correction.apply.ts'
import { readFixes } from './fix.queries.ts'
import type { Fix, Snapshot } from './fix.queries.ts'

type Parsed = { day: string; section: number; no: string; name: string; state: number; late_min: number; reason: string }
type Before = { lesson_date: string; expect_kind: number; occurrence_id: string; user_id: string; from_state: number; to_state: number }
const [most_minutes, most_reason, most_sections] = [45, 200, 16] as const
const [in_effect, withdrawn, lesson] = [1, 3, 1] as const
const state_names: Readonly<Record<string, string>> = ATTEND_STATE.names
/** States by the names a sheet gives them. */
const states = new Map<string, number>([
  ...correctable_states.map((state): [string, number] => [ATTEND_STATE.names[`${state}`], state]), ['缺勤', attend_states.absent],
  ['旷课', attend_states.absent],
])
const allowed = ['正常', '迟到', '早退', '缺勤', '请假', '补签', '外勤'] as const

const columns: TemplateColumn[] = [
  { label: '日期', prop: 'day', required: true, options: null, text: true, sample: '2026-11-20' },
  { label: '节次', prop: 'section', required: true, options: null, text: false, sample: '3', note: '填数字，第3节填3' },
  { label: '学号/工号', prop: 'no', required: true, options: null, text: true, sample: '20190101' },
  { label: '姓名', prop: 'name', required: true, options: null, text: false, sample: '王子涵' },
  { label: '状态', prop: 'state', required: true, options: [...allowed], text: false, sample: '正常' },
  { label: '迟到分钟', prop: 'late', required: false, options: null, text: false, sample: '', note: '状态为迟到时填，0到45' },
  { label: '原因', prop: 'reason', required: true, options: null, text: false, sample: '班牌故障，任课教师确认到课' },
]

/** 考勤补录导入: each line corrects one result; the batch is taken back as a whole (chapter 55 §6). */
export const fixTemplate = importTemplate<AttendanceDb, TemplateColumn[], Parsed, Snapshot>({
  code: 'attend_fix',
  page: '/PersonalDetailStudent',
  title: '考勤补录导入',
  file_name: '考勤补录导入模板.xlsx',
  sheet: '考勤补录',
  notes: ['填写说明：一行更正一个人一节课的考勤。', '已封存的月份、已有更正的记录不能导入。'],
  need: 'attendance.correct.import',
  words: () => Promise.resolve(columns),
  columns: words => words,
  check: (_words, cells) => checkLine(cells),
  keys: ({ day, section, no }) => [{ prop: 'no', key: `${day} ${section} ${no}` }],
  load: (step, rows) => readFixes(step, rows.map(row => row.parsed)),
  judge: ({ parsed }, snapshot) => judgeLine(parsed, snapshot),
  apply: (step, rows, snapshot) => applyLines(step, rows, snapshot),
  undo: {
    async marks({ db, school_id }, keys, lock) {
      const found = await db.selectFrom('attend_correction').select(['correction_id', 'state']).where('school_id', '=', school_id)
        .where('correction_id', 'in', ['0', ...keys]).orderBy('correction_id').$if(lock, query => query.forUpdate()).execute()
      return new Map(found.map(({ correction_id, state }) => [correction_id, String(state)]))
    },
    reason: () => '该更正已被撤销或所在月份已封存，不能撤销',
    async undo(step, rows, kept) {
      for (const { target_id, before } of rows) if (isBefore(before) && !kept.has(target_id)) await takeBack(step, target_id, before)
    },
  },
})

function isBefore(value: unknown): value is Before {
  return typeof value === 'object' && value !== null && 'occurrence_id' in value && 'from_state' in value
}

function checkLine(cells: Cells): Checked<Parsed> {
  const errors = missingCells(columns, cells)
  const { no = '', name = '', reason = '', late = '' } = cells
  const day = dayOf(cells.day ?? '')
  const section = Number((cells.section ?? '').replaceAll(/[第节\s]/gu, ''))
  const state = states.get(cells.state ?? '')
  const late_min = late === '' ? 0 : Number(late)
  if (cells.day && day === null) errors.push({ prop: 'day', msg: '日期格式不正确，例如2026-11-20' })
  if (cells.section && (!Number.isInteger(section) || section < 1 || section > most_sections)) errors.push({ prop: 'section',
    msg: '节次应为1-16' })
  if (cells.state && state === undefined) errors.push({ prop: 'state', msg: '字典值不存在' })
  if (!Number.isInteger(late_min) || late_min < 0 || late_min > most_minutes) errors.push({ prop: 'late', msg: '迟到分钟应为0-45' })
  if (reason.length === 1 || reason.length > most_reason) errors.push({ prop: 'reason', msg: '原因应为2到200个字' })
  if (day === null || state === undefined || errors.length > 0) return { parsed: null, errors, warnings: [] }
  const parsed = { day, section, no: foldFullWidth(no), name, state, late_min: state === attend_states.late ? late_min : 0, reason }
  return { parsed, errors, warnings: [] }
}

const nameOf = (state: number, late_min: number) =>
  `${state_names[state] ?? ''}${state === attend_states.late ? `${late_min}分钟` : ''}`

function judgeLine(parsed: Parsed, { people, fixes, sealed, now, since, me }: Snapshot): Judgement {
  const wrong = (prop: string, msg: string): Judgement => ({ verdict: 'same', target_id: null, diff: [], errors: [{ prop, msg }],
    warnings: [] })
  const person = people.get(parsed.no)
  if (!person) return wrong('no', '人员不存在')
  if (person.user_name !== parsed.name) return wrong('name', '姓名与编号不一致')
  if (person.user_id === me) return wrong('no', '不能更正本人考勤')
  if (sealed.has(parsed.day.slice(0, 7))) return wrong('day', `${parsed.day.slice(0, 7)}考勤已封存，请先提交更正申请`)
  const fix = fixes.get(`${parsed.day} ${parsed.section} ${person.user_id}`)
  if (!fix) return wrong('section', '该人员此节次无需考勤')
  if (fix.corrected) return wrong('section', `该记录已有更正：${fix.corrected}`)
  const errors: Issue[] = []
  if (fix.begin_at > now) errors.push({ prop: 'section', msg: '未到打卡时间' })
  if (fix.end_at < since) errors.push({ prop: 'day', msg: '已超过可更正期限' })
  const is_same = fix.state === parsed.state && fix.late_min === parsed.late_min
  return {
    verdict: is_same ? 'same' : 'change', target_id: person.user_id, basis: `${fix.state}.${fix.late_min}`,
    diff: [{ prop: 'state', before: nameOf(fix.state, fix.late_min), after: nameOf(parsed.state, parsed.late_min) }], errors, warnings: [],
  }
}

/** A line whose result somebody has just corrected is left out; it is looked at again. */
async function applyLines(step: ApplyStep<AttendanceDb>, rows: readonly ApplyRow<Parsed>[], { people,
  fixes }: Snapshot): Promise<AppliedRow[]> {
  const applied: AppliedRow[] = []
  for (const { row_no, parsed } of rows) {
    const user_id = people.get(parsed.no)?.user_id ?? ''
    const fix = fixes.get(`${parsed.day} ${parsed.section} ${user_id}`)
    const correction_id = fix && (await correct(step, parsed, fix, user_id))
    if (!fix || correction_id === undefined) continue
    const before: Before = {
      lesson_date: parsed.day, expect_kind: lesson, occurrence_id: fix.occurrence_id, user_id, from_state: fix.state,
        to_state: parsed.state,
    }
    applied.push({ row_no, target_id: correction_id, before, touched: [{ key: correction_id, mark: String(in_effect) }] })
  }
  return applied
}

async function correct(step: ApplyStep<AttendanceDb>, { day, state, late_min, reason }: Parsed, fix: Fix,
  user_id: string): Promise<string | undefined> {
  const { db, school_id, me, now, batch_no } = step
  const key = { lesson_date: day, expect_kind: lesson, occurrence_id: fix.occurrence_id, user_id }
  const made = await db.insertInto('attend_correction').values({
    ...key, school_id, from_state: fix.state, to_state: state, late_min, early_min: 0, reason_code: 'other', reason_text: reason,
    evidence_kind: 'other', file_keys: [], origin: 'batch', state: in_effect, asked_by: me.user_id, asked_at: now, decided_by: me.user_id,
    decided_at: now, batch_no,
  }).onConflict(on => on.columns(['school_id', 'lesson_date', 'expect_kind', 'occurrence_id', 'user_id'])
    .where('state', 'in', [sql.lit(0), sql.lit(in_effect)]).doNothing()).returning('correction_id').executeTakeFirst()
  if (!made) return undefined
  await applyCorrection(step, { ...key, correction_id: made.correction_id, from_state: fix.state, to_state: state, late_min, early_min: 0 })
  return made.correction_id
}

/** What a line has corrected is as it was judged; of a month sealed since nothing is taken back. */
async function takeBack(step: ApplyStep<AttendanceDb>, correction_id: string, { lesson_date, ...rest }: Before): Promise<void> {
  const { db, school_id, me, now } = step
  const seal = await db.selectFrom('attend_seal').select('seal_id').where('school_id', '=', school_id).where('month', '=',
    lesson_date.slice(0, 7))
    .where('state', '=', 'sealed').executeTakeFirst()
  if (seal) return
  const { numUpdatedRows } = await db.updateTable('attend_correction')
    .set({ state: withdrawn, decided_by: me.user_id, decided_at: now, row_version: sql<number>`row_version + 1` })
    .where('school_id', '=', school_id).where('correction_id', '=', correction_id).where('state', '=', in_effect).executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) await liftCorrection(step, { correction_id, lesson_date, ...rest })
}
