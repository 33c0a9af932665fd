import { z } from 'zod'

const Drivers = z.enum(['jdev', 'vf105'])
const most = 1000
/** A terminal of a fleet: its serial number, its secret and, where they are not the usual ones, the hardware it plays, its model, the cameras below it, which kinds a box recognises, how far its clock is ahead and why it takes no other time, whom somebody has entered at it, which rows it refuses and why, which program it runs, and how many bytes of a package come through its line in a second. */
export const FleetTerminal = z.object({ sn: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/u), secret: z.string().min(1), driver: Drivers.optional(), model: z.string().max(30).optional(), children: z.array(z.object({ sn: z.string(), state: z.enum(['online', 'offline', 'fault']) })).max(500).optional(), algorithms: z.array(z.string().max(4)).max(20).optional(), clock_offset_s: z.number().int().min(-86_400).max(86_400).optional(), clock_fault: z.string().min(1).max(100).optional(), local_persons: z.array(z.string().min(1).max(64)).max(20).optional(), refuse: z.record(z.string().max(128), z.object({ code: z.string(), text: z.string() })).optional(), app_version: z.string().max(40).optional(), line_bytes_s: z.number().int().min(1).optional() })
export type FleetTerminal = z.output<typeof FleetTerminal>

/**
 * Reads who a fleet is from a text: one device a line, `serial number,secret` and perhaps `,driver`; empty lines and lines that begin with # say nothing.
 * @throws Error that names the first line that is wrong, a serial number that stands twice, or too many devices
 */
export function readFleet(text: string): FleetTerminal[] {
  const found = new Map<string, FleetTerminal>()
  for (const [at, line] of text.split(/\r?\n/u).entries()) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue
    const [sn = '', secret = '', driver] = line.split(',').map(part => part.trim())
    const read = FleetTerminal.safeParse({ sn, secret, ...(driver ? { driver } : {}) })
    if (!read.success) throw new Error(`line ${at + 1}: expected "serial number,secret" or "serial number,secret,jdev|vf105"`)
    if (found.has(sn)) throw new Error(`line ${at + 1}: ${sn} stands twice`)
    found.set(sn, read.data)
  }
  if (found.size > most) throw new Error(`${found.size} devices: one process plays ${most} at most`)
  return [...found.values()]
}
