import type { DeptDraft, DeptTreeNode } from '@campus/people/contract'
import { className } from './class-names.ts'
import { dept_types, enrolYearOf, gradeName, gradesOf } from './dept-place.ts'

/** What a new school says of itself: stages, how many classes each grade has, and whether stages stand apart as divisions. */
export type StarterChoice = { stages: readonly string[]; classes: Readonly<Record<string, number>>; with_divisions: boolean; school_year: number }
/** A department to be made. `key` names it within the plan; `parent` is the key of another one, null for the school. */
export type PlannedDept = Pick<DeptDraft, 'dept_name' | 'dept_type' | 'stage' | 'grade' | 'enrol_year' | 'class_no'> & { key: string; parent: string | null }

const division_words: Readonly<Record<string, string>> = { '0': '幼儿部', '1': '小学部', '2': '初中部', '3': '高中部', '4': '中职部' }

/** Stages that can be chosen, in their order. */
export const starter_stages = Object.keys(division_words)
/** Classes of a grade until told otherwise. */
export const usual_classes = 6
export const most_classes = 40

/** Everything the choice comes to, parents before children. */
export function starterPlan({ stages, classes, with_divisions, school_year }: StarterChoice): PlannedDept[] {
  return starter_stages.filter(stage => stages.includes(stage)).flatMap(stage => {
    const division: PlannedDept = { key: stage, parent: null, dept_name: division_words[stage] ?? '', dept_type: dept_types.division, stage }
    const grades = gradesOf(stage).flatMap(grade => gradePlan({ grade, stage, school_year, parent: with_divisions ? stage : null, classes: classes[grade] ?? usual_classes }))
    return with_divisions ? [division, ...grades] : grades
  })
}

type OfGrade = { grade: string; stage: string; school_year: number; parent: string | null; classes: number }

function gradePlan({ grade, stage, school_year, parent, classes }: OfGrade): PlannedDept[] {
  const cohort = { stage, grade, enrol_year: enrolYearOf(grade, school_year) }
  const dept_name = gradeName(grade)
  const numbers = Array.from({ length: classes }, (_, at) => at + 1)
  return [
    { key: grade, parent, dept_name, dept_type: dept_types.grade, ...cohort },
    ...numbers.map(class_no => ({ key: `${grade}-${class_no}`, parent: grade, dept_name: className(dept_name, class_no), dept_type: dept_types.class, ...cohort, class_no })),
  ]
}

/** One round of the plan: what stands already, by key, and what can be made now because its parent stands. */
export type StarterRound = { standing: ReadonlyMap<string, string>; next: (PlannedDept & { parent_id: string })[] }

/** Compares the plan with the tree, so that a broken run goes on where it stopped and nothing is made twice. */
export function roundOf(plan: readonly PlannedDept[], tree: readonly DeptTreeNode[]): StarterRound {
  const [root] = tree
  if (!root) return { standing: new Map(), next: [] }
  const nodes = new Map<string, DeptTreeNode>()
  const next: StarterRound['next'] = []
  for (const dept of plan) {
    const parent = dept.parent === null ? root : nodes.get(dept.parent)
    const found = parent?.children.find(node => node.dept_name === dept.dept_name && node.dept_type === dept.dept_type)
    if (found) nodes.set(dept.key, found)
    else if (parent) next.push({ ...dept, parent_id: parent.id })
  }
  return { standing: new Map([...nodes].map(([key, node]) => [key, node.id])), next }
}
