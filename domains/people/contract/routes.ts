import { routes } from '@kit/contract'

/**
 * Console routes of the people domain. Ids, groups and icons are those of the product menu. Permissions stand as their codes, since every page
 * loads this list and must not load all contracts with it; a test compares them with the calls.
 */
export const peopleRoutes = routes([
  {
    id: 302,
    path: '/Organization',
    code: 'Organization',
    title: '学生组织架构',
    group: 'archive',
    icon: 'ApartmentOutlined',
    order: 2,
    school_types: [1],
    need: 'people.dept.view',
  },
  {
    id: 304,
    path: '/ParentsRecord',
    code: 'ParentsRecord',
    title: '学生家长档案',
    group: 'archive',
    icon: 'TeamOutlined',
    order: 4,
    school_types: [1],
    need: 'people.student.view',
  },
  {
    id: 3041,
    path: '/ChangeRecord',
    code: 'ChangeRecord',
    title: '变更记录',
    group: 'archive',
    icon: 'HistoryOutlined',
    order: 41,
    hidden: true,
    active_menu: '/ParentsRecord',
    school_types: [1],
    need: 'people.change.view',
  },
])
