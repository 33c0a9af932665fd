import { usedUsers } from '@campus/identity/server'
import { peopleErrors } from '@campus/people/contract'
import { fail } from '@kit/contract'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import { oneOf } from '../dated.ts'
import type { Db, PeopleDb } from '../db.ts'
import { reopenArrivals } from '../freshmen/checkin.service.ts'
import { imagesOf, partKey } from '../import/image.ts'
import { restoreParts } from '../import/restore.ts'
import { lockPeople } from '../student-file.queries.ts'
import { commandEffects, updateEffect } from './command.queries.ts'
import type { EffectStep } from './effect-port.ts'

/**
 * 误录入撤销 (chapter 20 rule 21): the pupil whom this command enrolled vanishes with all that belongs to him, and so do the parents who
 * were made with him and are nobody else's.
 * @throws Refusal 409 undoIrreversible with `data.reasons` when other things depend on the pupil
 */
export async function removeMistaken(step: EffectStep, made_parents: readonly string[]): Promise<void> {
  const { school_id, command_id } = step
  const db = asTables<PeopleDb>(step.db)
  const pupils = step.subjects.map(subject => subject.user_id)
  await lockPeople(db, school_id, made_parents)
  const reasons = await dependents(db, school_id, pupils, command_id)
  if (reasons.length > 0) throw fail(peopleErrors.undoIrreversible, { data: { reasons } })
  const parents = await lonelyParents(db, school_id, made_parents, pupils)
  await reopenArrivals(db, school_id, pupils)
  await vanish(db, school_id, [...pupils.flatMap(id => [partKey('s', id), partKey('c', id), partKey('l', id)]), ...parents.flatMap(id => [partKey('p', id), partKey('v', id)])])
  for (const { id, state } of await commandEffects(db, school_id, command_id)) {
    if (state === 'done') await updateEffect(db, school_id, id, { state: 'undone', detail: null, done_at: step.now })
  }
}

/**
 * 误录入撤销 of staff: whoever this command hired vanishes with all that belongs to him.
 * @throws Refusal 409 undoIrreversible with `data.reasons` when other things depend on him
 */
export async function removeMistakenStaff(step: EffectStep): Promise<void> {
  const { school_id, command_id } = step
  const db = asTables<PeopleDb>(step.db)
  const ids = step.subjects.map(subject => subject.user_id)
  const used = await usedUsers(db, school_id, ids)
  const { rows } = await sql<{ is_other: boolean; is_moved: boolean }>`
    select exists (select from parent r where r.school_id = ${school_id} and ${oneOf('r.user_id', ids)}) as is_other,
      exists (select from staff_span t where t.school_id = ${school_id} and ${oneOf('t.user_id', ids)} and t.command_id is distinct from ${command_id})
        or exists (select from dept_duty y where y.school_id = ${school_id} and ${oneOf('y.user_id', ids)})
        or exists (select from dept_member m where m.school_id = ${school_id} and ${oneOf('m.user_id', ids)} and m.command_id is distinct from ${command_id}) as is_moved`.execute(db)
  const reasons = [...(used.size > 0 ? ['该教职工的账号已启用或已授予角色'] : []), ...(rows[0]?.is_other ? ['该教职工在本校还有其他身份'] : []), ...(rows[0]?.is_moved ? ['该教职工的部门、职务或状态已有变动'] : [])]
  if (reasons.length > 0) throw fail(peopleErrors.undoIrreversible, { data: { reasons } })
  await vanish(db, school_id, ids.flatMap(id => [partKey('f', id), partKey('c', id), partKey('w', id), partKey('v', id)]))
  for (const { id, state } of await commandEffects(db, school_id, command_id)) {
    if (state === 'done') await updateEffect(db, school_id, id, { state: 'undone', detail: null, done_at: step.now })
  }
}

/** Why these pupils cannot vanish, as sentences. */
async function dependents(db: Db, school_id: number, user_ids: readonly string[], command_id: string): Promise<string[]> {
  const used = await usedUsers(db, school_id, user_ids)
  const { rows } = await sql<{ is_other: boolean; is_moved: boolean }>`
    select
      exists (select from staff s where s.school_id = ${school_id} and ${oneOf('s.user_id', user_ids)})
        or exists (select from parent r where r.school_id = ${school_id} and ${oneOf('r.user_id', user_ids)}) as is_other,
      exists (select from student_span t where t.school_id = ${school_id} and ${oneOf('t.user_id', user_ids)} and t.command_id is distinct from ${command_id})
        or exists (select from dept_member m where m.school_id = ${school_id} and ${oneOf('m.user_id', user_ids)} and m.command_id is distinct from ${command_id}) as is_moved`.execute(db)
  const [found] = rows
  return [
    ...(used.size > 0 ? ['该学生的账号已启用或已授予角色'] : []),
    ...(found?.is_other ? ['该学生在本校还有其他身份'] : []),
    ...(found?.is_moved ? ['该学生的班级或学籍状态已有变动'] : []),
  ]
}

/** Of the parents made with the pupils those whom nothing else needs: no other child, no other facet, no login, no role. */
async function lonelyParents(db: Db, school_id: number, parents: readonly string[], pupils: readonly string[]): Promise<string[]> {
  const used = await usedUsers(db, school_id, parents)
  const { rows } = await sql<{ user_id: string }>`
    select p.user_id from parent p
    where p.school_id = ${school_id} and ${oneOf('p.user_id', parents)}
      and not exists (select from staff s where s.school_id = ${school_id} and s.user_id = p.user_id)
      and not exists (select from student s where s.school_id = ${school_id} and s.user_id = p.user_id)
      and not exists (select from guardian_link g where g.school_id = ${school_id} and g.parent_user_id = p.user_id and not ${oneOf('g.student_user_id', pupils)})`.execute(db)
  return rows.map(row => row.user_id).filter(id => !used.has(id))
}

async function vanish(db: Db, school_id: number, keys: readonly string[]): Promise<void> {
  const current = await imagesOf(db, school_id, keys)
  await restoreParts(db, school_id, keys.map(key => ({ key, before: null, current: current.get(key) ?? null })))
}
