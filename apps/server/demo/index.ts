import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hashPassword } from '@campus/identity/server'
import type { IdentityViews } from '@campus/identity/server'
import type { ConfigFacts, SchoolFacts, SchoolViews } from '@campus/school/server'
import type { Config } from '@kit/server/config'
import { analyzeGrown, keepPlans } from '@kit/server/db'
import type { App, Boot, NewSchool } from '@kit/server/http'
import { makeSuperAccount } from '../cli/super-account.ts'
import { createSchool } from '../schools.ts'
import { demo_accounts, demo_schools } from './accounts.ts'
import { demoPassword, storedPassword } from './demo-password.ts'
import { enterprise_name, main_config, main_school } from './departments.ts'
import { fillMainSchool, pastFrom, planMainSchool } from './main-school.ts'
import { demoToday, firstDay, schoolYearOf, startOfDay } from './school-year.ts'
import { peopleHandle } from './school-work.ts'
import type { Work } from './school-work.ts'
import { fillEnterprise, fillNewSchool, fillSuspendedSchool } from './small-schools.ts'
import type { Visitor } from './small-schools.ts'

type Views = SchoolViews & IdentityViews
/** `opened` = first day of which anything is known. */
type DemoSchool = { school: NewSchool; opened: string; facts: SchoolFacts; config: ConfigFacts; fill(work: Work): Promise<void> }

const new_name = '启明第二实验学校（新校）'
const suspended_name = '启航学校'
const suspended = 3
const school_logo = `${demo_schools.main}/logo/school-logo.svg`
const login_picture = `${demo_schools.enterprise}/logo/login-background.svg`

/**
 * Makes the demo schools that are missing. Each is made and then filled, both whole or not at all; a school that was made and not
 * filled, because the process died between the two, is filled at the next start.
 */
export async function ensureDemo(running: Boot): Promise<void> {
  const today = demoToday(running.app)
  const missing = await missingSchools(running)
  if (missing.length === 0) return
  const hashes = hashAccounts(demoPassword(running.app.config))
  await ensureSuper(running, hashes)
  for (const school_id of missing) await ensureSchool(running, await demoSchool(running, school_id, today), { hashes, now: running.app.clock.now(), today })
  // The planner must know of the new rows before anybody asks for them: a server notices by itself only after a minute. The embedded engine's are looked at when it starts.
  if (running.database.engine === 'postgres') await analyzeGrown(running.database)
}

/** What to tell somebody who wants to try the demo: address, accounts, password. */
export async function demoLines(config: Config): Promise<string[]> {
  const password = storedPassword(config)
  const head = password === null ? `演示密码未找到：${join(config.CAMPUS_DATA_DIR, 'demo.json')} 不存在` : `演示账号，密码均为 ${password}`
  return [head, ...demo_accounts.map(({ account, note }) => `  ${account.padEnd(11)} ${note}`)]
}

/** The demo schools without people. */
async function missingSchools({ database }: Boot): Promise<number[]> {
  const missing: number[] = []
  for (const school_id of Object.values(demo_schools)) {
    const people = await database.tenant<Views, unknown[]>(school_id, db => db.selectFrom('school_user_v').select('user_id').where('school_id', '=', school_id).limit(1).execute())
    if (people.length === 0) missing.push(school_id)
  }
  return missing
}

/** The app as it would have been on a day, so that what a new school begins with is dated by it. */
function asOf(boot: Boot, day: string): Boot {
  const noon = new Date(startOfDay(day).getTime() + 12 * 3_600_000)
  // Made from the app, so that what its ports were filled with stays.
  const app: App = Object.create(boot.app, { clock: { value: { now: () => noon } } })
  return { ...boot, app }
}

/** One hash an account, made while the school is; nobody else of the demo data has a password. */
function hashAccounts(password: string): Map<string, Promise<string>> {
  return new Map(demo_accounts.map(({ account }) => [account, hashPassword(password)]))
}

async function ensureSuper({ app, database }: Boot, hashes: Work['hashes']): Promise<void> {
  const username = 'super'
  const known = await database.tenant<Views, unknown[]>(0, db => db.selectFrom('school_user_v').select('user_id').where('school_id', '=', 0).where('user_no', '=', username).execute())
  if (known.length > 0) return
  await makeSuperAccount(database, { username, user_name: '超级管理员', password_hash: (await hashes.get(username)) ?? '', pwd_state: 1, pwd_set_at: app.clock.now() })
}

async function ensureSchool(boot: Boot, { school, opened, facts, config, fill }: DemoSchool, { today, ...more }: Pick<Work, 'hashes' | 'now' | 'today'>): Promise<void> {
  const { app, database } = asOf(boot, today)
  const { school_id } = school
  const known = await database.tenant<Views, unknown[]>(school_id, db => db.selectFrom('school_v').select('school_id').where('school_id', '=', school_id).execute())
  if (known.length === 0) await createSchool(asOf(boot, opened), school, facts, config)
  const school_year = schoolYearOf(today)
  const days = { today, from: firstDay(school_year), past_from: opened }
  await database.tenant<unknown, void>(school_id, async db => {
    await keepPlans(db)
    await fill({ app, db: peopleHandle(db), school_id, school_year, ...days, ...more })
  }, { pipelined: true })
}

async function demoSchool(boot: Boot, school_id: number, today: string): Promise<DemoSchool> {
  const fresh = { opened: firstDay(schoolYearOf(today)), facts: {}, config: {} }
  if (school_id === demo_schools.main) {
    const { school_name, bxlx, school_run_by, urban_rural, address, division, course_type } = main_school
    const facts = { bxlx, school_run_by, urban_rural, address, division, course_type, school_logo }
    await keepPicture(boot, school_logo, 'school-logo.svg')
    return { school: { school_id, school_name, school_type: 1 }, opened: pastFrom(today), facts, config: main_config, fill: fillMainSchool }
  }
  if (school_id === demo_schools.enterprise) {
    await keepPicture(boot, login_picture, 'enterprise-login.svg')
    return { ...fresh, school: { school_id, school_name: enterprise_name, school_type: 2 }, facts: { login_bg: login_picture }, fill: fillEnterprise }
  }
  if (school_id === demo_schools.second) {
    const visitor = await visitorOf(boot, today)
    return { ...fresh, school: { school_id, school_name: new_name, school_type: 1 }, fill: work => fillNewSchool(work, new_name, visitor) }
  }
  return { ...fresh, school: { school_id, school_name: suspended_name, school_type: 1 }, facts: { state: suspended }, fill: work => fillSuspendedSchool(work, suspended_name) }
}

/** The person of the main school behind duo01, who teaches in the second school too. */
async function visitorOf({ database }: Boot, today: string): Promise<Visitor> {
  const { staff, holders } = planMainSchool(today)
  const planned = staff.find(person => person.key === holders.duo01)
  return database.tenant<Views, Visitor>(demo_schools.main, db =>
    db.selectFrom('school_user_v').select(['user_id', 'user_no', 'user_name']).where('school_id', '=', demo_schools.main).where('user_no', '=', planned?.teacher_no ?? '').executeTakeFirstOrThrow(),
  )
}

/** Puts a picture of a school where everybody may see it. */
async function keepPicture({ app }: Boot, file_key: string, source: string): Promise<void> {
  const path = app.files.pathOf(file_key)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await copyFile(join(import.meta.dirname, 'data', source), path)
}
