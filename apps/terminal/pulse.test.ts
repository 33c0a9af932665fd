import { rowHash } from '@kit/terminal-protocol'
import { afterEach, expect, test, vi } from 'vitest'
import { AiBox } from './box/ai-box.ts'
import { JdevTerminal } from './jdev/terminal.ts'
import { passSomewhere, startPulse } from './pulse.ts'

const way = { url: 'mqtt://127.0.0.1:1', secret: 'x' }
const line = { send: () => undefined }

/** A terminal on a line, with so many cards. */
function attached(terminal: JdevTerminal, cards: readonly string[] = []): JdevTerminal {
  for (const [n, code] of cards.entries()) {
    const body = { id: String(n), user_id: String(7000 + n), kind: 'card', code }
    terminal.store.apply({ k: 'credential', key: String(n), op: 'put', ver: 1, hash: rowHash(body), body })
  }
  terminal.attach(line)
  return terminal
}

afterEach(() => void vi.useRealTimers())

const shown = (terminal: JdevTerminal) => terminal.store.oldest(1000).filter(item => item.type === 'pass')

test('people pass at doors that know somebody: never at a box, a board, an empty door or one without a line', () => {
  const gate = attached(new JdevTerminal({ ...way, sn: 'GATE' }), ['CARD1', 'CARD2'])
  const others = [attached(new AiBox({ ...way, sn: 'BOX', address: '' })), attached(new JdevTerminal({ ...way, sn: 'BOARD', model: 'JD-B32' }), ['CARD4']), attached(new JdevTerminal({ ...way, sn: 'EMPTY' }))]
  const dark = attached(new JdevTerminal({ ...way, sn: 'DARK' }), ['CARD3'])
  dark.attach(undefined)
  let at = 0
  const dice = () => ((at += 1) % 97) / 97
  for (let n = 0; n < 200; n += 1) passSomewhere([...others, dark, gate], dice)
  expect([...others, dark].map(terminal => shown(terminal).length)).toEqual([0, 0, 0, 0])
  const codes = shown(gate).map(item => item.code_masked)
  expect([codes.length, [...new Set(codes)].toSorted()]).toEqual([200, ['****0000', '****ARD1', '****ARD2']])
  expect(codes.filter(code => code === '****0000').length).toBeLessThan(20)
})

test('so many pass in a minute as are wanted, also when the process was busy in between; after a long sleep a second of them comes at once, not all', () => {
  vi.useFakeTimers()
  const gate = attached(new JdevTerminal({ ...way, sn: 'GATE' }), ['CARD1'])
  let late_ms = 0
  startPulse([gate], 6000, () => performance.now() + late_ms)
  vi.advanceTimersByTime(1000)
  expect(shown(gate).length).toBe(100)
  late_ms = 500
  vi.advanceTimersToNextTimer()
  expect(shown(gate).length).toBe(151)
  late_ms = 3_600_000
  vi.advanceTimersToNextTimer()
  expect(shown(gate).length).toBe(251)
})
