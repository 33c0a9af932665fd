import { freshmenApi, freshmenArrivalApi, freshmenPlaceApi, freshmenSeasonApi } from '@campus/people/contract'
import { implement } from '../db.ts'
import { listFreshmen, readFreshman, updateFreshman } from './apply.read.ts'
import { checkIn } from './checkin.service.ts'
import { exportFreshmen } from './freshmen.export.ts'
import { sampleNumbers } from './number.ts'
import { adoptPlacement, currentPlacement, runPlacement } from './place.service.ts'
import { admitFreshmen, giveUp, reviewFreshmen } from './review.service.ts'
import { listSeasons, saveSeason, turnSeason } from './season.service.ts'

export const freshmenRoutes = [
  ...implement(freshmenSeasonApi, { list: ctx => listSeasons(ctx), numbers: (ctx, rule) => sampleNumbers(ctx, rule), save: (ctx, draft) => saveSeason(ctx, draft), turn: (ctx, asked) => turnSeason(ctx, asked) }),
  ...implement(freshmenApi, {
    page: (ctx, query) => listFreshmen(ctx, query),
    detail: (ctx, asked) => readFreshman(ctx, asked),
    update: (ctx, patch) => updateFreshman(ctx, patch),
    review: (ctx, input) => reviewFreshmen(ctx, input),
    admit: (ctx, input) => admitFreshmen(ctx, input),
    giveUp: (ctx, input) => giveUp(ctx, input),
  }),
  ...implement(freshmenArrivalApi, { checkin: (ctx, asked) => checkIn(ctx, asked), export: { before: async (pre, asked) => exportFreshmen(pre, asked) } }),
  ...implement(freshmenPlaceApi, { current: (ctx, asked) => currentPlacement(ctx, asked), run: (ctx, asked) => runPlacement(ctx, asked), adopt: (ctx, asked) => adoptPlacement(ctx, asked) }),
]
