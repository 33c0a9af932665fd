import { routes } from '@kit/contract'

/** Console routes of the places domain. */
export const placesRoutes = routes([
  { id: 603, path: '/PlaceManage', code: 'PlaceManage', title: '场所管理', group: 'device', icon: 'EnvironmentOutlined', order: 3, school_types: [1, 2], need: 'places.place.view' },
])
