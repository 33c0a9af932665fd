import { z } from 'zod'
import { bringOnline } from './link.write.ts'
import type { Session, Sessions } from './sessions.ts'

const Envelope = z.object({ v: z.literal(1), id: z.string().max(64), epoch: z.string().max(64), ts: z.iso.datetime({ offset: true }), type: z.string(), body: z.record(z.string(), z.unknown()) })
const HelloBody = z.object({ sn: z.string(), firmware: z.string().max(40).optional(), app_version: z.string().max(40).optional(), store_id: z.string().max(64).optional() })

/** What a device says, in the order in which it says it. */
export async function hearDevice(sessions: Sessions, session: Session, topic: string, payload: Buffer): Promise<void> {
  const envelope = read(payload)
  if (!envelope || !session.device || sessions.of(session.client_id) !== session) return
  const now = sessions.app.clock.now()
  if (topic.endsWith('/up/hello')) return hello(sessions, session, envelope)
  sessions.seen(session, now, Math.round(now.getTime() - Date.parse(envelope.ts)))
}

async function hello(sessions: Sessions, session: Session, { epoch, body }: z.output<typeof Envelope>): Promise<void> {
  const said = HelloBody.safeParse(body).data
  if (!said || said.sn !== session.client_id) return
  session.epoch = epoch
  await sessions.inLine(session, line => bringOnline(line, { epoch, client_ip: session.address, firmware_version: said.firmware, app_version: said.app_version, store_id: said.store_id }))
}

function read(payload: Buffer): z.output<typeof Envelope> | undefined {
  try {
    return Envelope.safeParse(JSON.parse(payload.toString())).data
  } catch {
    return undefined
  }
}
