import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** One request as its caller saw it; `status` null: no whole answer came, `error` says why. */
export type Seen = { sent_at: number; is_fresh: boolean; status: number | null; error: string | null; body: string; connection: string | undefined }
export type Target = { method: string; path: string; body?: string }

/** Who was refused rests before he asks again: a server that stops refuses in no time, and thousands of refusals prove no more than a hundred. */
const refused_rest_ms = 50

/** Several callers, each with one request at a time and a rest after it; the odd ones open a connection for every request, the others keep theirs. */
export function startLoad(url: string, token: string, targets: readonly Target[], callers: number, rest_ms = 0) {
  const seen: Seen[] = []
  const stopped = new AbortController()
  const caller = async (number: number) => {
    const agent = number % 2 === 0 ? new Agent({ keepAlive: true, maxSockets: 1 }) : false
    for (let round = 0; !stopped.signal.aborted; round += 1) {
      const target = targets[(number + round) % targets.length]
      if (!target) throw new Error('no target')
      const one = await ask(url, token, target, agent)
      seen.push(one)
      if (one.error === 'ECONNREFUSED') break
      const rests_ms = one.status === 503 ? refused_rest_ms : rest_ms
      if (rests_ms > 0) await pause(rests_ms)
    }
    if (agent) agent.destroy()
  }
  const all = Promise.all(Array.from({ length: callers }, (_, number) => caller(number)))
  const stop = async () => {
    stopped.abort()
    await all
    return seen
  }
  return { seen, stop }
}

function ask(url: string, token: string, { method, path, body }: Target, agent: Agent | false): Promise<Seen> {
  const one: Seen = { sent_at: performance.now(), is_fresh: true, status: null, error: null, body: '', connection: undefined }
  return new Promise(resolve => {
    const lost = (error: NodeJS.ErrnoException) => resolve({ ...one, is_fresh: !asked.reusedSocket, error: error.code ?? error.message })
    const asked = request(`${url}${path}`, { method, agent, headers: { authorization: token, ...(body === undefined ? {} : { 'content-type': 'application/json' }) } }, answer => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.on('error', lost)
      answer.on('end', () => resolve({ ...one, is_fresh: !asked.reusedSocket, status: answer.statusCode ?? null, body: text, connection: answer.headers.connection }))
    })
    asked.on('error', lost)
    asked.end(body)
  })
}
