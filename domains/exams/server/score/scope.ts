import { deptScope, visibleDepts } from '@campus/people/server'
import type { DeptScope } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import { sql } from 'kysely'
import type { ExamsCtx } from '../db.ts'
import { readClasses } from '../exam/exam.queries.ts'
import type { ExamClass } from '../exam/exam.queries.ts'

/** What of the scores somebody may see: classes of his departments; a teacher there only the subjects he teaches (chapter 55 rule 23). */
export type ScoreScope = { is_office: boolean; classes: ExamClass[]; sees(dept_id: string, subject: string): boolean }

/** Class teachers see every subject of their class, teachers their own subject, the office everything. */
export async function scoreScope(ctx: ExamsCtx, grades: readonly string[]): Promise<ScoreScope> {
  return scopeWithin(ctx, await deptScope(ctx, 'student'), grades)
}

type Looker = Pick<ExamsCtx, 'db' | 'school_id' | 'me' | 'now'>

/** The same for a step of an import. */
export async function scopeOfStep(step: Looker, grades: readonly string[]): Promise<ScoreScope> {
  return scopeWithin(step, await visibleDepts(step, 'student'), grades)
}

async function scopeWithin({ db, school_id, me }: Looker, visible: DeptScope, grades: readonly string[]): Promise<ScoreScope> {
  const all = await readClasses(db, school_id, grades)
  const classes = visible === 'all' ? all : all.filter(one => visible.includes(one.dept_id))
  if (me.scopes.dept.kind !== 'teaching') return { is_office: visible === 'all', classes, sees: dept_id => classes.some(one => one.dept_id === dept_id) }
  const { rows } = await sql<{ dept_id: string; subject: string }>`
    select dept_id::text as dept_id, subject from teaching_now_v where school_id = ${school_id} and user_id = ${me.user_id} and dept_id is not null`.execute(db)
  const own = new Set(rows.map(row => `${row.dept_id} ${row.subject}`))
  return { is_office: false, classes, sees: (dept_id, subject) => own.has(`${dept_id} ${subject}`) && classes.some(one => one.dept_id === dept_id) }
}

/** @throws Refusal 404, the same as for a class that does not exist */
export function requireClass({ classes }: ScoreScope, dept_id: string): ExamClass {
  const found = classes.find(one => one.dept_id === dept_id)
  if (!found) throw fail(commonErrors.notFound)
  return found
}
