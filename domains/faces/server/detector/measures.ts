/** What a detector says of one picture; angles in degrees, lengths in pixels of the picture (chapter 40 rule 25). */
export type Measures = {
  width: number
  height: number
  /** faces that count: those at least a third as wide as the widest */
  face_count: number
  score: number
  /** left, top, width, height of the widest face */
  box: readonly number[]
  eye_px: number
  yaw: number
  pitch: number
  roll: number
  /** variance of the Laplacian of the face at 112 pixels */
  sharpness: number
  /** mean brightness of the face, 0 to 255 */
  brightness: number
  vector: readonly number[] | null
  model: string
}

export type DetectJob = { id: number; jpeg: Uint8Array }
/** `error`: the detector could not answer; the picture itself may be good. */
export type DetectAnswer = { id: number; measures: Measures } | { id: number; error: string } | { id: 0; ready: true } | { id: 0; failed: string }
