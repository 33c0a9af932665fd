import { consume } from '@kit/server/event'
import { z } from 'zod'
import { ackErasure } from './ack.ts'

const bytes_gone = '文件已从存储中删除'

/** Stores that say by an event that something is gone. */
export const deleteConsumers = [
  consume('people.photo_erased', 'files.file.deleted', z.object({ file_key: z.string() }), async (desk, { file_key }) => {
    await ackErasure(desk, { ref: file_key }, bytes_gone)
  }),
]
