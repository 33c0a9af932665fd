import { defineGroups, ensureUsers } from '@campus/identity/server'
import { enterpriseDepartments, newSchoolDepartments, suspendedDepartments } from './departments.ts'
import { dutyRows, planDuties } from './duties.ts'
import { fillEnterpriseDevices } from './enterprise-devices.ts'
import { plannedRoles } from './roles.ts'
import type { PlannedRole } from './roles.ts'
import { grantFromStart, hirePlanned, idOf, issueDemoAccounts, makeRoles, openDepartments } from './school-work.ts'
import type { Work } from './school-work.ts'
import { toolsOf } from './seed.ts'
import { planStaff } from './staff.ts'

/** Somebody of another school who also works here. */
export type Visitor = { user_id: string; user_no: string; user_name: string }

const staff_kind = 2
const employee_kind = 6
/** Staff mobiles of the schools before: the schools never share one. */
const mobiles_before = { enterprise: 2000, second: 4000, suspended: 5000 } as const
const from_outside = '5'
const outside_kind = 7

const enterprise_admin: PlannedRole = { code: 'SYS001_SchoolAdmin', name: '企业管理员', group_code: 'SYS001', is_system: true, grants: ['*'], scope: 'all' }
const enterprise_roles: readonly PlannedRole[] = [
  { code: 'SYS002_DeptHead', name: '部门负责人', group_code: 'SYS002', is_system: true, grants: ['*.view', '!audit.*', '!identity.*'], scope: 'own_below' },
  { code: 'SYS003_Staff', name: '员工', group_code: 'SYS003', is_system: true, grants: ['people.dept.view', 'people.staff.view'], scope: 'own' },
]

/** Fills the enterprise: its departments with their heads and people; the head of 行政部 keeps the console. */
export async function fillEnterprise(work: Work): Promise<void> {
  const depts = enterpriseDepartments()
  const dept_ids = await openDepartments(work, depts)
  const staff = planStaff(toolsOf('enterprise', mobiles_before.enterprise), depts, work.school_year, 'E').map(person => {
    return { ...person, user_kind: person.kind.startsWith(from_outside) ? outside_kind : employee_kind } as const
  })
  const duties = planDuties(depts, staff, 'enterprise')
  const staff_ids = await hirePlanned(work, staff, dutyRows(duties), dept_ids)
  await defineGroups(work.db, work.school_id, [{ code: 'SYS003', name: '员工', client_kind: 'web', is_system: true, order: 3 }])
  const role_ids = await makeRoles(work, [enterprise_admin, ...enterprise_roles])
  const keeper = staff.find(person => person.dept_key === '行政部')?.key ?? ''
  const of = (role_code: string, key: string) => ({ role_id: idOf(role_ids, role_code), user_id: idOf(staff_ids, key) })
  const heads = [...duties.dept_leaders.values()].filter(key => key !== keeper)
  const others = staff.filter(person => person.key !== keeper)
  await grantFromStart(work, [of('SYS001_SchoolAdmin', keeper), ...heads.map(key => of('SYS002_DeptHead', key)), ...others.map(({ key }) => of('SYS003_Staff', key))])
  await issueDemoAccounts(work, [['yuangong01', idOf(staff_ids, keeper)]])
  await fillEnterpriseDevices(work)
}

/**
 * Fills the new school: every department and class, staff with their roles, and nobody in the classes. `visitor` teaches here too, with
 * the account of the first school.
 */
export async function fillNewSchool(work: Work, school_name: string, visitor: Visitor): Promise<void> {
  const depts = newSchoolDepartments(school_name, work.school_year)
  const dept_ids = await openDepartments(work, depts)
  const staff = planStaff(toolsOf('second', mobiles_before.second), depts, work.school_year, 'S')
  const duties = planDuties(depts, staff, 'second')
  const staff_ids = await hirePlanned(work, staff, dutyRows(duties), dept_ids)
  await ensureUsers(work.db, work.school_id, [{ ...visitor, user_kind: staff_kind }])
  const role_ids = await makeRoles(work, plannedRoles())
  const of = (code: string, key: string) => ({ role_id: idOf(role_ids, code), user_id: idOf(staff_ids, key) })
  const keeper = staff.find(person => person.position === '校办主任')?.key ?? ''
  await grantFromStart(work, [
    of('SYS001_SchoolAdmin', keeper),
    ...staff.filter(person => person.key !== keeper).map(person => of(person.teaches ? 'SYS003_Teacher' : 'SYS003_Staff', person.key)),
    ...[...duties.class_teachers].map(([dept, key]) => ({ ...of('SYS003_ClassTeacher', key), user_dep: idOf(dept_ids, dept) })),
    { role_id: idOf(role_ids, 'SYS003_Teacher'), user_id: visitor.user_id },
  ])
  await issueDemoAccounts(work, [['xinxiao01', idOf(staff_ids, keeper)]])
}

/** Fills the suspended school: one office, and nobody who could sign in. */
export async function fillSuspendedSchool(work: Work, school_name: string): Promise<void> {
  const depts = suspendedDepartments(school_name)
  const dept_ids = await openDepartments(work, depts)
  const staff = planStaff(toolsOf('suspended', mobiles_before.suspended), depts, work.school_year, 'Q')
  await hirePlanned(work, staff, dutyRows(planDuties(depts, staff, 'suspended')), dept_ids)
}
