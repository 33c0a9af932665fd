import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deleteApi } from '@campus/people/contract'
import { createDepts, enrolStudents, recordPupilSteps, replayPerson, replayTombstones } from '@campus/people/server'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataOf, emptyDatabase, startTestApp } from '../testing/index.ts'
import type { TestApp, TestUser } from '../testing/index.ts'
import { writeBackup } from './backup.ts'
import { restoreBackup } from './restore.ts'

type PeopleHandle = Parameters<typeof createDepts>[0]
const school_id = 1001
const from = '2026-09-01'
let app: TestApp
let admin: TestUser

beforeAll(async () => {
  app = await startTestApp()
  admin = await app.as({ school_id, codes: ['people.delete.run'] })
})
afterAll(() => app.close())

const statusIn = (database: Pick<TestApp['running']['database'], 'tenant'>, user_id: string) => database.tenant<unknown, string | undefined>(school_id, async (db: QueryExecutorProvider) => {
  const { rows } = await sql<{ status: string }>`select status from person where school_id = ${school_id} and user_id = ${user_id}`.execute(db)
  return rows[0]?.status
})

/** A pupil who left some weeks ago. */
function leaver(): Promise<string> {
  const { app: running, database } = app.running
  return database.tenant(school_id, async (db: PeopleHandle) => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const cohort = { tree: 'student' as const, grade: '11', enrol_year: 2026, stage: '1' }
    const depts = await createDepts(db, school_id, [
      { key: 'grade', parent: root.id, dept_name: '一年级', dept_type: 3, ...cohort },
      { key: 'class', parent: 'grade', dept_name: '一年级1班', dept_type: 4, class_no: 1, ...cohort },
    ], from)
    const [user_id = ''] = await enrolStudents(db, running.secrets, school_id, [{ user_name: '恢复生', sex: '1', student_no: 'R1', enrol_month: '202609', dept_id: depts.get('class') ?? '', from }])
    await recordPupilSteps(db, school_id, [{ user_id, kind: 'OUT', on: '2026-10-10', reason: '迁居', to_where: '市第二小学' }])
    return user_id
  })
}

async function proof(): Promise<string> {
  const row = sql`insert into ticket (ticket_hash, purpose, user_id, school_id, expire_at)
    values (${createHash('sha256').update('proof').digest()}, 'recheck', ${admin.user_id}, ${school_id}, ${new Date(app.clock.now().getTime() + 60_000)})`
  await app.running.database.tenant<unknown, unknown>(school_id, db => row.execute(db))
  return 'proof'
}

/** The time of day in Asia/Shanghai, some hours from now. */
function hourAt(later: number): string {
  return new Date(app.clock.now().getTime() + (8 + later) * 3_600_000).toISOString().slice(11, 16)
}

test('20-A24 a restore from before the deletion brings him back only until the tombstones are replayed', async () => {
  const { app: running, database } = app.running
  const folder = await mkdtemp(join(tmpdir(), 'campus-tombstone-'))
  const target = await emptyDatabase()
  try {
    const id = await leaver()
    await database.tenant<unknown, unknown>(school_id, db => sql`insert into user_delete_config (school_id, hold_days, window_from, window_to) values (${school_id}, 0, ${hourAt(-1)}, ${hourAt(2)})`.execute(db))
    await writeBackup(database, join(folder, 'none'), join(folder, 'backup'))
    dataOf(deleteApi.run, await app.call(deleteApi.run, { user_ids: [id], reason: '家长申请', recheck_token: await proof() }, { token: admin.token }))
    await expect.poll(() => statusIn(database, id), { timeout: 15_000 }).toBe('purged')
    await restoreBackup(target.database, null, join(folder, 'backup'))
    expect(await statusIn(target.database, id)).toBe('live')
    const stones = () => replayTombstones({ app: running, database: target.database })
    await expect.poll(stones, { timeout: 15_000 }).toBe(1)
    const { rows } = await target.database.tenant<unknown, { rows: { ref: string }[] }>(school_id, db => sql<{ ref: string }>`select ref from work where kind = 'people_delete_replay'`.execute(db))
    for (const { ref } of rows) {
      const after = await target.database.tenant<unknown, void | (() => Promise<void>)>(school_id, db => replayPerson.run(db, { app: running, school_id, ref, now: app.clock.now() }))
      await after?.()
    }
    expect(await statusIn(target.database, id)).toBe('purged')
    expect(await stones()).toBe(0)
  } finally {
    await target.drop()
    await rm(folder, { recursive: true, force: true })
  }
})
