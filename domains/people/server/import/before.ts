import { z } from 'zod'
import { openText, sealText } from '../seal.ts'

const Sealed = z.object({ sealed: z.string() })

/** The images from which an undo restores, sealed: they hold personal values of many people. */
export function sealBefore(data_key: Buffer, school_id: number, before: unknown): { sealed: string } {
  return { sealed: sealText(data_key, purposeOf(school_id), JSON.stringify(before)).toString('base64') }
}

/** Opens what `sealBefore` made. @throws Error when it is of another school or shape */
export function openBefore(data_key: Buffer, school_id: number, stored: unknown): unknown {
  const { sealed } = Sealed.parse(stored)
  return JSON.parse(openText(data_key, purposeOf(school_id), Buffer.from(sealed, 'base64')))
}

function purposeOf(school_id: number): string {
  return `people.import_before:${school_id}`
}
