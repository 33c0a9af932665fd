import { archive } from '@campus/audit/server'
import { importTemplate, missingCells } from '@campus/jobs/server'
import type { AppliedRow, ApplyRow, ApplyStep, Cells, Checked, Issue, Judgement, TemplateColumn } from '@campus/jobs/server'
import { AlipayLogon, logonFault, whitelistApi } from '@campus/people/contract'
import type { WhitelistRow } from '@campus/people/contract'
import { needOf } from '@kit/contract'
import { foldFullWidth, isSameName, numberKey } from '@kit/contract/checks'
import { sql } from 'kysely'
import { schoolDay } from '../day.ts'
import type { PeopleDb } from '../db.ts'
import { listedPeople } from '../deletion/listed-people.ts'
import { visibleDepts } from '../scope.ts'
import { tellWhitelist } from './channel.ts'
import { maskLogon, sealLogon } from './logon.ts'
import { guardiansOf, payees } from './whitelist.queries.ts'
import { purpose_names } from './whitelist.service.ts'

type Purpose = WhitelistRow['purpose']
type Parsed = { kind: 'student' | 'staff'; no: string; name: string; logon: string; purpose: Purpose; payer: string }
type Person = { user_id: string; person_kind: number; user_name: string; payers: readonly { user_id: string; mobile: string | null }[]; taken: ReadonlySet<string> }
type Snapshot = ReadonlyMap<string, Person>

const kind_codes = new Map<string, Parsed['kind']>([['学生', 'student'], ['教职工', 'staff']])
const purpose_codes = new Map<string, Purpose>([[purpose_names.face_pay, 'face_pay'], [purpose_names.recharge, 'recharge']])
const columns: TemplateColumn[] = [
  { label: '人员类别', prop: 'kind', required: true, options: [...kind_codes.keys()], text: false, sample: '学生' },
  { label: '编号', prop: 'no', required: true, options: null, text: true, sample: '20190101', note: '学生填学号，教职工填工号' },
  { label: '姓名', prop: 'name', required: true, options: null, text: false, sample: '王子涵' },
  { label: '支付宝账号', prop: 'logon', required: true, options: null, text: true, sample: '16900000001', note: '手机号或邮箱' },
  { label: '用途', prop: 'purpose', required: true, options: [...purpose_codes.keys()], text: false, sample: purpose_names.face_pay },
  { label: '付款人手机号', prop: 'payer', required: false, options: null, text: true, note: '学生的家长；不填则为第一联系人。教职工不填' },
]
const edited = 4
const need = needOf(whitelistApi.add) ?? ''

/** 支付宝白名单导入: each line waits for another person's approval, like those entered one by one. */
export const whitelistTemplate = importTemplate<PeopleDb, TemplateColumn[], Parsed, Snapshot>({
  code: 'alipay_whitelist',
  page: '/WhiteList',
  title: '支付宝白名单导入',
  file_name: '支付宝白名单导入模板.xlsx',
  sheet: '支付宝白名单导入',
  notes: ['填写说明：一行一人一种用途，编号与姓名须一致。导入后为待复核，须由另一位管理员复核后才会提交支付渠道。', '每次最多20000行，不支持公式。'],
  need,
  words: async () => columns,
  columns: words => words,
  check: (_words, cells) => checkLine(cells),
  keys: ({ kind, no, purpose }) => [{ prop: 'no', key: `${kind} ${no} ${purpose}` }],
  load: (step, rows) => loadPeople(step, rows.map(row => row.parsed)),
  judge: ({ parsed }, snapshot) => judgeLine(parsed, snapshot.get(`${parsed.kind} ${parsed.no}`)),
  apply: (step, rows, snapshot) => applyLines(step, rows, snapshot),
  undo: {
    async marks({ db, school_id }, keys, lock) {
      const found = await db.selectFrom('alipay_whitelist').select(['id', 'row_version', 'state']).where('school_id', '=', school_id).where('id', 'in', ['0', ...keys]).orderBy('id').$if(lock, query => query.forUpdate()).execute()
      return new Map(found.map(({ id, row_version, state }) => [id, `${state}${row_version}`]))
    },
    reason: () => '已复核或已移除，请在白名单中处理',
    async undo({ db, school_id }, rows, kept) {
      const ids = rows.map(row => row.target_id).filter(id => !kept.has(id))
      await db.deleteFrom('alipay_whitelist').where('school_id', '=', school_id).where('id', 'in', ['0', ...ids]).execute()
    },
  },
})

function checkLine(cells: Cells): Checked<Parsed> {
  const errors = missingCells(columns, cells)
  const { no = '', name = '', logon = '', payer = '' } = cells
  const kind = kind_codes.get(cells.kind ?? '')
  const purpose = purpose_codes.get(cells.purpose ?? '')
  if (cells.kind && kind === undefined) errors.push({ prop: 'kind', msg: '请填写学生或教职工' })
  if (cells.purpose && purpose === undefined) errors.push({ prop: 'purpose', msg: `请填写${[...purpose_codes.keys()].join('或')}` })
  const read = AlipayLogon.safeParse(logon)
  if (logon !== '' && !read.success) errors.push({ prop: 'logon', msg: logonFault(foldFullWidth(logon)) ?? '超过60个字' })
  const parsed = kind === undefined || purpose === undefined || no === '' || name === '' ? null : { kind, no: numberKey(no), name, logon: read.data ?? '', purpose, payer: foldFullWidth(payer) }
  return { parsed, errors, warnings: [] }
}

function judgeLine({ name, logon, purpose, payer }: Parsed, person: Person | undefined): Judgement {
  const errors: Issue[] = []
  if (!person) errors.push({ prop: 'no', msg: '人员不存在或不在校' })
  else if (!isSameName(person.user_name, name)) errors.push({ prop: 'name', msg: '姓名与编号不一致' })
  else if (person.taken.has(purpose)) errors.push({ prop: 'purpose', msg: '该人员已在白名单中' })
  else if (payerOf(person, payer) === undefined) errors.push({ prop: 'payer', msg: person.payers.length === 0 ? '该学生没有监护人，请先登记' : '付款人须为该学生的监护人' })
  const diff = person ? [{ prop: 'logon', before: '', after: maskLogon(logon) }] : []
  return { verdict: 'new', target_id: null, basis: person?.user_id ?? null, diff, errors, warnings: [] }
}

function payerOf({ payers }: Person, mobile: string): string | undefined {
  return (mobile === '' ? payers[0] : payers.find(payer => payer.mobile === mobile))?.user_id
}

async function loadPeople(step: Pick<ApplyStep<PeopleDb>, 'db' | 'school_id' | 'me' | 'now'>, parsed: readonly Parsed[]): Promise<Snapshot> {
  const { db, school_id, now } = step
  const on = schoolDay(now)
  const numbers = (kind: Parsed['kind']) => ['', ...parsed.filter(row => row.kind === kind).map(row => row.no)]
  const pupils = await db.selectFrom('student').select(['user_id', 'student_no_lower as no']).where('school_id', '=', school_id).where('student_no_lower', 'in', numbers('student')).execute()
  const staff = await db.selectFrom('staff').select(['user_id', 'teacher_no_lower as no']).where('school_id', '=', school_id).where('teacher_no_lower', 'in', numbers('staff')).execute()
  const key_of = new Map([...pupils.map(row => [row.user_id, `student ${row.no}`] as const), ...staff.map(row => [row.user_id, `staff ${row.no}`] as const)])
  const seen = { school_id, on, student: await visibleDepts(step, 'student', on), staff: await visibleDepts(step, 'staff', on) }
  const people = await payees(db, seen, [...key_of.keys()])
  const guardians = Map.groupBy(await guardiansOf(db, school_id, pupils.map(row => row.user_id), on), row => row.student_user_id)
  const { rows: taken } = await sql<{ user_id: string; purpose: string }>`
    select w.user_id, w.purpose from alipay_whitelist w
    where w.school_id = ${school_id} and w.state not in ('failed', 'removed') and w.user_id = any(${people.map(person => person.user_id)}::bigint[])`.execute(db)
  const taken_of = Map.groupBy(taken, row => row.user_id)
  return new Map(people.map(({ user_id, person_kind, user_name }) => {
    const payers = person_kind === 1 ? (guardians.get(user_id) ?? []) : [{ user_id, mobile: null }]
    return [key_of.get(user_id) ?? '', { user_id, person_kind, user_name, payers, taken: new Set((taken_of.get(user_id) ?? []).map(row => row.purpose)) }]
  }))
}

async function applyLines(step: ApplyStep<PeopleDb>, rows: readonly ApplyRow<Parsed>[], snapshot: Snapshot): Promise<AppliedRow[]> {
  const { db, app, school_id, me, now, batch_no } = step
  const applied: AppliedRow[] = []
  for (const { row_no, parsed } of rows) {
    const person = snapshot.get(`${parsed.kind} ${parsed.no}`)
    const payer_user_id = person && payerOf(person, parsed.payer)
    if (!person || payer_user_id === undefined) continue
    const { user_id, person_kind } = person
    const row = { school_id, user_id, person_kind, payer_user_id, ...sealLogon(app.secrets, school_id, parsed.logon), purpose: parsed.purpose, batch_no, created_at: now, created_by: me.user_id }
    const made = await db.insertInto('alipay_whitelist').values(row).onConflict(clash => clash.doNothing()).returning('id').executeTakeFirst()
    if (made) applied.push({ row_no, target_id: made.id, before: null, touched: [{ key: made.id, mark: 'pending1' }] })
  }
  await journal(step, rows, snapshot)
  await tellWhitelist(step, applied.map(row => row.target_id))
  return applied
}

async function journal({ db, school_id, me, now, batch_no }: ApplyStep<PeopleDb>, rows: readonly ApplyRow<Parsed>[], snapshot: Snapshot): Promise<void> {
  const people = await listedPeople(db, school_id, rows.flatMap(({ parsed }) => snapshot.get(`${parsed.kind} ${parsed.no}`)?.user_id ?? []))
  const operator = { school_id, at: now, user_id: me.user_id, user_no: me.user_no, user_name: me.user_name, role_no: me.role_no, role_name: me.role_name }
  await archive(db, operator, people.map(({ user_id, user_name, snapshot: facts }) => ({
    person_kind: facts.person_kind, person_id: user_id, person_no: facts.user_no, person_name: user_name, dept_name: facts.dept_name ?? undefined,
    op_type: edited, source: 'import' as const, batch_no, changes: [{ field: 'whitelist', label: '支付宝白名单', before: null, after: '提交，待复核' }],
  })))
}
