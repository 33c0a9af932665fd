import { CrowdRule } from '@campus/publishing/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Work } from '../db.ts'
import { deptsBelow } from '../depts.ts'

/** The condition on `s` (live_student or live_staff) that a rule holds; an empty rule holds for nobody. */
export async function holdsRule(work: Pick<Work, 'db' | 'school_id'>, scene: number, stored: unknown): Promise<RawBuilder<boolean>> {
  const rule = CrowdRule.parse(stored)
  const parts: RawBuilder<unknown>[] = []
  if (rule.dept_ids.length > 0) {
    const depts = await deptsBelow(work, rule.dept_ids)
    parts.push(scene === 1 ? sql`s.dept_id = any(${depts}::bigint[])` : sql`s.dept_ids && ${depts}::bigint[]`)
  }
  if (rule.sexes.length > 0) parts.push(sql`s.sex = any(${rule.sexes}::text[])`)
  if (rule.tag_ids.length > 0) parts.push(sql`s.user_id in (select t.user_id from person_tag_now t where t.school_id = ${work.school_id} and t.tag_id = any(${rule.tag_ids}::bigint[]))`)
  if (scene === 1) {
    if (rule.grades.length > 0) parts.push(sql`s.grade = any(${rule.grades}::text[])`)
    if (rule.stages.length > 0) parts.push(sql`s.stage = any(${rule.stages}::text[])`)
    if (rule.study_methods.length > 0) parts.push(sql`s.study_method = any(${rule.study_methods}::text[])`)
    if (rule.by_bus !== null) parts.push(sql`s.by_bus = ${rule.by_bus}`)
  }
  return parts.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(parts, sql` and `)})`
}

/** People that somebody has put in (1) or taken out (2) by hand, as of today. */
export function memberIds(school_id: number, crowd_id: string, mode: 1 | 2): RawBuilder<unknown> {
  return sql`select m.user_id from publishing_crowd_member m where m.school_id = ${school_id} and m.crowd_id = ${crowd_id} and m.mode = ${mode}
    and m.valid_from <= (now() at time zone 'Asia/Shanghai')::date and (m.valid_to is null or m.valid_to > (now() at time zone 'Asia/Shanghai')::date)`
}
