import { doorApi, doorQrApi } from '@campus/access/contract'
import { implement } from '../db.ts'
import { enableCodes, listCodes, openByCode, rotateCodes } from './door-qr.service.ts'
import { holdDoors, listCommands, listDoors, openDoors } from './door.service.ts'
import { commandEmergency, emergencyState } from './emergency.service.ts'

export const doorRoutes = [
  ...implement(doorApi, {
    list: (ctx, asked) => listDoors(ctx, asked),
    open: (ctx, asked) => openDoors(ctx, asked),
    hold: (ctx, asked) => holdDoors(ctx, asked),
    emergency: (ctx, asked) => commandEmergency(ctx, asked),
    commands: (ctx, asked) => listCommands(ctx, asked),
    state: ctx => emergencyState(ctx),
  }),
  ...implement(doorQrApi, {
    list: (ctx, asked) => listCodes(ctx, asked),
    enable: (ctx, asked) => enableCodes(ctx, asked),
    rotate: (ctx, asked) => rotateCodes(ctx, asked),
    open: (ctx, asked) => openByCode(ctx, asked),
  }),
]
