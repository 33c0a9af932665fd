import { routes } from '@kit/contract'

/** Console routes of the evaluation domain. */
export const evaluationRoutes = routes([
  {
    id: 1216,
    path: '/StarType',
    code: 'StarType',
    title: '评星类型',
    group: 'service',
    icon: 'StarOutlined',
    order: 16,
    school_types: [1],
    need: 'evaluation.type.view',
  },
  {
    id: 1217,
    path: '/StarShow',
    code: 'StarShow',
    title: '星级展示',
    group: 'service',
    icon: 'StarOutlined',
    order: 17,
    school_types: [1],
    need: 'evaluation.star.view',
  },
  {
    id: 1218,
    path: '/StartRecord',
    code: 'StartRecord',
    title: '德育评价记录',
    group: 'service',
    icon: 'StarOutlined',
    order: 18,
    hidden: true,
    school_types: [1],
    need: 'evaluation.star.view',
  },
])
