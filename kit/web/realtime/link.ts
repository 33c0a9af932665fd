import { CallError } from '../call/envelope.ts'
import { serverNow } from '../call/network.ts'
import { kitPorts } from '../ports.ts'
import { dial } from './dial.ts'
import type { Standing } from './dial.ts'
import type { LinkHooks } from './listeners.ts'
import { openPolls } from './polls.ts'
import { retryWait } from './retry-wait.ts'
import { sendWatch } from './watch.ts'

const RENEW_AHEAD_MS = 90_000
const LEAST_RENEWAL_MS = 10_000
/** Without a connection for so long the browser asks instead, every few seconds. */
const PATIENCE_MS = 4000

export type Link = { watch(channels: readonly string[]): void; close(): void }
type Line = {
  hooks: LinkHooks
  channels: readonly string[]
  polls: ReturnType<typeof openPolls>
  standing: Standing | undefined
  failed: number
  closed: boolean
  timers: number[]
}

/** The connection of the leading tab: comes back by itself, renews its ticket, asks by HTTP while it cannot stand. */
export function openLink(hooks: LinkHooks, channels: readonly string[]): Link {
  const line: Line = { hooks, channels, polls: openPolls(hooks, () => line.channels), standing: undefined, failed: 0, closed: false, timers: [] }
  later(line, PATIENCE_MS, () => line.polls.start())
  attempt(line)
  return {
    watch(next) {
      line.channels = next
      if (line.standing) watch(line, line.standing)
      else line.polls.watch()
    },
    close() {
      line.closed = true
      clear(line)
      line.polls.stop()
      line.standing?.end()
    },
  }
}

function attempt(line: Line): void {
  dial({ up: (standing) => up(line, standing), down: () => down(line), frame: line.hooks.frame, isClosed: () => line.closed }).catch((cause: unknown) => {
    // The session is over: the login page is on its way.
    if (!(cause instanceof CallError && cause.status === 401)) down(line)
  })
}

function up(line: Line, standing: Standing): void {
  clear(line)
  line.failed = 0
  line.standing = standing
  line.polls.stop()
  renewLater(line, standing, standing.ticket.expire_at)
  watch(line, standing)
  // Something may have happened since the page asked, or since the last connection fell.
  line.hooks.gap()
  line.hooks.state('live')
}

function down(line: Line): void {
  line.standing = undefined
  if (line.closed) return
  clear(line)
  line.hooks.state(line.polls.isRunning() ? 'polling' : 'off')
  if (!line.polls.isRunning()) later(line, PATIENCE_MS, () => line.polls.start())
  later(line, retryWait(line.failed, Math.random()), () => attempt(line))
  line.failed += 1
}

function watch(line: Line, standing: Standing): void {
  void sendWatch(standing.ticket.client_id, line.channels).catch(() => standing.end())
}

/** A ticket is renewed well before its end; a connection that cannot renew it is made anew. */
function renewLater(line: Line, standing: Standing, expire_at: string): void {
  later(line, Math.max(LEAST_RENEWAL_MS, Date.parse(expire_at) - serverNow() - RENEW_AHEAD_MS), () => {
    void renew(standing).then((next) => renewLater(line, standing, next), () => standing.end())
  })
}

async function renew({ ticket, publish }: Standing): Promise<string> {
  const again = await kitPorts().realtime.ticket(ticket.client_id)
  if (again.client_id !== ticket.client_id) throw new Error('the server has forgotten this connection')
  publish('up/auth', { token: again.token })
  return again.expire_at
}

function later(line: Line, ms: number, act: () => void): void {
  line.timers.push(window.setTimeout(act, ms))
}

function clear(line: Line): void {
  for (const timer of line.timers) window.clearTimeout(timer)
  line.timers = []
}
