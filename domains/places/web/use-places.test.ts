import type { PlaceNode } from '@campus/places/contract'
import { expect, test } from 'vitest'
import { flatten, matching } from './use-places.ts'

const node = (place_name: string, children: PlaceNode[] = []): PlaceNode => ({
  place_id: place_name, superior_id: null, place_name, place_kind: 4, place_type: null, building_use: null, order: 1, capacity: null, area_m2: null, node_path_name: place_name, depth: 1,
  is_leaf: children.length === 0, private_zone: false, status: 'open', closed_on: null, row_version: 1, dept_id: null, dept_name: null, children,
})
const tree = [node('校区', [node('一号楼', [node('101'), node('102')]), node('二号楼', [node('201')])])]
const names = (nodes: readonly PlaceNode[]) => flatten(nodes).map(one => one.place_name)

test.each([
  ['', ['校区', '一号楼', '101', '102', '二号楼', '201']],
  ['10', ['校区', '一号楼', '101', '102']],
  ['二号', ['校区', '二号楼', '201']],
  ['没有', []],
])('what “%s” finds stands with the way down to it, a found building with its rooms', (text, expected) => {
  expect(names(matching(tree, text))).toEqual(expected)
})
