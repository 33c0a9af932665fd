import { createHash, randomUUID } from 'node:crypto'
import { dataOf } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { upgradeApi, upgradeRunApi } from '@campus/people/contract'
import type { UpgradePlan } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { sql } from 'kysely'
import type { PeopleDb } from '../db.ts'
import { createDepts } from '../dept.create.ts'
import { hireStaff } from '../staff.create.ts'
import { enrolStudents } from '../student.create.ts'

const opened = '2026-09-01'
const ladder = [['14', '四年级', 2023], ['15', '五年级', 2022], ['16', '六年级', 2021], ['23', '九年级', 2018]] as const

/** Ids by name: grades 四年级 to 六年级 and 九年级 with two classes each, 初中部 above the last, and the pupils of every class. */
export type Ladder = { depts: ReadonlyMap<string, string>; pupils: ReadonlyMap<string, string[]>; head: string }

/** Builds the school of the tests of promotion; every class has two pupils, 九年级1班 a head. */
export function buildLadder(app: TestApp, school_id: number): Promise<Ladder> {
  const { database, app: running } = app.running
  return database.tenant<PeopleDb, Ladder>(school_id, async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const division = { key: '初中部', parent: root.id, dept_name: '初中部', dept_type: 2, tree: 'student' as const, stage: '2' }
    const grades = ladder.flatMap(([grade, name, enrol_year]) => {
      const cohort = { tree: 'student' as const, grade, enrol_year, stage: grade.slice(0, 1) }
      const rooms = [1, 2].map(class_no => ({ key: `${name}${class_no}班`, parent: name, dept_name: `${name}${class_no}班`, dept_type: 4, class_no, ...cohort }))
      return [{ key: name, parent: grade === '23' ? '初中部' : root.id, dept_name: name, dept_type: 3, ...cohort }, ...rooms]
    })
    const depts = await createDepts(db, school_id, [division, ...grades], opened)
    const pupils = new Map<string, string[]>()
    for (const [name, dept_id] of depts) {
      if (!name.endsWith('班')) continue
      const rows = [1, 2].map(no => ({ user_name: `${name}生${no}`, sex: '1', student_no: `${school_id}${dept_id}${no}`, enrol_month: '202609', dept_id, from: opened }))
      pupils.set(name, await enrolStudents(db, running.secrets, school_id, rows))
    }
    const teacher = { user_name: '陈晓华', sex: '2', teacher_no: `H${school_id}`, kind: '11', join_month: '202609', from: opened, depts: [{ dept_id: root.id }], duties: [{ dept_id: depts.get('九年级1班') ?? '', duty: 'head' as const }] }
    const [head = ''] = await hireStaff(db, running.secrets, school_id, [teacher])
    return { depts, pupils, head }
  })
}

/** A proof of the own password. */
async function proofOf(app: TestApp, { user_id, school_id }: Pick<TestUser, 'user_id' | 'school_id'>): Promise<string> {
  const recheck = randomUUID()
  const row = sql`insert into ticket (ticket_hash, purpose, user_id, school_id, expire_at)
    values (${createHash('sha256').update(recheck).digest()}, 'recheck', ${user_id}, ${school_id}, ${new Date(app.clock.now().getTime() + 60_000)})`
  await app.running.database.tenant<unknown, unknown>(school_id, db => row.execute(db))
  return recheck
}

/** Promotions as two people do them: one draws up and carries out, the other signs. */
export function promoter(app: TestApp, drafter: TestUser, signer: TestUser) {
  const { token } = drafter
  const by = (who: TestUser) => ({ token: who.token })
  const create = (school_year: string, effective_on: string): Promise<Answer> => app.call(upgradeApi.create, { school_year, effective_on }, { token })
  const current = async (): Promise<UpgradePlan | null> => dataOf(upgradeApi.current, await app.call(upgradeApi.current, {}, { token })).plan
  const simulate = async (id: string) => dataOf(upgradeApi.simulate, await app.call(upgradeApi.simulate, { id }, { token }))
  const sign = async (id: string, plan_hash: string, who = signer, recheck_token?: string): Promise<Answer> => app.call(upgradeApi.sign, { id, plan_hash, recheck_token: recheck_token ?? (await proofOf(app, who)) }, by(who))
  const run = async (plan_id: string, plan_hash: string): Promise<Answer> => app.call(upgradeRunApi.run, { plan_id, plan_hash, recheck_token: await proofOf(app, drafter) }, { token })
  return {
    create, current, simulate, sign, run,
    drawn: async (school_year: string, effective_on: string): Promise<UpgradePlan> => dataOf(upgradeApi.create, await create(school_year, effective_on)),
    update: async (body: Request<typeof upgradeApi.update>): Promise<Answer> => app.call(upgradeApi.update, body, { token }),
    rollback: async (id: string, skip_conflicts = false): Promise<Answer> => app.call(upgradeApi.rollback, { id, reason: '方案有误', skip_conflicts, recheck_token: await proofOf(app, drafter) }, { token }),
    /** simulated and signed; the hash to run it with */
    signed: async (id: string): Promise<string> => {
      const { plan_hash } = await simulate(id)
      dataOf(upgradeApi.sign, await sign(id, plan_hash))
      return plan_hash
    },
  }
}

/** Pupils in class today, one text each: the hash of 20-A8 before it is hashed. */
export async function rollOf(app: TestApp, school_id: number): Promise<string[]> {
  const rows = await app.running.database.tenant<unknown, { row: string }[]>(school_id, async db => (await sql<{ row: string }>`select to_jsonb(s)::text as row from live_student s order by 1`.execute(db)).rows)
  return rows.map(({ row }) => row)
}
