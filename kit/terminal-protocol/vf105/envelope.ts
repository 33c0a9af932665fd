import { wellFormedValue } from '@kit/contract/checks'
import { z } from 'zod'

/** A serial is the id of the command without its dashes: exactly 32 characters (chapter 31 §5.7.6). */
export function serialOf(id: string): string {
  return id.replaceAll('-', '')
}

const Said = z.object({ serialNo: z.string().min(1).max(32), uuid: z.string().max(128), time: z.number().optional(), code: z.string().max(20).optional(), message: z.string().transform(text => text.slice(0, 2000)).optional(), data: z.unknown().optional() })
export type Said = z.output<typeof Said>

const deepest = 32

/** The bytes of a message; fields in the order of the vendor's own. `data` is left out where there is none. */
export function encodeSaid(head: { serialNo: string; uuid: string; code?: string; time: number; message?: string }, data?: unknown): Buffer {
  const { serialNo, uuid, code, time, message } = head
  return Buffer.from(JSON.stringify({ serialNo, uuid, ...(code === undefined ? {} : { code }), time, sign: '', ...(data === undefined ? {} : { data }), ...(message === undefined ? {} : { message }) }))
}

/** Reads what a device said. Never throws. */
export function readSaid(bytes: Uint8Array): { said: Said } | { bad: string } {
  const json = parse(bytes)
  if (json === undefined) return { bad: 'json' }
  if (isDeeper(json, deepest)) return { bad: 'too_deep' }
  const read = Said.safeParse(json)
  return read.success ? { said: read.data } : { bad: 'envelope' }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some(one => isDeeper(one, levels - 1))
}

function parse(bytes: Uint8Array): unknown {
  try {
    return wellFormedValue(JSON.parse(Buffer.from(bytes).toString('utf8')))
  } catch {
    return undefined
  }
}
