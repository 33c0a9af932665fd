import { enrolStudents, linkGuardians } from '@campus/people/server'
import { limitPasswordAge } from './account-states.ts'
import { valid_days } from './accounts.ts'
import type { DemoAccountName } from './accounts.ts'
import { mainDepartments } from './departments.ts'
import type { PlannedDept } from './departments.ts'
import { dutyRows, gradeGroupOf, planDuties } from './duties.ts'
import type { Duties } from './duties.ts'
import { familyOf } from './family.ts'
import { chooseHolders, planMemberships, staff_accounts, withDoubleDuty } from './memberships.ts'
import type { Holders, Membership } from './memberships.ts'
import { own_roles, plannedRoles } from './roles.ts'
import { grantFromStart, hirePlanned, idOf, issueDemoAccounts, makeRoles, openDepartments } from './school-work.ts'
import type { Ids, Work } from './school-work.ts'
import { planStaff } from './staff.ts'
import type { PlannedStaff } from './staff.ts'

/** Everything known of the main school before the database is asked: departments, people, duties, identities, holders of the demo accounts. */
export type MainPlan = { depts: PlannedDept[]; staff: PlannedStaff[]; duties: Duties; holders: Holders; memberships: Membership[] }

/** The plan of the main school in a school year. */
export function planMainSchool(school_year: number): MainPlan {
  const depts = mainDepartments(school_year)
  const staff = planStaff(depts, school_year, 'main', 'T', 1)
  const duties = withDoubleDuty({ depts, staff, duties: planDuties(depts, staff, 'main') })
  const holders = chooseHolders({ depts, staff, duties })
  return { depts, staff, duties, holders, memberships: planMemberships({ depts, staff, duties }, holders) }
}

/** Fills the main school. */
export async function fillMainSchool(work: Work): Promise<void> {
  const plan = planMainSchool(work.school_year)
  const dept_ids = await openDepartments(work, plan.depts)
  const staff_ids = await hirePlanned(work, plan.staff, dutyRows(plan.duties, plan.depts), dept_ids, gradeGroups(plan))
  const role_ids = await makeRoles(work, [...plannedRoles(), ...Object.values(own_roles)])
  const members = plan.memberships.map(({ role_code, staff_key, dept_key }) => ({
    role_id: idOf(role_ids, role_code),
    user_id: idOf(staff_ids, staff_key),
    ...(dept_key === null ? {} : { user_dep: idOf(dept_ids, dept_key) }),
  }))
  await grantFromStart(work, members)
  const family = await addFamily(work, plan.depts, dept_ids, role_ids)
  await limitPasswordAge(work.db, work.school_id, valid_days)
  await issueDemoAccounts(work, [...holdersOf(plan.holders, staff_ids), ...family])
}

/** Class teachers and heads of grade are members of their grade's staff department too. */
function gradeGroups({ depts, duties }: MainPlan): Map<string, string> {
  const gradeOf = new Map(depts.map(dept => [dept.key, dept.parent]))
  const led = [...duties.grade_heads, ...[...duties.class_teachers].map(([class_key, staff_key]) => [gradeOf.get(class_key) ?? '', staff_key] as const)]
  return new Map(led.flatMap(([grade_key, staff_key]) => {
    const group = gradeGroupOf(grade_key, depts)
    return group ? [[staff_key, group] as const] : []
  }))
}

function holdersOf(holders: Holders, staff_ids: Ids): [DemoAccountName, string][] {
  return staff_accounts.map(name => [name, idOf(staff_ids, holders[name])])
}

/** One pupil and her father: the people behind the two accounts that the console turns away. */
async function addFamily(work: Work, depts: readonly PlannedDept[], dept_ids: Ids, role_ids: Ids): Promise<[DemoAccountName, string][]> {
  const { app, db, school_id, from } = work
  const { class_key, student, guardian } = familyOf(depts, work.school_year)
  const [pupil = ''] = await enrolStudents(db, app.secrets, school_id, [{ ...student, dept_id: idOf(dept_ids, class_key), from }])
  const [father] = await linkGuardians(db, app.secrets, school_id, [{ ...guardian, student_user_id: pupil, from }])
  if (!father) throw new Error('the mobile of the demo parent belongs to somebody else')
  await grantFromStart(work, [
    { role_id: idOf(role_ids, 'SYS004_Student'), user_id: pupil },
    { role_id: idOf(role_ids, 'SYS005_Parent'), user_id: father },
  ])
  return [['xuesheng01', pupil], ['jiazhang01', father]]
}
