import { dataOf } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { loginApi } from '@campus/identity/contract'
import { freshmenApi, freshmenSeasonApi, registerPublicApi } from '@campus/people/contract'
import type { FreshmanRow, FreshmenSeason, SeasonDraft } from '@campus/people/contract'
import { sql } from 'kysely'
import type { PeopleDb } from '../db.ts'

type Files = { material: string; file_key: string }[]

const hour_ms = 3_600_000
let made = 0

/** A season and its families, as one person of the school and many of outside act. */
export function enroller(app: TestApp, school_id: number, clerk: () => TestUser) {
  const as = () => ({ token: clerk().token })
  const at = (ms: number) => new Date(app.clock.now().getTime() + ms).toISOString()
  const draft = (more: Partial<SeasonDraft> = {}): SeasonDraft => {
    made += 1
    return {
      school_year: `${2100 + made}-${2101 + made}`, stage: '1', open_at: at(-hour_ms), close_at: at(hour_ms), quota: 500, form_fields: [], materials: [{ name: '户口簿', upload: 'none' }, { name: '预防接种证', upload: 'none' }], min_birthday: null, max_birthday: null,
      dup_policy: 'warn', review_levels: 1, import_passed: false, class_plan: { dept_ids: [] }, number_rule: { prefix: `N${made}x`, digits: 4, start: 1 }, ...more,
    }
  }
  const save = (body: SeasonDraft) => app.call(freshmenSeasonApi.save, body, as())
  const turn = (season: FreshmenSeason, state: 'open' | 'closed' | 'finished') => app.call(freshmenSeasonApi.turn, { id: season.id, row_version: season.row_version, state }, as())
  const opened = async (more: Partial<SeasonDraft> = {}): Promise<FreshmenSeason> => {
    const season = dataOf(freshmenSeasonApi.save, await save(draft(more)))
    return dataOf(freshmenSeasonApi.turn, await turn(season, 'open'))
  }
  const read = async (id: string): Promise<FreshmenSeason> => {
    const { list } = dataOf(freshmenSeasonApi.list, await app.call(freshmenSeasonApi.list, {}, as()))
    const season = list.find(one => one.id === id)
    if (!season) throw new Error(`no season ${id}`)
    return season
  }
  const proof = async () => ({ cap_key: dataOf(loginApi.captcha, await app.call(loginApi.captcha, { type: 'login' })).key, captcha: '2222' })
  const child = (more: Record<string, string> = {}): Record<string, string> => {
    made += 1
    return { user_name: `新生${'甲乙丙丁'[made % 4] ?? ''}`, sex: made % 2 === 0 ? '男' : '女', id_type: '护照', id_no: `FP${made}`, birthday: '2019-07-08', guardian: '林大海', relation: '父亲', ...more }
  }
  /** Sends one in; how often an address and a mobile may is forgotten. */
  const submit = async (season: FreshmenSeason, values = child(), mobile = `1693${String((made += 1)).padStart(7, '0')}`, files: Files = []): Promise<Answer> => {
    await app.running.database.tenant<PeopleDb, unknown>(school_id, db => sql`delete from register_hit where school_id = ${school_id}`.execute(db))
    return app.call(registerPublicApi.act, { key: season.register_key, act: 'submit', mobile, values, files, ...(await proof()) })
  }
  const status = async (season: FreshmenSeason, apply_no: string, id_last4: string) => app.call(registerPublicApi.act, { key: season.register_key, act: 'status', apply_no, id_last4, ...(await proof()) })
  const page = async (season_id: string, more: { state?: FreshmanRow['state']; keyword?: string } = {}): Promise<FreshmanRow[]> =>
    dataOf(freshmenApi.page, await app.call(freshmenApi.page, { season_id, page_size: 300, ...more }, as())).list
  /** One that was sent in. */
  const applied = async (season: FreshmenSeason, values = child(), mobile?: string): Promise<FreshmanRow> => {
    const { apply_no } = dataOf(registerPublicApi.act, await submit(season, values, mobile))
    const [row] = await page(season.id, { keyword: apply_no })
    if (!row) throw new Error(`no application ${apply_no}`)
    return row
  }
  const pass = (ids: string[], token = as()) => app.call(freshmenApi.review, { ids, verdict: 'pass' }, token)
  const refuse = (ids: string[], reason = '户口簿不清晰') => app.call(freshmenApi.review, { ids, verdict: 'refuse', reason }, as())
  const admit = (ids: string[], is_admitted = true) => app.call(freshmenApi.admit, { ids, is_admitted }, as())
  const giveUp = (ids: string[], reason = '随父母迁往外地') => app.call(freshmenApi.giveUp, { ids, reason }, as())
  return { draft, save, turn, opened, read, child, submit, status, page, applied, pass, refuse, admit, giveUp, proof }
}
