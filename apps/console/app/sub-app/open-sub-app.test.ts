import { toast } from '@kit/web'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openSubApp } from './open-sub-app.ts'

/** What is said in the console is heard here. */
const { warning } = toast
const uninitialised = '系统参数未进行初始化，请联系管理员'
type Tab = { opener: unknown; location: { replace: (address: string) => void }; close: () => void }

let done: string[]
let said: string[]
let answers: Record<string, object>
let blocked: boolean

beforeEach(() => {
  done = []
  said = []
  blocked = false
  answers = { enable: { enable: 1 }, link: { url: '/mini/cloud/?app=cloudFee&sign=0', expire_at: '2026-11-20T08:05:00+08:00' } }
  const open = (address: string, target: string): Tab | null => {
    done.push(`open ${address} ${target}`)
    return blocked ? null : { opener: 'the console', location: { replace: to => void done.push(`go ${to}`) }, close: () => void done.push('close') }
  }
  vi.stubGlobal('window', { open, setTimeout, location: { href: 'http://campus.test/IconMenu' } })
  vi.stubGlobal('fetch', async (address: string) => {
    const which = address.includes('cloud_fee') ? 'enable' : 'link'
    done.push(`ask ${which}`)
    const data = answers[which]
    return data === undefined ? Response.json({ code: 422, msg: uninitialised, data: null }, { status: 422 }) : Response.json({ code: 600, msg: '', data })
  })
  toast.warning = text => void said.push(text)
})
afterEach(() => {
  vi.unstubAllGlobals()
  toast.warning = warning
})

test('10-A19 a cloud application whose service is off says so: no window, no link asked for', async () => {
  answers.enable = { enable: 0 }
  await openSubApp('cloudFee')
  expect([done, said]).toEqual([['ask enable'], [uninitialised]])
})

test('10-A19 with the service on the window comes first and is pointed to the link', async () => {
  await openSubApp('cloudFee')
  expect([done, said]).toEqual([['ask enable', 'open  _blank', 'ask link', 'go http://campus.test/mini/cloud/?app=cloudFee&sign=0'], []])
})

test('10-A19 a link that is refused all the same leaves no window behind', async () => {
  delete answers.link
  await openSubApp('cloudFee')
  expect([done, said]).toEqual([['ask enable', 'open  _blank', 'ask link', 'close'], [uninitialised]])
})

test('a window that the browser blocks asks for no link and says what to do', async () => {
  blocked = true
  await openSubApp('hall')
  expect([done, said]).toEqual([['open  _blank'], ['浏览器拦截了新窗口，请允许本站弹出窗口后重试']])
})
