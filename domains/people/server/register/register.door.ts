import { randomInt, timingSafeEqual } from 'node:crypto'
import { checkLine } from '@campus/jobs/server'
import { peopleErrors } from '@campus/people/contract'
import type { PublicAct, PublicAnswer, PublicForm } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { FieldError } from '@kit/contract'
import { checkMobile, maskMobile } from '@kit/contract/checks'
import { asTables } from '@kit/server/db'
import type { Pre } from '@kit/server/http'
import { schoolDay } from '../day.ts'
import type { Db, PeopleDb } from '../db.ts'
import { countAddress, countMobile } from './hits.ts'
import { addressOf } from './public.service.ts'
import type { PublicDoor, PublicKey } from './public-port.ts'
import { findRegister } from './register.queries.ts'
import type { RegisterRow } from './register.queries.ts'
import { sceneFields, templateOfScene } from './scene.ts'
import type { SceneField } from './scene.ts'
import { openValues, sealValues, subjectIdx } from './values.ts'
import { visitorOf } from './visitor.ts'

const titles: Readonly<Record<number, string>> = { 1: '学生信息登记', 2: '教职工信息登记' }
const state_labels: Readonly<Record<string, string>> = { waiting: '已提交，等待学校审核', passed: '已通过', refused: '未通过', withdrawn: '已撤回' }
const number_digits = 1_000_000
const last_signs = 4
const active_school = 2
const resident = ['', '居民身份证']

/** The forms for pupils and staff who come in by themselves. */
export const registerDoor: PublicDoor = {
  look: (pre, key, field_scene) => inSchool(pre, key, async (db, row) => formOf(pre, db, { key, row, field_scene })),
  async submit(pre, key, sent) {
    const prepared = await inSchool(pre, key, (db, row) => prepare(pre, db, { key, row, sent }))
    return prepared && (() => pre.own<unknown, PublicAnswer>(key.school_id, db => keepEntry(pre, asTables<PeopleDb>(db), key, prepared)))
  },
  status: (pre, key, asked) => inSchool(pre, key, db => statusOf(pre, db, key, asked)),
}

/** Runs in the school of the key; null when the secret is not the school's, or the school is closed. */
function inSchool<R>(pre: Pre, { school_id, secret }: PublicKey, fn: (db: Db, row: RegisterRow) => Promise<R>): Promise<R | null> {
  return pre.own<unknown, R | null>(school_id, async bare => {
    const db = asTables<PeopleDb>(bare)
    const school = await db.selectFrom('school_v').select('state').where('school_id', '=', school_id).executeTakeFirst()
    const row = await findRegister(db, school_id)
    if (school?.state !== active_school || !row || !timingSafeEqual(Buffer.from(row.register_key), Buffer.from(secret))) return null
    return fn(db, row)
  })
}

type Shown = { key: PublicKey; row: RegisterRow; field_scene: number }

async function formOf(pre: Pre, db: Db, { key: { school_id }, row, field_scene }: Shown): Promise<PublicForm> {
  templateOfScene(field_scene)
  const { school_name } = await db.selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirstOrThrow()
  const { is_open, end_time, message } = opening(row, field_scene, pre.now)
  const fields = is_open ? await askedFields(pre, db, school_id, field_scene) : []
  return {
    kind: 'register', school_name, title: titles[field_scene] ?? '', is_open, message, end_time: end_time?.toISOString() ?? null,
    fields: fields.map(({ field_code, label, required, options, note }) => ({ field_code, label, required, options, note })),
    materials: [], lottery: null,
  }
}

/** Whether a form takes anything at this moment; the clock of the server decides (chapter 20 rule 27). */
function opening(row: RegisterRow, field_scene: number, now: Date) {
  const [is_on, end_time, msg] = field_scene === 1 ? [row.is_register, row.open_register_end_time, row.register_msg] : [row.is_teacher_register, row.open_teacher_register_end_time, row.teacher_register_msg]
  const is_open = is_on && end_time !== null && now < end_time
  return { is_open, end_time, message: is_open ? null : ((is_on ? null : msg) ?? '登记已截止') }
}

async function askedFields(pre: Pre, db: Db, school_id: number, field_scene: number): Promise<SceneField[]> {
  const fields = await sceneFields({ db, school_id, me: visitorOf(school_id), now: pre.now, app: pre.app }, field_scene)
  return fields.filter(field => field.shown)
}

type Submit = Extract<PublicAct, { act: 'submit' }>
type Prepared = { field_scene: number; is_new: boolean; mobile: string; values: Record<string, string> }

async function prepare(pre: Pre, db: Db, { key: { school_id }, row, sent }: { key: PublicKey; row: RegisterRow; sent: Submit }): Promise<Prepared> {
  const { field_scene } = sent
  const template = templateOfScene(field_scene)
  const { is_open, message } = opening(row, field_scene, pre.now)
  if (!is_open) throw fail(peopleErrors.registerClosed, { params: { msg: message ?? '' } })
  const fields = await askedFields(pre, db, school_id, field_scene)
  const asked = new Map(fields.map(field => [field.field_code, field]))
  const values = Object.fromEntries(Object.entries(sent.values).map(([code, text]) => [code, text.trim()] as const).filter(([code, text]) => text !== '' && asked.has(code)))
  const desk = { db, school_id, me: visitorOf(school_id), now: pre.now, app: pre.app }
  const wrong = (await checkLine(desk, template, values)).map(({ prop, msg }) => ({ field: prop, msg }))
  const errors = [...mobileError(sent.mobile), ...missingErrors(fields, values), ...idError(values), ...wrong]
  const told = errors.filter(({ field }, at) => errors.findIndex(one => one.field === field) === at)
  if (told.length > 0) throw fail(commonErrors.malformed, { errors: told })
  return { field_scene, is_new: sent.is_new === 1, mobile: sent.mobile, values }
}

function mobileError(mobile: string): FieldError[] {
  const msg = checkMobile(mobile)
  return msg === null ? [] : [{ field: 'mobile', msg }]
}

function missingErrors(fields: readonly SceneField[], values: Readonly<Record<string, string>>): FieldError[] {
  return fields.filter(({ field_code, required }) => required && !values[field_code]).map(({ field_code }) => ({ field: field_code, msg: '必填项不能为空' }))
}

/** Registration takes resident numbers of 18 signs alone (chapter 20 rule 14). */
function idError({ id_no = '', id_type = '' }: Readonly<Record<string, string>>): FieldError[] {
  return id_no !== '' && resident.includes(id_type) && [...id_no].length !== 18 ? [{ field: 'id_no', msg: '身份证号格式不正确' }] : []
}

/** Keeps an entry; counts and entry stand or fall together. */
async function keepEntry(pre: Pre, db: Db, { school_id }: PublicKey, { field_scene, is_new, mobile, values }: Prepared): Promise<PublicAnswer> {
  const { app, now } = pre
  const ip_hash = addressOf(pre, school_id, 'submit')
  const mobile_idx = subjectIdx(app.secrets, school_id, `mobile:${mobile}`)
  const refusal = await countAddress(db, school_id, ip_hash, now)
  if (refusal) throw refusal
  await countMobile(db, school_id, mobile_idx, now)
  const apply_no = `R${schoolDay(now).replaceAll('-', '')}${String(randomInt(number_digits)).padStart(6, '0')}`
  const row = {
    school_id, apply_no, field_scene, is_new, user_name: values.user_name ?? '', mobile_idx, ip_hash, created_at: now,
    values_enc: sealValues(app.secrets, school_id, { values, mobile }), mobile_mask: maskMobile(mobile),
  }
  const kept = await db.insertInto('register_entry').values(row).onConflict(on => on.constraint('register_entry_no_key').doNothing()).returning('state').executeTakeFirst()
  if (!kept) throw fail(commonErrors.busy)
  return { apply_no, state: kept.state, state_label: state_labels[kept.state] ?? '', reason: null }
}

async function statusOf(pre: Pre, db: Db, { school_id }: PublicKey, { apply_no, id_last4 }: Extract<PublicAct, { act: 'status' }>): Promise<PublicAnswer | null> {
  const row = await db.selectFrom('register_entry').select(['apply_no', 'state', 'reason', 'values_enc']).where('school_id', '=', school_id).where('apply_no', '=', apply_no.toUpperCase()).executeTakeFirst()
  if (!row) return null
  const { values, mobile } = openValues(pre.app.secrets, school_id, row.values_enc)
  const proof = (values.id_no ?? mobile).toUpperCase().slice(-last_signs)
  if (proof !== id_last4.toUpperCase()) return null
  return { apply_no: row.apply_no, state: row.state, state_label: state_labels[row.state] ?? '', reason: row.state === 'refused' ? row.reason : null }
}
