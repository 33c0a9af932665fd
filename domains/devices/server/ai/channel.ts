import { aiChannel } from '@campus/devices/contract'
import { serveChannel } from '@kit/server/realtime'
import { mayWatchPlace } from '../place.watch.ts'

/** Warnings as they come and change. */
export const servedAiChannel = serveChannel(aiChannel, { may: mayWatchPlace })
