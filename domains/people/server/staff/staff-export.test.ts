import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { jobApi } from '@campus/jobs/contract'
import { staffExportApi } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { readSheet } from '@kit/server/excel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SmallSchool } from '../people.builders.ts'
import { openSchool } from '../testing/changer.ts'

const codes = ['people.staff.view', 'people.staff.export']
let app: TestApp
let school: SmallSchool

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, 1001)
})
afterAll(() => app.close())

async function exported(input: Request<typeof staffExportApi.export>, { token }: Pick<TestUser, 'token'>): Promise<string[][]> {
  const { job_no } = dataOf(staffExportApi.export, await app.call(staffExportApi.export, input, { token }))
  await expect.poll(async () => dataOf(jobApi.one, await app.call(jobApi.one, { job_no }, { token })).state, { timeout: 60_000 }).toBe('succeeded')
  const { bytes } = await app.call(jobApi.result, { job_no }, { token })
  const folder = await mkdtemp(join(tmpdir(), 'export-'))
  await writeFile(join(folder, 'a.xlsx'), bytes)
  const { rows } = await readSheet(join(folder, 'a.xlsx'))
  await rm(folder, { recursive: true })
  return rows.map(({ cells }) => cells.map(({ text }) => text))
}

test('the staff list is exported as it is filtered, mobiles masked', async () => {
  const clerk = await app.as({ school_id: 1001, codes })
  const lines = await exported({ fields: ['teacher_no', 'user_name', 'mobile', 'dept', 'heads', 'kind'], duty: 'head' }, clerk)
  expect(lines.at(-1)).toEqual(['T1', '陈晓华', '169****0001', '教务处', '一年级1班', '专任教师'])
  expect(lines.filter(line => line.includes('周明'))).toEqual([])
  expect(lines.flat().some(text => text.includes('职务 班主任'))).toBe(true)
})

test('20-A35 the export of a reader holds the staff of his department, and that of a reader of one class nobody', async () => {
  const office = await app.as({ school_id: 1001, codes, scope: 'custom', scope_ids: [school.office] })
  expect((await exported({ fields: ['user_name'] }, office)).flat()).toEqual(expect.arrayContaining(['陈晓华', '周明']))
  const narrow = await app.as({ school_id: 1001, codes, scope: 'custom', scope_ids: [school.class_1] })
  const lines = await exported({ fields: ['user_name'] }, narrow)
  expect(lines.flat().filter(text => text === '陈晓华' || text === '周明')).toEqual([])
})
