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
  /** counts starts and stops: an answer to what was asked before the last one says nothing any more */
  let round = 0
  const watch = async () => (client_id === undefined ? undefined : sendWatch(client_id, channels()))
  const open = async (own: number) => {
    const given = (await kitPorts().realtime.ticket()).client_id
    if (own !== round) return
    client_id = given
    since = undefined
    await watch().catch((cause: unknown) => {
      // Who could not say what he wants to hear would be answered for ever, and told nothing.
      if (own === round) client_id = undefined
      throw cause
    })
  }
  const ask = async (own: number) => {
    try {
      if (client_id === undefined) await open(own)
      const asking = client_id
      if (own !== round || asking === undefined) return
      const answer = await kitPorts().realtime.poll(asking, since)
      if (own !== round) return
      if (since === undefined) hooks.gap()
      since = answer.since
      tell(hooks, answer.frames)
    } catch (cause) {
      if (own === round && cause instanceof CallError && cause.status === 404) client_id = undefined
    }
  }
  return {
    isRunning: () => timer !== undefined,
    start() {
      if (timer !== undefined) return
      const own = (round += 1)
      timer = window.setInterval(() => void ask(own), EVERY_MS)
      void ask(own)
    },
    stop() {
      window.clearInterval(timer)
      timer = undefined
      client_id = undefined
      round += 1
    },
    watch: () => void watch().catch(() => undefined),
  }
}

function tell(hooks: LinkHooks, frames: readonly unknown[]): void {
  for (const one of frames) {
    const frame = readFrame(one)
    if (frame) hooks.frame(frame)
  }
  hooks.state('polling')
}
