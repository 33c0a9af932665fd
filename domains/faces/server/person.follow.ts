import type { Erase, Rekey } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import type { Act, FacesDb } from './db.ts'
import { endFaces } from './erase.ts'
import { reopen } from './consent.core.ts'

const title = '人脸'
const by_hand = 3
const tables = [
  'face', 'face_consent', 'face_consent_log', 'face_consent_link', 'face_credential', 'face_case', 'face_erasure', 'face_batch_item',
  'face_batch',
] as const
const kept = {
  face_consent_log: '授权台账不改写，保留3年，不含人脸', face_erasure: '人脸删除凭证，只有编号', face_case: '相似处理记录，只有编号', face_credential: '随人脸删除',
  face_consent_link: '授权链接7天内有效，不转移，随注销删除',
  face_batch: '导入批次，记操作人', face_batch_item: '导入明细，随批次保留',
} as const
const moves = { face: '被合并档案的人脸删除，不转移', face_consent: '授权只对作出授权的档案有效，不转移', ...kept } as const

type Step = { app: Act['app']; db: Parameters<typeof asTables>[0]; school_id: number; now: Date }
const actOf = ({ app, db, school_id, now }: Step): Act => ({ app, db: asTables<FacesDb>(db), school_id, now, by: null })

/** Faces, when two files turn out to be one person: what was agreed to for one file is not agreed to for the other, so nothing moves; the dropped face goes. */
export const facesRekey: Rekey = {
  domain: 'faces',
  title,
  tables: [...tables],
  stays: moves,
  preview: () => Promise.resolve({ moves: [], conflicts: [] }),
  async apply(step) {
    const act = actOf(step)
    await endFaces(act, [step.drop_user_id], { cause: by_hand, reason: '档案合并' })
    await reopen(act, [step.drop_user_id])
    return []
  },
  undo: () => Promise.resolve([]),
  mark: () => Promise.resolve(null),
}

/** Who is erased has no face anywhere: pictures, vectors and terminals; the ledger keeps the bare number. */
export const facesErase: Erase = {
  domain: 'faces',
  title,
  stage: 'rows',
  tables: [...tables],
  stays: kept,
  async erase({ app, db, school_id, now, user_id }) {
    const act = actOf({ app, db, school_id, now })
    const ended = await endFaces(act, [user_id], { cause: by_hand, reason: '人员注销' })
    await reopen(act, [user_id])
    await act.db.updateTable('face_batch_item').set({ user_name: null, file_name: '' }).where('school_id', '=', school_id).where('user_id', '=', user_id).execute()
    await act.db
      .deleteFrom('face_consent_link')
      .where('school_id', '=', school_id)
      .where(one => one.or([one('user_id', '=', user_id), one('confirm_user', '=', user_id)]))
      .execute()
    const gone = await act.db.deleteFrom('face_consent').where('school_id', '=', school_id).where('user_id', '=', user_id).returning('user_id').execute()
    const count = ended + gone.length
    return count === 0 ? [] : [{ store: 'db:faces', title, action: 'deleted', acked: true, evidence: `${count} 项` }]
  },
}
