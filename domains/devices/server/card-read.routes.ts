import { cardReadApi } from '@campus/devices/contract'
import { implement } from './db.ts'
import { readRecent } from './event/card-read.service.ts'

export const cardReadRoutes = implement(cardReadApi, { recent: (ctx, asked) => readRecent(ctx, asked) })
