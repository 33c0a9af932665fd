import { routes } from '@kit/contract'

/** Console routes of the canteen domain. */
export const canteenRoutes = routes([
  { id: 1023, path: '/CookMeal', code: 'CookMeal', title: '菜品管理', group: 'information', icon: 'CoffeeOutlined', order: 23, school_types: [1, 2], need: 'canteen.dish.view' },
  { id: 1024, path: '/CookWeekMenu', code: 'CookWeekMenu', title: '每周食谱', group: 'information', icon: 'CalendarOutlined', order: 24, keep_alive: true, school_types: [1, 2], need: 'canteen.menu.view' },
  {
    id: 1025, path: '/CookWeekMenuDetail', code: 'CookWeekMenuDetail', title: '食谱详情', group: 'information', icon: 'FileTextOutlined', order: 25,
    hidden: true, active_menu: '/CookWeekMenu', keep_alive: true, school_types: [1, 2], need: 'canteen.menu.view',
  },
])
