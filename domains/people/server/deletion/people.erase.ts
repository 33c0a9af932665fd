import { eraseFile, filesOf } from '@campus/files/server'
import { eraseUser } from '@campus/identity/server'
import { asTables } from '@kit/server/db'
import type { PeopleDb } from '../db.ts'
import { field_files } from '../field/field-files.ts'
import { eraseDocuments } from '../freshmen/documents.ts'
import { before_kind } from '../photo/photo.columns.ts'
import { readDeleteConfig } from './delete-config.queries.ts'
import type { Erase } from './erase-port.ts'
import { removeRows, scrubPerson } from './purge.ts'

const longest_title = 40
const archive_law = '学籍档案依法保存'

/** His picture, in whichever store it lies; the store says when its bytes are gone. */
const photo: Erase = {
  domain: 'people',
  title: '照片',
  stage: 'object',
  tables: [],
  stays: {},
  async erase({ db, app, school_id, now, user_id }) {
    const own = asTables<PeopleDb>(db)
    const person = await own.selectFrom('person').select('photo_file_key').where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirst()
    // Pictures that an import has replaced lie by for as long as it can be taken back.
    for (const before of await filesOf(db, school_id, { ref_kind: before_kind, ref_id: user_id })) await eraseFile({ app, db, school_id, now }, before)
    const file_key = person?.photo_file_key
    if (!file_key) return []
    const store = await eraseFile({ app, db, school_id, now }, file_key)
    return store === null ? [] : [{ store: `object:${store}`, title: '照片', ref: file_key, action: 'deleted', acked: false }]
  },
}

/** What his family uploaded when he applied. */
const documents: Erase = {
  domain: 'people',
  title: '报名材料',
  stage: 'object',
  tables: ['freshmen_file'],
  stays: {},
  async erase({ db, app, school_id, now, user_id }) {
    const applied = await asTables<PeopleDb>(db).selectFrom('freshmen_apply').select('id').where('school_id', '=', school_id).where('user_id', '=', user_id).execute()
    const gone = await eraseDocuments({ db, app, school_id, now }, applied.map(row => row.id))
    // A proof is named by its store: each document has one of its own.
    return gone.map(({ file_key, material, store }, at) => ({ store: `object:${store}:material-${at + 1}`, title: `报名材料 ${material}`.slice(0, longest_title), ref: file_key, action: 'deleted', acked: false }))
  },
}

const rows: Erase = {
  domain: 'people',
  title: '人员档案',
  stage: 'person',
  tables: [
    'person', 'student', 'staff', 'parent', 'guardian_link', 'person_vehicle', 'tag_link', 'delegate_dept', 'reveal_window', 'addr_book_entry', 'register_entry', 'collect_answer', 'collect_task', 'freshmen_apply', 'alipay_whitelist', 'sign_contract', 'merge_case', 'merge_log', 'merge_moved', 'student_span', 'staff_span', 'dept_member', 'dept_duty',
    'change_subject', 'change_effect', 'change_command', 'user_delete_detail', 'user_delete_proof', 'user_delete_batch', 'tombstone', 'upgrade_person', 'upgrade_plan',
  ],
  stays: {
    student_span: '历年学籍人数', staff_span: '历年教职工人数', dept_member: '历年班级人数', dept_duty: '历年班主任与职务', change_subject: '学籍异动台账',
    change_effect: '学籍异动台账', change_command: '学籍异动台账', user_delete_detail: '删除证明', user_delete_proof: '删除证明', user_delete_batch: '删除证明', tombstone: '恢复备份后重新清除', upgrade_person: '学籍异动台账', upgrade_plan: '学籍异动台账', sign_contract: '财务凭证',
  },
  async erase({ db, school_id, now, user_id }) {
    const own = asTables<PeopleDb>(db)
    const removed = await removeRows(own, { school_id, user_id })
    const emptied = await scrubPerson(own, { school_id, user_id }, now)
    return [{ store: 'db:people', title: '人员档案', action: 'anonymised', acked: true, evidence: `清除${removed + emptied}行，仅保留编号` }]
  },
}

/** The journals cannot be changed: what they keep is the archive, for as long as the school has said. */
const archive: Erase = {
  domain: 'people',
  title: '学籍档案',
  stage: 'rows',
  tables: [],
  stays: {},
  async erase({ db, school_id }) {
    const { archive_years } = await readDeleteConfig(asTables<PeopleDb>(db), school_id)
    return [{ store: 'db:audit', title: '档案变更记录', action: 'kept', basis: `${archive_law}${archive_years === 0 ? '，长期' : `，${archive_years}年`}`, acked: true, evidence: '证件号、电话已隐藏' }]
  },
}

const account: Erase = {
  domain: 'people',
  title: '登录账号',
  stage: 'account',
  tables: [],
  stays: {},
  async erase({ db, app, school_id, now, user_id }) {
    const gone = await eraseUser({ app, db, school_id, now }, [user_id])
    const is_gone = gone.includes(user_id)
    return [
      { store: 'account', title: '登录账号', action: is_gone ? 'deleted' : 'anonymised', acked: true, evidence: is_gone ? '账号已清除' : '本校身份已清除，其他学校仍在使用该账号' },
      { store: 'backup', title: '备份', action: 'kept', basis: '备份到期自动清除', acked: true, evidence: '恢复备份后按注销记录重新清除' },
    ]
  },
}

/** What people itself forgets, and for the domains below it what they hold for it. */
export const people_erasers: readonly Erase[] = [photo, documents, field_files, archive, rows, account]
