import type { studentApi } from '@campus/people/contract'
import type { Input } from '@kit/contract'
import type { PeopleCtx } from './db.ts'
import { pathOn } from './dept.queries.ts'
import { requireDept } from './dept.service.ts'
import { extFits } from './field/roll.ts'
import { remarkFits } from './remark/remark.statis.ts'
import { parseKeyword, pupilWays } from './keyword.ts'
import type { DeptScope } from './scope.ts'
import type { PupilFilter } from './student.queries.ts'

/** What a list of people is read with, inside a request or a job. */
export type RosterDesk = Pick<PeopleCtx, 'db' | 'school_id' | 'me' | 'now' | 'app'>
/** The filter of a list without its paging. */
export type PupilQuery = Omit<Input<typeof studentApi.list>, 'page_index' | 'page_size'>

/** The filter of the list but for its tags; null when the asked department did not exist on that day: nobody was in it. */
export async function untaggedFilter(ctx: RosterDesk, scope: DeptScope, query: Omit<PupilQuery, 'tag_ids'>, on: string): Promise<PupilFilter | null> {
  const { dept_id, include_sub, state, sex, grade, stage, study_method, missing, remark_field, remark_value } = query
  await requireDept(ctx, dept_id)
  const path = dept_id !== undefined && include_sub ? await pathOn(ctx.db, ctx.school_id, dept_id, on) : undefined
  if (dept_id !== undefined && include_sub && path === undefined) return null
  const keyword = parseKeyword(query.keyword)
  return {
    school_id: ctx.school_id,
    on,
    state,
    scope,
    dept_id: path === undefined ? dept_id : undefined,
    path,
    sex,
    grade,
    stage,
    study_method,
    missing: missing === undefined ? undefined : [missing],
    ext: query.ext === undefined ? undefined : await extFits(ctx, 'student', query.ext),
    remarked: remark_field === undefined ? undefined : await remarkFits(ctx, { remark_field, remark_value }, on),
    keyword: keyword ? pupilWays(keyword, ctx.app.secrets, ctx.school_id, on) : undefined,
  }
}
