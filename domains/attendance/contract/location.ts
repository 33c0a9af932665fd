import { PlaceId } from '@campus/places/contract'
import { api, del, Done, get, Instant, page, PageQuery, post, put } from '@kit/contract'
import { z } from 'zod'

export const least_radius_m = 30
export const most_radius_m = 1000
/** A position that may be wrong by more proves nothing. */
export const most_inaccuracy_m = 150
const degrees = (name: string, most: number) =>
  z
    .number({ error: `请填写${name}` })
    .min(-most, { error: `${name}应在-${most}到${most}之间` })
    .max(most, { error: `${name}应在-${most}到${most}之间` })
const lng = degrees('经度', 180)
const lat = degrees('纬度', 90)
const radius = { error: `打卡半径应为${least_radius_m}到${most_radius_m}米` }

/** A place where a phone may sign in: its middle in WGS-84 and a radius in metres. */
export const LocationRow = z.object({
  place_id: PlaceId,
  place_name: z.string(),
  lng: z.number(),
  lat: z.number(),
  radius_m: z.number().int(),
  row_version: z.number().int(),
})
export type LocationRow = z.output<typeof LocationRow>

const edit = { need: 'attendance.point.edit', within: 'place' } as const

/** Places for signing in by position, and signing in there (chapter 55 §4). */
export const attendLocationApi = api('v2', 'attendance.location', {
  list: get('attend/location', { query: PageQuery, reply: page(LocationRow), ...edit }),
  save: put('attend/location', {
    body: z.strictObject({
      place_id: PlaceId,
      lng,
      lat,
      radius_m: z.number(radius).int(radius).min(least_radius_m, radius).max(most_radius_m, radius),
      /** 0: the place has none yet */
      row_version: z.number().int().min(0),
    }),
    reply: Done,
    ...edit,
  }),
  remove: del('attend/location/:place_id', { params: z.object({ place_id: PlaceId }), reply: Done, ...edit }),
  add: post('attend/event/location', {
    /** WGS-84 and how far off it may be, as the phone says */
    body: z.strictObject({ lng, lat, accuracy_m: z.number({ error: '没有取得定位精度，请重试' }).min(0).max(100_000) }),
    reply: z.object({
      place_name: z.string(),
      distance_m: z.number().int(),
      at: Instant,
      served: z.string().nullable(),
      hint: z.string().nullable(),
    }),
    session: true,
    within: 'self',
  }),
})
