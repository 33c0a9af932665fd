import { CallError } from '../call/envelope.ts'
import { kitPorts } from '../ports.ts'
import { readFrame } from './frame.ts'
import type { LinkHooks } from './listeners.ts'
import { sendWatch } from './watch.ts'

const EVERY_MS = 5000

/** Asks every five seconds for what a connection would tell (chapter 31 §2). */
export function openPolls(hooks: LinkHooks, channels: () => readonly string[]) {
  let timer: number | undefined
  let client_id: string | undefined
  let since: string | undefined
  const watch = async () => {
    if (client_id !== undefined) await sendWatch(client_id, channels())
  }
  const open = async () => {
    client_id = (await kitPorts().realtime.ticket()).client_id
    since = undefined
    await watch().catch((cause: unknown) => {
      // Who could not say what he wants to hear would be answered for ever, and told nothing.
      client_id = undefined
      throw cause
    })
  }
  const ask = async () => {
    try {
      if (client_id === undefined) await open()
      const answer = await kitPorts().realtime.poll(client_id ?? '', since)
      if (since === undefined) hooks.gap()
      since = answer.since
      answer.frames.forEach((one) => {
        const frame = readFrame(one)
        if (frame) hooks.frame(frame)
      })
      if (timer !== undefined) hooks.state('polling')
    } catch (cause) {
      if (cause instanceof CallError && cause.status === 404) client_id = undefined
    }
  }
  return {
    isRunning: () => timer !== undefined,
    start() {
      if (timer !== undefined) return
      timer = window.setInterval(() => void ask(), EVERY_MS)
      void ask()
    },
    stop() {
      window.clearInterval(timer)
      timer = undefined
      client_id = undefined
    },
    watch: () => void watch().catch(() => undefined),
  }
}
