import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'

/** An answer with the milliseconds from sending to its last byte. */
export type Answered = { status: number; text: string; ms: number }

type Sent = { method?: string; token?: string; json?: unknown; form?: FormData; from?: string }

const agents = new Map<string, Agent>()

/**
 * Sends one request over kept connections. `from` is the local address it comes from (127.0.0.2 is another address to the
 * server). A kept connection that the other side has closed while it was idle is replaced by a new one, once. Throws when the connection fails.
 */
export async function send(url: string, sent: Sent = {}): Promise<Answered> {
  return sendOnce(url, sent).catch((error: unknown) => {
    if (error instanceof IdleClosed) return sendOnce(url, sent)
    throw error
  })
}

class IdleClosed extends Error {}

async function sendOnce(url: string, { method = 'GET', token, json, form, from = '127.0.0.1' }: Sent): Promise<Answered> {
  const content = form ? new Response(form) : null
  const body = content ? Buffer.from(await content.arrayBuffer()) : json === undefined ? undefined : Buffer.from(JSON.stringify(json))
  const headers: Record<string, string> = {}
  if (token !== undefined) headers.authorization = token
  if (body) headers['content-length'] = String(body.length)
  if (body) headers['content-type'] = content?.headers.get('content-type') ?? 'application/json'
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers, agent: agentOf(from), localAddress: from }, answer => {
      readText(answer).then(text => resolve({ status: answer.statusCode ?? 0, text, ms: performance.now() - begun }), reject)
    })
    call.on('error', error => reject(call.reusedSocket ? new IdleClosed(error.message) : error))
    call.end(body)
  })
}

/** Status of a GET; 0 while nothing listens. */
export async function statusOf(url: string): Promise<number> {
  return (await send(url).catch(() => ({ status: 0 }))).status
}

/** The answer to a GET that must be a success; its milliseconds. */
export async function mustGet(url: string, token: string): Promise<number> {
  const { status, text, ms } = await send(url, { token })
  if (status !== 200) throw new Error(`${url}: ${status} ${text.slice(0, 200)}`)
  return ms
}

function agentOf(from: string): Agent {
  const agent = agents.get(from) ?? new Agent({ keepAlive: true, maxSockets: 64 })
  agents.set(from, agent)
  return agent
}

async function readText(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString('utf8')
}
