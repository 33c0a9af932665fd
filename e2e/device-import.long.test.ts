import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeTemplate } from '@kit/server/excel'
import { openSignedIn, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const { url } = sharedServer()
let browser: JourneyBrowser
let page: Page
let faults: string[]
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campus-e2e-'))
  ;({ browser, page, faults } = await openSignedIn(url))
})
afterAll(async () => {
  await browser?.close()
  await rm(folder, { recursive: true, force: true })
})

async function sheet(): Promise<string> {
  const labels = ['设备序列号', '设备名称', '设备类型', '型号', '场所全路径', '方向', '上级设备序列号', 'IP地址', 'MAC', '备注']
  const samples = [['E2E-IN-1', '旅程导入终端一', '人脸识别终端', 'JD-F10', '启明实验学校/没有的门', '进', '', '', '', ''], ['E2E-IN-2', '旅程导入终端二', '人脸识别终端', 'JD-F10', '启明实验学校/实验楼', '双向', '', '10.9.8.7', '', '']]
  const file = join(folder, '设备.xlsx')
  await writeFile(file, await writeTemplate({ sheet: '设备导入', notes: ['说明'], columns: labels.map(label => ({ label, prop: label, required: false })), samples }))
  return file
}

test('a sheet of devices with a wrong place is mended and written; the devices wait to be connected', async () => {
  await page.goto(`${url}/DeviceControl`)
  await page.getByRole('button', { name: '导入', exact: true }).click()
  await page.locator('input[type=file]').setInputFiles(await sheet())
  await page.getByRole('button', { name: '确认导入' }).waitFor()
  await page.getByRole('tab', { name: /错误/u }).click()
  await page.getByText('场所“启明实验学校/没有的门”不存在').first().waitFor()
  await picture(page, 'device-import')
  expect(await axeFindings(page, '.ant-drawer')).toEqual([])
  await page.locator('[aria-invalid=true]', { hasText: '场所“启明实验学校/没有的门”不存在' }).click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('启明实验学校/实验楼')
  await page.keyboard.press('Enter')
  await page.getByRole('tab', { name: /错误\s*0/u }).waitFor()
  await page.getByRole('button', { name: '确认导入' }).click()
  await page.getByRole('dialog', { name: '确认导入' }).getByRole('button', { name: '确认导入' }).click()
  await page.getByText('导入完成').waitFor()
  await page.getByRole('button', { name: '完成' }).click()
  const search = page.getByRole('textbox', { name: '关键字' })
  await search.pressSequentially('旅程导入')
  await search.press('Enter')
  for (const name of ['旅程导入终端一', '旅程导入终端二']) await page.getByRole('row').filter({ hasText: name }).filter({ hasText: '未激活' }).waitFor()
  expect(faults).toEqual([])
})
