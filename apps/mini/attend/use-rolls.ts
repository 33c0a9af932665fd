import type { RollCall } from '@campus/attendance/contract'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Refused, sentenceOf } from '../shell/ask.ts'
import type { AttendPage } from './page.ts'
import { dropRoll, keepRoll, readRolls, saysTheSame, sendRolls } from './roll-queue.ts'
import type { KeptRoll, Sent } from './roll-queue.ts'

const retry_ms = 30_000
const conflict = 409

/** Rolls handed in on this phone: those that still wait for a line, or that the server has refused. */
export type RollBox = {
  queue: readonly KeptRoll[]
  /** hands one in: at once, or when there is a line again */
  hand: (roll: KeptRoll) => Promise<void>
  drop: (lesson_day_id: string) => void
  send: () => Promise<void>
}

/**
 * Keeps rolls of one person on his phone and sends them when there is a line (chapter 80 M13): as soon as the phone says so, every half
 * minute while something waits, and when he asks for it.
 */
export function useRolls({ live, call, say }: AttendPage, is_on: boolean): RollBox {
  const key = `attend_rolls_${live.told.school.school_id}_${live.told.me.user_id}`
  const [queue, setQueue] = useState<readonly KeptRoll[]>(() => (is_on ? readRolls(stored(key)) : []))
  const latest = useRef(queue)
  const sending = useRef(false)
  const put = useCallback(
    (next: readonly KeptRoll[]) => {
      latest.current = next
      setQueue(next)
      store(key, next)
    },
    [key],
  )
  const send = useCallback(async () => {
    if (sending.current || !latest.current.some(one => one.refusal === null)) return
    sending.current = true
    const before = latest.current
    const after = await sendRolls(before, roll => handIn(call, roll))
    sending.current = false
    // Another roll may have been handed in meanwhile.
    const added = latest.current.filter(one => !before.includes(one))
    put(added.reduce(keepRoll, after.queue))
    if (after.taken > 0) say('点名成功')
  }, [call, put, say])
  useEffect(() => {
    if (!is_on) return
    const tell = () => void send()
    window.addEventListener('online', tell)
    const timer = window.setInterval(tell, retry_ms)
    tell()
    return () => {
      window.removeEventListener('online', tell)
      window.clearInterval(timer)
    }
  }, [is_on, send])
  const hand = useCallback(
    async (roll: KeptRoll) => {
      put(keepRoll(latest.current, roll))
      await send()
      if (latest.current.some(one => one.lesson_day_id === roll.lesson_day_id && one.refusal === null))
        say('网络不可用，已保存在本机，联网后自动发送')
    },
    [put, send, say],
  )
  const drop = useCallback((lesson_day_id: string) => put(dropRoll(latest.current, lesson_day_id)), [put])
  return { queue, hand, drop, send }
}

async function handIn(call: AttendPage['call'], { lesson_day_id, version, rows, confirm_all, taken_at }: KeptRoll): Promise<Sent> {
  try {
    await call('submitRoll', { lesson_day_id, version, rows: [...rows], confirm_all, taken_at })
    return { kind: 'taken' }
  } catch (cause) {
    const is_lost = cause instanceof Refused && (cause.status === 0 || cause.status >= 500)
    if (is_lost) return { kind: 'no_line' }
    const is_ours = cause instanceof Refused && cause.status === conflict && (await isOurs(call, lesson_day_id, rows))
    return is_ours ? { kind: 'taken' } : { kind: 'refused', msg: sentenceOf(cause) }
  }
}

/** The answer to a first try may have been lost: then the roll of the server says the same. */
async function isOurs(call: AttendPage['call'], lesson_day_id: string, rows: KeptRoll['rows']): Promise<boolean> {
  const saved: RollCall | null = await call('roll', { lesson_day_id }).catch(() => null)
  return saved?.state === 'submitted' && saysTheSame({ rows }, saved.pupils)
}

function stored(key: string): string | null {
  try {
    return window.localStorage.getItem(key)
  } catch {
    return null
  }
}

function store(key: string, queue: readonly KeptRoll[]): void {
  try {
    if (queue.length === 0) window.localStorage.removeItem(key)
    else window.localStorage.setItem(key, JSON.stringify(queue))
  } catch {
    // A private window keeps it as long as the page is open.
  }
}
