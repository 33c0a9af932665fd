import { offerTestLogins } from '@campus/identity/server'
import { recordStaffLeaves } from '@campus/people/server'
import type { SampleTools } from '@campus/people/server'
import { refreshStatistics } from '@kit/server/db'
import { fillAccess } from './access.ts'
import { fillAttendance } from './attendance.ts'
import { fillActivity } from './activity.ts'
import { fillAppRoles } from './app-roles.ts'
import { planJournals } from './audit.ts'
import { limitPasswordAge } from './account-states.ts'
import { valid_days } from './accounts.ts'
import type { DemoAccountName } from './accounts.ts'
import { fillChanges, fillWaiting } from './changes.ts'
import { fillCalendar } from './calendar.ts'
import { fillBoards } from './boards.ts'
import { promotionTo } from './cohorts.ts'
import type { Promotion } from './cohorts.ts'
import { mainDepartments } from './departments.ts'
import type { PlannedDept } from './departments.ts'
import { dutyRows, gradeGroupOf, planDuties, withPast } from './duties.ts'
import type { Duties } from './duties.ts'
import { enrolPlanned } from './fill-pupils.ts'
import { fillLeave } from './leave.ts'
import { planLeaves } from './leavers.ts'
import type { PlannedLeave } from './leavers.ts'
import { chooseHolders, planMemberships, staff_accounts, withDoubleDuty } from './memberships.ts'
import type { Holders, Membership } from './memberships.ts'
import { planPupils } from './pupils.ts'
import type { PlannedPupil } from './pupils.ts'
import { own_roles, plannedRoles } from './roles.ts'
import { addDays, firstDay, schoolYearOf } from './school-year.ts'
import { closeAccounts, grantFromStart, hiredOn, hirePlanned, idOf, issueDemoAccounts, makeRoles, openDepartments, promote } from './school-work.ts'
import type { Ids, Work } from './school-work.ts'
import { toolsOf } from './seed.ts'
import { planStaff } from './staff.ts'
import { fillBooks } from './books.ts'
import { fillMerges } from './merges.ts'
import { fillDelegations } from './delegations.ts'
import { fillDeletions } from './deletions.ts'
import { fillFreshmen } from './freshmen.ts'
import { fillCollect } from './collect.ts'
import { fillFaces } from './faces.ts'
import { fillRegister } from './register.ts'
import { fillFields } from './fields.ts'
import { fillBoardContent } from './board-content.ts'
import { fillFirmware } from './device-settings.ts'
import { fillDeviceLines } from './device-lines.ts'
import { fillDevices, standDevices } from './devices.ts'
import type { Stood } from './devices.ts'
import { fillFloorPlans } from './floor-plans.ts'
import { fillPapers } from './freshmen-papers.ts'
import { drawPortraits, fillPhotos } from './photos.ts'
import { drawLibrary, fillLibrary } from './pictures.ts'
import { sideBySide } from './side-by-side.ts'
import { drawScenes, fillWarnings } from './warnings.ts'
import { fillPlaces } from './places.ts'
import { fillRemarks } from './remarks.ts'
import { fillTags } from './tags.ts'
import { fillTeaching } from './teaching.ts'
import { fillContracts } from './contracts.ts'
import { payeesOf } from './payees.ts'
import { fillPublishing } from './publishing.ts'
import { fillRecharge } from './recharge.ts'
import { fillWhitelist } from './whitelist.ts'
import type { PlannedStaff } from './staff.ts'

/** Everything known of the main school before the database is asked: departments, people, duties, identities, holders of the demo accounts. */
export type MainPlan = {
  depts: PlannedDept[]
  promotion: Promotion
  staff: PlannedStaff[]
  leavers: PlannedStaff[]
  leaves: PlannedLeave[]
  duties: Duties
  holders: Holders
  memberships: Membership[]
}

const subject = 'main'
const leaver_count = 12

/** The plan of the main school on a day, without its pupils. */
export function planMainSchool(today: string, tools = toolsOf(subject)): MainPlan {
  const school_year = schoolYearOf(today)
  const depts = mainDepartments(school_year)
  const people = planStaff(tools, depts, school_year, 'T', leaver_count)
  const [staff, leavers] = [people.slice(0, -leaver_count), people.slice(-leaver_count)]
  const duties = withDoubleDuty({ depts, staff, duties: planDuties(depts, staff, subject) })
  const holders = chooseHolders({ depts, staff, duties })
  return {
    depts,
    promotion: promotionTo(depts),
    staff,
    leavers,
    leaves: planLeaves(tools, leavers, { past_from: pastFrom(today), today }),
    duties,
    holders,
    memberships: planMemberships({ depts, staff, duties }, holders),
  }
}

/** The pupils of the plan; the tools that invented the staff know which numbers are taken. */
export function planMainPupils(tools: SampleTools, { depts, staff, promotion }: MainPlan, today: string): PlannedPupil[] {
  const from = firstDay(schoolYearOf(today))
  return planPupils(tools, depts, staff, promotion, { past_from: pastFrom(today), left_on: leavingDay(from), from, today })
}

/** The first day of which the main school knows anything: the beginning of the last school year. */
export function pastFrom(today: string): string {
  return firstDay(schoolYearOf(today) - 1)
}

/** The highest grade leaves on the last day of August (chapter 20 rule 9). */
function leavingDay(from: string): string {
  return addDays(from, -1)
}

/** Fills the main school. */
export async function fillMainSchool(work: Work): Promise<void> {
  const tools = toolsOf(subject)
  const plan = planMainSchool(work.today, tools)
  const staffed = await fillStaff(work, tools, plan)
  const { dept_ids, staff_ids, role_ids } = staffed
  const [pictures, family, stood] = await sideBySide([drawPictures(work.school_id), enrolPlanned(work, staffed.pupils, dept_ids, role_ids), fillSites(work)])
  // What follows reads the roll: a planner that believes it empty takes half a minute for each look.
  await refreshStatistics(work.db)
  await fillCalendar(work)
  await fillTeaching(work, plan.staff, staffed.staff_ids)
  await fillChanges(work)
  await limitPasswordAge(work.db, work.school_id, valid_days)
  await issueDemoAccounts(work, [...holdersOf(plan.holders, staff_ids), ...family])
  await offerTestLogins(work.app, work.db, work.school_id)
  await fillBoards(work, role_ids)
  const writeJournals = await planJournals(work)
  await sideBySide([writeJournals(), fillDevices(work, stood), fillPictures(work, pictures)])
  await fillPhotos(work, pictures.portraits)
  await fillFaces(work, family)
  await fillDeviceLines(work)
  await fillActivity(work)
  await fillAppRoles(work, plan.depts, dept_ids)
  await fillWaiting(work)
  await fillTags(work)
  await fillFields(work)
  await fillRemarks(work, plan.depts, dept_ids)
  await fillDelegations(work)
  await fillMerges(work)
  await fillDeletions(work)
  await fillBooks(work, plan.depts, dept_ids)
  await fillRegister(work)
  await fillCollect(work)
  await fillFreshmen(work)
  await fillPapers(work)
  const payees = await payeesOf(work)
  await fillWhitelist(work, payees)
  await fillRecharge(work)
  await fillContracts(work, payees)
  await fillLeave(work)
  await fillAccess(work)
  await fillAttendance(work)
  await fillPublishing(work)
}

type Pictures = Awaited<ReturnType<typeof drawPictures>>

/** What is drawn without the database, while it is busy with something else. */
async function drawPictures(school_id: number) {
  return { portraits: await drawPortraits(school_id), library: await drawLibrary(school_id), scenes: await drawScenes(school_id) }
}

async function fillPictures(work: Work, { library, scenes }: Pictures): Promise<void> {
  await fillLibrary(work, library)
  await fillBoardContent(work, library)
  await fillWarnings(work, scenes)
  await fillFloorPlans(work)
  await fillFirmware(work)
}

/** Departments, the staff and what it may do; and who is to come upon the roll. */
async function fillStaff(work: Work, tools: SampleTools, plan: MainPlan) {
  const left_on = leavingDay(work.from)
  const last_year = await openDepartments(work, plan.promotion.before)
  const pupils = planMainPupils(tools, plan, work.today)
  const dept_ids = await promote(work, left_on, plan.promotion, last_year)
  const staff_ids = await hireMainStaff(work, plan, left_on, dept_ids)
  const role_ids = await makeRoles(work, [...plannedRoles(), ...Object.values(own_roles)])
  const members = plan.memberships.map(({ role_code, staff_key, dept_key }) => ({
    role_id: idOf(role_ids, role_code),
    user_id: idOf(staff_ids, staff_key),
    ...(dept_key === null ? {} : { user_dep: idOf(dept_ids, dept_key) }),
  }))
  await grantFromStart(work, members)
  return { pupils, dept_ids, staff_ids, role_ids }
}

/** Places, and the devices that stand there. */
async function fillSites(work: Work): Promise<Stood> {
  await fillPlaces(work)
  return standDevices(work)
}

async function hireMainStaff(work: Work, plan: MainPlan, left_on: string, dept_ids: Ids): Promise<Ids> {
  const { staff, leavers, leaves, promotion } = plan
  const since = new Map(staff.map(person => [person.key, hiredOn(work, person)]))
  const duties = withPast(dutyRows(plan.duties), promotion, { left_on, on: work.from }, key => since.get(key) ?? work.from)
  const staff_ids = await hirePlanned(work, [...staff, ...leavers], duties, dept_ids, gradeGroups(plan))
  const left = leaves.map(({ staff_key, ...leave }) => ({ user_id: idOf(staff_ids, staff_key), ...leave }))
  await recordStaffLeaves(work.db, work.school_id, left)
  await closeAccounts(work, left)
  return staff_ids
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
