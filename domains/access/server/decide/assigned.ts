import { boarder, covers, kinds, scenes } from './facts.ts'
import type { Assignment, DeptRule, Door, Facts, Span, Subject, Way } from './facts.ts'

/** Rules by which somebody goes, and whose calendar counts. Rung 6: his own replaces the departments', 7: the nearest level and what is added to it (R6, R7). */
export type Assigned = { rung: 6 | 7; assignment: Assignment; grade: string | null }

/** The standing rules of a subject at an instant; a parent has what is said of his children (R10). */
export function assignedAt(facts: Facts, subject: Subject, at: number): Assigned[] {
  if (subject.person_kind === kinds.student) return ofScene(facts, subject, scenes.student, at)
  if (subject.person_kind !== kinds.parent) return ofScene(facts, subject, scenes.staff, at)
  return subject.wards.flatMap(child => [
    ...ofScene(facts, child, scenes.pickup, at),
    ...(child.study_method === boarder ? ofScene(facts, child, scenes.dorm, at) : []),
  ])
}

/** Spans at whose ends the standing rules of a subject may change. */
export function assignedSpans(facts: Facts, subject: Subject): Span[] {
  const people = [subject, ...subject.wards]
  const levels = new Set(people.flatMap(one => one.levels.flat()))
  const assigned = [...facts.dept_rules.filter(rule => levels.has(rule.level)), ...people.flatMap(one => facts.user_rules.get(one.user_id) ?? [])]
  const rules = new Set(assigned.map(one => one.rule_id))
  return [...assigned, ...[...rules].flatMap(rule_id => facts.rules.get(rule_id)?.versions ?? [])]
}

/** Whether an assignment names a door for a direction. */
export function lists({ in_place_ids, out_place_ids }: Assignment, { path }: Door, direction: Way): boolean {
  const places = direction === 1 ? in_place_ids : out_place_ids
  return path.some(place_id => places.includes(place_id))
}

function ofScene(facts: Facts, who: Subject, scene: number, at: number): Assigned[] {
  const { grade } = who
  const inForce = (one: Assignment) => one.scene === scene && covers(one, at) && facts.rules.get(one.rule_id)?.enabled === true
  const own = (facts.user_rules.get(who.user_id) ?? []).filter(inForce)
  const replacing = own.filter(one => one.mode === 1)
  if (replacing.length > 0) return replacing.map(assignment => ({ rung: 6, assignment, grade }))
  const of_depts = nearest(facts.dept_rules.filter(inForce), who)
  return [...of_depts, ...own].map(assignment => ({ rung: 7, assignment, grade }))
}

/** The rules of the nearest level that has one for him; within it those with the most filters (R7). */
function nearest(rules: readonly DeptRule[], who: Subject): DeptRule[] {
  for (const levels of who.levels) {
    const found = rules.filter(rule => levels.includes(rule.level) && fits(rule, who))
    const most = Math.max(...found.map(filtersOf))
    if (found.length > 0) return found.filter(rule => filtersOf(rule) === most)
  }
  return []
}

function fits({ study_method, by_bus, tag_id }: DeptRule, who: Subject): boolean {
  return (study_method === null || study_method === who.study_method) && (by_bus === null || by_bus === who.by_bus) && (tag_id === null || who.tag_ids.includes(tag_id))
}

function filtersOf({ study_method, by_bus, tag_id }: DeptRule): number {
  return [study_method, by_bus, tag_id].filter(filter => filter !== null).length
}
