import { tellOwnRights } from '@campus/identity/server'
import { peopleEvents } from '@campus/people/contract'
import { asTables } from '@kit/server/db'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import { z } from 'zod'
import type { ChangeEffect, EffectPlan, EffectStep } from '../change/effect-port.ts'
import type { PeopleDb } from '../db.ts'
import { lockPeople } from '../student-file.queries.ts'
import { declareDelegations } from './delegate.declare.ts'

const Ref = z.array(z.object({ id: z.string(), to_user_id: z.string() }))
type Ended = z.output<typeof Ref>

/** Delegations from and to staff who leave end with them (chapter 20 rule 26). */
export const delegationEffect: ChangeEffect = {
  domain: 'people',
  effect_code: 'delegation',
  title: '部门委托',
  kinds: ['STAFF_OUT'],
  dated: false,
  undoable: true,
  preview: async plan => ({ count: (await runningOf(plan)).length }),
  async apply(step) {
    const rows = await runningOf(step)
    const { db, school_id, now } = step
    await lockPeople(asTables<PeopleDb>(db), school_id, rows.map(row => row.to_user_id))
    await sql`update delegate_dept set status = 'revoked', revoked_at = ${now}, row_version = row_version + 1 where school_id = ${school_id} and id = any(${ids(rows)}::bigint[])`.execute(db)
    await settle(step, rows)
    return { count: rows.length, ref: rows }
  },
  async undo(step, ref) {
    const rows = Ref.parse(ref)
    const { db, school_id, now } = step
    await lockPeople(asTables<PeopleDb>(db), school_id, rows.map(row => row.to_user_id))
    // One that was given anew meanwhile goes on in its place.
    await sql`
      update delegate_dept g set status = 'active', revoked_at = null, row_version = g.row_version + 1
      where g.school_id = ${school_id} and g.id = any(${ids(rows)}::bigint[]) and g.valid_to > ${now} and not exists (
        select from delegate_dept o where o.school_id = ${school_id} and o.dept_id = g.dept_id and o.to_user_id = g.to_user_id and o.status = 'active'
          and o.valid_from < g.valid_to and o.valid_to > g.valid_from)`.execute(db)
    await settle(step, rows)
  },
}

async function runningOf({ db, school_id, subjects, now }: Pick<EffectPlan, 'db' | 'school_id' | 'subjects' | 'now'>): Promise<Ended> {
  const people = subjects.map(subject => subject.user_id)
  const { rows } = await sql<Ended[number]>`
    select g.id, g.to_user_id from delegate_dept g where g.school_id = ${school_id} and g.status = 'active' and g.valid_to > ${now}
      and (g.from_user_id = any(${people}::bigint[]) or g.to_user_id = any(${people}::bigint[])) order by g.id`.execute(db)
  return rows
}

async function settle(step: EffectStep, rows: Ended): Promise<void> {
  const people = rows.map(row => row.to_user_id)
  await declareDelegations(asTables<PeopleDb>(step.db), step.school_id, people)
  await tellOwnRights(step.db, step.school_id, people)
  if (rows.length > 0) await publish(step, peopleEvents.delegationChanged, { delegation_ids: ids(rows) })
}

function ids(rows: Ended): string[] {
  return rows.map(row => row.id)
}
