import { commonErrors, fail } from '@kit/contract'
import { schoolDay } from './day.ts'
import type { DeptDesk, PeopleCtx } from './db.ts'
import { noteActedFor } from './delegate/acted.ts'
import { deptsById } from './dept.edit.queries.ts'
import type { DeptFacts } from './dept.edit.queries.ts'
import { deptScope } from './scope.ts'
import type { DeptScope } from './scope.ts'

/** Does this department lie in the scope of the acting identity? One that opens later counts from its first day. */
export type Seer = (dept: Pick<DeptFacts, 'id' | 'tree' | 'opened_on'>) => Promise<boolean>

/** Asks the scope of a tree and day once, however many departments are looked at. */
export function seerOf(ctx: DeptDesk): Seer {
  const today = schoolDay(ctx.now)
  const known = new Map<string, Promise<DeptScope>>()
  return async ({ id, tree, opened_on }) => {
    const side = tree === 'staff' ? 'staff' : 'student'
    const day = opened_on > today ? opened_on : today
    const asked = known.get(`${side} ${day}`) ?? deptScope(ctx, side, day)
    known.set(`${side} ${day}`, asked)
    const scope = await asked
    return scope === 'all' || scope.includes(id)
  }
}

/** The school of a path is the token's. @throws Refusal 404, the same as for an id that does not exist */
export function requireOwnSchool({ school_id }: PeopleCtx, asked: number): void {
  if (asked !== school_id) throw fail(commonErrors.notFound)
}

/**
 * These departments, all of them of this school and inside the scope.
 * @throws Refusal 404 as soon as one is not
 */
export async function requireDepts(ctx: DeptDesk, see: Seer, ids: readonly string[]): Promise<ReadonlyMap<string, DeptFacts>> {
  const found = await deptsById(ctx.db, ctx.school_id, ids)
  for (const id of ids) {
    const dept = found.get(id)
    if (!dept || !(await see(dept))) throw fail(commonErrors.notFound)
  }
  await noteActedFor(ctx, ids)
  return found
}
