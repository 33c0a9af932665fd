import { firmwareFault, readPackage } from '@kit/terminal-protocol/console'
import type { FirmwareDone } from '@kit/terminal-protocol/console'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Desk } from './desk.ts'
import { afterwards, Refused } from './pages.ts'

const mega = 1024 * 1024
const most_bytes = 200 * mega
const head_bytes = 64
const [conflict, too_large, refused] = [409, 413, 422]
const Query = z.object({ name: z.string().min(1).max(200) })
const Bytes = z.custom<AsyncIterable<Buffer>>(value => typeof value === 'object' && value !== null && Symbol.asyncIterator in value)

/** Takes a package of firmware as the body of `POST /api/firmware?name=`; the terminal restarts with it once it has answered. */
export function addFirmwareCall(app: FastifyInstance, desk: Desk): void {
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
  app.post('/api/firmware', { bodyLimit: most_bytes }, async (request, reply): Promise<FirmwareDone> => {
    const { name } = Query.parse(request.query)
    const fault = firmwareFault(name) ?? (desk.terminal.faults.on_battery ? 'battery' : undefined)
    const { head, bytes } = await drained(Bytes.parse(request.body))
    if (fault) throw new Refused(refused, { code: fault })
    if (bytes > most_bytes) throw new Refused(too_large, { code: 'too_large' })
    const read = readPackage(name, head)
    if (!read) throw new Refused(refused, { code: 'firmware_broken' })
    if (desk.is_upgrading) throw new Refused(conflict, { code: 'busy' })
    desk.is_upgrading = true
    const { kind, version } = read
    const { firmware, app_version } = desk.terminal.build
    desk.note('warn', `upgrade of ${kind} to ${version}`)
    afterwards(reply, () => desk.terminal.upgrade(kind, version).finally(() => (desk.is_upgrading = false)))
    return { kind, before: kind === 'jbn' ? firmware : app_version, after: version }
  })
}

/** Reads a stream to its end and keeps its beginning. */
async function drained(stream: AsyncIterable<Buffer>): Promise<{ head: string; bytes: number }> {
  let head = Buffer.alloc(0)
  let bytes = 0
  for await (const part of stream) {
    if (head.length < head_bytes) head = Buffer.concat([head, part.subarray(0, head_bytes)])
    bytes += part.length
  }
  return { head: head.toString('latin1', 0, head_bytes), bytes }
}
