import { alertApi, clockApi, outageApi, recomputeApi, rollcallApi } from '@campus/attendance/contract'
import { implement } from '../db.ts'
import { readRun, startRun } from '../recompute/run.ts'
import { ackAlert, closeOutage, declareOutage, pageAlerts, pageOutages } from './alert.service.ts'
import { readRollCall, saveDraft, submitRollCall, todayLessons } from './rollcall.service.ts'
import { classSeats, daySlots, wallTiles } from './wall.service.ts'

export const clockRoutes = [
  ...implement(
    clockApi,
    {
      now: (ctx, asked) => daySlots(ctx, asked), page: (ctx, asked) => wallTiles(ctx, asked),
      ofClass: (ctx, asked) => classSeats(ctx, asked),
    }
  ),
  ...implement(alertApi, { page: (ctx, asked) => pageAlerts(ctx, asked), ack: (ctx, asked) => ackAlert(ctx, asked) }),
  ...implement(
    outageApi,
    {
      page: (ctx, asked) => pageOutages(ctx, asked), declare: (ctx, asked) => declareOutage(ctx, asked),
      close: (ctx, { id }) => closeOutage(ctx, id),
    }
  ),
  ...implement(rollcallApi, {
    today: ctx => todayLessons(ctx),
    read: (ctx, { lesson_day_id }) => readRollCall(ctx, lesson_day_id),
    draft: (ctx, asked) => saveDraft(ctx, asked),
    submit: (ctx, asked) => submitRollCall(ctx, asked),
  }),
  ...implement(recomputeApi, { start: (ctx, asked) => startRun(ctx, asked), read: (ctx, { id }) => readRun(ctx, id) }),
]
