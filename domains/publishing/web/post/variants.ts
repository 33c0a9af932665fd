import { informationApi, informationList, noticeApi, noticeList } from '@campus/publishing/contract'

const notice = { api: noticeApi, list: noticeList, word: '通知' } as const
const collection = { api: informationApi, list: informationList, word: '收集' } as const

/** The pages of posts: one list, one editor, one detail and one report, for four kinds of routes (chapter 60 §5). */
export const variants = {
  family: { ...notice, scene: 1, edition: 2, home: '/CustomNotice', add: '/AddNotice', detail: '/NoticeDetail', stats: '/CustomDetail' },
  staff: { ...notice, scene: 2, edition: 2, home: '/CustomNoticeTeacher', add: '/AddNoticeTeacher', detail: '/NoticeDetailTeacher', stats: '/CustomDetailTeacher' },
  collection: { ...collection, scene: 1, edition: 2, home: '/Information', add: '/AddInformation', detail: '/InformationDetail', stats: '/InformationDetail' },
  before: { ...collection, scene: 1, edition: 1, home: '/InformationBefore', add: '/AddInformationBefore', detail: '/InformationDetailBefore', stats: '/InformationDetailBefore' },
} as const
export type Variant = (typeof variants)[keyof typeof variants]

export const state_colors: Readonly<Record<string, string>> = { 0: 'default', 1: 'orange', 2: 'green', 3: 'red', 4: 'default', 5: 'default', 6: 'red', 7: 'blue' }

/** A part of a whole in per cent, without decimals. */
export function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 100)
}
