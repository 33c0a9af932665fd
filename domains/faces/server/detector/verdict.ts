import type { FaceError } from '@campus/faces/contract'
import type { Measures } from './measures.ts'

/** Judged of one picture: passed, or the one error that is told. */
export type Verdict = { detect_state: 2 | 3 | 4; error_code: FaceError | null }

/** Limits at 标准; 宽松 is a fifth looser, 严格 a fifth tighter (chapter 40 rule 26). */
const standard = { width: 120, eyes: 55, yaw: 22, pitch: 22, roll: 25, sharpness: 15, dark: 60, bright: 205, score: 0.5, margin: 0.02 } as const
const factors: Readonly<Record<number, number>> = { 1: 0.8, 2: 1, 3: 1.2 }

/** The verdicts in their order: faces, size, whole, pose, light, sharpness (chapter 40 rule 27). `measures` null: the detector could not answer. */
export function judge(measures: Measures | null, strictness: number): Verdict {
  if (measures === null) return { detect_state: 4, error_code: null }
  const error_code = errorOf(measures, factors[strictness] ?? 1)
  return { detect_state: error_code === null ? 2 : 3, error_code }
}

function errorOf({ face_count, score, box, eye_px, yaw, pitch, roll, sharpness, brightness, width, height }: Measures, factor: number): FaceError | null {
  if (face_count === 0 || score < standard.score) return 'no_face'
  if (face_count > 1) return 'many_faces'
  const [left = 0, top = 0, box_width = 0, box_height = 0] = box
  if (box_width < standard.width * factor || eye_px < standard.eyes * factor) return 'too_small'
  const slack = standard.margin * Math.max(width, height)
  if (left < -slack || top < -slack || left + box_width > width + slack || top + box_height > height + slack) return 'covered'
  if (Math.abs(yaw) > standard.yaw / factor || Math.abs(pitch) > standard.pitch / factor || Math.abs(roll) > standard.roll / factor) return 'angle'
  if (brightness < standard.dark * factor) return 'dark'
  if (brightness > standard.bright / factor) return 'bright'
  return sharpness < standard.sharpness * factor ? 'blurred' : null
}

/** How alike two faces are, in per cent: the cosine of their vectors. */
export function likeness(one: readonly number[], other: readonly number[]): number {
  let [both, first, second] = [0, 0, 0]
  for (let at = 0; at < one.length; at += 1) {
    const [a, b] = [one[at] ?? 0, other[at] ?? 0]
    both += a * b
    first += a * a
    second += b * b
  }
  return first === 0 || second === 0 ? 0 : Math.round((both / Math.sqrt(first * second)) * 100)
}
