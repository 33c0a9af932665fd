import { auditServer } from '@campus/audit/server'
import { identityServer } from '@campus/identity/server'
import { jobsServer } from '@campus/jobs/server'
import { createDepts, peopleServer } from '@campus/people/server'
import type { NewDept } from '@campus/people/server'
import { addSchool, schoolServer } from '@campus/school/server'
import { startTestApp } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import type { Db } from '@kit/server/db'
import pg from 'pg'
import type { Bench } from './figure.ts'
import { scratchFolder } from './product.ts'
import { fillSchool } from './pupils-sql.ts'
import type { Fill } from './pupils-sql.ts'

/** A migrated database: an app over it in this process to prepare it, and the settings another process opens it with. */
export type Installed = { app: TestApp; settings: Record<string, string>; exec(script: string): Promise<void>; admin_url: string | null }

const domains = [schoolServer, identityServer, auditServer, jobsServer, peopleServer]
const grades = ['11', '12', '13', '14', '15', '16', '21', '22', '23', '31', '32', '33']
const most_classes = 99

/** A fresh migrated database of the engine; `app.running.close()` lets another process have it. */
export async function install(engine: 'postgres' | 'pglite', bench: Bench): Promise<Installed> {
  process.env.CAMPUS_TEST_ENGINE = engine
  if (engine === 'postgres') process.env.CAMPUS_TEST_PG_ADMIN_URL = (await bench.cluster()).url
  const app = await startTestApp({ settings: engine === 'pglite' ? { CAMPUS_DATA_DIR: scratchFolder('data') } : {} })
  const { config, secrets } = app.running.app
  const { CAMPUS_DATA_DIR, DATABASE_URL, DATABASE_OWNER_URL } = config
  const keys = Object.entries(secrets).map(([name, key]) => [`CAMPUS_SECRET_${name.toUpperCase()}`, key.toString('hex')])
  const settings = { CAMPUS_DATA_DIR, ...(DATABASE_URL ? { DATABASE_URL } : {}), ...(DATABASE_OWNER_URL ? { DATABASE_OWNER_URL } : {}), ...Object.fromEntries(keys) }
  const admin_url = DATABASE_URL ? sameDatabase((await bench.cluster()).url, DATABASE_URL) : null
  const exec = (script: string) => (admin_url ? asSuperuser(admin_url, script) : app.running.database.owner_exec(script))
  return { app, settings, exec, admin_url }
}

/** Makes a school with its seeds, as the product does. */
export async function addOneSchool({ app }: Installed, school_id: number): Promise<void> {
  const school = { school_id, school_name: `第${school_id}学校`, school_type: 1 as const }
  await app.running.database.tenant<unknown, void>(school_id, async db => {
    await addSchool(schoolHandle(db), school, {}, {})
    for (const { seed } of domains) await seed?.(db, school, app.running.app)
  })
}

/** Fills a school with classes of about 45 and pupils with guardians. */
export async function fillWithPupils(installed: Installed, fill: Omit<Fill, 'classes' | 'on'>): Promise<void> {
  const on = dayOf(installed.app.clock.now())
  const classes = await addClasses(installed, fill.school_id, { grades: grades.length, a_grade: Math.min(most_classes, Math.ceil(fill.pupils / 45 / grades.length)) }, on)
  await installed.exec(fillSchool({ ...fill, classes, on }))
}

/** Statistics and visibility as they are after a night of autovacuum. */
export function settleStatistics(installed: Installed): Promise<void> {
  return installed.exec('vacuum analyze')
}

/** The day in Asia/Shanghai. */
export function dayOf(now: Date): string {
  return new Date(now.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
}

/** Makes so many grades with so many classes each, which stand there from the day on. @returns the ids of the classes */
export async function addClasses({ app }: Installed, school_id: number, { grades: count, a_grade }: { grades: number; a_grade: number }, on: string): Promise<string[]> {
  const year = Number(on.slice(0, 4))
  const rows = Array.from({ length: count }, (_, at) => at).flatMap((at): NewDept[] => {
    const grade = grades[at % grades.length] ?? ''
    const key = `${at}`
    const cohort = { tree: 'student' as const, stage: grade.slice(0, 1), grade, enrol_year: year - (at % 6) }
    const classes = Array.from({ length: a_grade }, (_, no) => ({ key: `${key}-${no}`, parent: key, dept_name: `${no + 1}班`, dept_type: 4, class_no: no + 1, ...cohort }))
    return [{ key, parent: null, dept_name: `年级${at + 1}`, dept_type: 3, ...cohort }, ...classes]
  })
  const made = await app.running.database.tenant<unknown, Map<string, string>>(school_id, db => createDepts(peopleHandle(db), school_id, rows, on))
  return rows.filter(row => row.dept_type === 4).map(row => made.get(row.key) ?? '')
}

function schoolHandle(db: Db): Parameters<typeof addSchool>[0] {
  return db.withTables()
}

function peopleHandle(db: Db): Parameters<typeof createDepts>[0] {
  return db.withTables()
}

/** Without the checks of foreign keys: the rows are right by construction. */
async function asSuperuser(url: string, script: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: '-c session_replication_role=replica' })
  await client.connect()
  try {
    await client.query(script)
  } finally {
    await client.end()
  }
}

function sameDatabase(admin_url: string, database_url: string): string {
  const url = new URL(admin_url)
  url.pathname = new URL(database_url).pathname
  return url.href
}
