import { closed_kept_days } from '@campus/school/contract'
import type { SchoolListRow } from '@campus/school/contract'

/** What the platform does with a whole school. */
export type Move = 'suspend' | 'resume' | 'close'

type Words = { title: string; ok: string; done: string; touches: (school: SchoolListRow) => string }

/** What each act is called, and what it touches, said before it is done. */
export const move_words: Readonly<Record<Move, Words>> = {
  suspend: {
    title: '停用学校',
    ok: '停用',
    done: '已停用',
    touches: ({ people, online }) => `该校${people}人将不能登录，正在使用的${online}人立即退出；正在进行的任务暂停，启用后继续。数据不会改变。`,
  },
  resume: {
    title: '启用学校',
    ok: '启用',
    done: '已启用',
    touches: ({ people }) => `该校${people}人可以重新登录，暂停的任务继续进行。`,
  },
  close: {
    title: '关闭学校',
    ok: '关闭',
    done: '已关闭',
    touches: ({ people }) => `关闭后不能再启用。该校${people}人的档案从关闭之日起保存 ${closed_kept_days} 天，期满后删除该校的全部文件。`,
  },
}
