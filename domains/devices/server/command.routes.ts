import { commandApi } from '@campus/devices/contract'
import { controlDevice, listCommands, tellCommandOf } from './control/command.service.ts'
import { implement } from './db.ts'

export const commandRoutes = implement(commandApi, {
  control: (ctx, asked) => controlDevice(ctx, asked),
  read: (ctx, asked) => tellCommandOf(ctx, asked),
  list: (ctx, asked) => listCommands(ctx, asked),
})
