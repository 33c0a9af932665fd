import { inScope, visibleDepts } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { importTemplate } from '@kit/server/excel'
import type { AppliedRow, ApplyRow, ApplyStep, Cells, Checked, ImportColumn, Issue, Judgement, ReadStep } from '@kit/server/excel'
import { addDays, startOfDate } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import type { AccessDb } from '../db.ts'
import { scenes } from '../decide/facts.ts'
import { concernedBy } from '../grant/concerned.ts'
import { derive } from '../grant/derive.ts'
import { addition, column, LineReader, undoRows, unknownNames } from './sheet.ts'
import { doorNames, ruleNames } from './words.ts'
import type { DoorNames } from './words.ts'

type Words = { columns: ImportColumn[]; methods: ReadonlyMap<string, string> }
type Parsed = {
  path: string; study_method: string | null; rule_name: string; in_places: string[]; out_places: string[]
  valid_from: string; valid_to: string | null
}
type Dept = { id: string; scene: number }
type Span = { from: Date; to: Date | null }
type Snapshot = {
  /** by path, and by name where one alone has it; null: several have it */
  depts: ReadonlyMap<string, Dept | null>
  rules: ReadonlyMap<string, string>
  places: DoorNames
  /** by department, scene and way of study */
  own: ReadonlyMap<string, readonly Span[]>
}

const staff_tree = 'staff'
const open_mark = 'open'

/** 部门通行规则导入: each line lets one department go by a rule; taken back, it goes by the rules from before (chapter 35 §6). */
export const deptRuleTemplate = importTemplate<AccessDb, Words, Parsed, Snapshot>({
  code: 'access_dept_rule',
  page: '/StudentAccess',
  title: '部门通行规则导入',
  file_name: '部门通行规则导入模板.xlsx',
  sheet: '部门通行规则',
  notes: ['填写说明：一行一条规则；部门填完整路径，名称不重复时可只填名称。规则须已在通行时段中建立。'],
  need: 'access.dept_rule.edit',
  words: readWords,
  columns: ({ columns }) => columns,
  check: checkLine,
  keys: ({ path, study_method }) => [{ prop: 'path', key: `${path} ${study_method ?? ''}` }],
  load: (step, rows) => loadSnapshot(step, rows.map(row => row.parsed)),
  judge: ({ parsed }, snapshot) => judgeLine(parsed, snapshot),
  apply: applyLines,
  undo: undoRows({
    table: 'dept_rule', id: 'dept_rule_id',
    mark: sql<string>`'open ' || row_version || case when valid_to <= updated_at then ' ended' else '' end`,
    reason: '规则已被修改或结束，不能撤销', undo: undoLines,
  }),
})

async function readWords({ db, school_id }: ReadStep<AccessDb>): Promise<Words> {
  const rows = await db.selectFrom('dictionary_v').select(['sc_code_item', 'name']).where('school_id', '=', school_id)
    .where('sc_code_type', '=', 'STUDY_METHOD').orderBy('sc_code_item').execute()
  const methods = new Map(rows.map(row => [row.name, row.sc_code_item]))
  return {
    methods,
    columns: [
      column('部门路径', 'path', { sample: '小学部/三年级/三年级1班' }),
      column('就读方式', 'study_method', { required: false, options: [...methods.keys()], note: '只用于学生；不填为不限' }),
      column('规则名称', 'rule_name', { sample: '走读' }),
      column('进校门', 'in_places', { required: false, sample: '南门；北门', note: '多个门用；分隔' }),
      column('出校门', 'out_places', { required: false, sample: '南门' }),
      column('生效日期', 'valid_from', { sample: '2026-09-01' }),
      column('失效日期', 'valid_to', { required: false, note: '当天仍有效；不填为长期' }),
    ],
  }
}

function checkLine({ columns, methods }: Words, cells: Cells): Checked<Parsed> {
  const line = new LineReader(columns, cells)
  const study_method = line.named('study_method', methods) ?? null
  const [valid_from, valid_to] = line.days('valid_from', 'valid_to', '有效期结束不能早于开始')
  const [in_places, out_places] = [line.names('in_places'), line.names('out_places')]
  if (in_places.length + out_places.length === 0) line.say('in_places', '进校门与出校门不能同时为空')
  const path = line.text('path').replaceAll(/\s*[/／]\s*/gu, '/')
  if (valid_from === null) return line.done<Parsed>(null)
  return line.done({ path, study_method, rule_name: line.text('rule_name'), in_places, out_places, valid_from, valid_to })
}

async function loadSnapshot(step: ReadStep<AccessDb>, parsed: readonly Parsed[]): Promise<Snapshot> {
  const { db, school_id, now } = step
  const wanted = parsed.map(row => row.path)
  const [student, staff] = [await visibleDepts(step, 'student'), await visibleDepts(step, 'staff')]
  const { rows } = await sql<{ id: string; dept_name: string; path: string; tree: string }>`
    select id::text, dept_name, pt_node_path_name as path, tree from dept_now where school_id = ${school_id}
      and ((tree = ${staff_tree} and ${inScope('id', staff)}) or (tree <> ${staff_tree} and ${inScope('id', student)}))
      and (dept_name = any(${wanted}::text[]) or pt_node_path_name = any(${wanted}::text[]))`.execute(db)
  const deptOf = ({ id, tree }: (typeof rows)[number]): Dept => ({ id, scene: tree === staff_tree ? scenes.staff : scenes.student })
  const named = [...Map.groupBy(rows, row => row.dept_name)]
  const by_name = named.map(([name, [first, ...more]]): [string, Dept | null] => [name, first && more.length === 0 ? deptOf(first) : null])
  const depts = new Map([...by_name, ...rows.map((row): [string, Dept] => [row.path, deptOf(row)])])
  const spans = await sql<{ key: string; valid_from: Date; valid_to: Date | null }>`
    select dept_id || ' ' || scene || ' ' || coalesce(study_method, '') as key, valid_from, valid_to from dept_rule
    where school_id = ${school_id} and dept_id = any(${rows.map(row => row.id)}::bigint[]) and by_bus is null and tag_id is null
      and (valid_to is null or valid_to > ${now})`.execute(db)
  const own = Map.groupBy(spans.rows.map(row => ({ key: row.key, from: row.valid_from, to: row.valid_to })), row => row.key)
  return { depts, rules: await ruleNames(step), places: await doorNames(step), own }
}

const keyOf = ({ id, scene }: Dept, study_method: string | null) => `${id} ${scene} ${study_method ?? ''}`
const endOf = ({ valid_to }: Parsed) => (valid_to === null ? null : startOfDate(addDays(valid_to, 1)))

function judgeLine(parsed: Parsed, { depts, rules, places, own }: Snapshot): Judgement {
  const dept = depts.get(parsed.path)
  const errors: Issue[] = [
    ...(dept === undefined ? [{ prop: 'path', msg: '部门不存在' }] : dept === null ? [{ prop: 'path', msg: '同级部门重名，请填写完整路径' }] : []),
    ...(dept && !rules.has(`${dept.scene} ${parsed.rule_name}`) ? [{ prop: 'rule_name', msg: '规则不存在' }] : []),
    ...(dept?.scene === scenes.staff && parsed.study_method !== null ? [{ prop: 'study_method', msg: '就读方式只用于学生部门' }] : []),
    ...unknownNames('in_places', parsed.in_places, places.in, name => `场所「${name}」没有进方向的设备`),
    ...unknownNames('out_places', parsed.out_places, places.out, name => `场所「${name}」没有出方向的设备`),
  ]
  const [from, to] = [startOfDate(parsed.valid_from), endOf(parsed)]
  const others = dept ? (own.get(keyOf(dept, parsed.study_method)) ?? []) : []
  const is_taken = others.some(one => (to === null || one.from < to) && (one.to === null || one.to > from))
  if (is_taken) errors.push({ prop: 'valid_from', msg: '有效期与已有规则重叠' })
  return addition('rule_name', parsed.rule_name, dept?.id ?? null, errors)
}

/** Writes the rules of a part of the file at once and hands devices what follows from all of them. */
async function applyLines(step: ApplyStep<AccessDb>, rows: readonly ApplyRow<Parsed>[], snapshot: Snapshot): Promise<AppliedRow[]> {
  const { depts, rules, places } = snapshot
  const { db, school_id, now, me } = step
  await sql`select pg_advisory_xact_lock(35, ${school_id}::int)`.execute(db)
  const applied: AppliedRow[] = []
  const dept_ids: string[] = []
  for (const { row_no, parsed } of rows) {
    const dept = depts.get(parsed.path)
    const rule_id = rules.get(`${dept?.scene ?? ''} ${parsed.rule_name}`)
    const valid_from = parsed.valid_from <= schoolDay(now) ? now : startOfDate(parsed.valid_from)
    const valid_to = endOf(parsed)
    if (!dept || rule_id === undefined || (valid_to !== null && valid_to <= valid_from)) continue
    const idsOf = (names: readonly string[], of: ReadonlyMap<string, string>) => names.flatMap(name => of.get(name) ?? [])
    const doors = { in_place_ids: idsOf(parsed.in_places, places.in), out_place_ids: idsOf(parsed.out_places, places.out) }
    const of = { school_id, scene: dept.scene, dept_id: dept.id, study_method: parsed.study_method, rule_id }
    const row = { ...of, ...doors, valid_from, valid_to, updated_at: now, updated_by: me.user_id }
    const { dept_rule_id } = await db.insertInto('dept_rule').values(row).returning('dept_rule_id').executeTakeFirstOrThrow()
    dept_ids.push(dept.id)
    applied.push({ row_no, target_id: dept_rule_id, before: null, touched: [{ key: dept_rule_id, mark: `${open_mark} 1` }] })
  }
  await deriveDepts(step, dept_ids)
  return applied
}

async function deriveDepts({ app, db, school_id, now }: ApplyStep<AccessDb>, dept_ids: readonly string[]): Promise<void> {
  if (dept_ids.length > 0) await derive({ app, db, school_id, now }, await concernedBy({ db, school_id, now }, { dept_ids }))
}

/** Ends what the file has given; the days on which it held stay as they were. */
async function undoLines(step: ApplyStep<AccessDb>, ids: readonly string[]): Promise<void> {
  const { db, school_id, now } = step
  const own = ['0', ...ids]
  const rows = await db.selectFrom('dept_rule').select('dept_id').where('school_id', '=', school_id)
    .where('dept_rule_id', 'in', own).execute()
  await db.deleteFrom('dept_rule').where('school_id', '=', school_id).where('valid_from', '>=', now)
    .where('dept_rule_id', 'in', own).execute()
  await db.updateTable('dept_rule').set({ valid_to: now, updated_at: now, row_version: sql<number>`row_version + 1` })
    .where('school_id', '=', school_id).where('dept_rule_id', 'in', own).execute()
  await deriveDepts(step, rows.flatMap(row => row.dept_id ?? []))
}
