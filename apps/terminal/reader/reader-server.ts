import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { z } from 'zod'
import { reader_errors } from './virtual-reader.ts'
import type { ReaderError, TrayCard, VirtualReader } from './virtual-reader.ts'

const loopback = '127.0.0.1'
const most_bytes = 16_384
const [done, bad, foreign, unknown, too_big] = [200, 400, 403, 404, 413]
const page = readFileSync(join(import.meta.dirname, 'page.html'), 'utf8')

const isError = (code: number): code is ReaderError => code in reader_errors
const Hand = z.strictObject({ lay: z.string().optional(), take: z.string().optional(), fault: z.number().refine(isError).optional(), slow: z.boolean().optional(), plugged: z.boolean().optional() })

export type ReaderServer = { port: number; close(): Promise<void> }
type Tray = { reader: VirtualReader; cards: readonly TrayCard[]; origins: readonly string[] }

/**
 * Serves a virtual reader on this machine alone: the calls of chapter 31 §8 to consoles of the named origins, and a page with the tray at `/`. Port 0: any free one.
 */
export async function openReader(tray: Tray, wanted_port: number): Promise<ReaderServer> {
  const server = createServer((request, response) => {
    void serve(tray, request, response).catch(() => send(response, bad, { error: 'bad_request' }))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(wanted_port, loopback, resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : wanted_port
  return {
    port,
    close: () => new Promise(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    }),
  }
}

async function serve(tray: Tray, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url = '/', headers } = request
  // A page of another address may not even ask whether there is a reader; names that lead here by a foreign server's word are refused too.
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/u.test(headers.host ?? '')) return send(response, foreign, { error: 'host' })
  const is_own = headers.origin === undefined || headers.origin === `http://${headers.host}`
  if (!is_own && !tray.origins.includes(headers.origin ?? '')) return send(response, foreign, { error: 'origin' })
  if (!is_own) allow(response, headers.origin ?? '')
  if (method === 'OPTIONS') return void response.writeHead(204).end()
  if (method === 'GET' && url === '/') return void response.writeHead(done, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(page)
  if (method === 'GET' && url === '/_tray' && is_own) return send(response, done, stateOf(tray))
  if (method !== 'POST' || headers['content-type']?.startsWith('application/json') !== true) return send(response, unknown, { error: 'unknown' })
  const text = await readText(request)
  if (text === null) return send(response, too_big, { error: 'too_big' })
  const body: unknown = text === '' ? {} : JSON.parse(text)
  if (url === '/_tray') return is_own ? send(response, done, hand(tray, body)) : send(response, foreign, { error: 'origin' })
  const reply = await tray.reader.answer(url.slice(1), body)
  return reply ? send(response, done, reply) : send(response, unknown, { error: 'unknown' })
}

function allow(response: ServerResponse, origin: string): void {
  response.setHeader('Access-Control-Allow-Origin', origin)
  response.setHeader('Vary', 'Origin')
  response.setHeader('Access-Control-Allow-Methods', 'POST')
  response.setHeader('Access-Control-Allow-Headers', 'content-type')
  // Where the console is no page of this network, the browser asks for this before it lets it reach into it.
  response.setHeader('Access-Control-Allow-Private-Network', 'true')
}

/** What a hand does with the tray: lays a card on the reader or takes it away, pulls the cable, has the next call fail. */
function hand(tray: Tray, body: unknown): Record<string, unknown> {
  const { lay, take, fault, slow, plugged } = Hand.parse(body)
  const { reader } = tray
  if (lay !== undefined) reader.lying.add(lay)
  if (take !== undefined) reader.lying.delete(take)
  if (fault !== undefined) reader.faults.push(fault)
  if (slow !== undefined) reader.is_slow = slow
  if (plugged !== undefined) reader.is_plugged = plugged
  return stateOf(tray)
}

function stateOf({ reader, cards }: Tray): Record<string, unknown> {
  return { cards, lying: [...reader.lying], slow: reader.is_slow, plugged: reader.is_plugged, beeps: reader.beeps, errors: reader_errors }
}

async function readText(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request) {
    parts.push(Buffer.from(part))
    bytes += parts.at(-1)?.length ?? 0
    if (bytes > most_bytes) return null
  }
  return Buffer.concat(parts).toString('utf8')
}

function send(response: ServerResponse, status: number, body: Record<string, unknown>): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }).end(JSON.stringify(body))
}
