import { TagRule } from '@campus/people/contract'
import { pathOn } from './dept.queries.ts'
import type { DeptScope } from './scope.ts'
import { untaggedFilter } from './student.filter.ts'
import type { RosterDesk } from './student.filter.ts'
import type { PupilFilter } from './student.queries.ts'
import type { TagRecord } from './tag.queries.ts'

/** The pupils whom a rule finds on a day inside a scope; null when its department is not there: it finds nobody. */
export async function ruleFilter(desk: RosterDesk, scope: DeptScope, rule: TagRule, on: string): Promise<PupilFilter | null> {
  const is_gone = rule.dept_id !== undefined && (await pathOn(desk.db, desk.school_id, rule.dept_id, on)) === undefined
  return is_gone ? null : untaggedFilter(desk, scope, { ...rule, include_sub: true }, on)
}

/** The rule of a tag; null for one that is given by hand. */
export function ruleOf({ rule }: Pick<TagRecord, 'rule'>): TagRule | null {
  return rule === null ? null : TagRule.parse(rule)
}
