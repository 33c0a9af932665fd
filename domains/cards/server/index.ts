import { join } from 'node:path'
import { blockChannel, cardsErrors, cardsEvents, cardsRoutes as facts } from '@campus/cards/contract'
import { erasePort, precheckPort, rekeyPort } from '@campus/people/server'
import { importTemplatePort } from '@kit/server/excel'
import { timerKindPort } from '@kit/server/event'
import { serveChannel } from '@kit/server/realtime'
import type { DomainServer } from '@kit/server/http'
import { sealedPort } from '@kit/server/secrets'
import { monthOf } from '@kit/server/db'
import { cardsRoutes } from './cards.routes.ts'
import { cardTemplate } from './import/card.template.ts'
import { cardsConsumers, expireTimer, watchTimer } from './follow.ts'
import { cardsErase, cardsPrecheck, cardsRekey } from './person.follow.ts'
import { social_sealed_parts } from './social.service.ts'

export { createCards } from './create.ts'
export type { PlannedCard } from './create.ts'
export type { CardsViews } from './tables.gen.ts'

/** Lines of the journal are kept for five school years (chapter 40 §1.1). */
const kept_days = 5 * 366
const day_ms = 86_400_000

export const cardsServer: DomainServer = {
  name: 'cards',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: cardsRoutes,
  facts,
  events: Object.values(cardsEvents),
  channels: [serveChannel(blockChannel)],
  consumers: cardsConsumers,
  constraints: {
    card_holding_one_slot: cardsErrors.holderHasCard,
    card_holding_one_card: cardsErrors.cardInUse,
    card_holding_at_once: cardsErrors.cardInUse,
    card_print_once: cardsErrors.printTaken,
    card_uid_once: cardsErrors.stockTaken,
    social_card_once: cardsErrors.socialTaken,
  },
  codes: [cardTemplate.need],
  months: ({ now }) => [{ table: 'card_op', column: 'at', holds: 'instant', first: monthOf(new Date(now.getTime() - kept_days * day_ms)) }],
  compose({ app }) {
    importTemplatePort.fill(app, cardTemplate)
    rekeyPort.fill(app, cardsRekey)
    erasePort.fill(app, cardsErase)
    precheckPort.fill(app, cardsPrecheck)
    for (const timer of [expireTimer, watchTimer]) timerKindPort.fill(app, timer)
    for (const part of social_sealed_parts) sealedPort.fill(app, part)
  },
}
