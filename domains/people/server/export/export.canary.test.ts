import { setTimeout as pause } from 'node:timers/promises'
import { jobSheet, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { jobApi } from '@campus/jobs/contract'
import { parentExportApi, studentExportApi } from '@campus/people/contract'
import { describeCatalogue } from '@kit/server/db'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import { buildSmallSchool } from '../people.builders.ts'

const school_id = 1001
const codes = ['people.student.view', 'people.parent.view', 'people.student.export', 'people.parent.export']
/** 王子轩's number. */
const canary = '370200202005120027'
const masked = '370***********0027'
const folded = '３７０２００２０２００５１２００２７'

let app: TestApp
let clerk: TestUser

beforeAll(async () => {
  app = await startTestApp()
  await app.running.database.tenant<PeopleDb, unknown>(school_id, async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    return buildSmallSchool(db, app.running.app.secrets, school_id, root.id)
  })
  clerk = await app.as({ school_id, codes })
})
afterAll(() => app.close())

async function ended(job_no: string) {
  for (;;) {
    const job = jobApi.one.details.reply.parse((await app.call(jobApi.one, { job_no }, { token: clerk.token })).body.data)
    if (job.state !== 'queued' && job.state !== 'running') return job
    await pause(20)
  }
}

/** Names of the tables that hold the text anywhere in a row, in the school and in the installation. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = (await app.running.database.owner(describeCatalogue)).filter(table => !table.is_view && table.partition_of === null)
  const found = new Set<string>()
  for (const tenant of [0, school_id]) {
    for (const { name } of tables) {
      const { rows } = await app.running.database.tenant<unknown, { rows: unknown[] }>(tenant, db => sql`select 1 from ${sql.table(name)} t where position(${text} in t::text) > 0 limit 1`.execute(db))
      if (rows.length > 0) found.add(name)
    }
  }
  return [...found]
}

describe('an identity number that somebody searches for', () => {
  test.each([canary, ` ${canary} `, folded])('finds its pupil, and stands nowhere readably: %s', async keyword => {
    const answer = await app.call(studentExportApi.export, { keyword }, { token: clerk.token })
    const { job_no } = studentExportApi.export.details.reply.parse(answer.body.data)
    expect(await ended(job_no)).toMatchObject({ state: 'succeeded', done: 1 })
    const lines = await jobSheet(app, job_no, clerk)
    expect(lines[2]?.[0]).toContain(`关键字 ${masked}`)
    expect(lines.slice(4).map(row => row[0])).toEqual(['王子轩'])
    expect(JSON.stringify(lines)).not.toContain(canary)
    const listed = await app.call(jobApi.list, {}, { token: clerk.token })
    expect(JSON.stringify(listed.body)).not.toContain(canary)
    expect([await tablesWith(canary), await tablesWith(folded)]).toEqual([[], []])
  })

  test('stands nowhere readably after an export of parents', async () => {
    const answer = await app.call(parentExportApi.export, { keyword: canary }, { token: clerk.token })
    expect(await ended(parentExportApi.export.details.reply.parse(answer.body.data).job_no)).toMatchObject({ state: 'succeeded' })
    expect(await tablesWith(canary)).toEqual([])
  })

  test('and the search itself would see it', async () => {
    expect(await tablesWith('王子轩')).toContain('person')
  })
})
