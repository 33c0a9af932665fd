import { boardApi, boardChannel, deviceFileApi } from '@campus/devices/contract'
import { serveChannel } from '@kit/server/realtime'
import { askScreenshot, listBoards, listContent, restartBoard, setValue, tellBoard } from './board/board.service.ts'
import { admitScreenshot, takeScreenshot, tellBlob } from './board/file.service.ts'
import { implement } from './db.ts'
import { mayWatchDevice } from './device.watch.ts'

export const boardRoutes = [
  ...implement(boardApi, {
    list: (ctx, asked) => listBoards(ctx, asked),
    detail: (ctx, asked) => tellBoard(ctx, asked),
    content_rows: (ctx, asked) => listContent(ctx, asked),
    screenshot: (ctx, asked) => askScreenshot(ctx, asked),
    brightness: (ctx, { device_id, brightness }) => setValue(ctx, device_id, { brightness }),
    volume: (ctx, { device_id, volume }) => setValue(ctx, device_id, { volume }),
    restart: (ctx, asked) => restartBoard(ctx, asked),
  }),
  ...implement(deviceFileApi, { blob: { outside: (pre, asked) => tellBlob(pre, asked) }, screenshot: { outside: (pre, asked) => takeScreenshot(pre, asked), admit: admitScreenshot } }),
]

export const servedBoardChannel = serveChannel(boardChannel, { may: mayWatchDevice })
