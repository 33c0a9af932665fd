import type { ClassSize, Figure, GradeSize, StatRow } from '@campus/insight/contract'
import type { BoardClass, BoardGrade } from '@campus/people/contract'
import { readBoard } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import type { InsightCtx } from './db.ts'
import { listLink } from './list-link.ts'

const roll = '/ParentsRecord'
const after_all_grades = '99'

/** The grades that the identity sees, youngest first, as the board of people draws them: what it shows is what is counted. */
export async function gradesOf(ctx: InsightCtx): Promise<BoardGrade[]> {
  const { list } = await readBoard({ ...ctx, db: asTables(ctx.db) }, {})
  const place = (grade: BoardGrade) => grade.grade ?? after_all_grades
  return list.filter(grade => grade.classes.length > 0).toSorted((a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0))
}

/** Classes without head teacher, and classes with more pupils than they may have. */
const class_conditions = {
  class_headless: ({ head }) => head === null,
  class_overfull: ({ capacity, student_count }) => capacity !== null && student_count > capacity,
} as const satisfies Record<string, (one: BoardClass) => boolean>
export type ClassMetric = keyof typeof class_conditions

/** How many classes there are, and how many of them need somebody's attention. */
export function classFigures(ctx: InsightCtx, grades: readonly BoardGrade[]): Figure[] {
  const classes = grades.flatMap(grade => grade.classes)
  return [
    { metric: 'class_total', count: classes.length, link: listLink(ctx, '/Organization') },
    { metric: 'class_headless', count: classes.filter(class_conditions.class_headless).length, link: null },
    { metric: 'class_overfull', count: classes.filter(class_conditions.class_overfull).length, link: null },
  ]
}

/** The drawing: every grade with the sizes of its classes. */
export function gradeSizes(ctx: InsightCtx, grades: readonly BoardGrade[]): GradeSize[] {
  return grades.map(({ id, dept_name, stage, classes }) => {
    const sum = (name: 'student_count' | 'boys' | 'girls') => classes.reduce((all, one) => all + one[name], 0)
    const link = listLink(ctx, roll, { dept_id: id })
    return { dept_id: id, dept_name, stage, total: sum('student_count'), boys: sum('boys'), girls: sum('girls'), link, classes: classes.map(one => classSize(ctx, one)) }
  })
}

/** The classes of a figure as rows: how many pupils of how many, and who leads them. */
export async function classRows(ctx: InsightCtx, metric: ClassMetric): Promise<StatRow[]> {
  const classes = (await gradesOf(ctx)).flatMap(grade => grade.classes).filter(class_conditions[metric])
  return classes.map(one => ({
    key: one.id,
    title: one.label,
    detail: `${sizeText(one)}　${one.head === null ? '未设班主任' : `班主任 ${one.head.user_name}`}`,
    at: null,
    link: listLink(ctx, roll, { dept_id: one.id }),
  }))
}

function classSize(ctx: InsightCtx, { id, label, student_count, capacity, head }: BoardClass): ClassSize {
  return { dept_id: id, label, total: student_count, capacity, head: head?.user_name ?? null, link: listLink(ctx, roll, { dept_id: id }) }
}

function sizeText({ student_count, capacity }: BoardClass): string {
  return capacity === null ? `${student_count}人` : `${student_count}人，上限${capacity}人`
}
