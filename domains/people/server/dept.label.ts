import { GRADE } from '@campus/people/contract'

/** What a label is printed from: the version of a department on the asked day. */
export type LabelVersion = {
  dept_type: number
  dept_name: string
  grade: string | null
  enrol_year: number | null
  pt_node_path_name: string
  /** the cohort has graduated by the asked day */
  is_closed?: boolean
}

const grade_type = 3
const class_type = 4
const by_path = 2
const by_own_name = 3
const by_cohort = 4

/**
 * The one label of a department (chapter 20 rule 10).
 * @param format dept_name_format: 1 年级+班 `一年级1班`, 2 path below the school `小学部/一年级/1班`, 3 own name `1班`, 4 届别 `2025级1班`
 * @param exact the identity's dept_is_exact: always the path
 */
export function deptLabel(version: LabelVersion, format: number, exact: boolean): string {
  if (version.is_closed && isCohort(version)) return `${cohortYear(version)}${version.dept_type === class_type ? ownName(version) : ''}(已毕业)`
  if (exact || format === by_path) return pathLabel(version)
  if (version.dept_type !== class_type) return version.dept_name
  if (format === by_own_name) return ownName(version)
  if (format === by_cohort) return `${cohortYear(version)}${ownName(version)}`
  return `${gradeWord(version)}${ownName(version)}`
}

function isCohort({ dept_type }: LabelVersion): boolean {
  return dept_type === grade_type || dept_type === class_type
}

function cohortYear({ enrol_year }: LabelVersion): string {
  return enrol_year === null ? '' : `${enrol_year}级`
}

function pathLabel(version: LabelVersion): string {
  const names = version.pt_node_path_name.split('/').slice(1, -1)
  const last = version.dept_type === class_type ? ownName(version) : version.dept_name
  return [...names, last].join('/')
}

function gradeWord({ grade, pt_node_path_name }: LabelVersion): string {
  return gradeName(grade) ?? pt_node_path_name.split('/').at(-2) ?? ''
}

/** The class's own part of its name: `一年级1班` → `1班`; a name that is nothing but the grade word stays. */
export function ownName({ dept_name, grade, pt_node_path_name }: LabelVersion): string {
  const name = gradeName(grade)
  const words = [name ? `${name}年级` : '', pt_node_path_name.split('/').at(-2) ?? '', name ?? '']
  const longest = words.filter(word => word !== '' && dept_name.startsWith(word)).toSorted((a, b) => b.length - a.length)[0] ?? ''
  return dept_name.slice(longest.length) || dept_name
}

function gradeName(grade: string | null): string | undefined {
  return Object.entries(GRADE.names).find(([code]) => code === grade)?.[1]
}
