import { season_fields } from '@campus/people/contract'
import type { FreshmenSeason, SeasonDraft, SeasonMaterial } from '@campus/people/contract'
import { schoolToday } from '@kit/web'
import { dayjs } from '@kit/web/day'

const zone_ms = 8 * 3_600_000
const usual_open_days = 30
const asked_by_itself: ReadonlySet<string> = new Set(['birthday', 'hukou_division', 'from_school', 'board', 'twin'])

/** A season as its form holds it: moments by the clock of the school. */
export type SeasonValues = {
  school_year: string
  stage: string
  open_at: dayjs.Dayjs
  close_at: dayjs.Dayjs
  quota: number
  review_levels: 1 | 2
  dup_policy: 'block' | 'warn'
  import_passed: boolean
  min_birthday: dayjs.Dayjs | null
  max_birthday: dayjs.Dayjs | null
  number_rule: FreshmenSeason['number_rule']
  materials: SeasonMaterial[]
  dept_ids: string[]
}

/** What the form begins with; a new season is one of the coming school year. */
export function valuesOf(season: FreshmenSeason | null): SeasonValues {
  if (!season) return newValues()
  const { school_year, stage, quota, review_levels, dup_policy, import_passed, number_rule, materials, class_plan } = season
  return {
    school_year, stage, quota, review_levels, dup_policy, import_passed, number_rule, materials, dept_ids: class_plan.dept_ids,
    open_at: schoolClock(season.open_at), close_at: schoolClock(season.close_at),
    min_birthday: season.min_birthday === null ? null : dayjs(season.min_birthday),
    max_birthday: season.max_birthday === null ? null : dayjs(season.max_birthday),
  }
}

function newValues(): SeasonValues {
  const today = schoolToday()
  const year = Number(today.slice(0, 4)) + (today.slice(5) >= '09-01' ? 1 : 0)
  const first = dayjs(today).add(1, 'day').hour(8)
  return {
    school_year: `${year}-${year + 1}`, stage: '1', open_at: first, close_at: first.add(usual_open_days, 'day').hour(18), quota: 240, review_levels: 1, dup_policy: 'warn', import_passed: false, min_birthday: null, max_birthday: null,
    number_rule: { prefix: String(year), digits: 4, start: 1 }, materials: [{ name: '户口簿', upload: 'none' }, { name: '预防接种证', upload: 'none' }], dept_ids: [],
  }
}

/** The fields a new season asks, until somebody sets them. */
export function fieldsOf(season: FreshmenSeason | null): FreshmenSeason['form_fields'] {
  return season?.form_fields ?? season_fields.map(({ field_code, is_fixed }) => ({ field_code, shown: is_fixed || asked_by_itself.has(field_code), required: is_fixed }))
}

/** The form as it is sent. */
export function draftOf({ open_at, close_at, min_birthday, max_birthday, dept_ids, ...values }: SeasonValues, form_fields: FreshmenSeason['form_fields'], season: FreshmenSeason | null): SeasonDraft {
  return {
    ...values, materials: values.materials.filter(({ name }) => name.trim() !== ''), form_fields, open_at: instantOf(open_at), close_at: instantOf(close_at), min_birthday: min_birthday?.format('YYYY-MM-DD') ?? null, max_birthday: max_birthday?.format('YYYY-MM-DD') ?? null,
    class_plan: { dept_ids }, ...(season ? { id: season.id, row_version: season.row_version } : {}),
  }
}

function schoolClock(instant: string): dayjs.Dayjs {
  return dayjs(new Date(Date.parse(instant) + zone_ms).toISOString().slice(0, 16))
}

function instantOf(clock: dayjs.Dayjs): string {
  return `${clock.format('YYYY-MM-DDTHH:mm')}:00+08:00`
}
