import { enrolStudents, linkGuardians, recordPupilSteps } from '@campus/people/server'
import type { PupilStep } from '@campus/people/server'
import { refreshStatistics } from '@kit/server/db'
import type { DemoAccountName } from './accounts.ts'
import type { PlannedStep } from './pupil-past.ts'
import type { PlannedPupil } from './pupils.ts'
import { closeAccounts, grantFromStart, idOf } from './school-work.ts'
import type { Ids, Work } from './school-work.ts'

/** The class of the demo accounts of a family. */
export const shown_class = '高一1班'
const committee_of_class = 3
/** Pupils or guardians of one part: while one is computed and the next is written, others get their turn. */
const part_size = 200
const father = '51'

type Enrolled = { pupil: PlannedPupil; user_id: string; guardian_ids: readonly string[] }

/** Puts the pupils on the roll with their past and their guardians, gives both their roles. @returns holders of the two demo accounts */
export async function enrolPlanned(work: Work, pupils: readonly PlannedPupil[], dept_ids: Ids, role_ids: Ids): Promise<[DemoAccountName, string][]> {
  const { app, db, school_id } = work
  const rows = pupils.map(({ facts, seat }) => ({ ...facts, dept_id: idOf(dept_ids, seat.first_class.key), from: seat.from, open_kind: seat.open_kind }))
  const user_ids: string[] = []
  for (const part of parts(rows)) {
    user_ids.push(...(await enrolStudents(db, app.secrets, school_id, part)))
    // The first ones tell the planner what these tables look like.
    if (user_ids.length === part.length) await refreshStatistics(db)
  }
  await recordPupilSteps(db, school_id, pupils.flatMap(({ steps }, at) => steps.map(step => stepOf(step, user_ids[at] ?? '', dept_ids))))
  const gone = pupils.flatMap(({ seat, steps }, at) => (seat.kind === 'gone' || seat.kind === 'graduated' ? [{ user_id: user_ids[at] ?? '', on: steps.at(-1)?.on ?? seat.from }] : []))
  await closeAccounts(work, gone)
  const enrolled = await addGuardians(work, pupils, user_ids)
  await grantRoles(work, enrolled, role_ids)
  return holdersAmong(enrolled)
}

function parts<T>(rows: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / part_size) }, (_, at) => rows.slice(at * part_size, (at + 1) * part_size))
}

function stepOf(step: PlannedStep, user_id: string, dept_ids: Ids): PupilStep {
  if (step.kind !== 'CLASS' && step.kind !== 'RETURN') return { ...step, user_id }
  return { kind: step.kind, on: step.on, user_id, dept_id: idOf(dept_ids, step.class_key) }
}

async function addGuardians({ app, db, school_id }: Work, pupils: readonly PlannedPupil[], user_ids: readonly string[]): Promise<Enrolled[]> {
  const rows = pupils.flatMap(({ family, seat }, at) =>
    family.guardians.map((guardian, place) => ({ ...guardian, student_user_id: user_ids[at] ?? '', is_first: place === 0, order_no: place + 1, from: seat.from })),
  )
  const guardian_ids: string[] = []
  for (const part of parts(rows)) {
    for (const id of await linkGuardians(db, app.secrets, school_id, part)) {
      if (id === null) throw new Error('the mobile of a demo parent belongs to somebody else')
      guardian_ids.push(id)
    }
  }
  const ids = guardian_ids.values()
  return pupils.map((pupil, at) => ({ pupil, user_id: user_ids[at] ?? '', guardian_ids: pupil.family.guardians.flatMap(() => ids.next().value ?? []) }))
}

/** Pupils in class and their guardians act for themselves; each class has a monitor and three parents in its committee. */
async function grantRoles(work: Work, enrolled: readonly Enrolled[], role_ids: Ids): Promise<void> {
  const present = enrolled.filter(({ pupil }) => pupil.seat.kind === 'in class')
  const at_home = enrolled.filter(({ pupil }) => pupil.seat.kind === 'in class' || pupil.seat.kind === 'suspended')
  const of = (role_code: string, user_ids: Iterable<string>) => [...new Set(user_ids)].map(user_id => ({ role_id: idOf(role_ids, role_code), user_id }))
  const classes = [...Map.groupBy(present, ({ pupil }) => pupil.seat.class_key).values()]
  const committee = new Set<string>()
  for (const own of classes) for (const id of newOnes(own.flatMap(one => one.guardian_ids.slice(0, 1)), committee)) committee.add(id)
  await grantFromStart(work, [
    ...of('SYS004_Student', present.map(({ user_id }) => user_id)),
    ...of('SYS005_Parent', at_home.flatMap(({ guardian_ids }) => guardian_ids)),
    ...of('SYS004_Monitor', classes.map(own => own[Math.floor(own.length / 2)]?.user_id ?? '')),
    ...of('SYS005_Committee', committee),
  ])
}

function newOnes(ids: readonly string[], known: ReadonlySet<string>): string[] {
  return [...new Set(ids)].filter(id => !known.has(id)).slice(0, committee_of_class)
}

/** A girl of the first class of senior school and her father: the people behind the two accounts that the console turns away. */
function holdersAmong(enrolled: readonly Enrolled[]): [DemoAccountName, string][] {
  for (const { pupil, user_id, guardian_ids } of enrolled) {
    const at = pupil.family.guardians.findIndex(guardian => guardian.relation === father)
    const is_shown = pupil.seat.kind === 'in class' && pupil.seat.first_class.dept_name === shown_class && pupil.seat.sex === '2'
    if (is_shown && at >= 0) return [['xuesheng01', user_id], ['jiazhang01', guardian_ids[at] ?? '']]
  }
  throw new Error('nobody fits the demo accounts of a family')
}
