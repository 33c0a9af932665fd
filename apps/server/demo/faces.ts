import { createFacePolicy, createFaces } from '@campus/faces/server'
import type { PlannedFace } from '@campus/faces/server'
import { sql } from 'kysely'
import type { DemoAccountName } from './accounts.ts'
import { drawFiles, keepDrawings } from './drawings.ts'
import { facedPupils, portraitOf } from './photos.ts'
import type { Work } from './school-work.ts'

const ref_kind = 'faces.face'
/** Pupils with a face beyond those whose terminals have it, and members of the staff. */
const [more_pupils, faced_staff] = [36, 12] as const
/** Where the pictures of the list of faces begin to wait: for an answer, for a person, for a better picture. */
const [asked_from, unverified_from, failed_from] = [24, 46, 54] as const
const protocol = {
  protocol_title: '人脸信息处理授权书', assessed_on: '2026-08-20',
  protocol_text: '一、用途：用于校园出入口、宿舍的人脸通行，不作其他用途。\n二、保存：照片和特征加密保存在学校服务器，并下发到您可通行的人脸终端，离校后24小时内删除。\n三、其他方式：不同意不影响使用校园卡或二维码通行。\n四、撤回：可随时在手机办事大厅“我的－人脸授权”撤回，照片立即删除，设备逐台清除并留存证明。',
}
type Sitter = { user_id: string; sex: string; person_kind: number; consent: PlannedFace['consent']; detect_state: 2 | 3 | 4; error_code?: string }

/** Faces of the first class and of some of the staff: drawn portraits of nobody. The child of the demo's parent waits for the parent's answer. */
export async function fillFaces(work: Work, family: readonly (readonly [DemoAccountName, string])[]): Promise<void> {
  const { app, db, school_id, now } = work
  await createFacePolicy({ app, db, school_id, now }, protocol)
  const child = family.find(([account]) => account === 'xuesheng01')?.[1] ?? ''
  const sitters = [...(await readPupils(work, child)), ...(await readStaff(work))]
  const drawn = await drawFiles(school_id, sitters.flatMap(({ sex }, at) => ['8', '9'].map(kind => ({ name: `${school_id}${kind}${String(at).padStart(4, '0')}.jpg`, svg: signed(portraitOf(sex, at), at) }))))
  await keepDrawings(work, 'face', drawn.map((drawing, at) => ({ ...drawing, ref: { ref_kind, ref_id: `demo ${at}` } })))
  await createFaces({ app, db, school_id, now }, sitters.flatMap(({ sex: _sex, ...sitter }, at): PlannedFace[] => {
    const [photo, thumb] = [drawn[2 * at], drawn[2 * at + 1]]
    if (!photo || !thumb) return []
    return [{ ...sitter, file_key: photo.file_key, thumb_file_key: thumb.file_key, sha256: photo.sha256, width: photo.width, height: photo.height, bytes: photo.bytes.length }]
  }))
}

/** A stitch in a colour of its own, so that no two pictures are the same. */
function signed(svg: string, at: number): string {
  return svg.replace('</svg>', `<circle cx="150" cy="280" r="7" fill="#${((at * 2_654_435) % 0xff_ff_ff).toString(16).padStart(6, '0')}"/></svg>`)
}

async function readPupils({ db, school_id }: Work, child: string): Promise<Sitter[]> {
  const first = await facedPupils(db, school_id)
  const { rows } = await sql<{ user_id: string; sex: string }>`
    select s.user_id::text as user_id, s.sex from live_student s
    where s.school_id = ${school_id} and (s.user_id = any(${[...first, child]}::bigint[]) or s.stage = '1') order by not s.user_id = any(${first}::bigint[]), s.user_id <> ${child}::bigint, s.grade || s.dept_name, s.student_no limit ${first.length + more_pupils}`.execute(db)
  return rows.map((row, at): Sitter => {
    const base = { ...row, person_kind: 1 }
    if (at < asked_from && row.user_id !== child) return { ...base, consent: 'given', detect_state: 2 }
    if (at < unverified_from) return { ...base, consent: 'asked', detect_state: 2 }
    return at < failed_from ? { ...base, consent: 'none', detect_state: 4 } : { ...base, consent: 'none', detect_state: 3, error_code: at % 2 === 0 ? 'blurred' : 'angle' }
  })
}

async function readStaff({ db, school_id }: Work): Promise<Sitter[]> {
  const { rows } = await sql<{ user_id: string; sex: string }>`
    select s.user_id::text as user_id, s.sex from live_staff s where s.school_id = ${school_id} order by s.teacher_no limit ${faced_staff}`.execute(db)
  return rows.map((row, at) => ({ ...row, person_kind: 2, consent: at % 4 === 3 ? 'asked' as const : 'given' as const, detect_state: 2 as const }))
}
