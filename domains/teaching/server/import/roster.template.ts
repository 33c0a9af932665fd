import { comboCode, comboName, first_choices, parseCombo, second_choices, teachingEvents } from '@campus/teaching/contract'
import type { Combo } from '@campus/teaching/contract'
import { inScope, visibleDepts } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { foldFullWidth } from '@kit/contract/checks'
import { publish } from '@kit/server/event'
import { importTemplate, missingCells } from '@kit/server/excel'
import type { AppliedRow, ApplyRow, ApplyStep, Cells, Checked, ImportColumn, Issue, Judgement, ReadStep } from '@kit/server/excel'
import { sql } from 'kysely'
import { z } from 'zod'
import type { TeachingDb } from '../db.ts'
import { setCombo } from '../elective/combo.service.ts'
import { joinRoster, leaveRoster } from '../elective/roster.ts'

type Parsed = { semester: string; walking_class: string; no: string; name: string; combo: Combo | null }
type Class = { id: string; name: string; grade: string; left: number }
type Pupil = { user_id: string; user_name: string; grade: string | null }
type Known = { first: string; second: string[]; valid_from: string; valid_to: string | null; task_id: string | null; reason: string }
type Snapshot = {
  terms: ReadonlyMap<string, { semester_id: number; is_closed: boolean }>
  /** by term and name */
  classes: ReadonlyMap<string, Class>
  pupils: ReadonlyMap<string, Pupil>
  /** walking classes of a pupil from today on */
  rosters: ReadonlyMap<string, readonly { id: string; name: string }[]>
  /** `a b`: two walking classes that have lessons at a common minute */
  clashes: ReadonlySet<string>
  /** the latest three subjects of a pupil */
  combos: ReadonlyMap<string, Known>
  today: string
}

const plain = { required: true, options: null, text: false }
const choices = { ...plain, required: false }
const columns: ImportColumn[] = [
  { ...plain, prop: 'semester', label: '学期', sample: '2026-2027学年第一学期' },
  { ...plain, prop: 'walking_class', label: '教学班', sample: '化学A1班' },
  { ...plain, prop: 'student_no', label: '学号', text: true, sample: '20240101' },
  { ...plain, prop: 'name', label: '姓名', sample: '周雨桐' },
  { ...choices, prop: 'first', label: '首选科目', sample: '物理', options: Object.values(first_choices) },
  { ...choices, prop: 'second1', label: '再选科目1', sample: '化学', options: Object.values(second_choices) },
  { ...choices, prop: 'second2', label: '再选科目2', sample: '生物学', options: Object.values(second_choices), note: '三个科目都填写时同时登记选科' },
]
/** What a line did: whether the pupil came into the class, and whether he chose anew after these three subjects. */
const Before = z.object({ joined: z.boolean(), chose: z.boolean(), combo: z.object({ first: z.string(), second: z.array(z.string()),
  valid_from: z.string(), valid_to: z.string().nullable(), task_id: z.string().nullable(), reason: z.string() }).nullable() })

/** 走班学生导入: pupils into their teaching classes, with the three subjects they chose; matched by class and number (chapter 50 §6). */
export const rosterTemplate = importTemplate<TeachingDb, null, Parsed, Snapshot>({
  code: 'elective_student', page: '/SelectStudentManage', title: '走班学生导入', file_name: '走班学生导入模板.xlsx', sheet: '走班学生导入',
  notes: ['填写说明：红色列为必填；学生从今天起编入教学班，首选和再选科目都填写时同时登记选科。'],
  need: 'teaching.elective.import',
  words: () => Promise.resolve(null),
  columns: () => columns,
  check: (_words, cells) => checkLine(cells),
  keys: ({ semester, walking_class, no }) => [{ prop: 'student_no', key: `${semester} ${walking_class} ${no}` }],
  load: (step, rows) => loadSnapshot(step, rows.map(row => row.parsed)),
  judge: ({ parsed }, snapshot) => judgeLine(parsed, snapshot),
  apply: (step, rows, snapshot) => applyLines(step, rows, snapshot),
  undo: {
    async marks({ db, school_id }, keys) {
      const { rows } = await sql<{ key: string; mark: string }>`
        select key, mark from (
          select 'r' || class_id || ':' || student_id as key, min(valid_from)::text as mark
          from teaching_class_student where school_id = ${school_id} and valid_to is null group by class_id, student_id
          union all
          select 'c' || student_id, valid_from::text || '.' || first || '.' || array_to_string(second, '.')
          from student_combo where school_id = ${school_id} and valid_to is null
        ) x where key = any(${[...keys]}::text[])`.execute(db)
      return new Map(rows.map(({ key, mark }) => [key, mark]))
    },
    reason: key => (key.startsWith('c') ? '学生之后又改选，不能撤销' : '教学班名单之后又有调整，不能撤销'),
    async undo(step, rows, kept) {
      for (const { target_id, before } of rows) await takeBack(step, target_id, before, kept)
    },
  },
})

function checkLine(cells: Cells): Checked<Parsed> {
  const errors = missingCells(columns, cells)
  const { semester = '', walking_class = '', student_no = '', name = '', first = '', second1 = '', second2 = '' } = cells
  const codeOf = (names: Readonly<Record<string, string>>, text: string) => Object.keys(names).find(code => names[code] === text) ?? ''
  const subjects = [codeOf(first_choices, first), codeOf(second_choices, second1), codeOf(second_choices, second2)]
  const [head = '', one = '', other = ''] = subjects
  const chosen = [first, second1, second2].filter(text => text !== '').length
  if (first !== '' && head === '') errors.push({ prop: 'first', msg: '首选科目不正确' })
  if (second1 !== '' && one === '') errors.push({ prop: 'second1', msg: '再选科目不正确' })
  if (second2 !== '' && other === '') errors.push({ prop: 'second2', msg: '再选科目不正确' })
  if (one !== '' && one === other) errors.push({ prop: 'second2', msg: '再选科目不能相同' })
  if (chosen > 0 && chosen < subjects.length) errors.push({ prop: 'first', msg: '首选和两门再选科目须一起填写' })
  if (errors.length > 0) return { parsed: null, errors, warnings: [] }
  return { parsed: { semester, walking_class, no: foldFullWidth(student_no), name, combo: parseCombo(subjects.join(',')) }, errors,
    warnings: [] }
}

async function loadSnapshot(step: ReadStep<TeachingDb>, parsed: readonly Parsed[]): Promise<Snapshot> {
  const { db, school_id, now } = step
  const today = schoolDay(now)
  const terms = await db.selectFrom('semester_v').select(['semester_id', 'name', 'is_closed']).where('school_id', '=', school_id).execute()
  const classes = await db.selectFrom('teaching_class').select(['id', 'semester_id', 'name', 'grade', 'capacity']).where('school_id', '=',
    school_id)
    .where('kind', 'in', [2, 4]).where('state', '=', 1).execute()
  const pupils = await db.selectFrom('live_student').select(['user_id', 'user_name', 'student_no', 'grade']).where('school_id', '=',
    school_id)
    .where('student_no', 'in', ['', ...new Set(parsed.map(row => row.no))]).where(inScope('dept_id', await visibleDepts(step, 'student')))
      .execute()
  const ids = ['0', ...pupils.map(one => one.user_id)]
  const members = await db.selectFrom('teaching_class_student').select(['class_id', 'student_id']).where('school_id', '=', school_id)
    .where('class_id', 'in', ['0', ...classes.map(one => one.id)])
    .where(sql<boolean>`(valid_to is null or valid_to > ${today}::date)`).execute()
  const sizes = Map.groupBy(members, one => one.class_id)
  const named = new Map(classes.map(one => [one.id, one.name]))
  const combos = await db.selectFrom('student_combo').select(['student_id', 'first', 'second', 'valid_from', 'valid_to', 'task_id',
    'reason'])
    .where('school_id', '=', school_id).where('student_id', 'in', ids).orderBy('valid_from').execute()
  return {
    terms: new Map(terms.map(({ name, ...term }) => [name, term])),
    classes: new Map(classes.map(({ semester_id, capacity, ...one }) => [`${semester_id} ${one.name}`,
      { ...one, left: capacity - (sizes.get(one.id)?.length ?? 0) }])),
    pupils: new Map(pupils.map(({ student_no, ...one }) => [student_no, one])),
    rosters: new Map([...Map.groupBy(members, one => one.student_id)].map(([id, own]) => [id, own.map(({ class_id }) => ({ id: class_id,
      name: named.get(class_id) ?? '' }))])),
    clashes: await readClashes(step, classes.map(one => one.id), today),
    combos: new Map(combos.map(({ student_id, ...one }) => [student_id, one])),
    today,
  }
}

/** Pairs of walking classes whose coming lessons meet; by lesson_day, the dated truth. */
async function readClashes({ db, school_id }: ReadStep<TeachingDb>, ids: readonly string[], today: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ pair: string }>`
    select distinct a.class_id || ' ' || b.class_id as pair from lesson_day a
    join lesson_day b on b.school_id = ${school_id} and b.date = a.date and b.begin_at < a.end_at and b.end_at > a.begin_at
      and b.class_id <> a.class_id
    where a.school_id = ${school_id} and a.date >= ${today}::date and a.state not in (4, 5) and b.state not in (4, 5)
      and a.class_id = any(${[...ids]}::bigint[]) and b.class_id = any(${[...ids]}::bigint[])`.execute(db)
  return new Set(rows.map(row => row.pair))
}

/** What a line names, as far as it is there. */
function resolve(parsed: Parsed, { terms, classes, pupils, rosters, combos }: Snapshot) {
  const term = terms.get(parsed.semester)
  const own = term && classes.get(`${term.semester_id} ${parsed.walking_class}`)
  const pupil = pupils.get(parsed.no)
  const roster = rosters.get(pupil?.user_id ?? '') ?? []
  const known = combos.get(pupil?.user_id ?? '')
  const is_in = own !== undefined && roster.some(one => one.id === own.id)
  const is_chosen = parsed.combo === null || (known?.valid_to === null && codeOfKnown(known) === comboCode(parsed.combo))
  return { term, own, pupil, roster, known, is_in, is_chosen }
}

const codeOfKnown = ({ first, second }: Known): string => [first, ...second].join(',')

function judgeLine(parsed: Parsed, snapshot: Snapshot): Judgement {
  const { term, own, pupil, roster, known, is_in, is_chosen } = resolve(parsed, snapshot)
  const errors: Issue[] = []
  const put = (prop: string, msg: string) => errors.push({ prop, msg })
  if (!term) put('semester', '学期不存在')
  else if (term.is_closed) put('semester', '学期已归档')
  else if (!own) put('walking_class', '教学班不存在')
  else if (!is_in && own.left <= 0) put('walking_class', '教学班已满')
  if (!pupil) put('student_no', '学号不存在')
  else if (pupil.user_name !== parsed.name) put('name', '姓名与学号不一致')
  if (own && pupil && pupil.grade !== own.grade) put('student_no', '不是本年级学生')
  const met = own && !is_in ? roster.find(one => snapshot.clashes.has(`${own.id} ${one.id}`)) : undefined
  if (met) put('walking_class', `同一时段已在「${met.name}」`)
  if (!is_chosen && known && known.valid_from > snapshot.today) put('first', '已有更晚生效的选科，请在选科结果中改选')
  const diff = [
    ...(is_in ? [] : [{ prop: 'walking_class', before: '', after: parsed.walking_class }]),
    ...(is_chosen || parsed.combo === null ? [] : [{ prop: 'first', before: known ? comboName(codeOfKnown(known)) : '',
      after: comboName(comboCode(parsed.combo)) }]),
  ]
  return { verdict: diff.length === 0 ? 'same' : is_in ? 'change' : 'new', target_id: null, diff, errors, warnings: [] }
}

/** A class that has filled up meanwhile, by other lines as well, leaves the line to be looked at again. */
async function applyLines(step: ApplyStep<TeachingDb>, rows: readonly ApplyRow<Parsed>[], snapshot: Snapshot): Promise<AppliedRow[]> {
  const applied: AppliedRow[] = []
  const taken = new Map<string, number>()
  const joined = new Map<string, string[]>()
  for (const { row_no, parsed } of rows) {
    const { own, pupil, known, is_in, is_chosen } = resolve(parsed, snapshot)
    if (!own || !pupil) continue
    const count = taken.get(own.id) ?? 0
    if (!is_in && count >= own.left) continue
    const key = `${own.id}:${pupil.user_id}`
    const touched = []
    if (!is_in) {
      taken.set(own.id, count + 1)
      joined.set(own.id, [...(joined.get(own.id) ?? []), pupil.user_id])
      touched.push({ key: `r${key}`, mark: await joinRoster(step, own.id, pupil.user_id, 'import') })
    }
    if (!is_chosen && parsed.combo !== null) {
      const { first, second } = parsed.combo
      await setCombo(step, { student_id: pupil.user_id, combo: parsed.combo, from: snapshot.today, task_id: null, reason: '导入' })
      touched.push({ key: `c${pupil.user_id}`, mark: [snapshot.today, first, ...second].join('.') })
    }
    applied.push({ row_no, target_id: key, before: { joined: !is_in, chose: !is_chosen, combo: known ?? null }, touched })
  }
  for (const [class_id, student_ids] of joined) await publish(step, teachingEvents.rosterChanged, { class_id, student_ids,
    from: snapshot.today })
  return applied
}

async function takeBack(step: ApplyStep<TeachingDb>, target_id: string, before: unknown, kept: ReadonlySet<string>): Promise<void> {
  const { db, school_id, now } = step
  const [class_id = '', student_id = ''] = target_id.split(':')
  const { joined, chose, combo } = Before.parse(before)
  if (joined && !kept.has(`r${target_id}`)) {
    await leaveRoster(step, class_id, student_id)
    await publish(step, teachingEvents.rosterChanged, { class_id, student_ids: [student_id], from: schoolDay(now) })
  }
  if (!chose || kept.has(`c${student_id}`)) return
  await db.deleteFrom('student_combo').where('school_id', '=', school_id).where('student_id', '=', student_id).where('valid_to', 'is',
    null).execute()
  if (combo === null) return
  await db.insertInto('student_combo').values({ ...combo, school_id, student_id })
    .onConflict(on => on.columns(['school_id', 'student_id', 'valid_from']).doUpdateSet({ valid_to: combo.valid_to })).execute()
}
