import { join } from 'node:path'
import { jobKindPort } from '@campus/jobs/server'
import { messageTemplatePort } from '@campus/messages/server'
import { erasePort, rekeyPort } from '@campus/people/server'
import { postTemplates, publishingErrors, publishingEvents, publishingRoutes as facts } from '@campus/publishing/contract'
import { monthOf } from '@kit/server/db'
import { timerKindPort } from '@kit/server/event'
import type { DomainServer } from '@kit/server/http'
import { boardRoutes } from './board/board.routes.ts'
import { examConsumers } from './board/exam-mode.ts'
import { boardConsumers, boardTimers } from './board/follow.ts'
import { crowdRoutes } from './crowd/crowd.routes.ts'
import { honourRoutes } from './honour/honour.routes.ts'
import { publishingErase, publishingRekey } from './person.follow.ts'
import { homeworkWeekTimer } from './post/homework-week.ts'
import { expireTimer, publishingConsumers, publishTimer } from './post/follow.ts'
import { postRoutes } from './post/post.routes.ts'
import { readerRoutes } from './reader/reader.routes.ts'
import { purgeTimer } from './resource/purge.ts'
import { resourceRoutes } from './resource/resource.routes.ts'
import { zipJob } from './resource/zip.job.ts'
import { statisticsRoutes } from './statistics/statistics.routes.ts'

export type { PublishingViews } from './tables.gen.ts'
export { createBoards } from './board/create.ts'
export type { PlannedBoards } from './board/create.ts'
export { createHonours, createPosts } from './create.ts'
export type { PlannedPost } from './create.ts'
export { createResources } from './resource/create.ts'
export type { PlannedResource } from './resource/create.ts'

/** Receipts are kept for two years (chapter 60 §1.1). */
const kept_days = 2 * 366
const day_ms = 86_400_000

export const publishingServer: DomainServer = {
  name: 'publishing',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [...postRoutes, ...readerRoutes, ...crowdRoutes, ...honourRoutes, ...resourceRoutes, ...statisticsRoutes, ...boardRoutes],
  facts,
  events: Object.values(publishingEvents),
  consumers: [...publishingConsumers, ...boardConsumers, ...examConsumers],
  codes: ['publishing.homework.override'],
  constraints: {
    publishing_crowd_name: publishingErrors.crowdNameTaken,
    publishing_crowd_own_name: publishingErrors.crowdNameTaken,
    publishing_crowd_member_once: publishingErrors.crowdMemberDated,
    publishing_honour_one_holder: publishingErrors.honourHeldNow,
    publishing_folder_name: publishingErrors.folderNameTaken,
    publishing_label_name: publishingErrors.labelTaken,
    publishing_template_name: publishingErrors.templateNameTaken,
    publishing_play_rule_name: publishingErrors.ruleNameTaken,
    publishing_content_window: publishingErrors.contentWindow,
    publishing_post_window: publishingErrors.dueAfterExpire,
    publishing_post_anonymous: publishingErrors.anonymousNeedsForm,
  },
  months: ({ now }) => [{ table: 'publishing_recipient', column: 'sent_month', holds: 'day', first: monthOf(new Date(now.getTime() - kept_days * day_ms)) }],
  compose({ app, database }) {
    jobKindPort.fill(app, zipJob({ database }))
    rekeyPort.fill(app, publishingRekey)
    erasePort.fill(app, publishingErase)
    for (const template of Object.values(postTemplates)) messageTemplatePort.fill(app, template)
    for (const timer of [publishTimer, expireTimer, homeworkWeekTimer, purgeTimer, ...boardTimers]) timerKindPort.fill(app, timer)
  },
}
