import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDepts } from '@campus/people/server'
import { newSchoolDepartments } from '../demo/departments.ts'
import { schoolYearOf } from '../demo/school-year.ts'
import { startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'

/** The school in which the fault tests work: it has classes, and nobody in them. */
export const school_id = test_schools.a

/** Settings of a data directory on disk, and the token of somebody who may do everything in the school. */
export type Prepared = { settings: Record<string, string>; token: string; remove(): Promise<void> }

type PeopleHandle = Parameters<typeof createDepts>[0]

/** Makes the school in this process and lets go of it, so that server processes can take over; `also` is done before, by somebody who may do everything. */
export async function prepareSchool(settings: Record<string, string> = {}, also: (client: { url: string; token: string }) => Promise<void> = async () => {}): Promise<Prepared> {
  const data_dir = settings.CAMPUS_DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'campus-fault-')))
  const own = { ...settings, CAMPUS_DATA_DIR: data_dir }
  const app = await startTestApp({ settings: own })
  try {
    await openClasses(app)
    const { token } = await app.as({ school_id, codes: 'all', places: 'all' })
    await also({ url: app.url, token })
    return { settings: own, token, remove: () => rm(data_dir, { recursive: true, force: true }) }
  } finally {
    await app.close()
  }
}

/** Every class that the sample sheets name, below the school's own root. */
function openClasses({ running }: TestApp): Promise<unknown> {
  const school_year = schoolYearOf(new Date().toISOString().slice(0, 10))
  return running.database.tenant<unknown, unknown>(school_id, async db => {
    const handle: PeopleHandle = db.withTables()
    const { id } = await handle.selectFrom('dept_now').select('id').where('school_id', '=', school_id).where('parent_id', 'is', null).executeTakeFirstOrThrow()
    const depts = newSchoolDepartments('', school_year)
    const root = depts.find(dept => dept.parent === null)?.key
    const below = depts.filter(dept => dept.parent !== null).map(({ staff: _staff, ...dept }) => (dept.parent === root ? { ...dept, parent: id } : dept))
    return createDepts(handle, school_id, below, `${school_year}-09-01`)
  })
}
