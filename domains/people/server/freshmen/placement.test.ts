import { placeFigures } from '@campus/people/contract'
import type { PlaceChild, PlaceClass } from '@campus/people/contract'
import { describe, expect, test } from 'vitest'
import { placeChildren } from './placement.ts'

const six: PlaceClass[] = Array.from({ length: 6 }, (_, at) => ({ dept_id: String(at + 1), dept_name: `一年级${at + 1}班`, room: 45 }))

/** Children as a town has them: a few more boys, scores about 80, some left behind, some boarders. */
function town(count: number, patch: (at: number) => Partial<PlaceChild> = () => ({})): PlaceChild[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`, user_name: `新生${at}`, is_boy: at % 19 < 10, score: 60 + ((at * 7919) % 400) / 10, twin_group: null, apart_group: null, fixed: null,
    is_left_behind: at % 11 === 0, is_boarder: at % 7 === 0, ...patch(at),
  }))
}

function place(children: PlaceChild[], classes = six, seed = 'a seed') {
  const placed = placeChildren(children, classes, seed)
  return { placed, figures: placeFigures(children, classes, id => placed.get(id)) }
}

describe('a placement', () => {
  test('20-A31 252 into 6: sizes and boys differ by one at most, twins are together, the others apart, and the scores are even', () => {
    const children = town(252, at => ({ twin_group: at < 24 ? `t${Math.floor(at / 2)}` : at < 27 ? 'triplets' : null, apart_group: at >= 30 && at < 36 ? 'apart' : at >= 40 && at < 44 ? 'rivals' : null }))
    const { figures } = place(children)
    expect(figures.broken).toEqual([])
    expect(figures.classes.map(one => one.size)).toEqual([42, 42, 42, 42, 42, 42])
    expect(figures.spread.boys).toBeLessThanOrEqual(1)
    expect(figures.spread.mean).toBeLessThanOrEqual(0.75)
    expect(figures.spread.top).toBeLessThanOrEqual(1)
    expect(figures.spread.left_behind).toBeLessThanOrEqual(2)
  })

  test('20-A31 the same seed gives the same classes, in whatever order the children come; another seed gives others', () => {
    const children = town(252)
    const first = [...place(children).placed].toSorted()
    expect([...place(children.toReversed()).placed].toSorted()).toEqual(first)
    expect([...place(children, six, 'another').placed].toSorted()).not.toEqual(first)
  })

  test.each([[1], [5], [6], [7], [83], [100], [251], [253], [270]])('holds for %i children', count => {
    const { figures } = place(town(count))
    expect(figures.broken).toEqual([])
    expect(figures.spread.size).toBeLessThanOrEqual(1)
  })

  test('holds whatever the numbers of boys and twins', () => {
    for (const [boys, twins] of [[0, 0], [1, 2], [252, 40], [13, 60], [126, 126], [125, 250]] as const) {
      const children = town(252, at => ({ is_boy: (at * 5) % 252 < boys, twin_group: at < twins ? `t${Math.floor(at / 2)}` : null }))
      expect(place(children).figures.broken, `${boys} boys, ${twins} twins`).toEqual([])
    }
  })

  test('who stays, stays; the others even out what is there', () => {
    const children = town(60, at => ({ fixed: at < 12 ? '1' : at < 15 ? '2' : null }))
    const { placed, figures } = place(children)
    expect(children.filter(child => child.fixed !== null && placed.get(child.id) !== child.fixed)).toEqual([])
    expect(figures.broken).toEqual([])
    const heavy = place(town(60, at => ({ fixed: at < 20 ? '1' : null })))
    expect(heavy.figures.broken).toEqual([])
    expect(heavy.figures.classes.map(one => one.size)).toEqual([20, 8, 8, 8, 8, 8])
  })

  test('a smaller room is filled and no more', () => {
    const { figures } = place(town(100), six.map((one, at) => (at === 2 ? { ...one, room: 10 } : one)))
    expect(figures.broken).toEqual([])
    expect(figures.classes.map(one => one.size)).toEqual([18, 18, 10, 18, 18, 18])
  })

  test('what cannot be is said: more apart than classes, twins who stay in different classes', () => {
    const apart = place(town(60, at => ({ apart_group: at < 7 ? 'seven' : null })))
    expect(apart.figures.broken).toEqual(['新生0、新生1、新生2、新生3、新生4、新生5、新生6应在不同班'])
    const torn = place(town(60, at => ({ twin_group: at < 2 ? 't' : null, fixed: at < 2 ? String(at + 1) : null })))
    expect(torn.figures.broken).toContain('新生0、新生1应在同一班')
  })

  test('children without scores are placed as well', () => {
    const { figures } = place(town(90, () => ({ score: null })))
    expect([figures.broken, figures.spread.mean]).toEqual([[], 0])
  })
})
