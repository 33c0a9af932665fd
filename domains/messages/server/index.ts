import { join } from 'node:path'
import { alertTemplates, messagesEvents } from '@campus/messages/contract'
import { listExportPort } from '@kit/server/excel'
import { timerKindPort } from '@kit/server/event'
import { meterPort } from '@kit/server/http'
import type { DomainServer } from '@kit/server/http'
import { sealedPort } from '@kit/server/secrets'
import { alertConsumers } from './alert.consumers.ts'
import { appPush } from './carrier/app-push.ts'
import { carrierPort } from './carrier/carrier.ts'
import { smsHttp } from './carrier/sms-http.ts'
import { smtp } from './carrier/smtp.ts'
import { testCarrier } from './carrier/test.ts'
import { wecom } from './carrier/wecom.ts'
import { weixinMp } from './carrier/weixin-mp.ts'
import { databasePort } from './db.ts'
import { deliverDue } from './deliver/deliver.timer.ts'
import { dropAddresses } from './deliver/drop-addresses.timer.ts'
import { planDeliveries } from './deliver/plan.consumer.ts'
import { messageExport } from './message.export.ts'
import { inboxRoutes } from './inbox.routes.ts'
import { messageMonths } from './months.ts'
import { receiptMeter } from './receipt.count.ts'
import { receiptRoutes } from './receipt.routes.ts'
import { settingRoutes } from './setting.routes.ts'
import { sealed_parts } from './sealed-parts.ts'
import { checkTemplates, messageTemplatePort } from './template-port.ts'

export type { Recipient } from './address.ts'
export { eraseInbox } from './inbox.erase.ts'
export { inboxState, moveInbox, returnInbox } from './inbox.move.ts'
export { holdersOf, schoolAdmins } from './role-holders.ts'
export { send } from './send.ts'
export type { NewMessage, Sender } from './send.ts'
export type { MessagesViews } from './tables.gen.ts'
export { messageTemplatePort } from './template-port.ts'
export { withdraw } from './withdraw.ts'

/** The one way out of the product, and everybody's inbox. */
export const messagesServer: DomainServer = {
  name: 'messages',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [...inboxRoutes, ...settingRoutes, ...receiptRoutes],
  events: Object.values(messagesEvents),
  consumers: [planDeliveries, ...alertConsumers],
  compose({ app, database }) {
    databasePort.fill(app, database)
    for (const template of Object.values(alertTemplates)) messageTemplatePort.fill(app, template)
    for (const carrier of [smtp, smsHttp, wecom(app), weixinMp(app), appPush(app)]) carrierPort.fill(app, carrier)
    if (app.config.CAMPUS_ENV === 'test') carrierPort.fill(app, testCarrier)
    listExportPort.fill(app, messageExport)
    meterPort.fill(app, receiptMeter(app))
    for (const part of sealed_parts) sealedPort.fill(app, part)
    for (const kind of [deliverDue, dropAddresses]) timerKindPort.fill(app, kind)
  },
  months: ({ now }) => messageMonths(now),
  start({ app }) {
    checkTemplates(app)
    return Promise.resolve(() => Promise.resolve())
  },
}
