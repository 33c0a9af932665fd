import { RuleBody } from '@campus/attendance/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'

/** An arrange in force on a date, with what its rule says on that date. */
export type InForce = {
  arrange_id: string
  arrange_name: string
  rule_name: string
  person_kind: number
  kind: string
  scope_kind: number
  scope_id: string
  section_from: number | null
  section_to: number | null
  ref: string
  body: RuleBody
}
/** What an expectation offers to scopes; null: it has none of that kind. */
export type Scoped = { user_id: string; place_id: string | null; class_id: string | null; course_id: string | null; dept_id: string | null; grade_dept_id: string | null; stage: string | null; section: number }

const Row = z.object({
  arrange_id: z.string(), arrange_name: z.string(), rule_name: z.string(), person_kind: z.number(), kind: z.string(), scope_kind: z.number(), scope_id: z.string(), section_from: z.number().nullable(),
  section_to: z.number().nullable(), ref: z.string(), body: RuleBody,
})

/**
 * Arranges of enabled rules that hold on a date, each with the version effective then. `instead`: a version that is tried without being
 * saved.
 */
export async function readInForce(
  db: Db, school_id: number, date: string, instead?: { rule_id: string; body: RuleBody },
): Promise<InForce[]> {
  const { rows } = await sql<{ rule_id: string }>`
    select a.arrange_id::text as arrange_id, a.arrange_name, r.rule_name, a.person_kind::int as person_kind, a.kind,
      a.scope_kind::int as scope_kind, a.scope_id::text as scope_id,
      a.section_from::int as section_from, a.section_to::int as section_to, v.rule_id::text || '/' || v.version_no as ref, v.body,
        v.rule_id::text as rule_id
    from attend_arrange a
    join attend_rule r on r.school_id = ${school_id} and r.rule_id = a.rule_id
    join lateral (
      select x.rule_id, x.version_no, x.body from attend_rule_version x
      where x.school_id = ${school_id} and x.rule_id = a.rule_id and x.effective_from <= ${date}::date order by x.effective_from desc,
        x.version_no desc limit 1) v on true
    where a.school_id = ${school_id} and a.enabled and a.valid_from <= ${date}::date and a.valid_to > ${date}::date
    order by a.arrange_id`.execute(db)
  return rows.map(row => {
    const found = Row.parse(row)
    return row.rule_id === instead?.rule_id ? { ...found, ref: `${row.rule_id}/0`, body: instead.body } : found
  })
}

/** The arrange that decides: the most specific scope, then one for certain sections, then the newest (chapter 55 §3.3). */
export function pickArrange(arranges: readonly InForce[], of: Scoped): InForce | null {
  const fitting = arranges.filter(one => reaches(one, of))
  const [best] = fitting.toSorted((a, b) => b.scope_kind - a.scope_kind ||
    Number(b.section_from !== null) - Number(a.section_from !== null) || Number(b.arrange_id) - Number(a.arrange_id))
  return best ?? null
}

function reaches({ scope_kind, scope_id, section_from, section_to }: InForce, of: Scoped): boolean {
  if (section_from !== null && section_to !== null && (of.section < section_from || of.section > section_to)) return false
  if (scope_kind === 1) return true
  const ids = [null, null, of.stage, of.grade_dept_id, of.dept_id, of.course_id, of.class_id, of.place_id, of.user_id]
  return ids[scope_kind] === scope_id
}
