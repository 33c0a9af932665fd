import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { z } from 'zod'

const Envelope = z.object({ code: z.number(), msg: z.string(), data: z.unknown(), error_id: z.string().optional() })

/** A bare connection; `text` is all that came, `closed` resolves to the milliseconds it lived. */
export type Wire = { socket: Socket; text(): string; closed: Promise<number> }

/** Opens one and sends the lines as they are. */
export function openWire(url: string, sent: string): Wire {
  const { hostname, port } = new URL(url)
  const opened = performance.now()
  let text = ''
  const socket = connect(Number(port), hostname, () => socket.write(sent))
  socket.setEncoding('utf8').on('data', (part: string) => (text += part))
  socket.on('error', () => {})
  const closed = new Promise<number>(resolve => socket.once('close', () => resolve(performance.now() - opened)))
  return { socket, text: () => text, closed }
}

/** Sends the lines and waits for the end of the connection; status and envelope of the answer. */
export async function askRaw(url: string, lines: readonly string[]): Promise<{ status: number; head: string; body: z.output<typeof Envelope> }> {
  const wire = openWire(url, `${lines.join('\r\n')}\r\n\r\n`)
  await wire.closed
  const [head = '', body = ''] = wire.text().split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body: Envelope.parse(JSON.parse(body)) }
}
