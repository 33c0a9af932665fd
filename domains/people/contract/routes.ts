import { needOf, routes } from '@kit/contract'
import { studentApi } from './student.ts'

/** Console routes of the people domain. Ids, groups and icons are those of the product menu. */
export const peopleRoutes = routes([
  {
    id: 304,
    path: '/ParentsRecord',
    code: 'ParentsRecord',
    title: '学生家长档案',
    group: 'archive',
    icon: 'TeamOutlined',
    order: 4,
    school_types: [1],
    need: needOf(studentApi.list),
  },
])
