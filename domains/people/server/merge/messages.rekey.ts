import { inboxState, moveInbox, returnInbox } from '@campus/messages/server'
import { z } from 'zod'
import type { Rekey } from './rekey-port.ts'

const table_name = 'message_person'
const title = '收到的消息'

/** The inbox goes along: messages is a domain below people and registers nothing itself (docs/decisions/0020). */
export const messagesRekey: Rekey = {
  domain: 'messages',
  title: '消息',
  tables: [table_name],
  stays: {},
  async preview({ db, school_id, drop_user_id }) {
    const { count } = await inboxState(db, school_id, drop_user_id)
    return { moves: count > 0 ? [{ title, count }] : [], conflicts: [] }
  },
  async apply({ db, school_id, keep_user_id, drop_user_id }) {
    const moved = await moveInbox(db, { school_id, from: drop_user_id, to: keep_user_id })
    return moved.map(row_key => ({ table_name, row_key, column_name: 'user_id', old_user_id: drop_user_id }))
  },
  async undo({ db, school_id, keep_user_id, drop_user_id }, rows, mark) {
    const { count } = await inboxState(db, school_id, keep_user_id, z.string().parse(mark))
    await returnInbox(db, { school_id, from: keep_user_id, to: drop_user_id }, rows.map(row => row.row_key))
    return count > 0 ? [{ title, count, why: 'born' }] : []
  },
  mark: async ({ db, school_id, keep_user_id }) => (await inboxState(db, school_id, keep_user_id)).last,
}
