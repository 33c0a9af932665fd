import sharp from 'sharp'
import type { Detector } from '../detector/detector.ts'

/** What a marked picture says of itself by the colour of its ground. */
const grounds = { face: { r: 200, g: 90, b: 90 }, nobody: { r: 90, g: 90, b: 200 }, blurred: { r: 90, g: 200, b: 90 } } as const
export type Mark = keyof typeof grounds
const [width, height, cell] = [240, 320, 24] as const
const in_a_row = width / cell

/** A drawn picture, another one for each number: for days on which the detector itself is not what is asked about (chapter 40 rule 25). */
export function markedPicture(mark: Mark, n: number): Promise<Buffer> {
  const at = n % (in_a_row * in_a_row)
  const spot = { create: { width: cell, height: cell, channels: 3 as const, background: { r: 255 - (n % 200), g: n % 255, b: 0 } } }
  return sharp({ create: { width, height, channels: 3, background: grounds[mark] } })
    .composite([{ input: spot, left: (at % in_a_row) * cell, top: Math.floor(at / in_a_row) * cell }])
    .jpeg({ quality: 95 })
    .toBuffer()
}

/** Reads the mark in place of looking for a face. */
export const markerDetector: Detector = {
  async measure(jpeg) {
    const [red, green, blue] = (await sharp(jpeg).stats()).channels.map(one => one.mean)
    const is_nobody = Math.max(red ?? 0, green ?? 0) < (blue ?? 0)
    const is_blurred = (green ?? 0) > (red ?? 0)
    return {
      width,
      height,
      face_count: is_nobody ? 0 : 1,
      score: 1,
      box: [40, 60, 160, 160],
      eye_px: 80,
      yaw: 0,
      pitch: 0,
      roll: 0,
      sharpness: is_blurred ? 0 : 100,
      brightness: 120,
      vector: null,
      model: 'marker',
    }
  },
  state: () => ({ ready: true, note: 'marker' }),
  stop: () => Promise.resolve(),
}
