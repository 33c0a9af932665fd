import { visitorForms } from '@campus/files/server'
import { FRESHMAN_STATE, most_material_files, peopleErrors } from '@campus/people/contract'
import type { PublicAct, PublicAnswer, PublicForm, PublicUploads } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { FieldError, Refusal } from '@kit/contract'
import { checkMobile } from '@kit/contract/checks'
import { asTables } from '@kit/server/db'
import type { Pre } from '@kit/server/http'
import type { Db, PeopleDb } from '../db.ts'
import { openIdNo, sealIdNo } from '../id-number.ts'
import { deriveFromIdNo, readCells } from '../import/read-cells.ts'
import type { Values } from '../import/read-cells.ts'
import { fieldWords } from '../import/words.ts'
import { countAddress, countForm, countMobile } from '../register/hits.ts'
import { addressOf } from '../register/public.service.ts'
import type { PublicDoor, PublicKey } from '../register/public-port.ts'
import { subjectIdx } from '../register/values.ts'
import { visitorOf } from '../register/visitor.ts'
import { keepApplication, numberOf } from './apply.queries.ts'
import type { Application } from './apply.queries.ts'
import { birthdayErrors, numberErrors } from './apply.rules.ts'
import { claimDocuments, documentErrors, heldMaterials, keepDocuments } from './documents.ts'
import { application_fields } from './season.fields.ts'
import { seasonByKey } from './season.queries.ts'
import type { Season } from './season.queries.ts'
import { openSeed, seasonTitle, takesNow } from './season.service.ts'

type Submit = Extract<PublicAct, { act: 'submit' }>
type Status = Extract<PublicAct, { act: 'status' }>

const active_school = 2
const last_signs = 4
const resident = '1'
/** Photos that came out badly are taken once more. */
const spare_materials = 2
const group_signs = 12
const yes = '1'

/** The public form of a season: a family applies, and asks how it stands. */
export const seasonDoor: PublicDoor = {
  look: (pre, key) => inSeason(pre, key, (db, season) => formOf(pre, db, key, season)),
  async submit(pre, key, sent) {
    const prepared = await inSeason(pre, key, (db, season) => prepare(pre, db, season, { key, sent }))
    return prepared && (async () => {
      const documents = await claimDocuments(pre, key.school_id, sent.files)
      return pre.own<unknown, PublicAnswer>(key.school_id, db => keep(pre, asTables<PeopleDb>(db), key, { row: prepared, documents }))
    })
  },
  async uploads(pre, key) {
    const asked = await inSeason(pre, key, async (_db, season) => {
      if (!takesNow(season, pre.now)) throw fail(peopleErrors.seasonClosed)
      return season.materials.filter(({ upload }) => upload !== 'none').length
    })
    if (asked === 0) throw fail(peopleErrors.noUploads)
    return asked === null ? null : () => formsFor(pre, key, asked)
  },
  status: (pre, key, asked) => inSeason(pre, key, (db, season) => statusOf(pre, db, season, { key, asked })),
}

/** Runs in the season of the key; null when the secret is that of no season, or the school is closed. */
function inSeason<R>(pre: Pre, { school_id, secret }: PublicKey, fn: (db: Db, season: Season) => Promise<R>): Promise<R | null> {
  return pre.own<unknown, R | null>(school_id, async bare => {
    const db = asTables<PeopleDb>(bare)
    const school = await db.selectFrom('school_v').select('state').where('school_id', '=', school_id).executeTakeFirst()
    const season = school?.state === active_school ? await seasonByKey(db, school_id, secret) : null
    return season && fn(db, season)
  })
}

async function formOf(pre: Pre, db: Db, { school_id }: PublicKey, season: Season): Promise<PublicForm> {
  const { school_name } = await db.selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirstOrThrow()
  const is_open = takesNow(season, pre.now)
  return {
    kind: 'season', school_name, title: seasonTitle(season), is_open, message: is_open ? null : closedWord(season, pre.now),
    end_time: season.close_at.toISOString(), fields: is_open ? await askedFields(pre, db, school_id, season) : [],
    materials: season.materials, lottery: season.lottery_seed_hash === null ? null : { seed_hash: season.lottery_seed_hash, seed: openSeed(season) },
  }
}

function closedWord({ state, open_at }: Season, now: Date): string {
  return state === 'open' && now < open_at ? '报名尚未开始，请在开始时间后再来' : '报名已结束'
}

async function askedFields(pre: Pre, db: Db, school_id: number, { form_fields }: Season): Promise<PublicForm['fields']> {
  const { names } = await wordsOf(pre, db, school_id)
  const described = new Map(application_fields.map(field => [field.prop, field]))
  return form_fields.filter(field => field.shown).map(({ field_code, required }) => {
    const { label = '', dict, note = '' } = described.get(field_code) ?? {}
    return { field_code, label, required, options: dict === undefined ? null : [...(names.get(dict)?.values() ?? [])], note }
  })
}

function wordsOf({ now, app }: Pre, db: Db, school_id: number) {
  return fieldWords({ db, school_id, me: visitorOf(school_id), now, app, options: new Set() }, application_fields)
}

async function prepare(pre: Pre, db: Db, season: Season, { key: { school_id }, sent }: { key: PublicKey; sent: Submit }): Promise<Application> {
  if (!takesNow(season, pre.now)) throw fail(peopleErrors.seasonClosed)
  const asked = season.form_fields.filter(field => field.shown)
  const cells = Object.fromEntries(asked.map(({ field_code }) => [field_code, (sent.values[field_code] ?? '').trim()]))
  const { values, errors } = readCells(application_fields, cells, await wordsOf(pre, db, school_id))
  const missing = asked.filter(({ field_code, required }) => required && cells[field_code] === '').map(({ field_code }) => ({ prop: field_code, msg: '必填项不能为空' }))
  const wrong = [...missing, ...errors, ...numberErrors(values)]
  deriveFromIdNo(values)
  const row = applicationOf(pre, season, { school_id, values, mobile: sent.mobile })
  const papers = documentErrors(season.materials, sent.files, await heldMaterials(db, row))
  const told = [...mobileError(sent.mobile), ...[...wrong, ...birthdayErrors(season, values.birthday, wrong)].map(({ prop, msg }): FieldError => ({ field: prop, msg })), ...papers]
  const first = told.filter(({ field }, at) => told.findIndex(one => one.field === field) === at)
  if (first.length > 0) throw fail(commonErrors.malformed, { errors: first })
  return row
}

function mobileError(mobile: string): FieldError[] {
  const msg = checkMobile(mobile)
  return msg === null ? [] : [{ field: 'mobile', msg }]
}

function applicationOf({ app, now }: Pre, { id }: Season, { school_id, values, mobile }: { school_id: number; values: Values; mobile: string }): Application {
  const { user_name, sex, id_type, id_no, birthday, guardian, relation, ...rest } = values
  const twins = subjectIdx(app.secrets, school_id, `twin:${mobile}:${birthday ?? ''}`).toString('hex')
  return {
    school_id, season_id: id, apply_no: numberOf(now), applied_at: now, updated_at: now,
    user_name: user_name ?? '', sex: sex ?? '0', id_type: id_type ?? resident, ...sealIdNo(app.secrets, school_id, id_no ?? ''), birthday: birthday ?? null,
    guardian: guardian ?? '', guardian_mobile: mobile, relation: relation ?? '99', values: JSON.stringify(rest), twin_group: rest.twin === yes ? twins.slice(0, group_signs) : null,
  }
}

/** Forms for an hour, so often an hour for one address and for one season. @throws Refusal 429 */
async function formsFor(pre: Pre, { school_id, secret }: PublicKey, materials: number): Promise<PublicUploads> {
  const { app, now } = pre
  const refusal = await pre.own<unknown, Refusal | null>(school_id, async bare => {
    const db = asTables<PeopleDb>(bare)
    return (await countAddress(db, school_id, addressOf(pre, school_id, 'upload'), now)) ?? countForm(db, school_id, subjectIdx(app.secrets, school_id, `form:${secret}`), now)
  })
  if (refusal) throw refusal
  return { forms: await visitorForms(pre, school_id, (materials + spare_materials) * most_material_files) }
}

type Prepared = { row: Application; documents: Awaited<ReturnType<typeof claimDocuments>> }

/** Keeps an application; counts and application stand or fall together. @throws Refusal 409 applyDup, 429 */
async function keep(pre: Pre, db: Db, { school_id }: PublicKey, { row, documents }: Prepared): Promise<PublicAnswer> {
  const { app, now } = pre
  const refusal = await countAddress(db, school_id, addressOf(pre, school_id, 'submit'), now)
  if (refusal) throw refusal
  await countMobile(db, school_id, subjectIdx(app.secrets, school_id, `mobile:${row.guardian_mobile}`), now)
  const kept = await keepApplication(db, row)
  if (kept === null) throw fail(peopleErrors.applyDup, { errors: [{ field: 'id_no', msg: peopleErrors.applyDup.msg }] })
  await keepDocuments({ app, db, school_id, now }, kept.id, documents)
  return { apply_no: kept.apply_no, state: '1', state_label: FRESHMAN_STATE.names['1'], reason: null }
}

async function statusOf({ app }: Pre, db: Db, { id }: Season, { key: { school_id }, asked }: { key: PublicKey; asked: Status }): Promise<PublicAnswer | null> {
  const row = await db
    .selectFrom('freshmen_apply')
    .select(['apply_no', 'state', 'reason', 'id_no_enc'])
    .where('school_id', '=', school_id)
    .where('season_id', '=', id)
    .where('apply_no', '=', asked.apply_no.toUpperCase())
    .executeTakeFirst()
  if (!row?.id_no_enc || openIdNo(app.secrets, school_id, row.id_no_enc).slice(-last_signs) !== asked.id_last4.toUpperCase()) return null
  const label = new Map(Object.entries(FRESHMAN_STATE.names)).get(row.state) ?? ''
  return { apply_no: row.apply_no, state: row.state, state_label: label, reason: row.state === '3' ? row.reason : null }
}
