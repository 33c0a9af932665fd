import { dataOf, jobSheet, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { staffExportApi } from '@campus/people/contract'
import type { Request } from '@kit/contract'
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
  return jobSheet(app, job_no, { token })
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
