import { call } from '@kit/web'
import { listAddress } from '@kit/web/find'
import type { Finder } from '@kit/web/find'

const places: Finder = {
  kind: '场所',
  need: 'places.place.view',
  find: async (keyword, most, signal) => {
    const { placeApi } = await import('@campus/places/contract')
    const { list, total } = await call(placeApi.list, { keyword, page_index: 1, page_size: 20 }, { quiet: true, signal })
    const found = list.slice(0, most).map(one => ({
      key: one.place_id, title: one.place_name, about: one.node_path_name, address: listAddress('/PlaceManage', { place_id: one.place_id }),
    }))
    return { found, total }
  },
}

/** What 快速查找 finds among places. */
export const placesFinders: readonly Finder[] = [places]
