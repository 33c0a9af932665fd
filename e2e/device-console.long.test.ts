import { Desk, JdevTerminal, openConsole, real_clock } from '@apps/terminal'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openPage } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'

/** What the journey reads and presses, as chapter 31 §7 has it in both languages. */
const languages = {
  zh: {
    choice: '中文', language: '中文', login: '登录', password: '密码', show: '显示密码', logged_in: '登录成功', saved: '保存成功！', empty: '密码不能为空', wrong: '密码错误', long: '密码最多8位数字', locked: /^尝试次数过多，请(?:300|29\d)秒后再试$/u,
    old: '旧密码', fresh: '新密码', again: '确认新密码', change: '修改密码', mismatch: '两次输入的密码不一致', old_wrong: '旧密码错误', sections: ['仪表盘', '在线配置', '高级配置', '设备信息', '调试工具', '修改密码'],
    mapping_card: '端口映射', mapping: '端口映射格式错误', add: '添加', row: '映射1', row2: '映射2', save: '保存', network: '网络', dhcp: 'IP获取方式', fixed: '固定IP', ip: 'IP地址', mask: '子网掩码', gateway: '网关', address: 'IP地址不合法',
    display: '显示与声音', brightness: '屏幕亮度（0为关闭，最大100）', range: '请输入0至100之间的数', closed: '关闭', reader: '读卡器', truncation: '卡号截取', cuts: ['不截取', '6位', '8位'],
    firmware: '固件升级', pick: '选择固件', only: '固件只支持jbn、jap格式', power: '升级过程中请勿断电！', start: '开始升级', failed: '升级失败：文件不是本机的固件', done: '升级成功，设备将重启',
    unsaved: '有未保存的修改', leave: '放弃修改', logout: '退出登录', sure: '确定退出登录？', cancel: '取消', confirm: '确定', restart: '重启设备', reboot: '确定重启设备？', reset: '恢复出厂设置', erases: '恢复出厂将清除全部数据，请输入设备序列号确认', away: '设备无响应', sn: '序列号', serial: '序列号不正确',
  },
  en: {
    choice: 'English', language: 'English', login: 'Log in', password: 'Password', show: 'Show password', logged_in: 'Logged in', saved: 'Saved successfully!', empty: 'Password is required', wrong: 'Wrong password', long: 'Password has at most 8 digits', locked: /^Too many attempts, retry in (?:300|29\d) s$/u,
    old: 'Old password', fresh: 'New password', again: 'Confirm new password', change: 'Change password', mismatch: 'Passwords do not match', old_wrong: 'Old password is wrong', sections: ['Dashboard', 'Online config', 'Advanced config', 'Device info', 'Debug utilities', 'Change password'],
    mapping_card: 'Port mapping', mapping: 'Port mapping format error', add: 'Add', row: 'Mapping 1', row2: 'Mapping 2', save: 'Save', network: 'Network', dhcp: 'IP assignment', fixed: 'Static IP', ip: 'IP address', mask: 'Subnet mask', gateway: 'Gateway', address: 'Invalid IP address',
    display: 'Display and sound', brightness: 'Brightness (0 closes, max 100)', range: 'Must be between 0 and 100', closed: 'Closed', reader: 'Card reader', truncation: 'Truncation', cuts: ['None', '6 digits', '8 digits'],
    firmware: 'Firmware', pick: 'Choose firmware', only: 'Only jbn or jap firmware', power: 'Do not power off during upgrade!', start: 'Upgrade', failed: 'Upgrade failed: not a firmware of this device', done: 'Upgraded, restarting',
    unsaved: 'Unsaved changes', leave: 'Discard', logout: 'Log out', sure: 'Log out?', cancel: 'Cancel', confirm: 'OK', restart: 'Restart device', reboot: 'Restart the device?', reset: 'Factory reset', erases: 'Factory reset erases everything; type the serial number', away: 'Device not responding', sn: 'Serial number', serial: 'Wrong serial number',
  },
} as const
type Words = (typeof languages)['zh' | 'en']
const widths = [{ width: 360, height: 740 }, { width: 1280, height: 800 }] as const
let browser: JourneyBrowser

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

/** A terminal without a broker, its console, and a browser that has it in one language. */
async function aConsole(words: Words) {
  const terminal = new JdevTerminal({ url: 'mqtt://127.0.0.1:1', sn: `CON-${words.choice === 'English' ? 'EN' : 'ZH'}`, secret: 'hush' })
  const desk = new Desk(terminal, real_clock)
  const opened = await openConsole(desk, { port: 0 })
  const { page, faults } = await openPage(await browser.newContext())
  await page.goto(opened.url)
  await page.getByRole('button', { name: words.choice, exact: true }).click()
  return { terminal, desk, opened, page, faults }
}
const card = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })
const press = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true }).click()
const says = (page: Page, text: string | RegExp) => page.getByText(text, typeof text === 'string' ? { exact: true } : {}).first().waitFor()
const section = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click()

async function enter(page: Page, words: Words, password: string): Promise<void> {
  await page.getByLabel(words.password, { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

test.each(['zh', 'en'] as const)('31-A22 31-A23 the console in %s: what is wrong is said in its words, what is right is kept, on a telephone and on a desk, and nobody stays signed in over a restart', async language => {
  const words = languages[language]
  const { terminal, desk, opened, page, faults } = await aConsole(words)
  await enter(page, words, '')
  await says(page, words.empty)
  await enter(page, words, '123456789')
  expect(await page.getByLabel(words.password, { exact: true }).inputValue()).toBe('12345678')
  await page.getByLabel(words.password, { exact: true }).fill('123456789')
  await says(page, words.long)
  await enter(page, words, desk.password === '11112222' ? '33334444' : '11112222')
  await says(page, words.wrong)
  expect(await axeFindings(page)).toEqual([])
  await enter(page, words, desk.password)
  await says(page, words.logged_in)
  await firstPassword(page, words, desk.password)
  await page.reload()
  for (const name of words.sections) {
    await section(page, name)
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await page.getByRole('region').first().waitFor()
    for (const size of widths) {
      await page.setViewportSize(size)
      expect([name, size.width, await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')]).toEqual([name, size.width, 0])
      expect(await axeFindings(page)).toEqual([])
    }
  }
  await online(page, words, terminal)
  await advanced(page, words, terminal)
  await system(page, words, terminal)
  expect(faults.filter(fault => !/status of (?:401|403|422|429)/u.test(fault))).toEqual([])
  await opened.close()
  await enter(page, words, '2468')
  await says(page, words.away)
  await terminal.stop()
})

async function firstPassword(page: Page, words: Words, drawn: string): Promise<void> {
  const change = async (old: string, fresh: string, again: string) => {
    for (const [label, text] of [[words.old, old], [words.fresh, fresh], [words.again, again]] as const) await page.getByLabel(label, { exact: true }).fill(text)
    await press(page.getByRole('main'), words.change)
  }
  await change(drawn, '2468', '2469')
  await says(page, words.mismatch)
  await change(drawn === '00000000' ? '1' : '00000000', '2468', '2468')
  await says(page, words.old_wrong)
  await change(drawn, '2468', '2468')
  await says(page, words.saved)
}

async function online(page: Page, words: Words, terminal: JdevTerminal): Promise<void> {
  await section(page, words.sections[1])
  const mappings = card(page, words.mapping_card)
  await press(mappings, words.add)
  const row = mappings.getByLabel(words.row, { exact: true })
  for (const wrong of ['80-8080', '0:80', '70000:80']) {
    await row.fill(wrong)
    await press(mappings, words.save)
    await mappings.getByText(words.mapping, { exact: true }).waitFor()
  }
  await row.fill('80:8080')
  await press(mappings, words.add)
  await mappings.getByLabel(words.row2, { exact: true }).fill('80:9090')
  await press(mappings, words.save)
  await mappings.getByText(words.mapping, { exact: true }).waitFor()
  await mappings.getByLabel(words.row2, { exact: true }).fill('90:9090')
  await press(mappings, words.save)
  await says(page, words.saved)
  expect(terminal.store.own('net.mappings')).toEqual(['80:8080', '90:9090'])

  const network = card(page, words.network)
  await network.getByLabel(words.dhcp, { exact: true }).selectOption({ label: words.fixed })
  for (const [label, text] of [[words.ip, '300.1.1.1'], [words.mask, '255.255.255.0'], [words.gateway, '10.0.0.1']] as const) await network.getByLabel(label, { exact: true }).fill(text)
  await press(network, words.save)
  await network.getByText(words.address, { exact: true }).waitFor()
  await section(page, words.sections[2])
  await page.getByRole('dialog', { name: words.unsaved }).waitFor()
  await press(page.getByRole('dialog'), words.leave)
}

async function advanced(page: Page, words: Words, terminal: JdevTerminal): Promise<void> {
  const display = card(page, words.display)
  await display.getByLabel(words.brightness, { exact: true }).fill('101')
  await press(display, words.save)
  await display.getByText(words.range, { exact: true }).waitFor()
  await display.getByLabel(words.brightness, { exact: true }).fill('0')
  await display.getByText(words.closed, { exact: true }).first().waitFor()
  await press(display, words.save)
  await expect.poll(() => terminal.store.own('base.brightness')).toBe(0)
  expect(await card(page, words.reader).getByLabel(words.truncation, { exact: true }).locator('option').allTextContents()).toEqual([...words.cuts])

  const firmware = card(page, words.firmware)
  const pick = (name: string, text: string) => firmware.getByLabel(words.pick, { exact: true }).setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) })
  await pick('firmware.bin', 'x')
  await firmware.getByText(words.only, { exact: true }).waitFor()
  expect(await firmware.getByRole('button', { name: words.start, exact: true }).isDisabled()).toBe(true)
  const upgrade = async () => {
    await press(firmware, words.start)
    const asked = page.getByRole('dialog', { name: words.power, exact: true })
    await asked.waitFor()
    await press(asked, words.start)
  }
  await pick('a.jbn', 'no package')
  await firmware.getByText(words.power, { exact: true }).first().waitFor()
  await upgrade()
  await firmware.getByText(words.failed, { exact: true }).waitFor()
  await pick('a.jbn', 'jbn 2.0.0\n')
  await upgrade()
  await says(page, words.done)
  await expect.poll(() => terminal.build.firmware).toBe('2.0.0')
}

async function system(page: Page, words: Words, terminal: JdevTerminal): Promise<void> {
  // The restart has ended the session.
  await enter(page, words, '2468')
  await press(page, words.logout)
  await press(page.getByRole('dialog', { name: words.sure, exact: true }), words.cancel)
  await section(page, words.sections[4])
  await press(page, words.reset)
  const erases = page.getByRole('dialog', { name: words.erases, exact: true })
  await erases.getByRole('textbox').fill('nonsense')
  await press(erases, words.confirm)
  await erases.getByText(words.serial, { exact: true }).waitFor()
  await press(erases, words.cancel)
  const { epoch } = terminal.store
  await press(page, words.restart)
  await press(page.getByRole('dialog', { name: words.reboot, exact: true }), words.confirm)
  await page.getByLabel(words.password, { exact: true }).waitFor()
  await expect.poll(() => terminal.store.epoch === epoch).toBe(false)
  for (let tries = 0; tries < 5; tries += 1) {
    await enter(page, words, '0000')
    await says(page, tries < 4 ? words.wrong : words.locked)
    await expect.poll(() => page.getByLabel(words.password, { exact: true }).inputValue()).toBe('0000')
  }
  expect(await page.getByRole('button', { name: words.login, exact: true }).isDisabled()).toBe(true)
}
