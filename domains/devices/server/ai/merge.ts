import { z } from 'zod'

const Image = z.object({ box: z.string(), ref: z.string(), at: z.string(), score: z.number(), file_key: z.string().nullable() })
/** A picture of a warning: which box has it under which name, and its key once it is here. */
export type Image = z.output<typeof Image>
/** The pictures as a warning keeps them. */
export const StoredImages = z.array(Image)
/** What one rule saw of one person (or of nobody in particular) through one camera, in milliseconds since 1970. `is_open`: nobody has decided of it yet. */
export type Incident = { begin: number; end: number; hits: number; images: readonly Image[]; is_open: boolean }
/** One message of a box. */
export type Hit = { at: number; image: Image | null }

const last_kept = 3

/**
 * What becomes of the warnings of one rule, camera and person when a message comes: it joins those that are no further away than the pause that a warning may have, whichever comes first;
 * one that lies between two makes one of them (chapter 30 rule 25). What somebody has decided of stays apart from what is open. Pure: the same messages give the same warnings in any order.
 * @returns what is new or changed, and which earlier warnings went into it (none: it is new), the first of them keeps its number
 */
export function mergeHit<I extends Incident>(known: readonly I[], { at, image }: Hit, pause_ms: number): { merged: Incident; from: readonly I[] } {
  const near = known.filter(one => at >= one.begin - pause_ms && at <= one.end + pause_ms).toSorted((a, b) => a.begin - b.begin)
  const [first] = near
  const from = first === undefined ? [] : near.every(one => one.is_open) ? near : [first]
  const own: Incident = { begin: at, end: at, hits: 1, images: image ? [image] : [], is_open: true }
  return { merged: from.reduce<Incident>(join, own), from }
}

function join(a: Incident, b: Incident): Incident {
  return { begin: Math.min(a.begin, b.begin), end: Math.max(a.end, b.end), hits: a.hits + b.hits, images: keptImages([...a.images, ...b.images]), is_open: b.is_open }
}

/** The pictures that a warning keeps: the first, the best and the last three, by time. Picking again from what was picked and what is new gives the same as picking from all. */
export function keptImages(all: readonly Image[]): Image[] {
  const images = all.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at) || (nameOf(a) < nameOf(b) ? -1 : 1))
  const best = images.reduce<Image | undefined>((top, one) => (top === undefined || one.score > top.score ? one : top), undefined)
  const kept = new Set([images[0], best, ...images.slice(-last_kept)])
  return images.filter(one => kept.has(one))
}

/** A picture's name among all boxes. */
export function nameOf({ box, ref }: Pick<Image, 'box' | 'ref'>): string {
  return `${box}/${ref}`
}
