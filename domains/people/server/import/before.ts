import { z } from 'zod'
import { openText, sealText } from '../seal.ts'
import type { Image } from './image.ts'

/** A part as it stood; null: it was not there. */
export type PartBefore = { key: string; image: Image | null }

const Stored = z.union([z.object({ sealed: z.string() }), z.object({ made: z.array(z.string()) })])

/** The images from which an undo restores, sealed: they hold personal values of many people. Of a row that made everything only the keys. */
export function sealBefore(data_key: Buffer, school_id: number, parts: readonly PartBefore[]): z.output<typeof Stored> {
  if (parts.every(({ image }) => image === null)) return { made: parts.map(({ key }) => key) }
  return { sealed: sealText(data_key, purposeOf(school_id), JSON.stringify(parts)).toString('base64') }
}

/** Opens what `sealBefore` made. @throws Error when it is of another school or shape */
export function openBefore(data_key: Buffer, school_id: number, stored: unknown): unknown {
  const known = Stored.parse(stored)
  if ('made' in known) return known.made.map(key => ({ key, image: null }))
  return JSON.parse(openText(data_key, purposeOf(school_id), Buffer.from(known.sealed, 'base64')))
}

/** The same, sealed with today's key; null for what is not sealed, or not by this domain. */
export function carryBefore(data_key: Buffer, school_id: number, stored: unknown): z.output<typeof Stored> | null {
  const known = z.object({ sealed: z.string() }).safeParse(stored).data
  if (!known) return null
  const text = tryOpen(() => openText(data_key, purposeOf(school_id), Buffer.from(known.sealed, 'base64')))
  return text === null ? null : { sealed: sealText(data_key, purposeOf(school_id), text).toString('base64') }
}

function tryOpen(open: () => string): string | null {
  try {
    return open()
  } catch {
    return null
  }
}

function purposeOf(school_id: number): string {
  return `people.import_before:${school_id}`
}
