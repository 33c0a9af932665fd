import { archiveAll, writeOperations } from '@campus/audit/server'
import { identityErrors } from '@campus/identity/contract'
import { registry } from '@campus/people/contract'
import { commonErrors, success_code } from '@kit/contract'
import type { Operation } from '@kit/server/http'
import { sql } from 'kysely'
import { planLog, planTyped, randomOf } from './audit-plan.ts'
import type { PlannedKind, PlannedLine } from './audit-plan.ts'
import { rollRows } from './roll-journal.ts'
import type { RollLine, Staff } from './roll-journal.ts'
import { addDays, startOfDay } from './school-year.ts'
import type { Work } from './school-work.ts'
import { demo_seed } from './seed.ts'

const quarter_days = 90
const settled_after = 7

type Pupil = { user_id: string; user_name: string; student_no: string; dept_id: string; dept_name: string }
type Dept = { id: string; dept_name: string }
type People = { staff: Staff[]; pupils: Pupil[]; depts: Dept[] }
type Made = { operation: Operation; pupil?: { row: Pupil; changes: Change[] } }
type Change = { field: string; label: string; before: string; after: string }

const calls: Record<PlannedKind, string> = {
  login: 'identity.login.check', logout: 'identity.session.logout', student: 'people.student.update', reveal: 'people.person.reveal', export: 'people.student.export',
  upload: 'jobs.import.upload', apply: 'jobs.import.apply', dept: 'people.dept.update', setting: 'school.preference.save', job: 'jobs.job.cancel',
}
const ops: Record<PlannedKind, number> = { login: 1, logout: 2, student: 4, reveal: 13, export: 7, upload: 6, apply: 6, dept: 4, setting: 4, job: 4 }
const devices = ['Chrome 142 / Windows', 'Edge 142 / Windows', 'Chrome 142 / macOS', '360 浏览器 / Windows']
const changed: readonly (readonly ['tel' | 'health' | 'political', string, string])[] = [['tel', '13512340000', '13612340000'], ['health', '一般或较弱', '健康或良好'], ['political', '少先队员', '共青团员']]

/** Reads whom the journals of a school are about; the answer writes them: ninety days of its log; its archive journal since it is known, what these operations left, the roll, and what was typed before. */
export async function planJournals(work: Work): Promise<() => Promise<void>> {
  const people = await readPeople(work)
  const roll = await rollRows(work, people.staff)
  return () => writeJournals(work, people, roll)
}

async function writeJournals(work: Work, people: People, roll: readonly RollLine[]): Promise<void> {
  const { db, school_id, today } = work
  const made = planLog(`${demo_seed}:journal`, today).map(line => makeLine(line, people))
  const random = randomOf(`${demo_seed}:journal:ids`)
  const bytes = (count: number) => Buffer.from(Array.from({ length: count }, () => Math.floor(random() * 256)))
  await writeOperations(db, school_id, made.map(({ operation }) => operation), bytes)
  const typed = [...yearBefore(work).map(line => makeLine(line, people)), ...made].flatMap(one => archived(school_id, one))
  await archiveAll(db, [...roll, ...typed].toSorted((a, b) => a.operator.at.getTime() - b.operator.at.getTime()), bytes)
}

/** What was typed at the files of pupils in the four quarters before the ninety days, as far back as the school knows anything. */
function yearBefore({ today, past_from }: Work): PlannedLine[] {
  const begin = startOfDay(addDays(past_from, settled_after))
  return [1, 2, 3, 4].flatMap(quarter => planTyped(`${demo_seed}:journal:${quarter}`, addDays(today, -quarter * quarter_days))).filter(({ at }) => at > begin)
}

function archived(school_id: number, { operation, pupil }: Made) {
  if (!pupil) return []
  const { request, happened_at, user_id, user_no, user_name, role_no, role_name } = operation
  const { row, changes } = pupil
  const person = { person_kind: 1, person_id: row.user_id, person_no: row.student_no, person_name: row.user_name, dept_id: row.dept_id, dept_name: row.dept_name }
  const operator = { school_id, at: happened_at, request_id: request.request_id, ip: request.ip, user_id, user_no, user_name, role_no, role_name }
  return [{ operator, row: { ...person, op_type: 4, source: 'typed' as const, changes } }]
}

async function readPeople({ db, school_id, past_from }: Work): Promise<People> {
  const staff = await sql<Staff>`
    select distinct on (u.user_no) u.user_id, u.user_no, u.user_name, m.role_no, r.name as role_name from school_user u
    join role_member m on m.school_id = u.school_id and m.user_id = u.user_id join role r on r.school_id = m.school_id and r.role_id = m.role_id
    where u.school_id = ${school_id} and u.user_kind = 2 and u.left_at is null and r.code like 'SYS00_\_%' and r.code not like 'SYS004%' and r.code not like 'SYS005%'
    order by u.user_no, m.role_no limit 80`.execute(db)
  const pupils = await sql<Pupil>`
    select l.user_id, l.user_name, l.student_no, l.dept_id, l.dept_name from live_student l
    where l.school_id = ${school_id} and l.dept_id is not null and exists (select from student_span t where t.school_id = ${school_id} and t.user_id = l.user_id and t.valid_from = ${past_from}::date)
    order by l.student_no limit 600`.execute(db)
  const depts = await sql<Dept>`select id, dept_name from dept_now where school_id = ${school_id} and dept_type = 4 order by id`.execute(db)
  return { staff: staff.rows, pupils: pupils.rows, depts: depts.rows }
}

function makeLine(line: PlannedLine, people: People): Made {
  const { at, kind, request_id, ip, refusal, ms, object, who } = line
  const person = of(people.staff, who)
  const request = { request_id, ip, device_label: of(devices, who), client: 'web' as const }
  const outcome = refusal === 'none' ? { ok: true, code: success_code, msg: '操作成功' } : refusedAs(refusal)
  const base = { request, call: calls[kind], op_type: ops[kind], ...outcome, duration_ms: ms, happened_at: at, ...person }
  if (refusal !== 'none') return { operation: { ...base, ...(kind === 'login' ? { target_kind: 'account', target_id: person.user_id, target_name: person.user_no } : {}) } }
  if (kind === 'student') return changePupil(base, of(people.pupils, object), of(changed, who + object))
  return { operation: { ...base, ...targetOf(kind, line, people) } }
}

function refusedAs(refusal: 'forbidden' | 'password') {
  const failure = refusal === 'password' ? identityErrors.badCredential : commonErrors.forbidden
  return { ok: false, code: failure.code, msg: failure.msg.replace('{n}', '5') }
}

function changePupil(base: Operation, row: Pupil, [field, before, after]: (typeof changed)[number]): Made {
  const changes = [{ field, label: registry[field].label, before, after }]
  const operation = { ...base, target_kind: 'people.student', target_id: row.user_id, target_name: row.user_name, before: { [field]: before }, after: { [field]: after } }
  return { operation, pupil: { row, changes } }
}

function targetOf(kind: PlannedKind, { object, who, at }: PlannedLine, { staff, pupils, depts }: People): Partial<Operation> {
  const pupil = of(pupils, object)
  const dept = of(depts, object)
  const batch_no = `B${at.toISOString().slice(0, 10).replaceAll('-', '')}${String(object % 100).padStart(2, '0')}`
  if (kind === 'login') return { target_kind: 'account', target_id: of(staff, who).user_id, target_name: of(staff, who).user_no }
  if (kind === 'reveal') return { target_kind: 'people.person', target_id: pupil.user_id, target_name: pupil.user_name, after: { fields: ['id_no'] }, reason: '核对学籍信息' }
  if (kind === 'export') return { target_kind: 'export', target_name: `学生 ${40 + (object % 900)}人`, reason: object % 2 === 0 ? '上报学籍' : '班级通讯录核对' }
  if (kind === 'dept') return { target_kind: 'people.dept', target_id: dept.id, target_name: dept.dept_name, before: { capacity: 45 }, after: { capacity: 45 + (object % 5) + 1 } }
  if (kind === 'upload' || kind === 'apply') return { target_kind: 'import_batch', target_id: batch_no, target_name: '学生信息.xlsx', batch_no }
  return {}
}

/** One of a list by any number. */
function of<T>(list: readonly T[], at: number): T {
  const one = list[at % list.length]
  if (one === undefined) throw new Error('the demo school has nobody to write a log about')
  return one
}
