import { giver, source } from '@campus/evaluation/contract'
import { importTemplate, missingCells } from '@campus/jobs/server'
import type { AppliedRow, ApplyRow, ApplyStep, Cells, Checked, Issue, Judgement, TemplateColumn } from '@campus/jobs/server'
import { inScope, visibleDepts } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { dayOf } from '@kit/contract'
import { foldFullWidth } from '@kit/contract/checks'
import { sql } from 'kysely'
import type { EvaluationDb } from '../db.ts'
import { announce, storeRecords, takeDay } from '../give.service.ts'
import type { TypeRow } from '../give.service.ts'
import { settleLevels } from '../levels.service.ts'
import { endRecords, lockRecords } from '../revoke.service.ts'
import { reissue } from '../settle.service.ts'
import type { Subject } from '../subjects.ts'

type Parsed = { day: string; no: string; name: string; type: string; times: number; reason: string; giver_no: string }
type Giver = { user_id: string; led: string[]; taught: string[] }
type Snapshot = {
  subjects: ReadonlyMap<string, Subject>
  types: ReadonlyMap<string, TypeRow>
  givers: ReadonlyMap<string, Giver>
  used: ReadonlyMap<string, number>
  today: string
}
const [pupil, of_class] = [1, 2] as const
const [revoked, counts] = [4, 1] as const
const most_times = 10

const columns: TemplateColumn[] = [
  { label: '日期', prop: 'day', required: true, options: null, text: true, sample: '2026-11-20' },
  {
    label: '学号或班级',
    prop: 'no',
    required: true,
    options: null,
    text: true,
    sample: '20190101',
    note: '评学生填学号，评班级填班级名称，例如三年级1班',
  },
  { label: '姓名', prop: 'name', required: false, options: null, text: false, sample: '王子涵', note: '评学生时核对，可不填' },
  { label: '类型全名', prop: 'type', required: true, options: null, text: false, sample: '品德之星/乐于助人', note: '维度/指标' },
  { label: '次数', prop: 'times', required: false, options: null, text: false, sample: '1', note: '1到10，不填为1' },
  { label: '理由', prop: 'reason', required: true, options: null, text: false, sample: '主动帮助同学' },
  { label: '评价人工号', prop: 'giver_no', required: true, options: null, text: true, sample: 'T0001' },
]

/** 评星记录导入: each line is one record (chapter 55 §6). */
export const starTemplate = importTemplate<EvaluationDb, TemplateColumn[], Parsed, Snapshot>({
  code: 'star_record',
  page: '/StartRecord',
  title: '评星记录导入',
  file_name: '评星记录导入模板.xlsx',
  sheet: '评星记录',
  notes: ['填写说明：一行一条记录，日期不能晚于今天。', '类型全名为“维度/指标”，与评星类型页面一致。'],
  need: 'evaluation.star.import',
  words: () => Promise.resolve(columns),
  columns: words => words,
  check: (_words, cells) => checkLine(cells),
  keys: ({ day, no, type, reason }) => [{ prop: 'no', key: `${day} ${no} ${type} ${reason}` }],
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
        .selectFrom('star_record')
        .select(['record_id', 'state'])
        .where('school_id', '=', school_id)
        .where('record_id', 'in', ['0', ...keys])
        .orderBy('record_id')
        .$if(lock, query => query.forUpdate())
        .execute()
      return new Map(found.map(({ record_id, state }) => [record_id, String(state)]))
    },
    reason: () => '该记录已被处理，不能撤销',
    async undo(step, rows, kept) {
      const ids = rows.map(row => row.target_id).filter(id => !kept.has(id))
      const records = await lockRecords(step, sql`r.record_id = any(${ids}::bigint[])`)
      await endRecords(step, records, { state: revoked, decided_by: step.me.user_id, decide_reason: '撤销导入' })
    },
  },
})

function checkLine(cells: Cells): Checked<Parsed> {
  const errors = missingCells(columns, cells)
  const { no = '', name = '', type = '', reason = '', times = '', giver_no = '' } = cells
  const day = dayOf(cells.day ?? '')
  const n = times === '' ? 1 : Number(times)
  if (cells.day && day === null) errors.push({ prop: 'day', msg: '日期格式不正确，例如2026-11-20' })
  if (!Number.isInteger(n) || n < 1 || n > most_times) errors.push({ prop: 'times', msg: '次数应为1到10' })
  if (reason.length > 200 || reason.length === 1) errors.push({ prop: 'reason', msg: '理由应为2到200个字' })
  if (day === null || errors.length > 0) return { parsed: null, errors, warnings: [] }
  return {
    parsed: { day, no: foldFullWidth(no), name, type: type.replaceAll('／', '/'), times: n, reason, giver_no: foldFullWidth(giver_no) },
    errors,
    warnings: [],
  }
}

const usedKey = (type_id: string, subject_id: string, day: string) => `${type_id} ${subject_id} ${day}`

function judgeLine(parsed: Parsed, { subjects, types, givers, used, today }: Snapshot): Judgement {
  const errors: Issue[] = []
  const type = types.get(parsed.type)
  const one = type && subjects.get(`${type.subject_kind} ${parsed.no}`)
  const by = givers.get(parsed.giver_no)
  if (parsed.day > today) errors.push({ prop: 'day', msg: '日期不能晚于今天' })
  if (!type) errors.push({ prop: 'type', msg: '类型不存在' })
  else if (!one) errors.push({ prop: 'no', msg: type.subject_kind === pupil ? '学生不存在，请填写学号' : '班级不存在' })
  else if (parsed.name !== '' && type.subject_kind === pupil && one.name !== parsed.name)
    errors.push({ prop: 'name', msg: '姓名与编号不一致' })
  else if (
    type.person_day_max !== null &&
    (used.get(usedKey(type.star_type_id, one.subject_id, parsed.day)) ?? 0) + parsed.times > type.person_day_max
  )
    errors.push({ prop: 'times', msg: '今日该项已达上限' })
  if (type && parsed.times > type.times_max) errors.push({ prop: 'times', msg: `该类型一次最多${type.times_max}次` })
  if (!by) errors.push({ prop: 'giver_no', msg: '评价人不存在' })
  else if (type && one && !mayGive(type, by, one.dept_id)) errors.push({ prop: 'giver_no', msg: '评价人不能评定该类型' })
  return {
    verdict: 'new',
    target_id: null,
    basis: one?.subject_id ?? null,
    diff: [{ prop: 'type', before: '', after: parsed.type }],
    errors,
    warnings: [],
  }
}

function mayGive({ givers }: TypeRow, { led, taught }: Giver, dept_id: string): boolean {
  return (
    givers.length === 0 ||
    givers.includes(giver.office) ||
    (givers.includes(giver.head) && led.includes(dept_id)) ||
    (givers.includes(giver.teacher) && taught.includes(dept_id))
  )
}

type Step = Pick<ApplyStep<EvaluationDb>, 'db' | 'school_id' | 'me' | 'now'>

async function loadSnapshot(step: Step, parsed: readonly Parsed[]): Promise<Snapshot> {
  const { db, school_id, now } = step
  const scope = await visibleDepts(step, 'student')
  const today = schoolDay(now)
  const numbers = [...new Set(parsed.map(row => row.no))]
  const pupils = await sql<
    Subject & { no: string }
  >`select s.user_id::text as subject_id, s.user_name as name, s.dept_id::text as dept_id, s.student_no as no from live_student s
    where s.school_id = ${school_id} and s.student_no = any(${numbers}::text[]) and ${inScope('s.dept_id', scope)}`.execute(db)
  const classes = await sql<
    Subject & { no: string }
  >`select d.id::text as subject_id, d.dept_name as name, d.id::text as dept_id, d.dept_name as no from dept_now d
    where d.school_id = ${school_id} and d.dept_type = 4 and d.dept_name = any(${numbers}::text[])
      and ${inScope('d.id', scope)}`.execute(db)
  const all = await db.selectFrom('star_type').selectAll().where('school_id', '=', school_id).where('enabled', '=', true).execute()
  const dimensions = new Map(all.filter(one => one.superior_id === null).map(one => [one.star_type_id, one.star_name]))
  const staff = await sql<Giver & { teacher_no: string }>`select s.user_id::text as user_id, s.teacher_no,
      coalesce((select array_agg(y.dept_id::text) from duty_span y where y.school_id = ${school_id} and y.user_id = s.user_id
        and y.duty = 'head' and y.valid_from <= ${today}::date and (y.valid_to is null or y.valid_to > ${today}::date)), '{}') as led,
      coalesce((select array_agg(distinct n.dept_id::text) from teaching_now_v n where n.school_id = ${school_id}
        and n.user_id = s.user_id and n.dept_id is not null), '{}') as taught
    from live_staff s where s.school_id = ${school_id} and s.teacher_no =
    any(${[...new Set(parsed.map(row => row.giver_no))]}::text[])`.execute(db)
  const days = await db
    .selectFrom('star_count')
    .select(['star_type_id', 'who_id', 'begin_date', 'used'])
    .where('school_id', '=', school_id)
    .where('count_kind', '=', 2)
    .where('who_id', 'in', ['0', ...pupils.rows.map(row => row.subject_id), ...classes.rows.map(row => row.subject_id)])
    .where('begin_date', 'in', [today, ...new Set(parsed.map(row => row.day))])
    .execute()
  return {
    today,
    subjects: new Map([
      ...pupils.rows.map(row => [`${pupil} ${row.no}`, row] as const),
      ...classes.rows.map(row => [`${of_class} ${row.no}`, row] as const),
    ]),
    types: new Map(
      all.flatMap(one => (one.superior_id === null ? [] : [[`${dimensions.get(one.superior_id) ?? ''}/${one.star_name}`, one] as const])),
    ),
    givers: new Map(staff.rows.map(row => [row.teacher_no, row])),
    used: new Map(days.map(row => [usedKey(row.star_type_id, row.who_id, row.begin_date), row.used])),
  }
}

/** A line whose day is full by another line of the file is left out; it is looked at again. */
async function applyLines(
  step: ApplyStep<EvaluationDb>,
  rows: readonly ApplyRow<Parsed>[],
  { subjects, types, givers }: Snapshot,
): Promise<AppliedRow[]> {
  const { batch_no } = step
  const applied: AppliedRow[] = []
  const depts: string[] = []
  const [star_type_ids, subject_ids] = [new Set<string>(), new Set<string>()]
  for (const { row_no, parsed } of rows) {
    const type = types.get(parsed.type)
    const one = type && subjects.get(`${type.subject_kind} ${parsed.no}`)
    const by = givers.get(parsed.giver_no)
    if (!type || !one || !by || !(await takeDay(step, type, one.subject_id, parsed.day, parsed.times))) continue
    const [record_id = ''] = await storeRecords(step, type, [one], {
      times: parsed.times,
      reason: parsed.reason,
      file_keys: [],
      batch_no: `${batch_no}-${row_no}`,
      as_role: 0,
      given_by: by.user_id,
      source: source.import,
      day: parsed.day,
      waiting: false,
    })
    depts.push(one.dept_id)
    star_type_ids.add(type.star_type_id)
    subject_ids.add(one.subject_id)
    applied.push({ row_no, target_id: record_id, before: null, touched: [{ key: record_id, mark: String(counts) }] })
  }
  if (applied.length === 0) return []
  await settleLevels(step, { star_type_ids: [...star_type_ids], subject_ids: [...subject_ids] })
  await announce(
    step,
    depts,
    applied.map(row => row.target_id),
  )
  await reissue(
    step,
    rows.map(row => row.parsed.day),
  )
  return applied
}
