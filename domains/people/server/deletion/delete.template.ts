import { importTemplate, missingCells } from '@campus/jobs/server'
import type { AppliedRow, ApplyRow, ApplyStep, Cells, Checked, Judgement, TemplateColumn } from '@campus/jobs/server'
import { chunks } from '../bulk.ts'
import { most_deleted } from '@campus/people/contract'
import { isSameName, numberKey } from '@kit/contract/checks'
import type { PeopleDb } from '../db.ts'
import { insertBatch, queuedIn } from './batch.queries.ts'
import { listedPeople } from './listed-people.ts'
import type { Listed } from './listed-people.ts'
import { openItems } from './open-items.ts'

type Parsed = { kind: 'student' | 'staff' | 'parent'; no: string; name: string; reason: string }
type Snapshot = { people: ReadonlyMap<string, Listed>; queued: ReadonlyMap<string, string>; blocked: ReadonlyMap<string, string> }

/** Permission code of the import; no call names it. */
export const delete_import_code = 'people.delete.import'

const kind_codes = new Map<string, Parsed['kind']>([['学生', 'student'], ['教职工', 'staff'], ['家长', 'parent']])
const columns: TemplateColumn[] = [
  { label: '人员类别', prop: 'kind', required: true, options: [...kind_codes.keys()], text: false, sample: '学生' },
  { label: '编号', prop: 'no', required: true, options: null, text: true, sample: '20190101', note: '学生填学号，教职工填工号，家长填手机号' },
  { label: '姓名', prop: 'name', required: true, options: null, text: false, sample: '王子涵' },
  { label: '删除原因', prop: 'reason', required: true, options: null, text: false, sample: '已毕业满三年' },
]
const longest_reason = 200

/** 人员删除导入: one line somebody who is to be deleted; what it makes are batches that somebody has to confirm. */
export const deleteTemplate = importTemplate<PeopleDb, TemplateColumn[], Parsed, Snapshot>({
  code: 'delete_people',
  page: '/UserDeleteDetail',
  title: '人员删除导入',
  file_name: '人员删除导入模板.xlsx',
  sheet: '人员删除导入',
  notes: ['填写说明：一行一人，编号与姓名须一致；仍在校的人员请先办理离校。导入后生成待确认的删除批次，确认并过保留期后才会删除。', '每次最多20000行，每200人一个批次，不支持公式。'],
  need: delete_import_code,
  words: async () => columns,
  columns: words => words,
  check: (_words, cells) => checkLine(cells),
  keys: ({ kind, no }) => [{ prop: 'no', key: `${kind} ${no}` }],
  load: async (step, rows) => {
    const ids = await idsOf(step, rows.map(row => row.parsed))
    const listed = await listedPeople(step.db, step.school_id, [...new Set(ids.values())])
    const by_id = new Map(listed.map(person => [person.user_id, person]))
    const user_ids = listed.map(person => person.user_id)
    const items = await openItems(step, user_ids)
    return {
      people: new Map([...ids].flatMap(([key, id]) => { const person = by_id.get(id); return person ? [[key, person]] : [] })),
      queued: await queuedIn(step.db, step.school_id, user_ids),
      blocked: new Map([...items].flatMap(([id, own]) => own.some(item => item.code === 'still_here' || item.code === 'live_parent') ? [[id, own.map(item => item.title).join('、')]] : [])),
    }
  },
  judge: ({ parsed }, snapshot) => judgeLine(parsed, snapshot),
  apply: (step, rows, snapshot) => listRows(step, rows, snapshot),
})

function checkLine(cells: Cells): Checked<Parsed> {
  const errors = missingCells(columns, cells)
  const kind = kind_codes.get(cells.kind ?? '')
  if (cells.kind && kind === undefined) errors.push({ prop: 'kind', msg: '请填写学生、教职工或家长' })
  const { no = '', name = '', reason = '' } = cells
  if ([...reason].length > longest_reason) errors.push({ prop: 'reason', msg: `超过${longest_reason}个字` })
  const parsed = kind === undefined || no === '' || name === '' ? null : { kind, no: numberKey(no), name, reason }
  return { parsed, errors, warnings: [] }
}

function judgeLine({ kind, no, name }: Parsed, { people, queued, blocked }: Snapshot): Judgement {
  const person = people.get(`${kind} ${no}`)
  const errors = []
  if (!person) errors.push({ prop: 'no', msg: '人员不存在' })
  else if (!isSameName(person.user_name, name)) errors.push({ prop: 'name', msg: '姓名与编号不一致' })
  const stands = person && blocked.get(person.user_id)
  if (stands) errors.push({ prop: '', msg: `${stands}，请先办理离校` })
  if (person && queued.has(person.user_id)) errors.push({ prop: '', msg: '人员已在删除队列中' })
  return { verdict: 'new', target_id: null, basis: person?.user_id ?? null, diff: [], errors, warnings: [] }
}

async function idsOf({ db, school_id }: Pick<ApplyStep<PeopleDb>, 'db' | 'school_id'>, parsed: readonly Parsed[]): Promise<Map<string, string>> {
  const of = (kind: Parsed['kind']) => parsed.filter(row => row.kind === kind).map(row => row.no)
  const pupils = await db.selectFrom('student').select(['user_id', 'student_no_lower as no']).where('school_id', '=', school_id).where('student_no_lower', 'in', ['', ...of('student')]).execute()
  const staff = await db.selectFrom('staff').select(['user_id', 'teacher_no_lower as no']).where('school_id', '=', school_id).where('teacher_no_lower', 'in', ['', ...of('staff')]).execute()
  const parents = await db.selectFrom('person').select(['user_id', 'mobile as no']).where('school_id', '=', school_id).where('status', '=', 'live').where('mobile', 'in', ['', ...of('parent')]).execute()
  return new Map([...pupils.map(row => [`student ${row.no}`, row.user_id] as const), ...staff.map(row => [`staff ${row.no}`, row.user_id] as const), ...parents.map(row => [`parent ${row.no ?? ''}`, row.user_id] as const)])
}

/** Lists the people of a piece in batches of at most 200. */
async function listRows(step: ApplyStep<PeopleDb>, rows: readonly ApplyRow<Parsed>[], { people }: Snapshot): Promise<AppliedRow[]> {
  const { db, school_id, me, now } = step
  const found = rows.flatMap(({ row_no, parsed }) => {
    const person = people.get(`${parsed.kind} ${parsed.no}`)
    return person ? [{ row_no, parsed, person }] : []
  })
  const applied: AppliedRow[] = []
  for (const part of chunks(found, most_deleted)) {
    const items = await openItems(step, part.map(({ person }) => person.user_id))
    const reason = part[0]?.parsed.reason ?? ''
    const batch = { source: 'import', state: 'checking', reason, hold_until: null, created_by: me.user_id, confirmed_by: null, at: now } as const
    const batch_no = await insertBatch(db, school_id, batch, part.map(({ person: { user_id, snapshot } }) => ({ user_id, snapshot, state: 'checking', blocks: items.get(user_id) ?? [] })))
    applied.push(...part.map(({ row_no }) => ({ row_no, target_id: batch_no, before: null })))
  }
  return applied
}
