import { importApi } from '@campus/jobs/contract'
import { startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { buildSheets, buildXlsx } from '@kit/server/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addProbe, applied, dataOf, probes, rowsOf, sendSheet, settled } from '../testing/import-flow.ts'

let app: TestApp
let user: TestUser
beforeAll(async () => {
  app = await startTestApp()
  user = await (await addProbe(app))(test_schools.a)
})
afterAll(() => app.close())

const parsedFile = async (body: Uint8Array) => settled(app, user, dataOf(importApi.upload, await sendSheet(app, user, body)).batch_no)
const head = ['编号', '名称', '类型']

test('every sheet with the header of the template is imported; one without it is named and left out only with a word', async () => {
  const body = await buildSheets([
    { name: '填写说明', rows: [['请勿改动表头'], ['每行一件']] },
    { name: '一组', rows: [['说明'], head, ['001', '一', '甲'], ['002', '二', '乙']] },
    { name: '二组', rows: [['二组名单'], ['说明'], ['类型', '编号', '名称'], ['甲', '003', '三'], ['甲', '001', '四']] },
  ])
  const batch = await parsedFile(body)
  expect(batch).toMatchObject({ state: 'parsed', rows_total: 4, rows_error: 2, unread: [{ name: '填写说明', rows: 2 }], notes: [] })
  const rows = await rowsOf(app, user, batch.batch_no)
  expect(rows.map(row => [row.sheet, row.line, row.cells.probe_no, row.errors.map(({ msg }) => msg)])).toEqual([
    ['一组', 3, '001', ['文件内重复（“二组”第5行）']], ['一组', 4, '002', []], ['二组', 4, '003', []], ['二组', 5, '001', ['文件内重复（“一组”第3行）']],
  ])
  const { row } = dataOf(importApi.fix, await app.call(importApi.fix, { batch_no: batch.batch_no, row_no: rows[3]?.row_no ?? 0, cells: { probe_no: '004' } }, { token: user.token }))
  expect([row.sheet, row.line, row.verdict]).toEqual(['二组', 5, 'new'])
  const refused = await app.call(importApi.apply, { batch_no: batch.batch_no }, { token: user.token })
  expect([refused.status, refused.body.msg]).toEqual([409, '工作表“填写说明”（2行）没有读取，请确认不导入这些工作表'])
  dataOf(importApi.apply, await app.call(importApi.apply, { batch_no: batch.batch_no, accept_unread: true }, { token: user.token }))
  expect(await settled(app, user, batch.batch_no)).toMatchObject({ state: 'applied', rows_applied: 4 })
  expect((await probes(app, user)).map(({ probe_no, probe_name }) => [probe_no, probe_name])).toEqual([['001', '一'], ['002', '二'], ['003', '三'], ['004', '四']])
})

test('hidden and filtered rows are named, and each has a warning', async () => {
  const cells = (texts: string[]) => texts.map(text => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')
  const lines = [['说明'], head, ['011', '一', '甲'], ['012', '二', '甲'], ['013', '三', '甲']]
  const rows = lines.map((texts, at) => `<row r="${at + 1}"${at > 2 ? ' hidden="1"' : ''}>${cells(texts)}</row>`).join('')
  const batch = await parsedFile(buildXlsx({ rows, afterRows: '<autoFilter ref="A2:C5"/>' }))
  expect(batch).toMatchObject({ rows_new: 3, rows_warn: 2, notes: ['第4、5行被隐藏'], unread: [] })
  expect((await rowsOf(app, user, batch.batch_no)).map(row => row.warnings.map(({ msg }) => msg))).toEqual([[], ['该行在表格中被隐藏，请确认是否导入'], ['该行在表格中被隐藏，请确认是否导入']])
  expect(await applied(app, user, batch.batch_no)).toMatchObject({ rows_applied: 3 })
})
