import { schoolDay } from '@campus/school/server'
import { normalise } from '@kit/contract'
import { checkMobile, checkPersonName, checkPlate } from '@kit/contract/checks'
import { asTables } from '@kit/server/db'
import { importTemplate } from '@kit/server/excel'
import type { AppliedRow, ApplyRow, ApplyStep, Cells, Checked, ImportColumn, Issue, Judgement } from '@kit/server/excel'
import { addDays, startOfDate } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import type { AccessDb } from '../db.ts'
import type { PassDb, Work } from '../pass/db.ts'
import { listPerson, listedOf } from '../visitor/black.service.ts'
import { hashOf } from '../visitor/seal.ts'
import { addition, column, LineReader, undoRows } from './sheet.ts'

type Parsed = { name: string; mobile: string; plate: string; reason: string; from: string | null; to: string | null }
/** Mobiles and plates that are listed already. */
type Snapshot = ReadonlySet<string>

const open_mark = 'open'
const taken_back = '撤销导入'
const columns: ImportColumn[] = [
  column('姓名', 'name', { required: false, sample: '张某' }),
  column('手机号', 'mobile', { required: false, text: true, secret: true, note: '手机号、车牌号至少填一项' }),
  column('车牌号', 'plate', { required: false }),
  column('原因', 'reason', { sample: '多次尾随进校' }),
  column('开始', 'from', { required: false, note: '日期；不填为现在' }),
  column('结束', 'to', { required: false, note: '当天仍有效；不填为长期' }),
]

/** 访客黑名单导入: who is listed may not come, and his live visits end at once; taken back, he is off the list (chapter 35 §6). */
export const blackTemplate = importTemplate<AccessDb, ImportColumn[], Parsed, Snapshot>({
  code: 'access_blacklist',
  page: '/VisitorPass',
  title: '访客黑名单导入',
  file_name: '访客黑名单导入模板.xlsx',
  sheet: '访客黑名单',
  notes: ['填写说明：一行一名访客，手机号、车牌号至少填一项；列入后其待审核、已通过和已到访的来访立即终止。'],
  need: 'access.visitor_black.edit',
  words: () => Promise.resolve(columns),
  columns: words => words,
  check: (_words, cells) => checkLine(cells),
  keys: ({ mobile, plate }) => [{ prop: 'mobile', key: mobile }, { prop: 'plate', key: plate }].filter(one => one.key !== ''),
  async load({ app, db, school_id, now }, rows) {
    const hashes = new Map(rows.map(({ parsed }) => [hashOf(app, school_id, 'mobile', parsed.mobile), parsed.mobile]))
    const keys = { mobile_hashes: [...hashes.keys()], plates: rows.flatMap(row => row.parsed.plate || []) }
    const listed = await listedOf({ db: asTables<PassDb>(db), school_id, now }, keys)
    return new Set([...listed.keys()].map(key => hashes.get(key) ?? key))
  },
  judge: ({ parsed }, listed) => judgeLine(parsed, listed),
  apply: applyLines,
  undo: undoRows({
    table: 'visitor_blacklist', id: 'black_id', mark: sql<string>`case when lifted_at is null then 'open' else 'lifted' end`,
    reason: '该记录已解除', undo: undoLines,
  }),
})

function checkLine(cells: Cells): Checked<Parsed> {
  const line = new LineReader(columns, cells)
  const [name, plate, reason] = [line.text('name'), line.code('plate').toUpperCase(), line.text('reason')]
  const mobile = normalise({ kind: 'mobile' }, line.code('mobile'))
  line.check('name', name, checkPersonName)
  line.check('mobile', mobile, checkMobile)
  line.check('plate', plate, checkPlate)
  if (mobile === '' && plate === '') line.say('mobile', '手机号、车牌号至少填一项')
  if (reason !== '' && (reason.length < 2 || reason.length > 200)) line.say('reason', '原因为2到200个字')
  const [from, to] = line.days('from', 'to', '结束日期不能早于开始日期')
  return line.done({ name, mobile, plate, reason, from, to })
}

function judgeLine({ name, mobile, plate, reason }: Parsed, listed: Snapshot): Judgement {
  const known = [{ prop: 'mobile', key: mobile }, { prop: 'plate', key: plate }].filter(one => one.key !== '' && listed.has(one.key))
  const errors: Issue[] = known.map(({ prop }) => ({ prop, msg: '已在黑名单中' }))
  return addition('reason', reason, name, errors)
}

async function applyLines(step: ApplyStep<AccessDb>, rows: readonly ApplyRow<Parsed>[]): Promise<AppliedRow[]> {
  const { app, school_id, now, me } = step
  const work: Work = { app, db: asTables<PassDb>(step.db), school_id, now, me }
  const applied: AppliedRow[] = []
  for (const { row_no, parsed: { from, to, ...who } } of rows) {
    const valid_from = from === null || from <= schoolDay(now) ? now : startOfDate(from)
    const valid_to = to === null ? null : startOfDate(addDays(to, 1))
    if (valid_to !== null && valid_to <= valid_from) continue
    const { black_id } = await listPerson(work, { ...who, valid_from, valid_to, created_by: me.user_id })
    applied.push({ row_no, target_id: black_id, before: null, touched: [{ key: black_id, mark: open_mark }] })
  }
  return applied
}

async function undoLines({ db, school_id, now, me }: ApplyStep<AccessDb>, ids: readonly string[]): Promise<void> {
  const lifted = { lifted_at: now, lifted_by: me.user_id, lift_reason: taken_back }
  await db.updateTable('visitor_blacklist').set(lifted).where('school_id', '=', school_id).where('black_id', 'in', ['0', ...ids]).execute()
}
