// 新生报名: a season is set and opened, a family applies on a phone and uploads its papers, the school imports others from a sheet, the application is passed by a key, admitted, placed and has arrived; the demo season's queue at the gate.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeTemplate } from '@kit/server/excel'
import { drawJpeg } from '@kit/server/image'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { calm, openSignedIn, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const { url } = sharedServer()
const phone = { width: 390, height: 844 }
const year = '2040-2041'
let browser: JourneyBrowser
let page: Page
let faults: string[]
let apply_no = ''
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campus-freshmen-'))
  ;({ browser, page, faults } = await openSignedIn(url))
})
afterAll(async () => {
  await browser?.close()
  await rm(folder, { recursive: true, force: true })
})

const confirm = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
const season = async (label: string) => {
  await page.getByLabel('报名', { exact: true }).click()
  await page.locator('.ant-select-item-option', { hasText: label }).click()
}
/** A page of a household register as a phone takes it. */
async function photo(): Promise<string> {
  const file = join(folder, '户口簿.jpg')
  const lines = Array.from({ length: 9 }, (_, at) => `<rect x="120" y="${220 + at * 90}" width="${900 - (at % 3) * 160}" height="28" fill="#8c8c8c"/>`).join('')
  await writeFile(file, (await drawJpeg(`<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="1100"><rect width="100%" height="100%" fill="#fdf6e3"/><rect x="60" y="60" width="1080" height="90" fill="#a8071a"/>${lines}</svg>`)).bytes)
  return file
}
const written = async (name: string, text: string) => {
  const file = join(folder, name)
  await writeFile(file, text)
  return file
}
const pageOf = (path: string) => page.goto(`${url}${path}`)

test('the queue at the gate: a child of the list arrives by its number, once; the counter goes on', async () => {
  await pageOf('/FreshmenList?state=4')
  await page.getByText('已报到 240 / 应报到 252').waitFor()
  const row = page.locator('tbody .ant-table-row').first()
  const number = await row.locator('td', { hasText: /^F\d{14}$/ }).innerText()
  await picture(page, 'freshmen-list')
  expect(await axeFindings(page, 'main')).toEqual([])
  const desk = page.getByRole('form', { name: '报到' })
  await desk.getByLabel('报名编号或证件号').fill('F00000000000000')
  await desk.getByLabel('报名编号或证件号').press('Enter')
  await desk.getByText('没有找到该新生，请核对报名编号或证件号').waitFor()
  await desk.getByLabel('报名编号或证件号').fill(number)
  await desk.getByLabel('报名编号或证件号').press('Enter')
  await desk.getByText(/^学号 \d+$/).waitFor()
  await page.getByText('已报到 241 / 应报到 252').waitFor()
  await picture(page, 'freshmen-arrived')
  await desk.getByLabel('报名编号或证件号').fill(number)
  await desk.getByLabel('报名编号或证件号').press('Enter')
  await desk.getByText('此前已报到').waitFor()
  await page.getByText('已报到 241 / 应报到 252').waitFor()
})

test('a household register that was photographed sideways is turned upright and enlarged', async () => {
  await pageOf('/FreshmenReview')
  const file = page.getByRole('region', { name: '报名资料' })
  await page.getByRole('complementary', { name: '报名列表' }).locator('li > button').nth(2).click()
  const paper = file.getByRole('img', { name: '户口簿' })
  await expect.poll(() => paper.evaluate(one => 'naturalWidth' in one && one.naturalWidth)).toBe(760)
  await file.getByRole('button', { name: '向左旋转' }).click()
  expect(await paper.getAttribute('data-turn')).toBe('270')
  await file.getByRole('button', { name: '放大', exact: true }).click()
  await file.getByText('150%', { exact: true }).waitFor()
  await picture(page, 'freshmen-paper')
  expect(await axeFindings(page, 'main')).toEqual([])
})

test('the placement of the demo season is even; drawn anew a child is moved by hand, the rule that breaks is said, and moved back', async () => {
  await pageOf('/FreshmenConfig?tab=place')
  await page.getByText('已采用', { exact: true }).waitFor()
  await page.getByText(/^各班最大相差：人数 0 · 男生 0/).waitFor()
  await picture(page, 'freshmen-placed')
  await page.getByRole('button', { name: '全部重新分班' }).click()
  await confirm('全部重新分班')
  await page.getByText('待采用').waitFor()
  const columns = page.locator('.fresh-columns section')
  const card = columns.first().getByRole('button', { disabled: false }).first()
  await card.click()
  await columns.nth(1).getByRole('button', { name: '移到本班' }).click()
  await page.getByText('还不符合分班规则').waitFor()
  expect(await page.getByRole('button', { name: '采用', exact: true }).isDisabled()).toBe(true)
  await picture(page, 'freshmen-board')
  expect(await axeFindings(page, 'main')).toEqual([])
  await page.getByRole('button', { name: '撤销手工调整（1）' }).click()
  await page.getByText('还不符合分班规则').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '采用', exact: true }).click()
  await confirm('采用')
  await page.getByText('已采用', { exact: true }).waitFor()
})

test('a season is set and opened, and a family applies on a phone', async () => {
  await pageOf('/FreshmenConfig')
  await page.getByRole('button', { name: '新增报名' }).click()
  await page.getByText('填写学年、学段、时间和名额，保存后再开放').waitFor()
  await page.getByLabel('学年', { exact: true }).fill(year)
  await page.getByText(/^学号样例：\d+、\d+、\d+$/).waitFor()
  for (const [label, text] of [['开始时间', '2020-01-01 08:00'], ['截止时间', '2040-08-31 18:00']] as const) {
    await page.getByLabel(label, { exact: true }).fill(text)
    await page.getByLabel(label, { exact: true }).press('Tab')
    await expect.poll(() => page.getByLabel(label, { exact: true }).inputValue()).toBe(text)
  }
  await page.getByLabel('户口簿的收取方式').click()
  await page.locator('.ant-select-item-option', { hasText: '必须上传' }).click()
  await page.getByLabel('预防接种证的收取方式').click()
  await page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option', { hasText: '可上传' }).click()
  await page.getByText('上传户口簿*').waitFor()
  await picture(page, 'freshmen-config')
  await page.getByRole('button', { name: '保存设置' }).click()
  await page.getByRole('button', { name: '开放报名' }).click()
  await confirm('开放报名')
  await page.getByText('采用分班结果后公布').waitFor()
  const address = await page.getByLabel('报名链接').inputValue()
  expect(await axeFindings(page, 'main')).toEqual([])
  const context = await browser.newContext({ ...calm, viewport: phone })
  const visit = await context.newPage()
  await visit.goto(`${url}/InformationDialog?key=${new URL(address).searchParams.get('key') ?? ''}`)
  await visit.getByText('须核验的材料：户口簿、预防接种证').waitFor()
  for (const [label, text] of [['联系手机号*', '16999990001'], ['姓名*', '陈一诺'], ['身份证件号*', '370200201907080025'], ['监护人姓名*', '陈立新']] as const) await visit.getByLabel(label, { exact: true }).fill(text)
  for (const [label, text] of [['性别*', '女'], ['身份证件类型*', '居民身份证'], ['与孩子的关系*', '父亲']] as const) await visit.getByLabel(label, { exact: true }).selectOption(text)
  await visit.getByAltText('看不清？点击刷新').nth(1).waitFor()
  await visit.getByLabel('验证码*', { exact: true }).fill('2222')
  await visit.getByRole('button', { name: '提交', exact: true }).click()
  await visit.getByText('请上传户口簿').waitFor()
  const papers = visit.getByRole('region', { name: '上传材料' })
  await papers.getByLabel('上传前的验证码*').fill('0000')
  await papers.getByRole('button', { name: '开始上传' }).click()
  await papers.getByText('验证码错误').waitFor()
  await papers.getByLabel('上传前的验证码*').fill('2222')
  await papers.getByRole('button', { name: '开始上传' }).click()
  const book = papers.getByLabel('户口簿*')
  await expect.poll(() => book.isEnabled()).toBe(true)
  await book.setInputFiles(await written('户口簿.docx', 'PK'))
  await papers.getByText('只支持 JPG、PNG、WEBP 图片和 PDF').last().waitFor()
  await book.setInputFiles(await written('不是图片.jpg', 'not a picture at all'))
  await papers.getByText('文件格式不支持').waitFor()
  await book.setInputFiles(await photo())
  await papers.getByText('已上传1个').waitFor()
  await papers.getByLabel('预防接种证').setInputFiles(await written('接种.pdf', '%PDF-1.4\n%%EOF\n'))
  await papers.getByText('接种.pdf').waitFor()
  await picture(visit, 'freshmen-papers')
  expect(await axeFindings(visit)).toEqual([])
  await visit.getByLabel('验证码*', { exact: true }).fill('2222')
  await visit.getByRole('button', { name: '提交', exact: true }).click()
  apply_no = await visit.locator('.visit-number').innerText()
  await context.close()
})

test('the application is read and passed by a key, then admitted', async () => {
  await pageOf('/FreshmenReview')
  await season(year)
  const file = page.getByRole('region', { name: '报名资料' })
  await file.getByRole('heading', { name: '陈一诺' }).waitFor()
  await file.getByText('尚未审核').waitFor()
  const paper = file.getByRole('img', { name: '户口簿' })
  await expect.poll(() => paper.evaluate(one => 'naturalWidth' in one && one.naturalWidth)).toBe(1200)
  await file.getByRole('button', { name: '向右旋转' }).click()
  expect(await paper.getAttribute('data-turn')).toBe('90')
  await file.getByRole('button', { name: '向左旋转' }).click()
  for (const percent of ['150%', '200%']) {
    await file.getByRole('button', { name: '放大', exact: true }).click()
    await file.getByText(percent, { exact: true }).waitFor()
  }
  await file.getByRole('button', { name: '预防接种证' }).click()
  await file.getByRole('link', { name: '打开 预防接种证（PDF）' }).waitFor()
  await file.getByRole('button', { name: '户口簿' }).click()
  await picture(page, 'freshmen-review')
  expect(await axeFindings(page, 'main')).toEqual([])
  // Keys typed into the choice of the season are its own.
  await page.getByRole('button', { name: /^陈一诺/ }).click()
  await page.keyboard.press('a')
  await page.getByText('没有待审核的报名').waitFor()
  await pageOf('/FreshmenList')
  await season(year)
  const row = page.locator('tbody .ant-table-row', { hasText: apply_no })
  await row.getByText('审核通过').waitFor()
  await row.getByRole('checkbox').check()
  await page.getByRole('button', { name: '录取（1）' }).click()
  await row.getByText('已录取').waitFor()
  await page.getByText('已报到 0 / 应报到 1').waitFor()
  await row.getByRole('checkbox').check()
  await page.getByRole('button', { name: '打印通知书（1）' }).click()
  await page.getByRole('dialog').getByText('陈一诺 同学：').waitFor()
  await picture(page, 'freshmen-notice')
  expect(faults.filter(fault => !fault.includes('status of 404'))).toEqual([])
})

test('a sheet of applications with a wrong line is mended and imported; they wait for the review', async () => {
  await pageOf('/FreshmenList')
  await season(year)
  const labels = ['姓名', '性别', '身份证件类型', '身份证件号', '报名学段', '户口所在地行政区划码', '监护人姓名', '监护人手机号', '毕业学校', '是否住校']
  const samples = [['导入新生一', '女', '护照', 'E2EFI1', '小学', '', '林大山', '16999990011', '', ''], ['导入新生二', '男', '居民身份证', '370200201907080025', '小学', '', '陈立新', '16999990012', '', '']]
  const file = join(folder, '新生.xlsx')
  await writeFile(file, await writeTemplate({ sheet: '新生报名导入', notes: ['说明'], columns: labels.map(label => ({ label, prop: label, required: false })), samples }))
  await page.getByRole('button', { name: '导入', exact: true }).click()
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('button', { name: '确认导入' }).waitFor()
  await page.getByRole('tab', { name: /错误/u }).click()
  await page.getByText('该证件号已报名').first().waitFor()
  await picture(page, 'freshmen-import')
  expect(await axeFindings(page, '.ant-drawer')).toEqual([])
  await page.locator('[aria-invalid=true]', { hasText: '该证件号已报名' }).click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('370200201907080033')
  await page.keyboard.press('Enter')
  await page.getByRole('tab', { name: /错误\s*0/u }).waitFor()
  await page.getByRole('button', { name: '确认导入' }).click()
  await page.getByRole('dialog', { name: '确认导入' }).getByRole('button', { name: '确认导入' }).click()
  await page.getByText('导入完成').waitFor()
  await page.getByRole('button', { name: '完成' }).click()
  for (const name of ['导入新生一', '导入新生二']) await page.locator('tbody .ant-table-row', { hasText: name }).getByText('待审核').waitFor()
  expect(faults.filter(fault => !fault.includes('status of 404'))).toEqual([])
})
