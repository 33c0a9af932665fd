import { quota_day_minutes, quota_names } from '@campus/leave/contract'
import { importTemplate, missingCells } from '@campus/jobs/server'
import type { AppliedRow, ApplyRow, ApplyStep, Cells, Checked, Issue, Judgement, TemplateColumn } from '@campus/jobs/server'
import { schoolDay } from '@campus/school/server'
import { dayOf } from '@kit/contract'
import { foldFullWidth } from '@kit/contract/checks'
import { insertReturning } from '@kit/server/db'
import type { LeaveDb } from '../db.ts'
import { peopleByNumber } from './leave.template.ts'

type Parsed = { no: string; name: string; quota_code: string; days: number; expire_on: string | null }
type Snapshot = { people: Awaited<ReturnType<typeof peopleByNumber>>; today: string }
const [granted, corrected] = [1, 5] as const
const pupil = 1
const most_days = 366

const columns: TemplateColumn[] = [
  { label: '工号', prop: 'no', required: true, options: null, text: true, sample: 'T0001' },
  { label: '姓名', prop: 'name', required: true, options: null, text: false, sample: '李可' },
  { label: '假别', prop: 'type', required: true, options: Object.values(quota_names), text: false, sample: '年休假' },
  { label: '天数', prop: 'days', required: true, options: null, text: false, sample: '5', note: '以半天为单位' },
  { label: '到期日', prop: 'expire_on', required: false, options: null, text: true, sample: '2027-06-30', note: '不填为长期有效' },
]

/** 假期额度导入: each line grants somebody days (chapter 70 §6). */
export const quotaTemplate = importTemplate<LeaveDb, TemplateColumn[], Parsed, Snapshot>({
  code: 'leave_quota',
  page: '/LeaveDesign',
  title: '假期额度导入',
  file_name: '假期额度导入模板.xlsx',
  sheet: '假期额度',
  notes: ['填写说明：一行一笔额度，累加到该人员已有的额度。'],
  need: 'leave.quota.import',
  words: () => Promise.resolve(columns),
  columns: words => words,
  check: (_words, cells) => checkLine(cells),
  keys: ({ no, quota_code, expire_on }) => [{ prop: 'no', key: `${no} ${quota_code} ${expire_on ?? ''}` }],
  load: async (step, rows) => ({
    people: await peopleByNumber(
      step,
      rows.map(row => row.parsed.no),
    ),
    today: schoolDay(step.now),
  }),
  judge: ({ parsed }, snapshot) => judgeLine(parsed, snapshot),
  apply: (step, rows, snapshot) => applyLines(step, rows, snapshot),
  undo: {
    async marks({ db, school_id }, keys, lock) {
      const found = await db
        .selectFrom('leave_quota_entry')
        .select('entry_id')
        .where('school_id', '=', school_id)
        .where('entry_id', 'in', ['0', ...keys])
        .orderBy('entry_id')
        .$if(lock, query => query.forUpdate())
        .execute()
      return new Map(found.map(({ entry_id }) => [entry_id, '1']))
    },
    reason: () => '额度不存在，不能撤销',
    async undo({ db, school_id, me, now }, rows, kept) {
      const ids = rows.map(row => row.target_id).filter(id => !kept.has(id))
      const entries = await db
        .selectFrom('leave_quota_entry')
        .select(['user_id', 'quota_code', 'minutes'])
        .where('school_id', '=', school_id)
        .where('entry_id', 'in', ['0', ...ids])
        .execute()
      await insertReturning(
        db,
        'leave_quota_entry',
        entries.map(one => ({
          school_id,
          user_id: one.user_id,
          quota_code: one.quota_code,
          minutes: -one.minutes,
          kind: corrected,
          note: '撤销导入',
          by_user_id: me.user_id,
          at: now,
        })),
        'entry_id',
      )
    },
  },
})

function checkLine(cells: Cells): Checked<Parsed> {
  const errors = missingCells(columns, cells)
  const { no = '', name = '', type = '', expire_on = '' } = cells
  const quota_code = Object.entries(quota_names).find(([, label]) => label === type)?.[0]
  const days = Number(cells.days)
  const expires = expire_on === '' ? null : dayOf(expire_on)
  if (type !== '' && quota_code === undefined) errors.push({ prop: 'type', msg: '字典值不存在' })
  if (cells.days && !(days > 0 && days <= most_days && Number.isInteger(days * 2)))
    errors.push({ prop: 'days', msg: `天数应为0.5到${most_days}，以半天为单位` })
  if (expire_on !== '' && expires === null) errors.push({ prop: 'expire_on', msg: '日期格式不正确，例如2027-06-30' })
  if (quota_code === undefined || errors.length > 0) return { parsed: null, errors, warnings: [] }
  return { parsed: { no: foldFullWidth(no), name, quota_code, days, expire_on: expires }, errors, warnings: [] }
}

function judgeLine({ no, name, days, expire_on }: Parsed, { people, today }: Snapshot): Judgement {
  const errors: Issue[] = []
  const person = people.get(no)
  if (!person || person.person_kind === pupil) errors.push({ prop: 'no', msg: '人员不存在' })
  else if (person.user_name !== name) errors.push({ prop: 'name', msg: '姓名与编号不一致' })
  if (expire_on !== null && expire_on < today) errors.push({ prop: 'expire_on', msg: '到期日不能早于今天' })
  return {
    verdict: 'new',
    target_id: null,
    basis: person?.user_id ?? null,
    diff: [{ prop: 'days', before: '', after: String(days) }],
    errors,
    warnings: [],
  }
}

async function applyLines(
  { db, school_id, me, now }: ApplyStep<LeaveDb>,
  rows: readonly ApplyRow<Parsed>[],
  { people }: Snapshot,
): Promise<AppliedRow[]> {
  const found = rows.flatMap(({ row_no, parsed }) => {
    const person = people.get(parsed.no)
    return person ? [{ row_no, user_id: person.user_id, parsed }] : []
  })
  const ids = await insertReturning(
    db,
    'leave_quota_entry',
    found.map(({ user_id, parsed: { quota_code, days, expire_on } }) => ({
      school_id,
      user_id,
      quota_code,
      minutes: days * quota_day_minutes,
      kind: granted,
      expire_on,
      note: '导入',
      by_user_id: me.user_id,
      at: now,
    })),
    'entry_id',
  )
  return found.map(({ row_no }, at) => ({ row_no, target_id: ids[at] ?? '', before: null, touched: [{ key: ids[at] ?? '', mark: '1' }] }))
}
