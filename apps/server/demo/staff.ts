import type { NewStaff, SampleTools } from '@campus/people/server'
import source from './data/school.json' with { type: 'json' }
import { dept_type } from './departments.ts'
import type { PlannedDept } from './departments.ts'
import { officePositions } from './positions.ts'
import { spread } from './spread.ts'

/** Somebody to be hired: facts of the archive and the key of the first department. `stage` is his school stage, null outside teaching. */
export type PlannedStaff = Omit<NewStaff, 'from' | 'depts' | 'duties'> & {
  key: string
  dept_key: string
  position: string | null
  teaches: { subject_name: string; stage: Stage } | null
}
export type Stage = '1' | '2' | '3'

type Profile = Pick<NewStaff, 'kind' | 'bz' | 'post' | 'employ' | 'edu' | 'degree' | 'title' | 'stage' | 'subject' | 'cert' | 'mandarin'>
/** What a school has given away so far. */
type Register = { school_year: number; letter: string; names: Set<string>; serials: Map<number, number> }
type Seat = Pick<PlannedStaff, 'dept_key' | 'position' | 'teaches'> & { dept_name: string }

const youngest = 24
const youngest_leader = 42
const oldest = 59
const leaders = '校领导'
const stages = { 小学: '1', 初中: '2', 高中: '3' } as const
const lesson_stage = { '1': '2', '2': '3', '3': '4' } as const
const certificate = { '1': '2', '2': '3', '3': '4' } as const
/** Groups without a level of their own teach where their subject is taught. */
const primary_only: readonly string[] = ['科学', '综合']

/** Names that every step must bear, by place in the school; codes of NATION. */
const unusual: ReadonlyMap<number, Pick<NewStaff, 'user_name' | 'nation'> & { sex: '1' | '2' }> = new Map([
  [60, { user_name: '古丽米热·艾尔肯', sex: '2', nation: '05' }],
  [151, { user_name: '才让东珠', sex: '1', nation: '04' }],
  [222, { user_name: '司马静怡', sex: '2', nation: '01' }],
  [265, { user_name: '赛里木江·阿不都热依木', sex: '1', nation: '05' }],
])

/**
 * The people whose first department has `staff` places: one per place, in the order of the departments.
 * @param letter begins every number, `T20180007`
 * @param leavers so many more stand last, who came before this school year and had the place of somebody who is there now
 */
export function planStaff(tools: SampleTools, depts: readonly PlannedDept[], school_year: number, letter: string, leavers = 0): PlannedStaff[] {
  const register = { school_year, letter, names: new Set<string>(), serials: new Map<number, number>() }
  const earlier = { ...register, school_year: school_year - 1 }
  const seats = depts.flatMap(dept => seatsOf(dept, depts))
  const staff = seats.map((seat, at) => takeSeat(tools, register, seat, at))
  return [...staff, ...spread(seats, leavers).map((seat, at) => takeSeat(tools, earlier, seat, seats.length + at))]
}

function takeSeat({ draw, names, invent }: SampleTools, register: Register, seat: Seat, at: number): PlannedStaff {
  const { school_year, letter } = register
  const sex = unusual.get(at)?.sex ?? (draw.chance(seat.teaches ? 0.72 : 0.5) ? '2' : '1')
  const age = draw.between(seat.dept_name === leaders ? youngest_leader : youngest, oldest)
  const birthday = `${school_year - age}-${two(draw.between(1, 12))}-${two(draw.between(1, 28))}`
  const worked = age - draw.between(22, youngest)
  const joined = school_year - draw.between(0, worked)
  return {
    key: `${letter}${at + 1}`,
    dept_key: seat.dept_key,
    position: seat.position,
    teaches: seat.teaches,
    user_name: freshName(names, sex, register.names),
    sex,
    birthday,
    id_type: '1',
    id_no: invent.id_no(birthday, sex).id_no,
    mobile: invent.mobile('staff'),
    nation: draw.chance(0.93) ? '01' : draw.pick(['03', '11', '02', '15']),
    political: draw.chance(0.4) ? '01' : '13',
    teacher_no: `${letter}${joined}${nextSerial(register, joined)}`,
    work_month: `${school_year - worked}07`,
    join_month: `${joined}08`,
    ...profileOf(draw, seat, age),
    ...unusual.get(at),
  }
}

/** Nobody of the staff has the name of another one. */
function freshName(names: SampleTools['names'], sex: '1' | '2', taken: Set<string>): string {
  const name = names.full('parent', sex)
  if (taken.has(name)) return freshName(names, sex, taken)
  taken.add(name)
  return name
}

function nextSerial({ serials }: Register, joined: number): string {
  const serial = (serials.get(joined) ?? 0) + 1
  serials.set(joined, serial)
  return String(serial).padStart(4, '0')
}

function seatsOf(dept: PlannedDept, depts: readonly PlannedDept[]): Seat[] {
  const seat = { dept_key: dept.key, dept_name: dept.dept_name }
  if (dept.dept_type === dept_type.subject_group || dept.dept_type === dept_type.lesson_group) {
    const teaches = { subject_name: subjectOf(dept, depts), stage: stageOf(dept.dept_name) }
    return Array.from({ length: dept.staff }, () => ({ ...seat, position: null, teaches }))
  }
  return officePositions(dept.dept_name, dept.staff).map(position => ({ ...seat, position, teaches: null }))
}

function subjectOf(dept: PlannedDept, depts: readonly PlannedDept[]): string {
  const group = dept.dept_type === dept_type.lesson_group ? depts.find(other => other.key === dept.parent) : dept
  return (group?.dept_name ?? '').replace('教研组', '')
}

function stageOf(dept_name: string): Stage {
  for (const [word, stage] of Object.entries(stages)) if (dept_name.startsWith(word)) return stage
  return primary_only.some(word => dept_name.startsWith(word)) ? '1' : '3'
}

function profileOf(draw: SampleTools['draw'], { teaches, dept_name }: Seat, age: number): Profile {
  if (!teaches) return officeProfile(draw, dept_name)
  const { subject_name, stage } = teaches
  return {
    kind: '11',
    bz: '1',
    post: '2',
    employ: draw.chance(0.8) ? '1' : '3',
    edu: draw.chance(0.25) ? '14' : '21',
    degree: draw.chance(0.25) ? '3' : '4',
    title: titleAt(draw, age),
    stage: lesson_stage[stage],
    subject: source.subjects.find(subject => subject.name === subject_name)?.code ?? null,
    cert: certificate[stage],
    mandarin: subject_name === '语文' ? draw.pick(['2', '3']) : draw.pick(['3', '4']),
  }
}

const assisting: readonly string[] = ['信息中心', '医务室', '图书馆', '实验室', '档案室', '教科研室']
const working: readonly string[] = ['宿管科', '生产一车间', '生产二车间']
const hired_outside: readonly string[] = ['安保部']

/** People outside teaching: 教辅, 工勤, from another firm, else 行政. */
function officeProfile(draw: SampleTools['draw'], dept_name: string): Profile {
  if (assisting.includes(dept_name)) return { kind: '12', bz: '3', post: '2', employ: '1', edu: '21', degree: '4' }
  if (working.includes(dept_name)) return { kind: '14', bz: '4', post: '3', employ: draw.pick(['3', '4']), edu: draw.pick(['41', '61', '71']) }
  if (hired_outside.includes(dept_name)) return { kind: '52', bz: '9', post: '3', employ: '4', edu: draw.pick(['41', '61', '71']) }
  return { kind: '13', bz: '2', post: '1', employ: draw.chance(0.7) ? '1' : '3', edu: draw.pick(['21', '21', '31']), degree: '4' }
}

function titleAt(draw: SampleTools['draw'], age: number): string {
  if (age < 27) return draw.pick(['4', '9'])
  if (age < 38) return draw.pick(['3', '4'])
  if (age < 48) return draw.pick(['2', '3'])
  return draw.chance(0.05) ? '1' : '2'
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
