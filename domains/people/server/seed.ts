import type { App, NewSchool } from '@kit/server/http'
import type { Kysely } from 'kysely'
import { planDayTurn } from './change/day-turn.ts'
import { schoolDay, schoolYearStart } from './day.ts'
import type { PeopleDb } from './db.ts'
import { planDeleteSearch } from './deletion/search.work.ts'
import { createDepts } from './dept.create.ts'
import { planScan } from './merge/case.work.ts'

const enterprise = 2
const school_root = 1
const enterprise_root = 11

/** Every school begins with its root department, open since the start of the current school year, and with its first turn of a day. */
export async function seedSchool(db: Kysely<unknown>, school: NewSchool, app: App): Promise<void> {
  const root = {
    key: 'root',
    parent: null,
    dept_name: school.school_name.slice(0, 30),
    dept_type: school.school_type === enterprise ? enterprise_root : school_root,
    tree: 'both' as const,
  }
  await createDepts(db.withTables<PeopleDb>(), school.school_id, [root], schoolYearStart(schoolDay(app.clock.now())))
  await planDayTurn(db, school.school_id, app.clock.now())
  await planDeleteSearch(db, school.school_id, app.clock.now())
  await planScan(db, school.school_id, app.clock.now())
}
