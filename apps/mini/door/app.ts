import { doorApi, doorQrApi, myPickupApi, wallApi } from '@campus/access/contract'
import { app } from '../shell/app.ts'

/** 智能门锁: doors that I look after, passes of today at them, the code at a door, and who may fetch my children (chapter 35 §5, seed `door`). */
export const door = app({
  code: 'door',
  audience: ['everybody'],
  calls: {
    doors: doorApi.list,
    open: doorApi.open,
    passes: wallApi.since,
    scan: doorQrApi.open,
    adults: myPickupApi.list,
    answer: myPickupApi.answer,
  },
  pages: ['我的门', '今日通行', '扫码开门', '接送人'],
  features: [
    { code: 'view', need: 'access.door.view' },
    { code: 'open', need: 'access.door.open' },
    { code: 'passes', need: 'access.live.view' },
  ],
})
