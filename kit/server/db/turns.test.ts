import { expect, test } from 'vitest'
import { createTurns, whilePersonWaits } from './turns.ts'

/** Those who wait for their turn behind one who has it, in the order in which they get it. */
async function orderOf(waiting: readonly string[]): Promise<string[]> {
  const takeTurn = createTurns()
  const order: string[] = []
  const endFirst = await takeTurn()
  const come = async (name: string) => {
    const endTurn = await takeTurn()
    order.push(name)
    endTurn()
    endTurn()
  }
  const all = waiting.map(name => (name.startsWith('person') ? whilePersonWaits(() => come(name)) : come(name)))
  await Promise.resolve()
  expect(order).toEqual([])
  endFirst()
  await Promise.all(all)
  return order
}

test('one at a time, first come, first served', async () => {
  expect(await orderOf(['a', 'b', 'c'])).toEqual(['a', 'b', 'c'])
  expect(await orderOf(['person a', 'person b'])).toEqual(['person a', 'person b'])
})

test('a person who waits goes before the work of machines', async () => {
  expect(await orderOf(['a', 'b', 'person', 'c'])).toEqual(['person', 'a', 'b', 'c'])
})

test('many people do not keep that work away for ever', async () => {
  const people = Array.from({ length: 20 }, (_, at) => `person ${at}`)
  const order = await orderOf(['a', 'b', ...people])
  expect([order.indexOf('a'), order.indexOf('b')]).toEqual([8, 17])
  expect(order).toHaveLength(22)
})

test('one who gave up passes the turn on once', async () => {
  const takeTurn = createTurns()
  const endTurn = await takeTurn()
  endTurn()
  endTurn()
  const [second, third] = [takeTurn(), takeTurn()]
  const endSecond = await second
  const state = await Promise.race([third.then(() => 'taken'), Promise.resolve('waits')])
  expect(state).toBe('waits')
  endSecond()
  await third
})
