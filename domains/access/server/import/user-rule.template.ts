import { mode_names } from '@campus/access/contract'
import { visibleDepts } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { dayOf } from '@kit/contract'
import { foldFullWidth } from '@kit/contract/checks'
import { importTemplate, missingCells } from '@kit/server/excel'
import type { AppliedRow, ApplyRow, ApplyStep, Cells, Checked, Issue, Judgement, ImportColumn, ReadStep } from '@kit/server/excel'
import { addDays, startOfDate } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import type { AccessDb } from '../db.ts'
import { kinds, scenes } from '../decide/facts.ts'
import { derive } from '../grant/derive.ts'
import { listDoorPlaces } from '../grant/place.ts'
import { isSeen } from '../grant/scope.ts'

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
  places: { in: ReadonlyMap<string, string>; out: ReadonlyMap<string, string> }
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
  { label: '人员编号', prop: 'no', required: true, options: null, text: true, sample: '20190101' },
  { label: '姓名', prop: 'name', required: true, options: null, text: false, sample: '王子涵' },
  {
    label: '方式',
    prop: 'mode',
    required: true,
    options: [...modes.keys()],
    text: false,
    sample: '替换',
    note: '替换：只按此规则；追加：在部门规则之外增加',
  },
  { label: '规则名称', prop: 'rule_name', required: true, options: null, text: false, sample: '走读' },
  { label: '进校门', prop: 'in_places', required: false, options: null, text: false, sample: '南门；北门', note: '多个门用；分隔' },
  { label: '出校门', prop: 'out_places', required: false, options: null, text: false, sample: '南门' },
  { label: '生效日期', prop: 'valid_from', required: true, options: null, text: false, sample: '2026-09-01' },
  { label: '失效日期', prop: 'valid_to', required: false, options: null, text: false, note: '当天仍有效；不填为长期' },
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
  undo: {
    async marks({ db, school_id }, keys, lock) {
      const rules = db
        .selectFrom('user_rule')
        .select(['user_rule_id', 'row_version', 'valid_to'])
        .where('school_id', '=', school_id)
        .where('user_rule_id', 'in', ['0', ...keys])
      const found = await rules
        .orderBy('user_rule_id')
        .$if(lock, query => query.forUpdate())
        .execute()
      return new Map(found.map(({ user_rule_id, row_version }) => [user_rule_id, `${open_state} ${row_version}`]))
    },
    reason: () => '规则已被修改或结束，不能撤销',
    undo: (step, rows, kept) =>
      undoLines(
        step,
        rows.map(row => row.target_id).filter(id => !kept.has(id)),
      ),
  },
})

function checkLine(cells: Cells): Checked<Parsed> {
  const errors = missingCells(columns, cells)
  const { no = '', name = '', rule_name = '', in_places = '', out_places = '', valid_from = '', valid_to = '' } = cells
  const mode = modes.get(cells['mode'] ?? '')
  const [from, to] = [dayOf(valid_from), valid_to === '' ? null : dayOf(valid_to)]
  const wrong_day = '日期格式不正确，例如2026-09-01'
  if (cells['mode'] && mode === undefined) errors.push({ prop: 'mode', msg: '请填写替换或追加' })
  if (valid_from !== '' && from === null) errors.push({ prop: 'valid_from', msg: wrong_day })
  if (valid_to !== '' && to === null) errors.push({ prop: 'valid_to', msg: wrong_day })
  if (from !== null && to !== null && to < from) errors.push({ prop: 'valid_to', msg: '有效期结束不能早于开始' })
  if (in_places === '' && out_places === '') errors.push({ prop: 'in_places', msg: '进校门与出校门不能同时为空' })
  if (mode === undefined || from === null || errors.length > 0) return { parsed: null, errors, warnings: [] }
  const parsed = {
    no: foldFullWidth(no),
    name,
    mode,
    rule_name,
    in_places: namesOf(in_places),
    out_places: namesOf(out_places),
    valid_from: from,
    valid_to: to,
  }
  return { parsed, errors, warnings: [] }
}

function namesOf(text: string): string[] {
  return text
    .split(/[；;、]/u)
    .map(name => name.trim())
    .filter(name => name !== '')
}

function judgeLine(parsed: Parsed, { people, rules, places, replacing }: Snapshot): Judgement {
  const errors: Issue[] = []
  const person = people.get(parsed.no)
  if (!person) errors.push({ prop: 'no', msg: '人员不存在' })
  else if (person.user_name !== parsed.name) errors.push({ prop: 'name', msg: '姓名与编号不一致' })
  if (person && !rules.has(`${sceneOf(person)} ${parsed.rule_name}`)) errors.push({ prop: 'rule_name', msg: '规则不存在' })
  for (const name of parsed.in_places) if (!places.in.has(name)) errors.push({ prop: 'in_places', msg: `场所「${name}」没有进方向的设备` })
  for (const name of parsed.out_places)
    if (!places.out.has(name)) errors.push({ prop: 'out_places', msg: `场所「${name}」没有出方向的设备` })
  const [from, to] = [startOfDate(parsed.valid_from), endOf(parsed)]
  const own = person && parsed.mode === replace ? (replacing.get(person.user_id) ?? []) : []
  if (own.some(rule => (to === null || rule.from < to) && (rule.to === null || rule.to > from)))
    errors.push({ prop: 'valid_from', msg: '有效期与已有规则重叠' })
  return {
    verdict: 'new',
    target_id: null,
    basis: person?.user_id ?? null,
    diff: [{ prop: 'rule_name', before: '', after: parsed.rule_name }],
    errors,
    warnings: [],
  }
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
  const rules = await db
    .selectFrom('access_rule')
    .select(['rule_id', 'rule_name', 'scene'])
    .where('school_id', '=', school_id)
    .where('enabled', '=', true)
    .execute()
  const replacing = await db
    .selectFrom('user_rule')
    .select(['user_id', 'valid_from', 'valid_to'])
    .where('school_id', '=', school_id)
    .where('mode', '=', replace)
    .where(sql<boolean>`user_id = any(${rows.map(row => row.user_id)}::bigint[])`)
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', now)]))
    .execute()
  const [entering, leaving] = [await listDoorPlaces(step, 1), await listDoorPlaces(step, 2)]
  const byName = (list: readonly { place_id: string; place_name: string }[]) =>
    new Map(list.map(place => [place.place_name, place.place_id]))
  return {
    people,
    rules: new Map(rules.map(rule => [`${rule.scene} ${rule.rule_name}`, rule.rule_id])),
    places: { in: byName(entering.list), out: byName(leaving.list) },
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
