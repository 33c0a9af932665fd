import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSignedIn, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const { url } = sharedServer()
let browser: JourneyBrowser
let page: Page
let faults: string[]

beforeAll(async () => {
  ;({ browser, page, faults } = await openSignedIn(url))
})
afterAll(() => browser?.close())

const dialog = () => page.getByRole('dialog')
const panel = (name: string) => page.getByRole('region', { name })

test('a building is made with its rooms, a wrong name is told, a room is found, moved under another floor, bound to a class and closed; its building has a plan on which the room lies', async () => {
  await page.goto(`${url}/PlaceManage`)
  await page.locator('[data-ready="places"]').waitFor()
  await panel('启明实验学校').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await picture(page, 'places')
  await generate()
  await rename()
  await moveRoom()
  await closeRoom()
  await drawPlan()
  // The browser notes the refusal of the taken name by itself.
  expect(faults.filter(line => !line.includes('409 (Conflict)'))).toEqual([])
})

async function generate(): Promise<void> {
  await page.getByRole('button', { name: '批量生成楼层房间' }).click()
  await dialog().getByLabel('楼栋名称').fill('创新楼')
  await dialog().getByLabel('楼层数').fill('2')
  await dialog().getByLabel('每层房间数').fill('3')
  await dialog().getByLabel('房间命名规则').fill('创新*')
  await dialog().getByRole('button', { name: '预览' }).click()
  await dialog().getByText('命名规则要包含{nn}或{n}，否则同层房间会重名').waitFor()
  await dialog().getByLabel('房间命名规则').fill('创新{floor}{nn}')
  await dialog().getByRole('button', { name: '预览' }).click()
  await dialog().getByText('创新203').waitFor()
  await picture(page, 'places-generate')
  await dialog().getByRole('button', { name: '生成 9 个场所' }).click()
  await dialog().waitFor({ state: 'detached' })
}

async function rename(): Promise<void> {
  await page.getByLabel('搜索场所').fill('创新101')
  await page.getByRole('tree').getByText('创新101').click()
  await panel('创新101').getByRole('button', { name: '编辑' }).click()
  await dialog().getByLabel('名称').fill('创新102')
  await dialog().getByRole('button', { name: '保存' }).click()
  await dialog().getByText('同级场所名称已存在').waitFor()
  await dialog().getByLabel('名称').fill('机器人教室')
  await dialog().getByLabel('容纳人数').fill('40')
  await dialog().getByRole('button', { name: '保存' }).click()
  await dialog().waitFor({ state: 'detached' })
  await panel('机器人教室').getByText('启明实验学校/创新楼/1层/机器人教室').waitFor()
}

async function moveRoom(): Promise<void> {
  await panel('机器人教室').getByRole('button', { name: '移动' }).click()
  await dialog().getByLabel('移动到').fill('创新楼')
  await page.locator('.ant-select-dropdown').getByText('创新楼', { exact: true }).click()
  await dialog().getByText('移动后：启明实验学校/创新楼/机器人教室').waitFor()
  await picture(page, 'places-move')
  await dialog().getByRole('button', { name: '移动', exact: true }).click()
  await dialog().waitFor({ state: 'detached' })
  await panel('机器人教室').getByText('启明实验学校/创新楼/机器人教室').waitFor()
}

async function closeRoom(): Promise<void> {
  await panel('机器人教室').getByRole('button', { name: '停用' }).click()
  await dialog().getByRole('button', { name: '停用场所' }).click()
  await panel('机器人教室').getByText('已停用').first().waitFor()
  await page.getByLabel('搜索场所').fill('')
  await page.getByLabel('搜索场所').fill('机器人')
  await page.getByText('没有找到“机器人”').waitFor()
  await panel('机器人教室').getByRole('button', { name: '恢复' }).click()
  await page.getByRole('tree').getByText('机器人教室').waitFor()
}

/** A picture of the building, and a floor put on it by keys alone. */
async function drawPlan(): Promise<void> {
  await page.getByLabel('搜索场所').fill('')
  await page.getByLabel('搜索场所').fill('创新楼')
  await page.getByRole('tree').getByText('创新楼').click()
  await panel('创新楼').getByRole('tab', { name: '平面图' }).click()
  await page.locator('[data-ready="place-plan"] input[type=file]').setInputFiles({ name: '平面图.png', mimeType: 'image/png', buffer: await page.screenshot() })
  await page.getByText('图上 0 个，', { exact: false }).waitFor()
  await page.getByRole('combobox', { name: '放到图上' }).click()
  await page.locator('.ant-select-item-option').filter({ hasText: '场所：机器人教室' }).click()
  const pin = page.getByRole('button', { name: /^场所 机器人教室/u })
  await pin.click()
  for (const key of ['ArrowRight', 'ArrowRight', 'Shift+ArrowDown']) await pin.press(key)
  const kept = page.waitForResponse(answer => answer.request().method() === 'POST' && answer.url().includes('plan'))
  await page.getByRole('button', { name: '场所 机器人教室，横51%，纵55%' }).waitFor()
  expect((await kept).status()).toBe(200)
  await page.getByLabel('编辑位置').uncheck()
  await picture(page, 'places-plan')
  await page.getByRole('button', { name: '场所 机器人教室', exact: true }).click()
  await panel('机器人教室').waitFor()
}
