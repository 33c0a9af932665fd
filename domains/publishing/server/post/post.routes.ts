import { information_kind, informationApi, informationList, noticeApi, noticeList } from '@campus/publishing/contract'
import { exportHandler } from '@kit/server/export'
import { implement } from '../db.ts'
import { listPosts, readPost } from './post.queries.ts'
import type { Family } from './post.queries.ts'
import { addPost, copyPost, prepareFiles, removePost, updatePost } from './post.write.ts'
import { previewAudience } from './preview.ts'
import { approvePost, cancelPost, publishPost, recallPost, republishPost } from './publish.ts'
import { exportReceipts } from './receipts.export.ts'
import { listStreaks } from '../reader/check-in.ts'
import { listReminders, markPhoned, pageReceipts, remind } from './receipts.ts'
import { giveBack, listSubmissions, reportPost, review } from './report.ts'

/** The handlers of one family of posts. */
function handlersOf(family: Family, api: typeof noticeApi | typeof informationApi, list: typeof noticeList) {
  return {
    list: (ctx, query) => listPosts(ctx, family, query),
    exportList: exportHandler(api.exportList, list, (ctx, query) => listPosts(ctx, family, query)),
    detail: (ctx, { id }) => readPost(ctx, family, id),
    add: {
      before: async (pre, asked) => {
        const files = await prepareFiles(pre, asked)
        return ctx => addPost(ctx, family, asked, files)
      },
    },
    update: {
      before: async (pre, asked) => {
        const files = await prepareFiles(pre, asked, asked.id)
        return ctx => updatePost(ctx, family, asked, files)
      },
    },
    remove: (ctx, asked) => removePost(ctx, family, asked),
    copy: (ctx, asked) => copyPost(ctx, family, asked),
    preview: (ctx, asked) => previewAudience(ctx, family, asked),
    publish: (ctx, asked) => publishPost(ctx, family, asked),
    approve: (ctx, asked) => approvePost(ctx, family, asked),
    cancel: (ctx, asked) => cancelPost(ctx, family, asked),
    recall: (ctx, asked) => recallPost(ctx, family, asked),
    republish: (ctx, asked) => republishPost(ctx, family, asked),
    read: (ctx, query) => pageReceipts(ctx, family, 'read', query),
    unread: (ctx, query) => pageReceipts(ctx, family, 'unread', query),
    committed: (ctx, query) => pageReceipts(ctx, family, 'committed', query),
    uncommitted: (ctx, query) => pageReceipts(ctx, family, 'uncommitted', query),
    unreachable: (ctx, query) => pageReceipts(ctx, family, 'unreachable', query),
    report: (ctx, query) => reportPost(ctx, family, query),
    alert: (ctx, asked) => remind(ctx, family, asked),
    phoned: (ctx, asked) => markPhoned(ctx, family, asked),
    streaks: (ctx, query) => listStreaks(ctx, family, query),
    alertLog: (ctx, query) => listReminders(ctx, family, query),
    submissions: (ctx, query) => listSubmissions(ctx, family, query),
    exportReceipts: (ctx, query) => exportReceipts(ctx, family, query),
    giveBack: (ctx, asked) => giveBack(ctx, family, asked),
    review: (ctx, asked) => review(ctx, family, asked),
  } satisfies Parameters<typeof implement<typeof noticeApi>>[1]
}

const notice: Family = { noun: 'publishing.notice', has: kind => kind !== information_kind }
const information: Family = { noun: 'publishing.information', has: kind => kind === information_kind }

export const postRoutes = [
  ...implement(noticeApi, handlersOf(notice, noticeApi, noticeList)),
  ...implement(informationApi, handlersOf(information, informationApi, informationList)),
]
