import type { FilterControl } from '@kit/web'
import { TreeSelect } from 'antd'
import { pathOf } from './use-places.ts'
import type { PlaceChoice } from './use-places.ts'

/** Filters by a place with everything below. */
export function placeFilter(places: readonly PlaceChoice[]): FilterControl {
  return {
    names: ['place_id'],
    text: values => (values.place_id ? pathOf(places, values.place_id) : undefined),
    Input: ({ id, values, change }) => (
      <TreeSelect id={id} className="kit-fill" allowClear placeholder="全部场所" showSearch={{ treeNodeFilterProp: 'title' }} treeData={[...places]} treeDefaultExpandedKeys={places.map(place => place.value)} value={values.place_id} onChange={(place_id?: string) => change({ place_id })} />
    ),
  }
}
