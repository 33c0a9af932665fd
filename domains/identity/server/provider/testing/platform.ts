import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'

/** What was asked of the platform: path, query, JSON or form body. */
export type Heard = { path: string; query: URLSearchParams; body: string; authorization: string }
type Said = { status?: number; body?: unknown; location?: string }

type Talk = (heard: Heard) => Said | Promise<Said>
/** `answer` may be changed while it runs. */
export type RunningPlatform = { url: string; heard: Heard[]; answer: Talk; close(): Promise<void> }

/** A platform of an outside company on loopback. */
export async function startPlatform(first: Talk): Promise<RunningPlatform> {
  const platform: RunningPlatform = { url: '', heard: [], answer: first, close: async () => undefined }
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://platform')
    const heard = { path: pathname, query: searchParams, body: await bodyOf(request), authorization: request.headers.authorization ?? '' }
    platform.heard.push(heard)
    const { status = 200, body = {}, location } = await platform.answer(heard)
    response.writeHead(location ? 302 : status, { 'content-type': 'application/json', ...(location ? { location } : {}) })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  platform.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  platform.close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return platform
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString('utf8')
}
