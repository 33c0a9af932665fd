import { join } from 'node:path'
import { evaluationErrors, evaluationEvents, evaluationRoutes as facts, evaluationTemplates,
  starChannel } from '@campus/evaluation/contract'
import { messageTemplatePort } from '@campus/messages/server'
import { erasePort, precheckPort, rekeyPort } from '@campus/people/server'
import { monthOf } from '@kit/server/db'
import { timerKindPort } from '@kit/server/event'
import { importTemplatePort } from '@kit/server/excel'
import type { DomainServer } from '@kit/server/http'
import { serveChannel } from '@kit/server/realtime'
import { appealTimer } from './appeal.service.ts'
import { autoConsumers, autoTimer } from './auto.service.ts'
import { evaluationServerRoutes } from './evaluation.routes.ts'
import { starTemplate } from './import/star.template.ts'
import { evaluationConsumers, evaluationErase, evaluationPrecheck, evaluationRekey } from './person.follow.ts'
import { settleTimer } from './settle.service.ts'

export { createEvaluation } from './create.ts'
export type { EvaluationPlan } from './create.ts'
export type { EvaluationViews } from './tables.gen.ts'

/** Records are kept for three school years. */
const kept_days = 3 * 366
const day_ms = 86_400_000

export const evaluationServer: DomainServer = {
  name: 'evaluation',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: evaluationServerRoutes,
  facts,
  events: Object.values(evaluationEvents),
  consumers: [...evaluationConsumers, ...autoConsumers],
  codes: [starTemplate.need],
  channels: [serveChannel(starChannel, { may: () => Promise.resolve(true) })],
  constraints: {
    star_type_name: evaluationErrors.typeNameTaken,
    star_type_dimension_name: evaluationErrors.typeNameTaken,
    star_appeal_live: evaluationErrors.appealExists,
    star_opt_out_once: evaluationErrors.optedAlready,
    class_committee_once: evaluationErrors.committeeDated,
  },
  months: ({ now }) => [
    { table: 'star_record', column: 'record_date', holds: 'day', first: monthOf(new Date(now.getTime() - kept_days * day_ms)) },
  ],
  compose({ app }) {
    importTemplatePort.fill(app, starTemplate)
    rekeyPort.fill(app, evaluationRekey)
    erasePort.fill(app, evaluationErase)
    precheckPort.fill(app, evaluationPrecheck)
    for (const template of Object.values(evaluationTemplates)) messageTemplatePort.fill(app, template)
    for (const timer of [settleTimer, appealTimer, autoTimer]) timerKindPort.fill(app, timer)
  },
}
