import { demo_tray, openReader, VirtualReader } from '@apps/terminal'
import type { ReaderServer } from '@apps/terminal'
import { sealSocialKey } from '@kit/terminal-protocol'
import { afterEach, expect, test, vi } from 'vitest'
import { cookieOf, whyNotAt } from './reader-address.ts'
import { askReader } from './reader-ask.ts'
import { readCards } from './reader-loop.ts'
import type { ReadCard, ReaderConfig } from './reader-loop.ts'

const pairing = '5'.repeat(64)
const [first, second] = ['2A83155E', '00D507D0']
const running: { stop: AbortController; server: ReaderServer; done: Promise<void> }[] = []
afterEach(async () => {
  for (const { stop, server, done } of running.splice(0)) {
    stop.abort()
    await done
    await server.close()
  }
})

/** A page before a virtual reader; `is_mine` false: another page has the reader. */
async function aPage({ config = { mode: 'uid' }, is_mine = true }: { config?: ReaderConfig; is_mine?: boolean } = {}) {
  const reader = new VirtualReader(demo_tray, { pairing })
  const server = await openReader({ reader, cards: demo_tray, origins: ['http://console.test'] }, 0)
  const stop = new AbortController()
  const [told, cards]: [string[], ReadCard[]] = [[], []]
  const page = { told, cards, reader, server, lease: { is_mine, is_free: false }, stop }
  const done = readCards({
    ask: (call, body) => askReader({ ip: '127.0.0.1', port: server.port }, call, call === 'req_card' ? { timeout_ms: 0 } : body, stop.signal),
    config: () => Promise.resolve(config),
    lease: { hold: () => Promise.resolve(page.lease.is_mine), letGo: () => void (page.lease.is_free = true) },
    wait: () => new Promise(resolve => setTimeout(resolve, 5)),
    tell: (state, sentence) => void told.push(sentence === null ? state : `${state} ${sentence}`),
    heard: card => void cards.push(card),
  }, stop.signal)
  running.push({ stop, server, done })
  return { ...page, done }
}

test('31-A24 each of the six errors is told in a sentence that says what to do', async () => {
  const { reader, told, stop, done } = await aPage()
  await vi.waitFor(() => expect(told).toContain('waiting 没有检测到卡片，请把卡片平放在读卡器上'))
  const sentences = { 2: 'waiting 还没有读到卡片，请把卡片平放在读卡器上', 3: 'waiting 读卡器忙，请稍候再放卡', 5: 'error 读卡器未打开或已断开，请检查数据线，恢复后自动继续', 6: 'error 检测到多张卡，请只放一张卡', 4: 'error 密钥错误，请联系管理员核对社保卡密钥和读卡器的配对密钥' } as const
  for (const code of [2, 3, 5, 6, 4] as const) {
    reader.faults.push(code)
    await vi.waitFor(() => expect(told).toContain(sentences[code]))
  }
  // A wrong key does not become right by itself.
  await done
  expect(stop.signal.aborted).toBe(false)
})

test('31-A24 a reader that loses its cable while a card is waited for says so, and goes on by itself when it is back', async () => {
  const { reader, told, cards } = await aPage()
  await vi.waitFor(() => expect(told).toContain('connected'))
  reader.is_plugged = false
  await vi.waitFor(() => expect(told).toContain('error 读卡器未打开或已断开，请检查数据线，恢复后自动继续'))
  reader.is_plugged = true
  reader.lying.add(first)
  await vi.waitFor(() => expect(cards).toEqual([{ uid_hex: first }]))
})

test('31-A24 of two pages the second is told that the reader is in use; whoever loses it stops', async () => {
  const { told } = await aPage({ is_mine: false })
  await vi.waitFor(() => expect(told).toEqual(['error 读卡器正被其他页面使用']))
  const { told: other, lease, done } = await aPage()
  await vi.waitFor(() => expect(other).toContain('connected'))
  lease.is_mine = false
  await done
  expect([other.at(-1), lease.is_free]).toEqual(['error 读卡器正被其他页面使用', true])
})

test('a card that stays counts once and is beeped for, the next one counts; two at once are none', async () => {
  const { reader, told, cards } = await aPage()
  reader.lying.add(first)
  await vi.waitFor(() => expect(told.filter(one => one === 'read').length).toBeGreaterThan(5))
  expect([cards.map(card => card.uid_hex), reader.beeps]).toEqual([[first], 1])
  reader.lying.add(second)
  await vi.waitFor(() => expect(told).toContain('error 检测到多张卡，请只放一张卡'))
  reader.lying.delete(first)
  await vi.waitFor(() => expect(cards.map(card => card.uid_hex)).toEqual([first, second]))
})

test('31-A24 a page that is stopped, as when it is hidden, asks no more and gives the reader back', async () => {
  const { reader, stop, done, cards, lease } = await aPage()
  await vi.waitFor(async () => expect((await reader.answer('get_state', {}))?.data.opened).toBe(true))
  stop.abort()
  await done
  reader.lying.add(first)
  expect([lease.is_free, cards]).toEqual([true, []])
})

test('the key of social cards is taken once and until its end, and never by readers of others', async () => {
  const sealed = (expires_at: Date, by = pairing) => sealSocialKey(by, { sector: 1, key: 'A0A1A2A3A4A5', expires_at })
  const soon = new Date(Date.now() + 60_000)
  const key = sealed(soon)
  const reader = new VirtualReader(demo_tray, { pairing })
  await reader.answer('open', {})
  const set = async (with_key: string) => (await reader.answer('set_cfg', { mode: 'social', key: with_key }))?.code
  expect([await set(key), await set(key), await set(sealed(new Date(0))), await set(sealed(soon, '6'.repeat(64))), await set('A0A1A2A3A4A5')]).toEqual([0, 4, 4, 4, 4])
  const { reader: own, cards } = await aPage({ config: { mode: 'social', sector: 1, key: sealed(soon) } })
  own.lying.add('D13A55F0')
  await vi.waitFor(() => expect(cards[0]?.social?.area).toBe('330100'))
})

test.each<[string, number, string, string | null, string | null]>([
  ['127.0.0.1', 32_156, 'http:', null, null],
  ['127.0.0.1', 32_156, 'https:', null, null],
  ['192.168.3.9', 32_156, 'http:', '192.168.3.9:32156', null],
  ['192.168.3.9', 32_156, 'http:', null, '首次使用此读卡点需要刷新页面'],
  ['192.168.3.9', 32_156, 'https:', '192.168.3.9:32156', '当前页面为安全连接，请在本机安装读卡服务'],
  ['8.8.8.8', 32_156, 'http:', '8.8.8.8:32156', 'IP地址不合法'],
  ['10.0.0.1@8.8.8.8', 32_156, 'http:', null, 'IP地址不合法'],
])('31-A24 a page asks a reader at %s:%i over %s, permitted %s: %s', (ip, port, protocol, permitted, why) => {
  expect(whyNotAt({ ip, port }, protocol, permitted)).toBe(why)
})

test('a reader answers pages of its console alone, and its tray nobody from elsewhere', async () => {
  const { server } = await aPage()
  const ask = (path: string, headers: Record<string, string>, method = 'POST') => fetch(`http://127.0.0.1:${server.port}${path}`, { method, headers: { 'content-type': 'application/json', ...headers }, ...(method === 'POST' ? { body: '{}' } : {}) })
  const own = await ask('/get_state', { origin: 'http://console.test' })
  expect([own.status, own.headers.get('access-control-allow-origin'), own.headers.get('access-control-allow-private-network')]).toEqual([200, 'http://console.test', 'true'])
  expect((await ask('/get_state', { origin: 'http://evil.test' })).status).toBe(403)
  expect((await ask('/get_state', { origin: 'http://console.test', 'content-type': 'text/plain' })).status).toBe(404)
  expect((await ask('/_tray', { origin: 'http://console.test' })).status).toBe(403)
  expect((await ask('/', {}, 'GET')).status).toBe(200)
  expect([cookieOf('a=1; campus_reader=10.0.0.3:32156; b=2'), cookieOf('campus_readers=1.2.3.4')]).toEqual(['10.0.0.3:32156', null])
})
