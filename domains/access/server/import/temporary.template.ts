import { direction_names, effect_names, reason_names } from '@campus/access/contract'
import { importTemplate } from '@kit/server/excel'
import type { AppliedRow, ApplyRow, ApplyStep, Cells, Checked, ImportColumn, Issue, Judgement, ReadStep } from '@kit/server/excel'
import { sql } from 'kysely'
import type { AccessDb } from '../db.ts'
import { derive } from '../grant/derive.ts'
import { pupilIssues, pupilsByNumber } from './pupils.ts'
import type { Pupils } from './pupils.ts'
import { addition, column, LineReader, undoRows, unknownNames } from './sheet.ts'
import { doorNames } from './words.ts'

type Parsed = {
  no: string; name: string; effect: number; direction: number; begin: string; end: string; max_times: number | null
  places: string[]; reason_code: string; reason: string
}
type Snapshot = { pupils: Pupils; places: ReadonlyMap<string, string>; now: Date; known: ReadonlySet<string> }

const [student, by_hand, longest_ms, open_state] = [1, 1, 180 * 86_400_000, 'open'] as const
const codesOf = (names: Readonly<Record<string, string>>) => new Map(Object.entries(names).map(([code, name]) => [name, code]))
const [effects, ways, reasons] = [codesOf(effect_names), codesOf(direction_names), codesOf(reason_names)]
const columns: ImportColumn[] = [
  column('学号', 'no', { text: true, sample: '20190101' }),
  column('姓名', 'name', { sample: '王子涵' }),
  column('类型', 'effect', { options: [...effects.keys()], sample: '放行' }),
  column('方向', 'direction', { options: [...ways.keys()], sample: '出' }),
  column('开始', 'begin', { text: true, sample: '2026-11-20 10:00' }),
  column('结束', 'end', { text: true, sample: '2026-11-20 12:00' }),
  column('次数', 'max_times', { required: false, note: '1到99，不填为不限次数' }),
  column('门', 'places', { required: false, sample: '南门', note: '多个门用；分隔，不填为所有门' }),
  column('事由', 'reason_code', { required: false, options: [...reasons.keys()], note: '不填为其他' }),
  column('原因', 'reason', { sample: '外出就医' }),
]

/** 学生临时规则导入: each line lets one pupil through, or stops him, for a time; taken back, the rule ends at once (chapter 35 §6). */
export const temporaryTemplate = importTemplate<AccessDb, ImportColumn[], Parsed, Snapshot>({
  code: 'access_temporary',
  page: '/TemporaryRuleStudent',
  title: '学生临时规则导入',
  file_name: '学生临时规则导入模板.xlsx',
  sheet: '临时规则',
  notes: ['填写说明：一行一条规则，学号与姓名须一致；时间如2026-11-20 10:00。'],
  need: 'access.temp.edit',
  words: () => Promise.resolve(columns),
  columns: words => words,
  check: (_words, cells) => checkLine(cells),
  keys: one => [{ prop: 'no', key: keyOf(one) }],
  async load(step, rows) {
    const pupils = await pupilsByNumber(step, rows.map(row => row.parsed.no))
    const doors = await doorNames(step)
    const places = new Map([...doors.in, ...doors.out])
    return { pupils, places, now: step.now, known: await knownRules(step, [...pupils.values()].map(pupil => pupil.user_id)) }
  },
  judge: ({ parsed }, snapshot) => judgeLine(parsed, snapshot),
  apply: (step, rows, snapshot) => applyLines(step, rows, snapshot),
  undo: undoRows({
    table: 'temporary_rule', id: 'temporary_rule_id',
    mark: sql<string>`case when revoked_at is null then 'open ' || row_version else 'revoked' end`,
    reason: '规则已被修改或撤销，不能撤销导入', undo: undoLines,
  }),
})

type Known = Pick<Parsed, 'no' | 'effect' | 'direction' | 'begin' | 'end'>
const keyOf = ({ no, effect, direction, begin, end }: Known) => [no, effect, direction, begin, end].join(' ')

function checkLine(cells: Cells): Checked<Parsed> {
  const line = new LineReader(columns, cells)
  const [effect, direction] = [line.named('effect', effects), line.named('direction', ways)]
  const reason_code = line.named('reason_code', reasons, '9')
  const [begin, end] = [line.instant('begin'), line.instant('end')]
  const max_times = line.whole('max_times', 1, 99, '次数为1到99')
  const reason = line.text('reason')
  if (reason !== '' && (reason.length < 2 || reason.length > 100)) line.say('reason', '原因为2到100个字')
  const length = begin !== null && end !== null ? Date.parse(end) - Date.parse(begin) : 1
  if (length <= 0 || length > longest_ms) line.say('end', '结束时间必须晚于开始时间且不超过180天')
  const codes = effect !== undefined && direction !== undefined && reason_code !== undefined
  if (!codes || begin === null || end === null) return line.done<Parsed>(null)
  const coded = { effect: Number(effect), direction: Number(direction), reason_code }
  return line.done({ no: line.code('no'), name: line.text('name'), ...coded, begin, end, max_times, places: line.names('places'), reason })
}

function judgeLine(parsed: Parsed, { pupils, places, now, known }: Snapshot): Judgement {
  const errors: Issue[] = [...pupilIssues(pupils, parsed), ...unknownNames('places', parsed.places, places, name => `场所「${name}」没有设备`)]
  if (Date.parse(parsed.end) <= now.getTime()) errors.push({ prop: 'end', msg: '结束时间不能早于当前时间' })
  const { user_id = '' } = pupils.get(parsed.no) ?? {}
  if (known.has(keyOf({ ...parsed, no: user_id }))) errors.push({ prop: 'no', msg: '已存在相同的临时规则' })
  return addition('reason', parsed.reason, user_id, errors)
}

/** Rules of these pupils that are not over, as their lines would be known. */
async function knownRules({ db, school_id, now }: ReadStep<AccessDb>, user_ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ user_id: string; effect: number; direction: number; valid_from: Date; valid_to: Date }>`
    select s.user_id::text, t.effect::int, t.direction::int, t.valid_from, t.valid_to from temporary_rule_subject s
    join temporary_rule t on t.school_id = ${school_id} and t.temporary_rule_id = s.temporary_rule_id and t.source = ${by_hand}
      and t.revoked_at is null and t.valid_to > ${now}
    where s.school_id = ${school_id} and s.user_id = any(${[...user_ids]}::bigint[])`.execute(db)
  const lineOf = ({ user_id: no, valid_from, valid_to, ...row }: (typeof rows)[number]) =>
    keyOf({ ...row, no, begin: valid_from.toISOString(), end: valid_to.toISOString() })
  return new Set(rows.map(lineOf))
}

async function applyLines(step: ApplyStep<AccessDb>, rows: readonly ApplyRow<Parsed>[], snapshot: Snapshot): Promise<AppliedRow[]> {
  const { pupils, places } = snapshot
  const { db, school_id, now, me } = step
  const applied: AppliedRow[] = []
  const owners = new Map<string, string>()
  for (const { row_no, parsed } of rows) {
    const pupil = pupils.get(parsed.no)
    if (!pupil) continue
    const { no: _no, name: _name, begin, end, places: names, ...values } = parsed
    const span = { valid_from: new Date(begin), valid_to: new Date(end), place_ids: names.flatMap(name => places.get(name) ?? []) }
    const row = { ...values, ...span, school_id, person_kind: student, source: by_hand, created_at: now, created_by: me.user_id }
    const { temporary_rule_id } = await db.insertInto('temporary_rule').values(row).returning('temporary_rule_id').executeTakeFirstOrThrow()
    await db.insertInto('temporary_rule_subject').values({ school_id, temporary_rule_id, user_id: pupil.user_id }).execute()
    owners.set(temporary_rule_id, pupil.user_id)
    applied.push({ row_no, target_id: temporary_rule_id, before: null, touched: [{ key: temporary_rule_id, mark: `${open_state} 1` }] })
  }
  await deriveOwners(step, owners)
  return applied
}

/** Hands devices what follows, with receipts by rule. */
async function deriveOwners({ app, db, school_id, now }: ApplyStep<AccessDb>, owners: ReadonlyMap<string, string>): Promise<void> {
  const rules = Map.groupBy(owners, ([, user_id]) => user_id)
  const causes = (user_id: string) => (rules.get(user_id) ?? []).map(([id]) => ({ kind: 'temporary' as const, id }))
  await derive({ app, db, school_id, now }, [...rules.keys()], causes)
}

async function undoLines(step: ApplyStep<AccessDb>, ids: readonly string[]): Promise<void> {
  const { db, school_id, now, me } = step
  const subjects = await db.selectFrom('temporary_rule_subject').select(['temporary_rule_id', 'user_id']).where('school_id', '=', school_id)
    .where('temporary_rule_id', 'in', ['0', ...ids]).execute()
  await db.updateTable('temporary_rule').set({ revoked_at: now, revoked_by: me.user_id }).where('school_id', '=', school_id)
    .where('temporary_rule_id', 'in', ['0', ...ids]).execute()
  await deriveOwners(step, new Map(subjects.map(row => [row.temporary_rule_id, row.user_id])))
}
