import { expect, test } from 'vitest'
import { suggestHomes } from './suggest.ts'

const room = (place_id: string, node_path: string, place_kind = 4) => ({ place_id, place_kind, node_path, capacity: 45 })
const seeker = (dept_id: string, parent_id: string) => ({ dept_id, parent_id })

test.each([
  ['beside the rooms of its grade', [seeker('c1', 'g1')], [room('a', '/1/2/3/9/'), room('b', '/1/5/6/8/')], [{ parent_id: 'g1', node_path: '/1/5/6/7/' }], [['c1', 'b']]],
  ['on the floor before the building', [seeker('c1', 'g1')], [room('a', '/1/5/7/9/'), room('b', '/1/5/6/8/')], [{ parent_id: 'g1', node_path: '/1/5/6/7/' }], [['c1', 'b']]],
  ['a plain classroom before a special one', [seeker('c1', 'g1')], [room('a', '/1/2/3/', 5), room('b', '/1/2/4/')], [], [['c1', 'b']]],
  ['each room once, the classes of a grade together', [seeker('c1', 'g1'), seeker('c2', 'g1')], [room('a', '/1/2/3/'), room('b', '/1/9/4/'), room('c', '/1/2/5/')], [], [['c1', 'a'], ['c2', 'c']]],
  ['nothing where no room is left', [seeker('c1', 'g1'), seeker('c2', 'g1')], [room('a', '/1/2/3/')], [], [['c1', 'a']]],
])('%s', (_name, classes, rooms, homes, expected) => {
  expect(suggestHomes(classes, rooms, homes).map(({ dept_id, place_id }) => [dept_id, place_id])).toEqual(expected)
})
