import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { upgradeApi } from '@campus/people/contract'
import { createDepts, enrolStudents } from '@campus/people/server'
import { sql } from 'kysely'
import { dataOf, startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp, TestUser } from '../testing/index.ts'

export const school_id = test_schools.a
/** Pupils of every class, and classes of every grade. */
export const in_class = 40
const classes = 4
const from = '2026-09-01'
const ladder = [['15', '五年级', 2022], ['16', '六年级', 2021], ['23', '九年级', 2018]] as const

/** A data directory with a school whose promotion is signed; `proofs` of the own password, each good for one attempt. */
export type PreparedPromotion = { settings: Record<string, string>; token: string; plan_id: string; plan_hash: string; proofs: string[]; remove(): Promise<void> }

type PeopleHandle = Parameters<typeof createDepts>[0]

/** Makes it in this process and lets go of it, so that server processes can take over. */
export async function preparePromotion(attempts: number): Promise<PreparedPromotion> {
  const data_dir = await mkdtemp(join(tmpdir(), 'campus-promotion-'))
  const settings = { CAMPUS_DATA_DIR: data_dir, CAMPUS_DURABLE: '1' }
  const app = await startTestApp({ settings })
  try {
    await fillSchool(app)
    const drafter = await app.as({ school_id, codes: 'all' })
    const signer = await app.as({ school_id, codes: 'all' })
    const day = new Date(app.clock.now().getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
    const { plan_id } = dataOf(upgradeApi.create, await app.call(upgradeApi.create, { school_year: '2026-2027', effective_on: day }, { token: drafter.token }))
    const { plan_hash } = dataOf(upgradeApi.simulate, await app.call(upgradeApi.simulate, { id: plan_id }, { token: drafter.token }))
    dataOf(upgradeApi.sign, await app.call(upgradeApi.sign, { id: plan_id, plan_hash, recheck_token: await proof(app, signer) }, { token: signer.token }))
    const proofs = []
    for (let at = 0; at < attempts; at += 1) proofs.push(await proof(app, drafter))
    return { settings, token: drafter.token, plan_id, plan_hash, proofs, remove: () => rm(data_dir, { recursive: true, force: true }) }
  } finally {
    await app.close()
  }
}

async function fillSchool({ running }: TestApp): Promise<void> {
  await running.database.tenant<unknown, void>(school_id, async db => {
    const handle: PeopleHandle = db.withTables()
    const { id } = await handle.selectFrom('dept_now').select('id').where('school_id', '=', school_id).where('parent_id', 'is', null).executeTakeFirstOrThrow()
    const rows = ladder.flatMap(([grade, name, enrol_year]) => {
      const cohort = { tree: 'student' as const, grade, enrol_year, stage: grade.slice(0, 1) }
      const rooms = Array.from({ length: classes }, (_, at) => ({ key: `${name}${at + 1}班`, parent: name, dept_name: `${name}${at + 1}班`, dept_type: 4, class_no: at + 1, ...cohort }))
      return [{ key: name, parent: id, dept_name: name, dept_type: 3, ...cohort }, ...rooms]
    })
    const depts = await createDepts(handle, school_id, rows, from)
    const pupils = [...depts].filter(([name]) => name.endsWith('班')).flatMap(([name, dept_id]) => {
      return Array.from({ length: in_class }, (_, at) => ({ user_name: `学生${at}`, student_no: `${name}${at}`.replace(/\D/g, '') + `X${dept_id}`, enrol_month: '202609', dept_id, from }))
    })
    await enrolStudents(handle, running.app.secrets, school_id, pupils)
  })
}

async function proof({ running, clock }: TestApp, { user_id }: TestUser): Promise<string> {
  const token = randomUUID()
  const expire_at = new Date(Math.max(Date.now(), clock.now().getTime()) + 3_600_000)
  await running.database.tenant(school_id, db => sql`insert into ticket (ticket_hash, purpose, user_id, school_id, expire_at) values (${createHash('sha256').update(token).digest()}, 'recheck', ${user_id}, ${school_id}, ${expire_at})`.execute(db))
  return token
}
