import type { NewStaff } from '@campus/people/server'
import source from './data/school.json' with { type: 'json' }
import { dept_type } from './departments.ts'
import type { PlannedDept } from './departments.ts'
import { fictionalIdNo, fictionalMobile } from './fictional-numbers.ts'
import { freshName } from './person-names.ts'
import { officePositions } from './positions.ts'
import { diceOf } from './random.ts'
import type { Dice } from './random.ts'

/** Somebody to be hired: facts of the archive and the key of the first department. `stage` is his school stage, null outside teaching. */
export type PlannedStaff = Omit<NewStaff, 'from' | 'depts' | 'duties'> & {
  key: string
  dept_key: string
  position: string | null
  teaches: { subject_name: string; stage: Stage } | null
}
export type Stage = '1' | '2' | '3'

type Profile = Pick<NewStaff, 'kind' | 'bz' | 'post' | 'employ' | 'edu' | 'degree' | 'title' | 'stage' | 'subject' | 'cert' | 'mandarin'>
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

/**
 * The people whose first department has `staff` places: one per place, in the order of the departments.
 * @param letter begins every number, `T20180007`
 * @param first_mobile number of the first person in the block of staff mobiles
 */
export function planStaff(depts: readonly PlannedDept[], school_year: number, subject: string, letter: string, first_mobile: number): PlannedStaff[] {
  const dice = diceOf(`staff:${subject}`)
  const names = new Set<string>()
  const serials = new Map<number, number>()
  return depts.flatMap(dept => seatsOf(dept, depts)).map((seat, at) => {
    const sex = dice.chance(seat.teaches ? 0.72 : 0.5) ? '2' : '1'
    const age = dice.between(seat.dept_name === leaders ? youngest_leader : youngest, oldest)
    const birthday = `${school_year - age}-${two(dice.between(1, 12))}-${two(dice.between(1, 28))}`
    const worked = age - dice.between(22, youngest)
    const joined = school_year - dice.between(0, worked)
    const serial = (serials.get(joined) ?? 0) + 1
    serials.set(joined, serial)
    return {
      key: `${subject}:${at + 1}`,
      dept_key: seat.dept_key,
      position: seat.position,
      teaches: seat.teaches,
      user_name: freshName(dice, 'parent', sex, names),
      sex,
      birthday,
      id_type: '1',
      id_no: fictionalIdNo(dice, birthday, sex, at + 1),
      mobile: fictionalMobile('staff', first_mobile + at),
      nation: dice.chance(0.93) ? '01' : dice.pick(['03', '11', '02', '05']),
      political: dice.chance(0.4) ? '01' : '13',
      teacher_no: `${letter}${joined}${String(serial).padStart(4, '0')}`,
      work_month: `${school_year - worked}07`,
      join_month: `${joined}08`,
      ...profileOf(dice, seat, age),
    }
  })
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

function profileOf(dice: Dice, { teaches, dept_name }: Seat, age: number): Profile {
  if (!teaches) return officeProfile(dice, dept_name)
  const { subject_name, stage } = teaches
  return {
    kind: '11',
    bz: '1',
    post: '2',
    employ: dice.chance(0.8) ? '1' : '3',
    edu: dice.chance(0.25) ? '14' : '21',
    degree: dice.chance(0.25) ? '3' : '4',
    title: titleAt(dice, age),
    stage: lesson_stage[stage],
    subject: source.subjects.find(subject => subject.name === subject_name)?.code ?? null,
    cert: certificate[stage],
    mandarin: subject_name === '语文' ? dice.pick(['2', '3']) : dice.pick(['3', '4']),
  }
}

const assisting: readonly string[] = ['信息中心', '医务室', '图书馆', '实验室', '档案室', '教科研室']
const working: readonly string[] = ['宿管科', '生产一车间', '生产二车间', '安保部']

/** People outside teaching: 教辅, 工勤, else 行政. */
function officeProfile(dice: Dice, dept_name: string): Profile {
  if (assisting.includes(dept_name)) return { kind: '12', bz: '3', post: '2', employ: '1', edu: '21', degree: '4' }
  if (working.includes(dept_name)) return { kind: '14', bz: '4', post: '3', employ: dice.pick(['3', '4']), edu: dice.pick(['41', '61', '71']) }
  return { kind: '13', bz: '2', post: '1', employ: dice.chance(0.7) ? '1' : '3', edu: dice.pick(['21', '21', '31']), degree: '4' }
}

function titleAt(dice: Dice, age: number): string {
  if (age < 27) return dice.pick(['4', '9'])
  if (age < 38) return dice.pick(['3', '4'])
  if (age < 48) return dice.pick(['2', '3'])
  return dice.chance(0.05) ? '1' : '2'
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
