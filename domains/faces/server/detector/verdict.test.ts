import { expect, test } from 'vitest'
import type { Measures } from './measures.ts'
import { judge, likeness } from './verdict.ts'

const good: Measures = { width: 720, height: 960, face_count: 1, score: 0.9, box: [200, 200, 300, 300], eye_px: 110, yaw: 2, pitch: -3, roll: 1, sharpness: 80, brightness: 120, vector: null, model: 'm' }

test.each<[string, Partial<Measures>, string | null]>([
  ['a good picture', {}, null],
  ['nobody on it', { face_count: 0 }, 'no_face'],
  ['two faces of a size', { face_count: 2 }, 'many_faces'],
  ['a small face', { box: [300, 300, 100, 100] }, 'too_small'],
  ['eyes close together', { eye_px: 40 }, 'too_small'],
  ['a face cut by the edge', { box: [-80, 200, 300, 300] }, 'covered'],
  ['turned aside', { yaw: 30 }, 'angle'],
  ['looking down', { pitch: -28 }, 'angle'],
  ['dark', { brightness: 40 }, 'dark'],
  ['bright', { brightness: 230 }, 'bright'],
  ['blurred', { sharpness: 6 }, 'blurred'],
  ['small and blurred: the first in the order counts', { eye_px: 30, sharpness: 3 }, 'too_small'],
])('40-R27 %s', (_name, changed, error_code) => {
  expect(judge({ ...good, ...changed }, 2)).toEqual({ detect_state: error_code === null ? 2 : 3, error_code })
})

test('40-R26 a strict school refuses what a lenient one takes', () => {
  const side = { ...good, yaw: 20 }
  expect([1, 2, 3].map(strictness => judge(side, strictness).error_code)).toEqual([null, null, 'angle'])
})

test('40-R28 a detector that cannot answer leaves the picture unverified', () => {
  expect(judge(null, 2)).toEqual({ detect_state: 4, error_code: null })
})

test('likeness is the cosine in per cent', () => {
  expect([likeness([1, 0], [1, 0]), likeness([1, 0], [0, 1]), likeness([1, 1], [1, 0])]).toEqual([100, 0, 71])
})
