import { most_pickup_persons } from '@campus/access/contract'
import { schoolDay } from '@campus/school/server'
import { checkMobile, checkPersonName } from '@kit/contract/checks'
import { importTemplate } from '@kit/server/excel'
import type { AppliedRow, ApplyRow, ApplyStep, Cells, Checked, ImportColumn, Issue, Judgement, ReadStep } from '@kit/server/excel'
import { addDays } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import type { AccessDb } from '../db.ts'
import { derive } from '../grant/derive.ts'
import { hashOf, seal } from '../visitor/seal.ts'
import { pupilIssues, pupilsByNumber } from './pupils.ts'
import type { Pupils } from './pupils.ts'
import { addition, column, LineReader, undoRows } from './sheet.ts'

type Parsed = {
  no: string; name: string; person_name: string; mobile: string; relation: string; valid_from: string | null; valid_to: string | null
}
type Words = { columns: ImportColumn[]; relations: ReadonlyMap<string, string> }
type Snapshot = { pupils: Pupils; own: ReadonlyMap<string, ReadonlySet<string>>; hash: (mobile: string) => string }

const [waits, ended] = [0, 2] as const

/** 接送人导入: each line writes an adult down who waits for a guardian's word; taken back, he fetches nobody (chapter 35 §6). */
export const pickupPersonTemplate = importTemplate<AccessDb, Words, Parsed, Snapshot>({
  code: 'access_pickup_person',
  page: '/ParentSend',
  title: '接送人导入',
  file_name: '接送人导入模板.xlsx',
  sheet: '接送人',
  notes: ['填写说明：一行一名接送人，学号与学生姓名须一致；导入后为待监护人确认。', '每名学生最多8名接送人。'],
  need: 'access.pickup.edit',
  words: readWords,
  columns: ({ columns }) => columns,
  check: checkLine,
  keys: ({ no, mobile }) => [{ prop: 'mobile', key: `${no} ${mobile}` }],
  load: (step, rows) => loadSnapshot(step, rows.map(row => row.parsed)),
  judge: ({ parsed }, snapshot) => judgeLine(parsed, snapshot),
  apply: (step, rows, snapshot) => applyLines(step, rows, snapshot),
  undo: undoRows({
    table: 'pickup_person', id: 'pickup_id', mark: sql<string>`confirm_state || ' ' || row_version`,
    reason: '接送人已被确认或停用，不能撤销', undo: undoLines,
  }),
})

async function readWords({ db, school_id }: ReadStep<AccessDb>): Promise<Words> {
  const rows = await db.selectFrom('dictionary_v').select(['sc_code_item', 'name']).where('school_id', '=', school_id)
    .where('sc_code_type', '=', 'PICKUP_RELATION').orderBy('sc_code_item').execute()
  const relations = new Map(rows.map(row => [row.name, row.sc_code_item]))
  return {
    relations,
    columns: [
      column('学号', 'no', { text: true, sample: '20190101' }),
      column('学生姓名', 'name', { sample: '王子涵' }),
      column('接送人姓名', 'person_name', { sample: '王桂兰' }),
      column('手机号', 'mobile', { text: true, secret: true, sample: '13900000000' }),
      column('关系', 'relation', { options: [...relations.keys()] }),
      column('生效日期', 'valid_from', { required: false, note: '不填为今天' }),
      column('失效日期', 'valid_to', { required: false, note: '当天仍有效；不填为长期' }),
    ],
  }
}

function checkLine({ columns, relations }: Words, cells: Cells): Checked<Parsed> {
  const line = new LineReader(columns, cells)
  const [person_name, mobile] = [line.text('person_name'), line.code('mobile').replaceAll(/[\s-]/gu, '')]
  line.check('mobile', mobile, checkMobile)
  line.check('person_name', person_name, checkPersonName)
  const relation = line.named('relation', relations)
  const [valid_from, valid_to] = line.days('valid_from', 'valid_to', '失效日期不能早于生效日期')
  if (relation === undefined) return line.done<Parsed>(null)
  return line.done({ no: line.code('no'), name: line.text('name'), person_name, mobile, relation, valid_from, valid_to })
}

async function loadSnapshot(step: ReadStep<AccessDb>, parsed: readonly Parsed[]): Promise<Snapshot> {
  const { app, db, school_id, now } = step
  const pupils = await pupilsByNumber(step, parsed.map(row => row.no))
  const { rows } = await sql<{ student_id: string; mobile_hash: string }>`
    select student_id::text, mobile_hash from pickup_person where school_id = ${school_id} and confirm_state < ${ended}
      and (valid_to is null or valid_to > ${schoolDay(now)}::date)
      and student_id = any(${[...pupils.values()].map(pupil => pupil.user_id)}::bigint[])`.execute(db)
  const own = Map.groupBy(rows, row => row.student_id)
  const hash = (mobile: string) => hashOf(app, school_id, 'mobile', mobile)
  return { pupils, hash, own: new Map([...own].map(([id, list]) => [id, new Set(list.map(row => row.mobile_hash))])) }
}

function judgeLine(parsed: Parsed, { pupils, own, hash }: Snapshot): Judgement {
  const errors: Issue[] = pupilIssues(pupils, parsed)
  const { user_id = '' } = pupils.get(parsed.no) ?? {}
  const known = own.get(user_id)
  if (known?.has(hash(parsed.mobile))) errors.push({ prop: 'mobile', msg: '该手机号已是此学生的接送人' })
  else if ((known?.size ?? 0) >= most_pickup_persons) errors.push({ prop: 'no', msg: '每名学生最多8名接送人' })
  return addition('person_name', parsed.person_name, user_id, errors)
}

/** Writes down who is within the limit of his child; the others are judged anew. */
async function applyLines(step: ApplyStep<AccessDb>, rows: readonly ApplyRow<Parsed>[], snapshot: Snapshot): Promise<AppliedRow[]> {
  const { pupils, own, hash } = snapshot
  const { app, db, school_id, now, me } = step
  await sql`select pg_advisory_xact_lock(35, ${school_id}::int)`.execute(db)
  const parents = await parentsBy(step, rows.map(row => row.parsed.mobile))
  const counts = new Map([...own].map(([id, known]) => [id, known.size]))
  const applied: AppliedRow[] = []
  for (const { row_no, parsed } of rows) {
    const student_id = pupils.get(parsed.no)?.user_id
    const count = student_id === undefined ? most_pickup_persons : (counts.get(student_id) ?? 0)
    if (student_id === undefined || count >= most_pickup_persons) continue
    counts.set(student_id, count + 1)
    const { no: _no, name: _name, mobile, valid_from, valid_to, ...values } = parsed
    const row = {
      ...values, school_id, student_id, parent_id: parents.get(mobile) ?? null,
      mobile_enc: seal(app, school_id, 'mobile', mobile), mobile_hash: hash(mobile), mobile_tail: mobile.slice(-4),
      valid_from: valid_from ?? schoolDay(now), valid_to: valid_to === null ? null : addDays(valid_to, 1),
      created_at: now, created_by: me.user_id,
    }
    const { pickup_id } = await db.insertInto('pickup_person').values(row).returning('pickup_id').executeTakeFirstOrThrow()
    applied.push({ row_no, target_id: pickup_id, before: null, touched: [{ key: pickup_id, mark: `${waits} 1` }] })
  }
  return applied
}

/** Parents of the school by mobile, where it is of one alone. */
async function parentsBy({ db, school_id }: ApplyStep<AccessDb>, mobiles: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ mobile: string; user_id: string }>`
    select mobile, min(user_id)::text as user_id from live_parent where school_id = ${school_id} and mobile = any(${[...mobiles]}::text[])
    group by mobile having count(*) = 1`.execute(db)
  return new Map(rows.map(row => [row.mobile, row.user_id]))
}

async function undoLines({ app, db, school_id, now, me }: ApplyStep<AccessDb>, ids: readonly string[]): Promise<void> {
  const gone = await db.updateTable('pickup_person').set({ confirm_state: ended, ended_at: now, ended_by: me.user_id })
    .where('school_id', '=', school_id).where('pickup_id', 'in', ['0', ...ids]).returning('parent_id').execute()
  const accounts = gone.flatMap(row => row.parent_id ?? [])
  if (accounts.length > 0) await derive({ app, db, school_id, now }, accounts)
}
