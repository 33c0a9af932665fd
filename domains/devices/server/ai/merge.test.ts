import { describe, expect, test } from 'vitest'
import { keptImages, mergeHit } from './merge.ts'
import type { Hit, Image, Incident } from './merge.ts'

const pause_ms = 120_000
const midnight = Date.parse('2026-11-24T00:00:00+08:00')

function picture(at: number, score: number): Image {
  return { box: '7', ref: `p${at}`, at: new Date(at).toISOString(), score, file_key: null }
}

/** Everything that these messages make, in the order in which they come. */
function fold(hits: readonly Hit[], known: readonly Incident[] = []): Incident[] {
  return hits.reduce<Incident[]>((all, hit) => {
    const { merged, from } = mergeHit(all, hit, pause_ms)
    return [...all.filter(one => !from.includes(one)), merged]
  }, [...known]).toSorted((a, b) => a.begin - b.begin)
}

const hit = (seconds: number, score = 50): Hit => ({ at: midnight + seconds * 1000, image: picture(midnight + seconds * 1000, score) })
const spans = (all: readonly Incident[]) => all.map(({ begin, end, hits }) => [(begin - midnight) / 1000, (end - midnight) / 1000, hits])

describe('messages of one rule, camera and person', () => {
  test.each([
    ['one alone', [0], [[0, 0, 1]]],
    ['within the pause: one', [0, 60, 179], [[0, 179, 3]]],
    ['exactly the pause: still one', [0, 120], [[0, 120, 2]]],
    ['a second more: two', [0, 121], [[0, 0, 1], [121, 121, 1]]],
    ['out of order: by when it was', [100, 0], [[0, 100, 2]]],
    ['across midnight: one, which begins on the first day', [-60, 30], [[-60, 30, 2]]],
    ['a late one between two makes one of them', [0, 200, 100], [[0, 200, 3]]],
    ['three that one message joins', [0, 121, 240, 120], [[0, 240, 4]]],
  ])('%s', (_, seconds, expected) => {
    expect(spans(fold(seconds.map(at => hit(at))))).toEqual(expected)
  })

  test('give the same warnings in any order', () => {
    const seconds = Array.from({ length: 40 }, (_, n) => (n * 37) % 40 * 55 + (n % 7) * 9 + (n > 30 ? 400 : 0))
    const in_order = fold(seconds.toSorted((a, b) => a - b).map(at => hit(at, at % 97)))
    for (const turn of [1, 7, 13]) {
      const shuffled = seconds.map((_, n) => seconds[(n * turn + turn) % 40] ?? 0)
      expect(fold(shuffled.map(at => hit(at, at % 97)))).toEqual(in_order)
    }
  })

  test('that was decided goes on as itself and swallows nothing that is open', () => {
    const decided: Incident = { begin: midnight, end: midnight, hits: 1, images: [], is_open: false }
    expect(fold([hit(60)], [decided])).toMatchObject([{ hits: 2, is_open: false }])
    const open = fold([hit(200)])
    expect(fold([hit(100)], [decided, ...open])).toMatchObject([{ hits: 2, is_open: false }, { hits: 1, is_open: true }])
  })
})

describe('of its pictures a warning keeps', () => {
  const names = (images: readonly Image[]) => images.map(image => image.ref.slice(1)).map(Number)
  test('the first, the best and the last three', () => {
    expect(names(keptImages([1, 2, 3, 4, 5, 6, 7].map(at => picture(at, at === 3 ? 99 : at))))).toEqual([1, 3, 5, 6, 7])
  })
  test('each once, when the best is the first or among the last', () => {
    expect(names(keptImages([1, 2, 3, 4, 5, 6].map(at => picture(at, at === 1 ? 99 : at))))).toEqual([1, 4, 5, 6])
    expect(names(keptImages([1, 2].map(at => picture(at, at))))).toEqual([1, 2])
  })
  test('the same, picked one by one and picked at once', () => {
    const all = Array.from({ length: 50 }, (_, n) => picture(n + 1, (n * 31) % 50))
    expect(all.reduce<Image[]>((kept, image) => keptImages([...kept, image]), [])).toEqual(keptImages(all))
  })
})
