// 教职工导入: a sheet with wrong cells is checked, mended in place, written, found in the list, and taken back.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSheet, writeTemplate } from '@kit/server/excel'
import { drawJpeg } from '@kit/server/image'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAt, openSignedIn, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const { url } = sharedServer()
const common = { 身份证件类型: '护照', 教职工类别: '专任教师', 当前状态: '在职', 来校年月: '202609' }
const lines: Record<string, string>[] = [
  { ...common, 姓名: '司马测', 性别: '女', 工号: 'E2EI01', 手机号: '16913008001', 部门: '总务处', 身份证件号: 'E2EI01', 车牌号: '鲁B90001' },
  { ...common, 姓名: '司徒测', 性别: '男', 工号: 'E2EI02', 手机号: '1691300', 部门: '总务处', 身份证件号: 'E2EI02', 车牌号: '鲁B9000' },
  { ...common, 姓名: '端木测', 性别: '男', 工号: 'E2EI03', 手机号: '16913008003', 部门: '没有的部门', 身份证件号: 'E2EI03' },
]
let browser: JourneyBrowser
let page: Page
let faults: string[]
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campus-staff-'))
  ;({ browser, page, faults } = await openSignedIn(url))
})
afterAll(async () => {
  await browser?.close()
  await rm(folder, { recursive: true, force: true })
})

test('a sheet of staff with wrong cells is mended, written, found and taken back', async () => {
  await openAt(page, url, '/TeachersRecord')
  await page.getByRole('button', { name: '导入', exact: true }).click()
  await page.locator('input[type=file]').setInputFiles(await filledTemplate())
  await page.getByRole('button', { name: '确认导入' }).waitFor()
  await page.getByRole('tab', { name: /错误/ }).click()
  for (const sentence of ['手机号格式不正确', '部门不存在：没有的部门', '车牌号不合法']) await page.getByText(sentence).first().waitFor()
  await picture(page, 'staff-import-check')
  expect(await axeFindings(page, '.ant-drawer')).toEqual([])
  expect(await page.getByRole('button', { name: '确认导入' }).isDisabled()).toBe(true)

  await mend('手机号格式不正确', '16913008002')
  await mend('车牌号不合法', '鲁BD90003')
  await page.getByRole('row').filter({ hasText: '部门不存在' }).getByRole('button', { name: '忽略此行' }).click()
  await page.getByRole('tab', { name: /错误\s*0/ }).waitFor()
  await page.getByRole('button', { name: '确认导入' }).click()
  await page.getByRole('dialog', { name: '确认导入' }).getByRole('button', { name: '确认导入' }).click()
  await page.getByText('导入完成').waitFor()
  await picture(page, 'staff-import-done')
  await page.getByRole('button', { name: '完成' }).click()

  const search = page.getByRole('textbox', { name: '关键字' })
  await search.fill('E2EI')
  await search.press('Enter')
  await page.getByRole('row').filter({ hasText: '司马测' }).filter({ hasText: '总务处' }).waitFor()
  await page.getByRole('row').filter({ hasText: '司徒测' }).waitFor()
  expect(await page.getByRole('row').filter({ hasText: '端木测' }).count()).toBe(0)

  await page.getByRole('button', { name: '编辑 司马测' }).click()
  const drawer = page.locator('.ant-drawer-content-wrapper').last()
  await drawer.locator('.ant-select-selection-item, .ant-select-content-item').filter({ hasText: '鲁B90001' }).first().waitFor()
  const plates = drawer.getByRole('combobox', { name: '车牌号' })
  await plates.fill('鲁B9')
  await plates.press('Enter')
  await drawer.getByRole('button', { name: '保存' }).click()
  await drawer.getByText('车牌号不合法').waitFor()
  await picture(page, 'staff-plates')
  const plate = (text: RegExp) => drawer.locator('.ant-select-selection-item').filter({ hasText: text })
  await plate(/^鲁B9$/).locator('.ant-select-selection-item-remove').click()
  await plate(/^鲁B9$/).waitFor({ state: 'detached' })
  await plates.fill('鲁BD90001')
  await plates.press('Enter')
  await plate(/^鲁BD90001$/).waitFor()
  await drawer.getByRole('button', { name: '保存' }).click()
  await drawer.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: '详情 司马测' }).click()
  await drawer.getByText('鲁B90001；鲁BD90001').waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })
  expect(faults).toEqual([])
})

test('photos of a folder are read, checked, given and shown', async () => {
  const photos = join(folder, 'photos')
  await mkdir(photos)
  const { bytes } = await drawJpeg('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="400"><rect width="300" height="400" fill="#446688"/></svg>')
  await writeFile(join(photos, 'E2EI01.jpg'), bytes)
  await writeFile(join(photos, '没有这个人.jpg'), bytes)
  await openAt(page, url, '/TeachersRecord')
  await page.getByRole('button', { name: '照片导入' }).click()
  const dialog = page.getByRole('dialog', { name: '教职工照片导入' })
  await dialog.getByRole('button', { name: '选择文件夹' }).waitFor()
  await picture(page, 'photo-import')
  expect(await axeFindings(page, '.ant-modal')).toEqual([])
  await dialog.locator('input[type=file]').nth(1).setInputFiles(photos)
  await page.getByRole('button', { name: '确认导入' }).waitFor()
  await page.getByRole('tab', { name: /错误/ }).click()
  await page.getByText('人员不存在').first().waitFor()
  await picture(page, 'photo-check')
  await page.getByRole('row').filter({ hasText: '人员不存在' }).getByRole('button', { name: '忽略此行' }).click()
  await page.getByRole('tab', { name: /错误\s*0/ }).waitFor()
  await page.getByRole('button', { name: '确认导入' }).click()
  await page.getByRole('dialog', { name: '确认导入' }).getByRole('button', { name: '确认导入' }).click()
  await page.getByText('导入完成').waitFor()
  await page.getByRole('button', { name: '完成' }).click()
  const search = page.getByRole('textbox', { name: '关键字' })
  await search.fill('司马测')
  await search.press('Enter')
  await page.getByRole('row').filter({ hasText: '司马测' }).locator('img.people-avatar').waitFor()
  await picture(page, 'photo-shown')
  expect(faults).toEqual([])
})

test('the state of a password is looked up by mobile, and new ones are ordered for the chosen staff', async () => {
  await openAt(page, url, '/TeachersRecord')
  await page.getByRole('button', { name: '更多', exact: true }).click()
  await page.getByRole('button', { name: '初始密码查询' }).click()
  const dialog = page.getByRole('dialog', { name: '初始密码查询' })
  await dialog.getByAltText('验证码图片').waitFor()
  await dialog.getByLabel('手机号').fill('16913008001')
  await dialog.getByLabel('验证码', { exact: true }).fill('2222')
  await dialog.getByRole('button', { name: '查询' }).click()
  await dialog.getByText('司**（教职工）').waitFor()
  await dialog.getByText('尚未开通登录账号').waitFor()
  await picture(page, 'password-lookup')
  expect(await axeFindings(page, '.ant-modal')).toEqual([])
  await dialog.getByRole('button', { name: '关闭', exact: true }).last().click()
  await dialog.waitFor({ state: 'hidden' })

  const search = page.getByRole('textbox', { name: '关键字' })
  await search.fill('司马测')
  await search.press('Enter')
  const row = page.getByRole('row').filter({ hasText: '司马测' })
  await row.getByRole('checkbox').check()
  await page.getByRole('button', { name: '重置密码' }).click()
  await page.getByRole('button', { name: '生成密码条' }).waitFor()
  await picture(page, 'staff-reset')
  await page.getByRole('button', { name: '取消' }).click()
  expect(faults).toEqual([])
})

test('a guardian has a file with his plates', async () => {
  await openAt(page, url, '/ParentsRecord')
  await page.locator('[data-ready="list"]').waitFor()
  await picture(page, 'parents-record-doors')
  await page.getByRole('tab', { name: '家长' }).click()
  await page.getByRole('button', { name: /^详情 / }).first().click()
  const drawer = page.locator('.ant-drawer-content-wrapper').last()
  await drawer.getByRole('combobox', { name: '车牌号' }).fill('鲁B90077')
  await drawer.getByRole('combobox', { name: '车牌号' }).press('Enter')
  await picture(page, 'parent-file')
  expect(await axeFindings(page, '.ant-drawer')).toEqual([])
  await drawer.getByRole('button', { name: '保存' }).click()
  await drawer.waitFor({ state: 'hidden' })
  expect(faults).toEqual([])
})

/** The template as the school downloads it, filled. @returns its path */
async function filledTemplate(): Promise<string> {
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: '下载模板' }).click()
  const download = await waiting
  expect(download.suggestedFilename()).toBe('教职工导入模板.xlsx')
  const empty = join(folder, 'empty.xlsx')
  await download.saveAs(empty)
  const { rows } = await readSheet(empty)
  const head = rows[1]?.cells.map(cell => cell.text) ?? []
  const columns = head.map(label => ({ label, prop: label, required: false, text: true }))
  const file = join(folder, '教职工.xlsx')
  await writeFile(file, await writeTemplate({ sheet: '教职工信息导入', notes: ['第1行是填写说明'], columns, samples: lines.map(line => head.map(label => line[label] ?? '')) }))
  return file
}

async function mend(sentence: string, value: string): Promise<void> {
  await page.locator('[aria-invalid=true]', { hasText: sentence }).click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(value)
  await page.keyboard.press('Enter')
  await page.getByText(sentence).first().waitFor({ state: 'detached' })
}
