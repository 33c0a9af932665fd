import type { DemoAccountName } from './accounts.ts'
import type { PlannedDept } from './departments.ts'
import { gradeGroupOf } from './duties.ts'
import type { Duties } from './duties.ts'
import { main_roles, own_roles } from './roles.ts'
import type { PlannedStaff } from './staff.ts'

/** An identity of the plan. `dept_key` = the department under which the role is held, null = the person's own. */
export type Membership = { role_code: string; staff_key: string; dept_key: string | null }

/** The demo accounts of staff of the main school. */
export const staff_accounts = ['admin01', 'duo01', 'kuaidi01', 'shouji01', 'moren01', 'guoqi01', 'loudong01', 'kongcai01', 'shenji01'] as const satisfies readonly DemoAccountName[]

/** Demo account → key of the person who has it. */
export type Holders = Readonly<Record<(typeof staff_accounts)[number], string>>

type Plan = { depts: readonly PlannedDept[]; staff: readonly PlannedStaff[]; duties: Duties }

/** Roles that offices give: department, positions (all when empty), role. */
const by_office: readonly [string, readonly string[], string][] = [
  ['校领导', ['校办主任', '校办副主任'], 'SYS001_SchoolAdmin'],
  ['信息中心', [], 'SYS001_ItAdmin'],
  ['总务处', ['主任', '采购员', '仓库管理员'], 'SYS001_Logistics'],
  ['安全保卫处', [], 'SYS001_Security'],
  ['宿管科', ['门卫'], 'SYS001_Security'],
  ['总务处', ['食堂管理员'], 'SYS001_Canteen'],
  ['总务处', ['校车管理员'], 'SYS001_BusAdmin'],
  ['宿管科', ['科长', '宿舍管理员'], 'SYS001_Dorm'],
  ['宿管科', ['收发员'], 'SYS001_Expressman'],
  ['校领导', ['校长'], 'SYS002_Principal'],
  ['校领导', ['副校长'], 'SYS002_VicePrincipal'],
  ['教务处', ['主任', '副主任'], 'SYS002_Academic'],
  ['德育处', ['主任', '副主任'], 'SYS002_Moral'],
  ['人事处', ['主任'], 'SYS002_Hr'],
  ['财务处', ['主任', '会计'], 'SYS002_Finance'],
  ['医务室', [], 'SYS003_Doctor'],
  ['图书馆', [], 'SYS003_Librarian'],
]
/** Who has one of these is not 行政教辅人员 beside it. */
const instead_of_staff: readonly string[] = ['SYS001_ItAdmin', 'SYS001_Expressman', 'SYS003_Doctor', 'SYS003_Librarian']
/** As many vice principals also teach as there are teachers who do not hold the teachers' role. */
const non_teaching_accounts: readonly (keyof Holders)[] = ['duo01', 'shouji01', 'kongcai01']
const shown_grade = '七年级'

/** The people who hold the demo accounts: by office, by duty, the rest teachers who lead no class, grade, subject or office. */
export function chooseHolders({ depts, staff, duties }: Plan): Holders {
  const withPosition = (position: string) => staff.find(person => person.position === position)?.key ?? ''
  const first_class = depts.find(dept => dept.dept_name === `${shown_grade}1班`)?.key ?? ''
  const { class_teachers, grade_heads, subject_heads, dept_leaders } = duties
  const leading = new Set([class_teachers, grade_heads, subject_heads, dept_leaders].flatMap(map => [...map.values()]))
  const plain = staff.filter(person => person.teaches && !leading.has(person.key)).map(person => person.key)
  const [moren01 = '', guoqi01 = '', loudong01 = '', shouji01 = '', kongcai01 = ''] = plain
  return {
    admin01: withPosition('校办主任'),
    duo01: duties.class_teachers.get(first_class) ?? '',
    kuaidi01: withPosition('收发员'),
    shenji01: withPosition('纪委书记'),
    moren01, guoqi01, loudong01, shouji01, kongcai01,
  }
}

/** Makes the class teacher behind duo01 the head of his grade too, and of its group. */
export function withDoubleDuty(plan: Plan): Duties {
  const { depts, duties } = plan
  const grade = depts.find(dept => dept.dept_name === shown_grade)?.key ?? ''
  const { duo01 } = chooseHolders(plan)
  const group = gradeGroupOf(grade, depts)
  const group_leaders = group === undefined ? duties.group_leaders : new Map(duties.group_leaders).set(group, duo01)
  return { ...duties, grade_heads: new Map(duties.grade_heads).set(grade, duo01), group_leaders }
}

/** Every membership of the main school's staff. */
export function planMemberships(plan: Plan, holders: Holders): Membership[] {
  const { staff, duties } = plan
  const own = (role_code: string, keys: readonly string[]) => keys.map(staff_key => ({ role_code, staff_key, dept_key: null }))
  const led = (role_code: string, map: Map<string, string>) => [...map].map(([dept_key, staff_key]) => ({ role_code, staff_key, dept_key }))
  return [
    ...officeMemberships(plan),
    ...led('SYS002_GradeHead', duties.grade_heads),
    ...led('SYS002_SubjectHead', duties.subject_heads),
    ...led('SYS003_ClassTeacher', duties.class_teachers),
    ...own('SYS003_Teacher', teacherKeys(staff, holders)),
    ...own('SYS003_Staff', staffKeys(plan)),
    ...own(own_roles.auditor.code, [holders.shenji01]),
    ...own(own_roles.unassigned.code, [holders.kongcai01]),
    ...own(own_roles.phone_only.code, [holders.shouji01]),
  ]
}

/** Roles nobody of the staff holds: the synthetic one of super accounts, and those of pupils and parents. */
export function staffRoles(): { code: string; users: number }[] {
  return main_roles.filter(({ code, group }) => code !== 'SYS001_Super' && group !== 'SYS004' && group !== 'SYS005')
}

function officeMemberships({ depts, staff }: Plan): Membership[] {
  return by_office.flatMap(([dept_name, positions, role_code]) => {
    const dept_key = depts.find(dept => dept.dept_name === dept_name)?.key
    const fitting = staff.filter(person => person.dept_key === dept_key && (positions.length === 0 || positions.includes(person.position ?? '')))
    return fitting.map(person => ({ role_code, staff_key: person.key, dept_key: null }))
  })
}

function teacherKeys(staff: readonly PlannedStaff[], holders: Holders): string[] {
  const without = new Set(non_teaching_accounts.map(account => holders[account]))
  const vice = staff.filter(person => person.position === '副校长').slice(0, non_teaching_accounts.length)
  return [...vice, ...staff.filter(person => person.teaches && !without.has(person.key))].map(person => person.key)
}

function staffKeys(plan: Plan): string[] {
  const leaders = plan.depts.find(dept => dept.dept_name === '校领导')?.key
  const other = new Set(officeMemberships(plan).filter(({ role_code }) => instead_of_staff.includes(role_code)).map(({ staff_key }) => staff_key))
  return plan.staff.filter(person => !person.teaches && person.dept_key !== leaders && !other.has(person.key)).map(person => person.key)
}
