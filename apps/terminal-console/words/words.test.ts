import { fault_codes } from '@kit/terminal-protocol/console'
import { expect, test } from 'vitest'
import { en } from './en.ts'
import { zh } from './zh.ts'

const chinese = /\p{Script=Han}/u
/** What is the same in both languages: names of languages and figures. */
const own_language = ['base.language.CN']
const figuresOf = (text: string) => [...text.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name).toSorted()

test('31-A23 every sentence stands in both languages, with the same figures; the English ones hold no Chinese', () => {
  expect(Object.keys(en).toSorted()).toEqual(Object.keys(zh).toSorted())
  const sentences: Readonly<Record<string, string>> = en
  for (const [key, text] of Object.entries(zh)) {
    const english = sentences[key] ?? ''
    expect([key, text.trim() !== '', english.trim() !== '', figuresOf(english)]).toEqual([key, true, true, figuresOf(text)])
    expect([key, chinese.test(english)]).toEqual([key, own_language.includes(key)])
  }
  expect(Object.keys(zh).filter(key => key.startsWith('fault.'))).toHaveLength(fault_codes.length)
})

test.each([
  ['say.saved', '保存成功！', 'Saved successfully!'], ['say.logged_in', '登录成功', 'Logged in'], ['fault.password_empty', '密码不能为空', 'Password is required'], ['fault.password_wrong', '密码错误', 'Wrong password'],
  ['fault.password_long', '密码最多8位数字', 'Password has at most 8 digits'], ['fault.password_mismatch', '两次输入的密码不一致', 'Passwords do not match'], ['fault.old_wrong', '旧密码错误', 'Old password is wrong'],
  ['fault.firmware_name', '固件只支持jbn、jap格式', 'Only jbn or jap firmware'], ['fw.warning', '升级过程中请勿断电！', 'Do not power off during upgrade!'], ['fw.progress', '升级中 {p}%', 'Upgrading {p}%'], ['fw.done', '升级成功，设备将重启', 'Upgraded, restarting'],
  ['fw.failed', '升级失败：{r}', 'Upgrade failed: {r}'], ['fault.mapping', '端口映射格式错误', 'Port mapping format error'], ['fault.address', 'IP地址不合法', 'Invalid IP address'], ['say.logout', '确定退出登录？', 'Log out?'], ['say.reboot', '确定重启设备？', 'Restart the device?'],
  ['say.reset', '恢复出厂将清除全部数据，请输入设备序列号确认', 'Factory reset erases everything; type the serial number'], ['fault.locked', '尝试次数过多，请{n}秒后再试', 'Too many attempts, retry in {n} s'], ['say.offline', '设备无响应', 'Device not responding'],
  ['say.unsaved', '有未保存的修改', 'Unsaved changes'], ['reader.truncation.none', '不截取', 'None'], ['reader.truncation.6', '6位', '6 digits'], ['reader.truncation.8', '8位', '8 digits'],
] as const)('31-A22 %s is %s and %s', (key, chinese_text, english_text) => {
  expect([zh[key], en[key]]).toEqual([chinese_text, english_text])
})
