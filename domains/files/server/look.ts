import type { FilePurpose } from '@campus/files/contract'
import { Port } from '@kit/server/http'
import type { Pre } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import type { FilesHandle } from './db.ts'

/** A look at a private file: by whom, and what the file is used for. */
type Look = { school_id: number; user_id: string; refs: readonly { ref_kind: string; ref_id: string }[] }
/** What a higher domain can say of a look, in words: who looks, and at what (`门卫室 · 陌生人 2026-11-28 07:41`). */
export type LookWords = (db: QueryExecutorProvider, look: Look) => Promise<{ user_no?: string; user_name?: string; about?: string }>

/** Filled by who knows the people of a school, and by those who use private files. */
export const lookWordsPort = new Port<LookWords>('files.look_words')

const purpose_names: Readonly<Record<FilePurpose, string>> = {
  logo: '学校标志', avatar: '头像', face: '人脸照片', id_photo: '证件照片', resource: '资源文件', notice: '通知附件', attachment: '附件', person_file: '人员档案附件',
  import: '导入文件', material: '报名材料', warning: 'AI预警图片', export: '导出文件', job: '任务结果文件',
}

/** What a purpose is called in the journal. */
function purposeName(purpose: string): string {
  return Object.entries(purpose_names).find(([name]) => name === purpose)?.[1] ?? '文件'
}

/** Who looks at which file, for the line in the operation log. */
export async function lookNote({ app, own }: Pick<Pre, 'app' | 'own'>, file: { school_id: number; file_key: string; purpose: string }, user_id: string) {
  const { school_id, file_key } = file
  const { about, ...who } = await own(school_id, async (db: FilesHandle) => {
    const refs = await db.selectFrom('file_ref').select(['ref_kind', 'ref_id']).where('school_id', '=', school_id).where('file_key', '=', file_key).limit(10).execute()
    const said: Awaited<ReturnType<LookWords>> = {}
    for (const words of lookWordsPort.all(app)) Object.assign(said, await words(db, { school_id, user_id, refs }))
    return said
  })
  return { school_id, user_id, ...who, target_kind: 'file', target_id: file_key, target_name: [purposeName(file.purpose), about].filter(Boolean).join('：') }
}
