import { defineGroups, ensureUsers } from '@campus/identity/server'
import { enterpriseDepartments, secondDepartments, suspendedDepartments } from './departments.ts'
import { dutyRows, planDuties } from './duties.ts'
import { plannedRole } from './roles.ts'
import type { PlannedRole } from './roles.ts'
import { grantFromStart, hirePlanned, idOf, issueDemoAccounts, makeRoles, openDepartments } from './school-work.ts'
import type { Work } from './school-work.ts'
import { planStaff } from './staff.ts'

/** Somebody of another school who also works here. */
export type Visitor = { user_id: string; user_no: string; user_name: string }

const staff_kind = 2
const employee_kind = 6
/** Blocks of staff mobiles and numbers: the schools never share one. */
const first_mobile = { enterprise: 2001, second: 4001, suspended: 5001 } as const

const enterprise_admin: PlannedRole = { code: 'SYS001_SchoolAdmin', name: '企业管理员', group_code: 'SYS001', is_system: true, grants: ['*'], scope: 'all' }
const enterprise_roles: readonly PlannedRole[] = [
  { code: 'SYS002_DeptHead', name: '部门负责人', group_code: 'SYS002', is_system: true, grants: ['*.view', '!audit.*', '!identity.*'], scope: 'own_below' },
  { code: 'SYS003_Staff', name: '员工', group_code: 'SYS003', is_system: true, grants: ['people.dept.view', 'people.staff.view'], scope: 'own' },
]

/** Fills the enterprise: its departments with their heads; the head of 行政部 keeps the console. */
export async function fillEnterprise(work: Work): Promise<void> {
  const depts = enterpriseDepartments()
  const dept_ids = await openDepartments(work, depts)
  const staff = planStaff(depts, work.school_year, 'enterprise', 'E', first_mobile.enterprise).map(person => ({ ...person, user_kind: employee_kind } as const))
  const duties = planDuties(depts, staff, 'enterprise')
  const staff_ids = await hirePlanned(work, staff, dutyRows(duties, depts), dept_ids)
  await defineGroups(work.db, work.school_id, [{ code: 'SYS003', name: '员工', client_kind: 'web', is_system: true, order: 3 }])
  const role_ids = await makeRoles(work, [enterprise_admin, ...enterprise_roles])
  const keeper = staff.find(person => person.dept_key === '行政部')?.key ?? ''
  const of = (role_code: string, key: string) => ({ role_id: idOf(role_ids, role_code), user_id: idOf(staff_ids, key) })
  const others = staff.filter(person => person.key !== keeper)
  await grantFromStart(work, [of('SYS001_SchoolAdmin', keeper), ...others.flatMap(({ key }) => [of('SYS002_DeptHead', key), of('SYS003_Staff', key)])])
  await issueDemoAccounts(work, [['yuangong01', idOf(staff_ids, keeper)]])
}

/** Fills the second school; `visitor` teaches here too, with the account of the first school. */
export async function fillSecondSchool(work: Work, school_name: string, visitor: Visitor): Promise<void> {
  const depts = secondDepartments(school_name, work.school_year)
  const dept_ids = await openDepartments(work, depts)
  const staff = planStaff(depts, work.school_year, 'second', 'S', first_mobile.second)
  const duties = planDuties(depts, staff, 'second')
  const staff_ids = await hirePlanned(work, staff, dutyRows(duties, depts), dept_ids)
  await ensureUsers(work.db, work.school_id, [{ ...visitor, user_kind: staff_kind }])
  const role_ids = await makeRoles(work, [plannedRole('SYS003_Teacher'), plannedRole('SYS003_ClassTeacher'), plannedRole('SYS003_Staff')])
  const role_of = (code: string) => ({ role_id: idOf(role_ids, code) })
  await grantFromStart(work, [
    ...staff.map(person => ({ ...role_of(person.teaches ? 'SYS003_Teacher' : 'SYS003_Staff'), user_id: idOf(staff_ids, person.key) })),
    ...[...duties.class_teachers].map(([dept, key]) => ({ ...role_of('SYS003_ClassTeacher'), user_id: idOf(staff_ids, key), user_dep: idOf(dept_ids, dept) })),
    { ...role_of('SYS003_Teacher'), user_id: visitor.user_id },
  ])
}

/** Fills the suspended school: one office, and nobody who could sign in. */
export async function fillSuspendedSchool(work: Work, school_name: string): Promise<void> {
  const depts = suspendedDepartments(school_name)
  const dept_ids = await openDepartments(work, depts)
  const staff = planStaff(depts, work.school_year, 'suspended', 'Q', first_mobile.suspended)
  await hirePlanned(work, staff, dutyRows(planDuties(depts, staff, 'suspended'), depts), dept_ids)
}
