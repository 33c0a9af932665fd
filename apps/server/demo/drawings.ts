import { createHash } from 'node:crypto'
import { keepAllMade } from '@campus/files/server'
import type { MadeFor } from '@campus/files/server'
import { asTables } from '@kit/server/db'
import { drawJpeg } from '@kit/server/image'
import type { Picture } from '@kit/server/image'
import type { Kysely } from 'kysely'
import type { Work } from './school-work.ts'

/** Nobody of the school has made them. */
export const made_by = '0'

/** What to draw; `name`: of the file, with its extension. */
export type Sketch = { name: string; svg: string }
/** A drawing for the store of a school: the same on every machine, of nobody and nothing real. */
export type Drawing = Picture & { file_key: string; sha256: string }

/** Draws side by side, equal pictures once. Nothing is kept yet. @returns the sketches with their drawings */
export function drawFiles<S extends Sketch>(school_id: number, sketches: readonly S[]): Promise<(S & Drawing)[]> {
  const pictures = new Map([...new Set(sketches.map(({ svg }) => svg))].map(svg => [svg, drawJpeg(svg)] as const))
  return Promise.all(sketches.map(async sketch => {
    const picture = await (pictures.get(sketch.svg) ?? drawJpeg(sketch.svg))
    return { ...sketch, ...picture, file_key: `${school_id}/${made_by}/20260901/${sketch.name}`, sha256: createHash('sha256').update(picture.bytes).digest('hex') }
  }))
}

/** Puts drawings into the store of the school and enters each with what uses it (`ref`). */
export async function keepDrawings({ app, db, school_id, now }: Work, purpose: MadeFor['purpose'], drawn: readonly (Drawing & Pick<MadeFor, 'ref'>)[]): Promise<void> {
  // The key of the school is asked for in the transaction that fills it.
  const own = <DB, R>(_school: number, fn: (handle: Kysely<DB>) => Promise<R>) => fn(asTables<DB>(db))
  const enter = await keepAllMade({ app, own, now }, school_id, made_by, drawn.map(({ file_key, bytes, width, height, ref }) => ({ file_key, purpose, bytes, width, height, ref })))
  await enter({ app, db, school_id, now })
}
