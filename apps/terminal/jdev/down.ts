import { DownRow, UploadAsked } from '@kit/terminal-protocol'
import { z } from 'zod'

// What a terminal understands of the messages that come down.

export const Rows = z.object({ rows: z.array(DownRow) })
export const Ack = z.object({ epoch: z.string(), upto: z.number().int() })
export const Asked = z.object({ uploads: z.array(UploadAsked) })
export const Again = z.object({ code: z.literal('hello') })
