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
const row = (name: string) => page.getByRole('row').filter({ hasText: name })

test('a device is registered with a wrong number told, its secret shown once, moved, looked into and retired', async () => {
  await page.goto(`${url}/DeviceControl`)
  await page.locator('[data-ready="list"]').waitFor()
  await page.getByRole('button', { name: '全部 617' }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await picture(page, 'devices')
  await register()
  await move()
  await retire()
  // The browser notes the refusal of the taken number by itself.
  expect(faults.filter(line => !line.includes('409 (Conflict)'))).toEqual([])
})

async function register(): Promise<void> {
  await page.getByRole('button', { name: '新增设备' }).click()
  await dialog().getByLabel('名称').fill('北门备用终端')
  await dialog().getByLabel('序列号').fill('QM010001')
  await dialog().getByLabel('类型').click()
  await page.getByTitle('人脸识别终端', { exact: true }).last().click()
  await dialog().getByLabel('IP地址').fill('300.1.1.1')
  await dialog().getByRole('button', { name: '保存' }).click()
  await dialog().getByText('IP地址不合法').waitFor()
  await dialog().getByLabel('IP地址').fill('10.1.1.9')
  await dialog().getByRole('button', { name: '保存' }).click()
  await dialog().getByText('设备序列号已存在').waitFor()
  await picture(page, 'devices-new')
  await dialog().getByLabel('序列号').fill('BACKUP-1')
  await dialog().getByRole('button', { name: '保存' }).click()
  await dialog().getByText('密码只显示这一次，请在设备上填写后再关闭。丢失后可以更换密码。').waitFor()
  expect(await dialog().textContent()).toContain('客户端编号和用户名：BACKUP-1')
  await picture(page, 'devices-setup')
  await dialog().getByRole('button', { name: '我已记录' }).click()
  await dialog().waitFor({ state: 'detached' })
}

async function move(): Promise<void> {
  await page.getByLabel('关键字').fill('BACKUP-1')
  await page.getByLabel('关键字').press('Enter')
  await row('北门备用终端').getByText('未激活').waitFor()
  await row('北门备用终端').getByRole('button', { name: '移动场所' }).click()
  await dialog().getByLabel('新场所').fill('北门')
  await page.getByTitle('北门', { exact: true }).last().click()
  await dialog().getByText('进', { exact: true }).click()
  await dialog().getByRole('button', { name: '保存' }).click()
  await dialog().waitFor({ state: 'detached' })
  await row('北门备用终端').getByRole('button', { name: '详情' }).click()
  await dialog().getByRole('tab', { name: '位置历史' }).click()
  await dialog().getByText('启明实验学校/北门（进）').waitFor()
  await picture(page, 'devices-detail')
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
}

async function retire(): Promise<void> {
  await row('北门备用终端').getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '退役' }).click()
  await dialog().getByRole('button', { name: '退役' }).click()
  await dialog().getByText('请填写原因').waitFor()
  await dialog().getByLabel('原因').fill('换新机')
  await dialog().getByRole('button', { name: '退役' }).click()
  await dialog().waitFor({ state: 'detached' })
  await row('北门备用终端').waitFor({ state: 'detached' })
}
