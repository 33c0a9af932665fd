import { z } from 'zod'

/** The channel of the database on which the nodes tell each other. */
export const notice_channel = 'campus_realtime'
/** A notice of the database takes 8,000 bytes. */
export const notice_bytes = 7900

/** Whom a notice is for; absent = everybody who watches the channel. */
const Whom = z.object({ users: z.array(z.string()).optional(), sessions: z.array(z.string()).optional(), roles: z.array(z.string()).optional() })
export type Whom = z.output<typeof Whom>

/**
 * What one node tells all of them, itself too, after the commit. `rows` on a channel, or `gap` where they were too many to be told; `end`
 * closes the connections of the named sessions after it. `watch`: a client's channels are other ones now.
 */
export const Notice = z.union([
  z.object({ school_id: z.number().int(), watch: z.string() }),
  z.object({
    school_id: z.number().int(),
    ch: z.string(),
    rows: z.array(z.record(z.string(), z.unknown())),
    gap: z.literal(true).optional(),
    to: Whom.optional(),
    end: z.literal(true).optional(),
  }),
])
export type Notice = z.output<typeof Notice>
export type Told = Extract<Notice, { ch: string }>

/** Reads a notice; undefined when it is none of ours. */
export function readNotice(payload: string): Notice | undefined {
  try {
    return Notice.safeParse(JSON.parse(payload)).data
  } catch {
    return undefined
  }
}
