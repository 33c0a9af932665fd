import { channelApi, messageApi, templateApi } from '@campus/messages/contract'
import { listChannels, saveChannel, testChannel } from './channel.service.ts'
import { implement } from './db.ts'
import { exportMessages } from './message.export.ts'
import { listDeliveries, listMessages, retryMessage } from './message.service.ts'
import { listTemplates, saveTemplate } from './template.service.ts'

export const settingRoutes = [
  ...implement(channelApi, {
    list: ctx => listChannels(ctx),
    save: (ctx, input) => saveChannel(ctx, input),
    test: { outside: (pre, input) => testChannel(pre, input) },
  }),
  ...implement(templateApi, {
    list: ctx => listTemplates(ctx),
    save: (ctx, input) => saveTemplate(ctx, input),
  }),
  ...implement(messageApi, {
    page: (ctx, query) => listMessages(ctx, query),
    export: { before: (pre, input) => exportMessages(pre, input) },
    delivery: (ctx, query) => listDeliveries(ctx, query),
    retry: (ctx, input) => retryMessage(ctx, input),
  }),
]
