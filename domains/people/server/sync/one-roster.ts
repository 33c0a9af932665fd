/** The files of a OneRoster export that are read, as rows by column name. */
export type RosterFiles = Readonly<Partial<Record<RosterFile, readonly RosterRow[]>>>
export type RosterRow = Readonly<Record<string, string>>
export const roster_files = ['manifest', 'orgs', 'classes', 'users', 'roles', 'enrollments', 'demographics'] as const
export type RosterFile = (typeof roster_files)[number]

/** Lines of one import sheet by column, and what the roster said beside them. */
export type RosterLines = { lines: Record<string, string>[]; ignored: number; removed: number }

/** Names of this school by code, and where its grades stand. */
export type RosterWords = { school: string; grade_path: (grade: string) => string; grade_name: (grade: string) => string | undefined; sex: (code: string) => string; class_type: string; office_type: string; no: string; yes: string; relation: string; staff_kind: string; at_work: string }

const gone = 'tobedeleted'
const school_type = 'school'
const homeroom = 'homeroom'
const staff_roles: ReadonlySet<string> = new Set(['teacher', 'administrator', 'aide', 'proctor', 'siteAdministrator', 'districtAdministrator', 'principal'])
const family_roles: ReadonlySet<string> = new Set(['parent', 'guardian', 'relative'])
const most_guardians = 2
/** OneRoster counts grades from 01; here they are GRADE codes of stage and year. */
const grade_codes: Readonly<Record<string, string>> = {
  '01': '11', '02': '12', '03': '13', '04': '14', '05': '15', '06': '16', '07': '21', '08': '22', '09': '23', '10': '31', '11': '32', '12': '33',
}

/** Rows that stand, and how many the upstream has marked as gone. */
function standing(rows: readonly RosterRow[] = []): { rows: RosterRow[]; removed: number } {
  const kept = rows.filter(row => row.status?.toLowerCase() !== gone)
  return { rows: kept, removed: rows.length - kept.length }
}

function listOf(text: string | undefined): string[] {
  return (text ?? '').split(',').map(part => part.trim()).filter(part => part !== '')
}

/** What a class is: its grade by GRADE code and its own name. */
function gradeOf(row: RosterRow): string | undefined {
  return grade_codes[(listOf(row.grades)[0] ?? '').padStart(2, '0')]
}

/** Departments of the staff and classes of the pupils. Schools stand here already, scheduled classes are no departments. */
export function deptLines(files: RosterFiles, words: RosterWords): RosterLines {
  const orgs = standing(files.orgs)
  const classes = standing(files.classes)
  const by_id = new Map(orgs.rows.map(org => [org.sourcedId, org]))
  const offices = orgs.rows.filter(org => org.type === 'department' || org.type === 'local').map(org => ({
    parent_path: pathOf(by_id.get(org.parentSourcedId), by_id, words), dept_name: org.name ?? '', dept_type: words.office_type, is_grade: words.no,
  }))
  const rooms = classes.rows.filter(one => one.classType === homeroom).map(one => ({
    parent_path: words.grade_path(gradeOf(one) ?? ''), dept_name: one.title ?? '', dept_type: words.class_type, is_grade: words.no,
  }))
  const lines = [...offices, ...rooms]
  return { lines, ignored: orgs.rows.length + classes.rows.length - lines.length, removed: orgs.removed + classes.removed }
}

function pathOf(org: RosterRow | undefined, by_id: ReadonlyMap<string | undefined, RosterRow>, words: RosterWords, depth = 8): string {
  if (!org || org.type === school_type || org.type === 'district' || depth === 0) return words.school
  return `${pathOf(by_id.get(org.parentSourcedId), by_id, words, depth - 1)}/${org.name ?? ''}`
}

type Person = { row: RosterRow; roles: readonly string[] }

/** People with their roles: in 1.1 a column of users, in 1.2 a file of its own. */
function peopleOf(files: RosterFiles): { people: Person[]; removed: number } {
  const users = standing(files.users)
  const roles = Map.groupBy(standing(files.roles).rows, role => role.userSourcedId ?? '')
  const people = users.rows.map(row => ({ row, roles: row.role ? [row.role] : (roles.get(row.sourcedId ?? '') ?? []).map(one => one.role ?? '') }))
  return { people, removed: users.removed }
}

const numberOf = (row: RosterRow) => row.identifier || row.username || ''
const mobileOf = (row: RosterRow) => row.sms || row.phone || ''
/** Chinese names stand without a space, family name first. */
const nameOf = ({ familyName = '', givenName = '' }: RosterRow) => (/^[\x20-\x7e]*$/.test(familyName + givenName) ? `${givenName} ${familyName}`.trim() : `${familyName}${givenName}`)

/** Pupils with class and guardians. Empty cells change nothing, so what the upstream does not know stays. */
export function studentLines(files: RosterFiles, words: RosterWords): RosterLines {
  const { people, removed } = peopleOf(files)
  const pupils = people.filter(person => person.roles.includes('student'))
  const by_id = new Map(people.map(person => [person.row.sourcedId, person]))
  const homes = new Map(standing(files.classes).rows.filter(one => one.classType === homeroom).map(one => [one.sourcedId, one]))
  const rooms = new Map(standing(files.enrollments).rows.flatMap(one => (one.role === 'student' && homes.has(one.classSourcedId) ? [[one.userSourcedId, homes.get(one.classSourcedId)] as const] : [])))
  const facts = new Map(standing(files.demographics).rows.map(row => [row.sourcedId, row]))
  const lines = pupils.map(({ row }) => {
    const room = rooms.get(row.sourcedId)
    const grade = gradeOf(room ?? row)
    return {
      user_name: nameOf(row), student_no: numberOf(row), grade: (grade && words.grade_name(grade)) ?? '', class_name: room?.title ?? '', email: row.email ?? '',
      ...birthOf(facts.get(row.sourcedId), words), ...guardiansOf(row, by_id, words),
    }
  })
  return { lines, ignored: people.filter(person => person.roles.length === 0).length, removed }
}

function birthOf(row: RosterRow | undefined, words: RosterWords): Record<string, string> {
  const sex = row?.sex?.toLowerCase()
  return { birthday: row?.birthDate ?? '', sex: sex === 'male' ? words.sex('1') : sex === 'female' ? words.sex('2') : '' }
}

function guardiansOf(row: RosterRow, by_id: ReadonlyMap<string | undefined, Person>, words: RosterWords): Record<string, string> {
  const family = listOf(row.agentSourcedIds).flatMap(agent => by_id.get(agent) ?? []).filter(person => person.roles.some(role => family_roles.has(role)) && mobileOf(person.row) !== '')
  return Object.fromEntries(family.slice(0, most_guardians).flatMap(({ row: parent }, at) => {
    const said = { name: nameOf(parent), mobile: mobileOf(parent), relation: words.relation, guardian: words.yes }
    return Object.entries(said).map(([part, text]) => [`p${at + 1}_${part}`, text])
  }))
}

/** Staff with their departments by whole path. */
export function staffLines(files: RosterFiles, words: RosterWords): RosterLines {
  const { people, removed } = peopleOf(files)
  const facts = new Map(standing(files.demographics).rows.map(row => [row.sourcedId, row]))
  const orgs = new Map(standing(files.orgs).rows.map(org => [org.sourcedId, org]))
  const lines = people.filter(person => person.roles.some(role => staff_roles.has(role))).map(({ row }) => ({
    user_name: nameOf(row), teacher_no: numberOf(row), mobile: mobileOf(row), email: row.email ?? '', kind: words.staff_kind, state: words.at_work,
    dept: listOf(row.orgSourcedIds).map(org => orgs.get(org)).filter(org => org !== undefined && org.type !== school_type).map(org => pathOf(org, orgs, words)).join('；'),
    ...birthOf(facts.get(row.sourcedId), words),
  }))
  return { lines, ignored: 0, removed }
}
