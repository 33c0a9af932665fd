import { mode_names } from '@campus/access/contract'
import { visibleDepts } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { importTemplate } from '@kit/server/excel'
import type { AppliedRow, ApplyRow, ApplyStep, Cells, Checked, Issue, Judgement, ImportColumn, ReadStep } from '@kit/server/excel'
import { addDays, startOfDate } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import type { AccessDb } from '../db.ts'
import { kinds, scenes } from '../decide/facts.ts'
import { derive } from '../grant/derive.ts'
import { isSeen } from '../grant/scope.ts'
import { addition, column, LineReader, undoRows, unknownNames } from './sheet.ts'
import { doorNames, ruleNames } from './words.ts'
import type { DoorNames } from './words.ts'

type Parsed = {
  no: string
  name: string
  mode: 1 | 2
  rule_name: string
  in_places: string[]
  out_places: string[]
  valid_from: string
  valid_to: string | null
}
type Person = { user_id: string; user_name: string; person_kind: number }
type Snapshot = {
  people: ReadonlyMap<string, Person>
  /** by scene and name */
  rules: ReadonlyMap<string, string>
  places: DoorNames
  /** rules of people that replace those of their departments */
  replacing: ReadonlyMap<string, readonly { from: Date; to: Date | null }[]>
}

const [replace, add] = [1, 2] as const
const modes = new Map<string, 1 | 2>([
  [mode_names[1], replace],
  [mode_names[2], add],
])
const open_state = 'open'
const columns: ImportColumn[] = [
  column('人员编号', 'no', { text: true, sample: '20190101' }),
  column('姓名', 'name', { sample: '王子涵' }),
  column('方式', 'mode', { options: [...modes.keys()], sample: '替换', note: '替换：只按此规则；追加：在部门规则之外增加' }),
  column('规则名称', 'rule_name', { sample: '走读' }),
  column('进校门', 'in_places', { required: false, sample: '南门；北门', note: '多个门用；分隔' }),
  column('出校门', 'out_places', { required: false, sample: '南门' }),
  column('生效日期', 'valid_from', { sample: '2026-09-01' }),
  column('失效日期', 'valid_to', { required: false, note: '当天仍有效；不填为长期' }),
]

/** 人员通行规则导入: each line gives one person a rule of his own; taken back, they go by the rules from before (chapter 35 §6). */
export const userRuleTemplate = importTemplate<AccessDb, ImportColumn[], Parsed, Snapshot>({
  code: 'access_user_rule',
  page: '/StudentAccess',
  title: '人员通行规则导入',
  file_name: '人员通行规则导入模板.xlsx',
  sheet: '人员通行规则',
  notes: ['填写说明：一行一条规则，编号与姓名须一致；规则须已在通行时段中建立。', '每次最多20000行，不支持公式。'],
  need: 'access.user_rule.edit',
  words: async () => columns,
  columns: words => words,
  check: (_words, cells) => checkLine(cells),
  keys: ({ no, mode, rule_name }) => [{ prop: 'no', key: mode === replace ? `${no} replace` : `${no} ${rule_name}` }],
  load: (step, rows) =>
    loadSnapshot(
      step,
      rows.map(row => row.parsed),
    ),
  judge: ({ parsed }, snapshot) => judgeLine(parsed, snapshot),
  apply: (step, rows, snapshot) => applyLines(step, rows, snapshot),
  undo: undoRows({
    table: 'user_rule', id: 'user_rule_id', mark: sql<string>`'open ' || row_version`, reason: '规则已被修改或结束，不能撤销', undo: undoLines,
  }),
})

function checkLine(cells: Cells): Checked<Parsed> {
  const line = new LineReader(columns, cells)
  const mode = modes.get(line.text('mode'))
  if (line.text('mode') !== '' && mode === undefined) line.say('mode', '请填写替换或追加')
  const [valid_from, valid_to] = line.days('valid_from', 'valid_to', '有效期结束不能早于开始')
  const [in_places, out_places] = [line.names('in_places'), line.names('out_places')]
  if (in_places.length + out_places.length === 0) line.say('in_places', '进校门与出校门不能同时为空')
  if (mode === undefined || valid_from === null) return line.done<Parsed>(null)
  const who = { no: line.code('no'), name: line.text('name') }
  return line.done({ ...who, mode, rule_name: line.text('rule_name'), in_places, out_places, valid_from, valid_to })
}

function judgeLine(parsed: Parsed, { people, rules, places, replacing }: Snapshot): Judgement {
  const errors: Issue[] = []
  const person = people.get(parsed.no)
  if (!person) errors.push({ prop: 'no', msg: '人员不存在' })
  else if (person.user_name !== parsed.name) errors.push({ prop: 'name', msg: '姓名与编号不一致' })
  if (person && !rules.has(`${sceneOf(person)} ${parsed.rule_name}`)) errors.push({ prop: 'rule_name', msg: '规则不存在' })
  errors.push(
    ...unknownNames('in_places', parsed.in_places, places.in, name => `场所「${name}」没有进方向的设备`),
    ...unknownNames('out_places', parsed.out_places, places.out, name => `场所「${name}」没有出方向的设备`),
  )
  const [from, to] = [startOfDate(parsed.valid_from), endOf(parsed)]
  const own = person && parsed.mode === replace ? (replacing.get(person.user_id) ?? []) : []
  if (own.some(rule => (to === null || rule.from < to) && (rule.to === null || rule.to > from)))
    errors.push({ prop: 'valid_from', msg: '有效期与已有规则重叠' })
  return addition('rule_name', parsed.rule_name, person?.user_id ?? null, errors)
}

function sceneOf({ person_kind }: Person): number {
  return person_kind === kinds.student ? scenes.student : scenes.staff
}

function endOf({ valid_to }: Parsed): Date | null {
  return valid_to === null ? null : startOfDate(addDays(valid_to, 1))
}

async function loadSnapshot(
  step: Pick<ReadStep<AccessDb>, 'db' | 'school_id' | 'me' | 'now'>,
  parsed: readonly Parsed[],
): Promise<Snapshot> {
  const { db, school_id, now } = step
  const scopes = { student: await visibleDepts(step, 'student'), staff: await visibleDepts(step, 'staff') }
  const { rows } = await sql<Person & { user_no: string }>`
    select l.user_id::text, l.user_name, l.user_no, l.person_kind::int from live_person l
    where l.school_id = ${school_id} and ${isSeen(scopes)} and l.user_no = any(${parsed.map(row => row.no)}::text[]) order by l.person_kind desc`.execute(
    db,
  )
  const people = new Map(rows.map(({ user_no, ...person }) => [user_no, person]))
  const replacing = await db
    .selectFrom('user_rule')
    .select(['user_id', 'valid_from', 'valid_to'])
    .where('school_id', '=', school_id)
    .where('mode', '=', replace)
    .where(sql<boolean>`user_id = any(${rows.map(row => row.user_id)}::bigint[])`)
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', now)]))
    .execute()
  return {
    people,
    rules: await ruleNames(step),
    places: await doorNames(step),
    replacing: Map.groupBy(
      replacing.map(row => ({ user_id: row.user_id, from: row.valid_from, to: row.valid_to })),
      row => row.user_id,
    ),
  }
}

/** Writes the rules of a part of the file at once and hands devices what follows from all of them. */
async function applyLines(
  step: ApplyStep<AccessDb>,
  rows: readonly ApplyRow<Parsed>[],
  { people, rules, places }: Snapshot,
): Promise<AppliedRow[]> {
  const { db, app, school_id, now, me } = step
  await sql`select pg_advisory_xact_lock(35, ${school_id}::int)`.execute(db)
  const lines = rows.flatMap(({ row_no, parsed }) => {
    const person = people.get(parsed.no)
    const rule_id = person && rules.get(`${sceneOf(person)} ${parsed.rule_name}`)
    if (!person || rule_id === undefined) return []
    const valid_from = parsed.valid_from <= schoolDay(now) ? now : startOfDate(parsed.valid_from)
    const valid_to = endOf(parsed)
    if (valid_to !== null && valid_to <= valid_from) return []
    const idsOf = (names: readonly string[], of: ReadonlyMap<string, string>) => names.flatMap(name => of.get(name) ?? [])
    const values = {
      school_id,
      scene: sceneOf(person),
      user_id: person.user_id,
      mode: parsed.mode,
      rule_id,
      in_place_ids: idsOf(parsed.in_places, places.in),
      out_place_ids: idsOf(parsed.out_places, places.out),
    }
    return [{ row_no, values: { ...values, valid_from, valid_to, updated_at: now, updated_by: me.user_id } }]
  })
  const applied: AppliedRow[] = []
  for (const { row_no, values } of lines) {
    const { user_rule_id } = await db.insertInto('user_rule').values(values).returning('user_rule_id').executeTakeFirstOrThrow()
    applied.push({ row_no, target_id: user_rule_id, before: null, touched: [{ key: user_rule_id, mark: `${open_state} 1` }] })
  }
  await derive(
    { app, db, school_id, now },
    lines.map(line => line.values.user_id),
  )
  return applied
}

/** Ends what the file has given; the days on which it held stay as they were. */
async function undoLines({ app, db, school_id, now }: ApplyStep<AccessDb>, ids: readonly string[]): Promise<void> {
  const rows = await db
    .selectFrom('user_rule')
    .select('user_id')
    .where('school_id', '=', school_id)
    .where('user_rule_id', 'in', ['0', ...ids])
    .execute()
  await db
    .deleteFrom('user_rule')
    .where('school_id', '=', school_id)
    .where('valid_from', '>=', now)
    .where('user_rule_id', 'in', ['0', ...ids])
    .execute()
  await db
    .updateTable('user_rule')
    .set({ valid_to: now, updated_at: now, row_version: sql<number>`row_version + 1` })
    .where('school_id', '=', school_id)
    .where('user_rule_id', 'in', ['0', ...ids])
    .execute()
  await derive(
    { app, db, school_id, now },
    rows.map(row => row.user_id),
  )
}
