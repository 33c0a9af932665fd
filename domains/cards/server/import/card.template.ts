import { CARD_MEDIA, CARD_TYPE, most_deposit } from '@campus/cards/contract'
import { importTemplate, missingCells } from '@campus/jobs/server'
import type { AppliedRow, ApplyRow, ApplyStep, Cells, Checked, Issue, Judgement, TemplateColumn } from '@campus/jobs/server'
import { visibleDepts } from '@campus/people/server'
import { dayOf, Refusal } from '@kit/contract'
import { foldFullWidth } from '@kit/contract/checks'
import { sql } from 'kysely'
import type { CardFormat } from '@kit/terminal-protocol/card'
import type { Act, CardsDb } from '../db.ts'
import { lockHoldings } from '../holding.queries.ts'
import { issueTo } from '../issue.ts'
import { op_codes } from '../journal.ts'
import { parseCard } from '../number.ts'
import { isSeen, readHolders } from '../people.ts'
import type { Holder } from '../people.ts'
import { readFormat, readSetting } from '../setting.ts'
import { undoIssue } from '../undo.service.ts'

type Kind = 'student' | 'staff' | 'parent'
type Parsed = { kind: Kind; no: string; name: string; card_type: string; media: string; card_text: string; print_no: string; deposit: number; valid_to: string | null }
type Snapshot = { people: ReadonlyMap<string, Holder>; taken: ReadonlySet<string>; format: CardFormat; used: ReadonlyMap<string, string>; blocked: ReadonlyMap<string, number> }

const kind_codes = new Map<string, Kind>([['学生', 'student'], ['教职工', 'staff'], ['家长', 'parent']])
const person_kinds: Readonly<Record<Kind, readonly number[]>> = { student: [1], staff: [2, 6, 7], parent: [3] }
const codeByName = (names: Readonly<Record<string, string>>) => new Map(Object.entries(names).map(([code, name]) => [name, code]))
const [types, medias] = [codeByName(CARD_TYPE.names), codeByName(CARD_MEDIA.names)]
const [slave_type, social_type] = ['7', '6'] as const
const [void_, lost] = [3, 2] as const
const by_import = 3
const money = /^\d{1,3}(\.\d{1,2})?$/u
const fen = 100

const columns: TemplateColumn[] = [
  { label: '人员类型', prop: 'kind', required: true, options: [...kind_codes.keys()], text: false, sample: '学生' },
  { label: '人员编号', prop: 'no', required: true, options: null, text: true, sample: '20190101', note: '学生填学号，教职工填工号，家长填手机号' },
  { label: '姓名', prop: 'name', required: true, options: null, text: false, sample: '王子涵' },
  { label: '卡类型', prop: 'card_type', required: true, options: [...types.keys()], text: false, sample: '学生卡' },
  { label: '卡介质', prop: 'media', required: false, options: [...medias.keys()], text: false },
  { label: '物理卡号', prop: 'card_text', required: true, options: null, text: true, sample: '0713233758', note: '10位十进制，或8、14、16、20位十六进制' },
  { label: '印刷卡号', prop: 'print_no', required: false, options: null, text: true },
  { label: '押金(元)', prop: 'deposit', required: false, options: null, text: false },
  { label: '有效期至', prop: 'valid_to', required: false, options: null, text: false },
]

/** 卡片导入: each line issues one card; somebody who has one already is refused, never reissued in silence (chapter 40 §6). */
export const cardTemplate = importTemplate<CardsDb, TemplateColumn[], Parsed, Snapshot>({
  code: 'card',
  page: '/CardManagement',
  title: '卡片导入',
  file_name: '卡片导入模板.xlsx',
  sheet: '卡片导入',
  notes: ['填写说明：一行一张卡，编号与姓名须一致。已有在用主卡的人员请用补卡或换卡。', '每次最多20000行，不支持公式。'],
  need: 'cards.card.import',
  words: async () => columns,
  columns: words => words,
  check: (_words, cells) => checkLine(cells),
  keys: ({ kind, no, card_type, card_text }) => [{ prop: 'no', key: `${kind} ${no} ${card_type === slave_type ? card_text : 'main'}` }, { prop: 'card_text', key: card_text.toUpperCase() }],
  load: (step, rows) => loadSnapshot(step, rows.map(row => row.parsed)),
  judge: ({ parsed }, snapshot) => judgeLine(parsed, snapshot),
  apply: (step, rows, snapshot) => applyLines(step, rows, snapshot),
  undo: {
    async marks({ db, school_id }, keys, lock) {
      const found = await db.selectFrom('card_holding').select(['holding_id', 'row_version', 'state']).where('school_id', '=', school_id).where('holding_id', 'in', ['0', ...keys]).orderBy('holding_id').$if(lock, query => query.forUpdate()).execute()
      return new Map(found.map(({ holding_id, row_version, state }) => [holding_id, `${state} ${row_version}`]))
    },
    reason: () => '已使用或已变更，不能撤销',
    undo: (step, rows, kept) => undoLines(step, rows.map(row => row.target_id).filter(id => !kept.has(id))),
  },
})

function checkLine(cells: Cells): Checked<Parsed> {
  const errors = missingCells(columns, cells)
  const { no = '', name = '', card_text = '', print_no = '', deposit = '', valid_to = '' } = cells
  const kind = kind_codes.get(cells.kind ?? '')
  const card_type = types.get(cells.card_type ?? '')
  const media = cells.media ? medias.get(cells.media) : '1'
  const day = valid_to === '' ? null : dayOf(valid_to)
  if (cells.kind && kind === undefined) errors.push({ prop: 'kind', msg: '请填写学生、教职工或家长' })
  if (cells.card_type && card_type === undefined) errors.push({ prop: 'card_type', msg: '字典值不存在' })
  if (card_type === social_type) errors.push({ prop: 'card_type', msg: '社保卡请在社保卡管理中绑定' })
  if (media === undefined) errors.push({ prop: 'media', msg: '字典值不存在' })
  if (print_no.length > 20) errors.push({ prop: 'print_no', msg: '印刷卡号超过20位' })
  if (deposit !== '' && (!money.test(deposit) || Number(deposit) * fen > most_deposit)) errors.push({ prop: 'deposit', msg: '押金为0到999元，最多两位小数' })
  if (valid_to !== '' && day === null) errors.push({ prop: 'valid_to', msg: '日期格式不正确，例如2027-07-15' })
  if (kind === undefined || card_type === undefined || media === undefined || errors.length > 0) return { parsed: null, errors, warnings: [] }
  return { parsed: { kind, no: foldFullWidth(no), name, card_type, media, card_text: foldFullWidth(card_text), print_no, deposit: Math.round(Number(deposit || 0) * fen), valid_to: day }, errors, warnings: [] }
}

function judgeLine({ kind, no, name, card_type, card_text }: Parsed, { people, taken, format, used, blocked }: Snapshot): Judgement {
  const errors: Issue[] = []
  const person = people.get(`${kind} ${no}`)
  const uid_hex = parseCard(card_text, format)
  if (!person) errors.push({ prop: 'no', msg: '人员不存在' })
  else if (person.user_name !== name) errors.push({ prop: 'name', msg: '姓名与编号不一致' })
  else if (card_type !== slave_type && taken.has(person.user_id)) errors.push({ prop: 'no', msg: '该人员已有在用卡片，请使用补卡或换卡' })
  else if (card_type === slave_type && !taken.has(person.user_id)) errors.push({ prop: 'no', msg: '请先发放主卡' })
  if (uid_hex === null) errors.push({ prop: 'card_text', msg: '卡号格式不正确' })
  else if (used.has(uid_hex)) errors.push({ prop: 'card_text', msg: '卡号已被占用' })
  else if (blocked.get(uid_hex) === void_) errors.push({ prop: 'card_text', msg: '该卡已作废，不能发放' })
  else if (blocked.get(uid_hex) === lost) errors.push({ prop: 'card_text', msg: '该卡已登记丢失，请先找回入库再发放' })
  return { verdict: 'new', target_id: null, basis: person?.user_id ?? null, diff: [{ prop: 'card_text', before: '', after: card_text }], errors, warnings: [] }
}

type Step = Pick<ApplyStep<CardsDb>, 'db' | 'school_id' | 'me' | 'now'>

async function loadSnapshot(step: Step, parsed: readonly Parsed[]): Promise<Snapshot> {
  const { db, school_id } = step
  const scopes = { student: await visibleDepts(step, 'student'), staff: await visibleDepts(step, 'staff') }
  const numbers = (kind: Kind) => parsed.filter(row => row.kind === kind).map(row => row.no)
  const { rows } = await sql<{ user_id: string; person_kind: number; user_name: string; user_no: string; number: string }>`
    select l.user_id::text as user_id, l.person_kind::int as person_kind, l.user_name, l.user_no, coalesce(p.mobile, l.user_no) as number
    from live_person l left join live_parent p on p.school_id = ${school_id} and p.user_id = l.user_id and l.person_kind = 3
    where l.school_id = ${school_id} and ${isSeen(school_id, scopes)}
      and ((l.person_kind = 3 and p.mobile = any(${numbers('parent')}::text[])) or l.user_no = any(${[...numbers('student'), ...numbers('staff')]}::text[]))`.execute(db)
  const people = new Map(rows.flatMap(({ number, ...row }) => kindsOf(row.person_kind).map(kind => [`${kind} ${number}`, { ...row, dept_id: null, dept_name: null }] as const)))
  const format = await readFormat(db, school_id, await readSetting(db, school_id))
  const uids = parsed.flatMap(row => parseCard(row.card_text, format) ?? [])
  const media = await db.selectFrom('card').select(['uid_hex', 'stock_state']).where('school_id', '=', school_id).where(sql<boolean>`uid_hex = any(${uids}::text[])`).execute()
  const held = await db.selectFrom('cards_live_v').select(['user_id', 'uid_hex', 'slot']).where('school_id', '=', school_id).where(sql<boolean>`(uid_hex = any(${uids}::text[]) or user_id = any(${[...people.values()].map(one => one.user_id)}::bigint[]))`).execute()
  const mains = held.filter(one => one.slot === 0)
  return { people, format, taken: new Set(mains.map(one => one.user_id)), used: new Map(held.map(one => [one.uid_hex, one.user_id])), blocked: new Map(media.map(one => [one.uid_hex, one.stock_state])) }
}

function kindsOf(person_kind: number): Kind[] {
  return (['student', 'staff', 'parent'] as const).filter(kind => person_kinds[kind].includes(person_kind))
}

/** Each line in a savepoint: one that lost a race to somebody at the reader is left out, the others stand. */
async function applyLines(step: ApplyStep<CardsDb>, rows: readonly ApplyRow<Parsed>[], { people, format }: Snapshot): Promise<AppliedRow[]> {
  const { db, app, school_id, me, now, batch_no } = step
  const act: Act = { app, db, school_id, now, by: me, via: by_import, batch_no }
  const holders = await readHolders(db, school_id, [...people.values()].map(one => one.user_id), null)
  const applied: AppliedRow[] = []
  for (const { row_no, parsed } of rows) {
    const person = people.get(`${parsed.kind} ${parsed.no}`)
    const holder = person && holders.get(person.user_id)
    const uid_hex = parseCard(parsed.card_text, format)
    if (!holder || uid_hex === null) continue
    await sql`savepoint one_line`.execute(db)
    try {
      const { deposit, valid_to, print_no, media, card_type } = parsed
      const slot = card_type === slave_type ? await freeSlot(act, holder.user_id) : 0
      const { held } = await issueTo(act, holder, { uid_hex, slot, card_type, media, print_no, valid_to, deposit, op: op_codes.import }, format)
      applied.push({ row_no, target_id: held.holding_id, before: null, touched: [{ key: held.holding_id, mark: '1 1' }] })
      await sql`release savepoint one_line`.execute(db)
    } catch (error) {
      await sql`rollback to savepoint one_line`.execute(db)
      if (!(error instanceof Refusal)) throw error
    }
  }
  return applied
}

async function freeSlot({ db, school_id }: Act, user_id: string): Promise<number> {
  const held = await db.selectFrom('cards_live_v').select('slot').where('school_id', '=', school_id).where('user_id', '=', user_id).execute()
  return [1, 2, 3, 4].find(slot => !held.some(one => one.slot === slot)) ?? 4
}

async function undoLines({ app, db, school_id, me, now, batch_no }: ApplyStep<CardsDb>, holding_ids: readonly string[]): Promise<void> {
  const act: Act = { app, db, school_id, now, by: me, via: by_import, batch_no }
  const held = await db.selectFrom('card_holding').select(['card_id', 'issued_at']).where('school_id', '=', school_id).where('holding_id', 'in', ['0', ...holding_ids]).execute()
  const issued = new Map(held.map(row => [row.card_id, row.issued_at]))
  for (const one of await lockHoldings(db, school_id, [...issued.keys()])) await undoIssue(act, one, { at: issued.get(one.card_id) ?? now })
}
