import { expect, test } from 'vitest'
import { Flights } from './flights.ts'

type One = { name: string }

function filled(count: number) {
  const woken: string[] = []
  const flights = new Flights<One>(one => woken.push(one.name))
  const under_way = Array.from({ length: count }, (_, n) => ({ name: `flies ${n}` }))
  expect(under_way.every(one => flights.take(one, true))).toBe(true)
  return { flights, woken, give: () => flights.give(under_way.pop() ?? { name: '' }) }
}

test.each([[159, false, true], [160, false, false], [160, true, true], [199, true, true], [200, true, false]])('with %i commands under way one more, urgent: %s, goes: %s', (count, is_urgent, goes) => {
  expect(filled(count).flights.take({ name: 'more' }, is_urgent)).toBe(goes)
})

test('who waits is woken in turn, the urgent first, and holds the place that was free', () => {
  const { flights, woken, give } = filled(200)
  for (const name of ['first', 'second']) flights.take({ name }, false)
  flights.take({ name: 'lost card' }, true)
  give()
  expect(woken).toEqual(['lost card'])
  for (let n = 0; n < 40; n += 1) give()
  expect(woken).toEqual(['lost card'])
  give()
  expect(woken).toEqual(['lost card', 'first'])
  expect(flights.take({ name: 'pushes in' }, false)).toBe(false)
  give()
  expect(woken).toEqual(['lost card', 'first', 'second'])
})

test('whoever has a place keeps it, and gives back but one', () => {
  const { flights, woken, give } = filled(159)
  const mine = { name: 'mine' }
  expect([flights.take(mine, false), flights.take(mine, false), flights.take({ name: 'next' }, false)]).toEqual([true, true, false])
  flights.give(mine)
  flights.give(mine)
  expect(woken).toEqual(['next'])
  give()
  expect(flights.take(mine, false)).toBe(true)
})
