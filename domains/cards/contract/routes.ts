import { routes } from '@kit/contract'

/** Console routes of the cards domain; the three lists of holders are one family. */
export const cardsRoutes = routes([
  { id: 401, path: '/CardManagement', code: 'CardManagement', family: { name: '卡管理', tab: '学生' }, title: '学生卡管理', group: 'card', icon: 'CreditCardOutlined', order: 1, school_types: [1], need: 'cards.card.view' },
  { id: 402, path: '/CardTeacher', code: 'CardTeacher', family: { name: '卡管理', tab: '教职工' }, title: '教职工卡管理', group: 'card', icon: 'CreditCardOutlined', order: 2, school_types: [1, 2], need: 'cards.card.view' },
  { id: 403, path: '/CardParent', code: 'CardParent', family: { name: '卡管理', tab: '家长' }, title: '家长卡管理', group: 'card', icon: 'CreditCardOutlined', order: 3, school_types: [1], need: 'cards.card.view' },
  { id: 404, path: '/SocialCard', code: 'SocialCard', title: '社保卡管理', group: 'card', icon: 'InsuranceOutlined', order: 4, school_types: [1, 2], need: 'cards.social.view' },
  { id: 405, path: '/BlankCard', code: 'BlankCard', title: '白卡管理', group: 'card', icon: 'FileOutlined', order: 5, school_types: [1, 2], need: 'cards.blank.view' },
  { id: 408, path: '/CardRecord', code: 'CardRecord', title: '卡操作报表', group: 'card', icon: 'FileTextOutlined', order: 8, school_types: [1, 2], need: 'cards.log.view' },
])
